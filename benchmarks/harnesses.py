"""Counterexamples on real threads: how often the harness reproduces what the verdict says.

    PYTHONPATH=src python benchmarks/harnesses.py CORPUS RESULTS.jsonl [--tasks 50] [--runs 10] [--seconds 20]

False tasks of `unreach-call` and `no-deadlock`, in turn; each harness is compiled with gcc and run several times. Lines
are appended to RESULTS as they come, and what is there already is not done again. The last lines are the table.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from false_tasks import false_tasks, measure_all

from threadproof import verify
from threadproof.core.property import parse_property
from threadproof.core.result import Verdict
from threadproof.frontend import FrontendOptions
from threadproof.harness import write_harness
from threadproof.harness.files import STEERED
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio import prepare


def measured(row: dict[str, str], seconds: float, runs: int) -> dict[str, Any]:
    file, prop = row["path"], parse_property(row["property"])
    options = FrontendOptions(data_model=DataModel(row["data_model"]), undefined=Taken.PURE)
    [answer] = verify(file, [prop], frontend=options, timeout=seconds)
    found: dict[str, Any] = {"id": row["id"], "property": row["property"], "verdict": answer.verdict.value}
    if answer.verdict is not Verdict.FALSE or answer.trace is None:
        return found
    with tempfile.TemporaryDirectory() as folder:
        write_harness(folder, prepare([file], prop, options), prop, answer.trace, [file])
        made = subprocess.run(["make", "-C", folder, "harness"], capture_output=True, text=True, timeout=120)
        if made.returncode:
            return found | {"runs": [], "said": made.stderr[-300:]}
        said = ""
        codes: list[int] = []
        for _ in range(runs):
            try:
                one = subprocess.run(
                    [f"{folder}/harness"], capture_output=True, text=True, timeout=60, errors="replace"
                )
                codes.append(one.returncode)
                said = one.stderr[-200:] if one.returncode != 1 or not said else said
            except subprocess.TimeoutExpired:
                codes.append(-99)
    return found | {"runs": codes, "said": said}


def table(results: list[dict[str, Any]]) -> None:
    made = [one for one in results if "runs" in one]
    always = [one for one in made if one["runs"] and set(one["runs"]) == {1}]
    print(f"{len(results)} tasks, {len(made)} harnesses, {len(always)} reproduce every time")
    for one in made:
        if one not in always:
            print(f"  {one['id']}: {one['runs']} {one['said']!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--tasks", type=int, default=50, help="how many harnesses")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each verdict")
    given = parser.parse_args()
    rows = (row for row in false_tasks(given.corpus) if parse_property(row["property"]) in STEERED)
    results = measure_all(
        rows, given.results, lambda row: measured(row, given.seconds, given.runs), "runs", given.tasks
    )
    table(results)


if __name__ == "__main__":
    main()
