"""Violation witnesses of false verdicts: whether they keep the published rules, and whether `replay` confirms them.

    PYTHONPATH=src python benchmarks/witnesses.py CORPUS RESULTS.jsonl [--tasks 200] [--seconds 20] [--follow 60]
        [--property no-overflow,valid-memsafety]

CORPUS is a folder with INDEX.csv (id, path, property, expected, data_model). Tasks that are expected to be false, of
CORPUS and then of tests/, are taken in an order that spreads over properties; of each that is found false, both
formats are written, held against `witness/rules.py`, and followed; then again with a third of the waypoints dropped at
random (the target stays). Lines are appended to RESULTS as they come, and what is there already is not done again. The
last lines are the table.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from false_tasks import false_tasks, measure_all

from threadproof import verify
from threadproof.core.budget import Budget
from threadproof.core.property import parse_property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program, Taken
from threadproof.portfolio import prepare
from threadproof.witness.follow import Confirmed, follow
from threadproof.witness.graphml import graphml_text, read_graphml
from threadproof.witness.model import ViolationWitness
from threadproof.witness.of_trace import witnessed_run
from threadproof.witness.rules import broken_rules
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.task import WitnessTask
from threadproof.witness.yaml_text import read_yaml, yaml_text

DROPPED = 1 / 3


def measured(row: dict[str, str], seconds: float, following: float) -> dict[str, Any]:
    file = row["path"]
    prop = parse_property(row["property"])
    options = FrontendOptions(data_model=DataModel(row["data_model"]), undefined=Taken.PURE)
    [answer] = verify(file, [prop], frontend=options, timeout=seconds)
    found: dict[str, Any] = {"id": row["id"], "property": row["property"], "verdict": answer.verdict.value}
    if answer.verdict is not Verdict.FALSE or answer.trace is None:
        return found
    program = prepare([file], prop, options)
    run = witnessed_run(program, prop, answer.trace, [file])
    task = WitnessTask((file,), prop, row["data_model"])
    with tempfile.TemporaryDirectory() as folder:
        for ending, text in ((".yml", yaml_text(run, task)), (".graphml", graphml_text(run, task))):
            path = f"{folder}/witness{ending}"
            Path(path).write_text(text, encoding="utf-8")
            read = (read_yaml if ending == ".yml" else read_graphml)(path, SourceTexts([file]))
            one: dict[str, Any] = {"waypoints": read.waypoints, "broken": broken_rules(path, [file])[:3]}
            one["whole"] = _followed(program, read, row, [file], following)
            one["dropped"] = _followed(program, dropped(read, row["id"]), row, [file], following)
            found[ending[1:]] = one
    return found


def dropped(witness: ViolationWitness, seed: str) -> ViolationWitness:
    chance = random.Random(seed)
    *others, target = witness.segments
    gone = set(chance.sample(range(len(others)), round(len(others) * DROPPED)))
    return replace(witness, segments=(*(one for i, one in enumerate(others) if i not in gone), target))


def _followed(
    program: Program, witness: ViolationWitness, row: dict[str, str], files: list[str], seconds: float
) -> dict[str, Any]:
    started = time.monotonic()
    found = follow(program, parse_property(row["property"]), witness, files, Budget(seconds))
    said: dict[str, Any] = {"confirmed": isinstance(found, Confirmed), "s": round(time.monotonic() - started, 2)}
    return said if isinstance(found, Confirmed) else said | {"why": found.why, "passed": found.passed}


def table(results: list[dict[str, Any]]) -> None:
    false = [one for one in results if one["verdict"] == "false" and "yml" in one]
    print(f"{len(results)} tasks, {len(false)} found false: {dict(Counter(one['property'] for one in false))}")
    for kind in ("yml", "graphml"):
        valid = sum(not one[kind]["broken"] for one in false)
        whole = sum(one[kind]["whole"]["confirmed"] for one in false)
        less = sum(one[kind]["dropped"]["confirmed"] for one in false)
        print(f"{kind:8} keeps the rules: {valid}   confirmed: {whole}   with a third dropped: {less}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--tasks", type=int, default=200, help="how many false verdicts")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each verdict")
    parser.add_argument("--follow", type=float, default=60.0, help="for each replay")
    parser.add_argument("--property", default="", help="only these; several with commas between")
    given = parser.parse_args()
    wanted = set(filter(None, given.property.split(",")))
    results = measure_all(
        (row for row in false_tasks(given.corpus, own=True) if not wanted or row["property"] in wanted),
        given.results,
        lambda row: measured(row, given.seconds, given.follow),
        "yml",
        given.tasks,
    )
    table(results)


if __name__ == "__main__":
    main()
