"""Correctness witnesses of true verdicts: whether they keep the rules, and whether `replay` proves them again.

    PYTHONPATH=src python benchmarks/correctness_witnesses.py RESULTS.jsonl [--corpus CORPUS] [--tasks 100]
        [--seconds 20] [--engines impact,trace,cegar,modular]

Programs of tests/litmus and tests/programs that are expected to be true, then (with CORPUS, a folder with INDEX.csv)
true tasks of it, the smallest first; engines in turn. Of each `true` with invariants that could be proved again, the
witness is written in YAML, and every third in GraphML, too; held against `witness/rules.py`; and given to `replay` in
a fresh process, which has nothing but the file and the sources. Lines are appended to RESULTS as they come, and what is
there already is not done again. The last lines are the table.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import yaml
from false_tasks import Result, Row, measure_all

from threadproof import verify
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.invariants.of_answer import invariants_of
from threadproof.ir.program import DataModel, Taken
from threadproof.witness.correctness import correctness_graphml, correctness_yaml
from threadproof.witness.rules import broken_rules
from threadproof.witness.task import WitnessTask

TESTS = Path(__file__).parents[1] / "tests"
PROPERTY = Property.UNREACH_CALL
OF_ENGINE: dict[str, dict[str, Any]] = {"cegar": {"initial": "checks"}}
SEEDED = "with the invariants as predicates"


def true_tasks(corpus: Path | None, engines: list[str]) -> list[Row]:
    """Engines in turn over the programs."""
    found = [one for folder in ("litmus", "programs/litmus", "programs") for one in _own(TESTS / folder)]
    found = list({one["id"]: one for one in found}.values())
    if corpus is not None:
        with open(corpus / "INDEX.csv", encoding="utf-8") as index:
            rows = [
                one for one in csv.DictReader(index) if (one["property"], one["expected"]) == (PROPERTY.value, "true")
            ]
        rows.sort(key=lambda one: (corpus / one["path"]).stat().st_size)
        found += [{"id": one["id"], "path": str(corpus / one["path"]), "data_model": one["data_model"]} for one in rows]
    return [
        {
            **one,
            "id": f"{one['id']} {engines[(index + turn) % len(engines)]}",
            "engine": engines[(index + turn) % len(engines)],
        }
        for turn in range(len(engines))
        for index, one in enumerate(found)
    ]


def _own(folder: Path) -> list[Row]:
    found: list[Row] = []
    for file in sorted(folder.glob("**/main.c")):
        expected: Any = yaml.safe_load((file.parent / "expect.yml").read_text(encoding="utf-8"))
        said = (expected.get("verdicts") or expected).get(PROPERTY.value) if isinstance(expected, dict) else None
        if said is True or said == "true":
            found.append({"id": str(file.parent.relative_to(TESTS)), "path": str(file), "data_model": "LP64"})
    return found


def measured(row: Row, seconds: float) -> Result:
    file, model = row["path"], DataModel(row["data_model"])
    options = FrontendOptions(data_model=model, undefined=Taken.PURE)
    engine = row["engine"]
    [answer] = verify(file, [PROPERTY], engine=engine, frontend=options, timeout=seconds, **OF_ENGINE.get(engine, {}))
    found: Result = {"id": row["id"], "property": row["engine"], "verdict": answer.verdict.value}
    if answer.verdict is not Verdict.TRUE:
        return found
    witness = invariants_of(answer, [file], options, seconds)
    found |= {"kind": answer.proof.kind if answer.proof else "", "invariants": len(witness.invariants)}
    if not witness.invariants:
        return found
    task = WitnessTask((file,), PROPERTY, model.value)
    formats = {".yml": correctness_yaml(witness, task)}
    if not witness.ghosts and sum(map(ord, row["id"])) % 3 == 0:
        formats[".graphml"] = correctness_graphml(witness, task)
    with tempfile.TemporaryDirectory() as folder:
        for ending, text in formats.items():
            path = f"{folder}/witness{ending}"
            Path(path).write_text(text, encoding="utf-8")
            asked = ["replay", path, file, "--data-model", model.value, "--timeout", str(3 * seconds)]
            ran = subprocess.run([sys.executable, "-m", "threadproof", *asked], capture_output=True, text=True)
            one = {
                "broken": broken_rules(path, [file])[:3],
                "confirmed": ran.returncode == 0,
                "said": ran.stdout.strip()[-200:],
            }
            found[ending[1:]] = one
    return found | {"ghosts": len(witness.ghosts), "first": witness.invariants[0].value}


def table(results: list[Result]) -> None:
    true = [one for one in results if one["verdict"] == "true"]
    told = [one for one in true if "yml" in one]
    engines = dict(Counter(one["property"] for one in told))
    print(f"{len(results)} tasks, {len(true)} true, {len(told)} with invariants: {engines}")
    print(
        f"invariants: {sum(one['invariants'] for one in told)}, with ghosts: {sum(bool(one['ghosts']) for one in told)}"
    )
    for kind in ("yml", "graphml"):
        some = [one[kind] for one in told if kind in one]
        valid, confirmed = sum(not one["broken"] for one in some), sum(one["confirmed"] for one in some)
        seeded = sum(SEEDED in one["said"] for one in some)
        print(f"{kind:8} {len(some)}   keeps the rules: {valid}   proved again: {confirmed}, {seeded} {SEEDED}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--tasks", type=int, default=100, help="how many true verdicts with invariants")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each verdict, and for its invariants")
    parser.add_argument("--engines", default="impact,trace,cegar,modular")
    given = parser.parse_args()
    tasks = true_tasks(given.corpus, given.engines.split(","))
    table(measure_all(tasks, given.results, lambda row: measured(row, given.seconds), "yml", given.tasks))


if __name__ == "__main__":
    main()
