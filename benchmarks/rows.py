"""Rows of counterexamples before and after leaving out what does not matter, and a check of what is left out.

    PYTHONPATH=src python benchmarks/rows.py CORPUS [--sample N] [--seed N] [--timeout S] [--only GLOB] [--files C...]

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). Of every task that is found `false`
the rows of the full counterexample and of the one for reading are counted; every step that is left out is then removed
by itself (nobody but its own thread notices it), and the violation must remain.
"""

from __future__ import annotations

import argparse
import csv
import random
from fnmatch import fnmatch
from pathlib import Path
from statistics import median

from threadproof import verify
from threadproof.core.property import Property
from threadproof.core.result import Answer
from threadproof.core.trace import Bearing
from threadproof.evidence.relevance import Counterfactuals
from threadproof.evidence.replay import machine_for
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio import prepare
from threadproof.report.lanes import Amount, rows_of


def wrongly_left_out(answer: Answer, path: str, frontend: FrontendOptions) -> int:
    """Steps that are left out although the violation goes away without them."""
    trace = answer.trace
    assert trace is not None
    program = prepare([path], answer.property, frontend)
    check = Counterfactuals(
        machine_for(program, answer.property, trace.model), answer.property, trace.schedule, trace.loc
    )
    first = next(
        (i for i, step in enumerate(trace.steps) if any(e.text.startswith("creates ") for e in step.events)), -1
    )
    aside = [
        index
        for index, step in enumerate(trace.steps)
        if index > first and all(event.role is Bearing.ASIDE for event in step.events) and index < len(trace.steps) - 1
    ]
    return sum(check.needs(index) for index in aside)


def one(path: str, prop: str, frontend: FrontendOptions, seconds: float) -> tuple[int, int, int] | None:
    (answer,) = verify(path, [prop], frontend=frontend, timeout=seconds)
    if answer.trace is None or answer.verdict.value != "false":
        return None
    before, after = (len(rows_of(answer.trace, amount)[0]) for amount in (Amount.FULL, Amount.WHAT_MATTERS))
    return before, after, wrongly_left_out(answer, path, frontend)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--only", default="*")
    parser.add_argument("--files", nargs="*", default=[], help="C files instead of the corpus: all properties")
    options = parser.parse_args()
    tasks: list[tuple[str, str, FrontendOptions]] = []
    if options.files:
        kinds = (Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK, Property.VALID_MEMSAFETY)
        tasks = [(file, kind.value, FrontendOptions()) for file in options.files for kind in kinds]
    else:
        with (options.corpus / "INDEX.csv").open(newline="", encoding="utf-8") as text:
            rows = [
                row for row in csv.DictReader(text) if row["expected"] == "false" and fnmatch(row["path"], options.only)
            ]
        random.Random(options.seed).shuffle(rows)
        for row in rows:
            reading = FrontendOptions(data_model=DataModel(row["data_model"] or "ILP32"), undefined=Taken.PURE)
            tasks.append((str(options.corpus / row["path"]), row["property"], reading))
    found: list[tuple[int, int, int]] = []
    for path, prop, reading in tasks:
        if len(found) == options.sample:
            break
        counted = one(path, prop, reading, options.timeout)
        if counted is not None:
            found.append(counted)
            print(f"{counted[0]:5} -> {counted[1]:4} rows  {counted[2]} wrongly left out  {prop:16} {path}", flush=True)
    if found:
        before, after, wrong = zip(*found, strict=True)
        print(
            f"{len(found)} counterexamples: median {median(before):g} -> {median(after):g} rows, "
            f"most {max(before)} -> {max(after)}; {sum(wrong)} steps wrongly left out"
        )


if __name__ == "__main__":
    main()
