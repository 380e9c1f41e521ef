"""What the reductions of sequentialized programs are worth to our own engine:

    PYTHONPATH=src python benchmarks/sequential.py CORPUS_DIR [--tasks N] [--seconds S] [--seed N]

Draws tasks about unreach-call, sequentializes each with none, local, conflict and full, and explores the four programs
with the explicit engine. Tasks with few states tell nothing and are passed over. Seconds are processor time of the
search, without compilers; a search that runs out of time counts with what it has used and seen until then. The last
lines are medians of the quotients none/X.
"""

from __future__ import annotations

import argparse
import csv
import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from threadproof.codegen.sequential import Options, Reduction, sequentialize
from threadproof.core.budget import Budget
from threadproof.core.errors import ThreadproofError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Program
from threadproof.portfolio.prepare import prepare
from threadproof.portfolio.seq import read

LARGEST = 400  # lines
TELLING = 500  # states of `none`


@dataclass(frozen=True, slots=True)
class Figure:
    answer: str
    states: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.answer:7} {self.states:8} {self.seconds:6.2f} s"


def measure(program: Program, reduction: Reduction, seconds: float) -> Figure:
    sequential = read(sequentialize(program, Options(reduction)), program, ("CHECK_BOUNDS",))
    started = time.process_time()
    result = explicit.check(Task(sequential, Property.UNREACH_CALL), Budget(seconds), Silent())
    took = time.process_time() - started
    return Figure(type(result).__name__, int(result.stats.get("states", 0)), took)


def one(program: Program, seconds: float) -> dict[Reduction, Figure] | None:
    """None if the task tells nothing: too small, or nobody can do it."""
    found = {Reduction.NONE: measure(program, Reduction.NONE, seconds)}
    if found[Reduction.NONE].states < TELLING:
        return None
    for reduction in (Reduction.FULL, Reduction.CONFLICT, Reduction.LOCAL):
        found[reduction] = measure(program, reduction, seconds)
        if reduction is Reduction.FULL and found[reduction].answer == Unknown.__name__:
            return None
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each search")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    with open(options.corpus / "INDEX.csv", encoding="utf-8", newline="") as index:
        rows = [r for r in csv.DictReader(index) if r["property"] == "unreach-call" and int(r["loc"]) < LARGEST]
    random.Random(options.seed).shuffle(rows)
    table: list[dict[Reduction, Figure]] = []
    for row in rows:
        if len(table) == options.tasks:
            break
        reading = FrontendOptions(data_model=DataModel(row["data_model"]))
        try:
            program = prepare([str(options.corpus / row["path"])], Property.UNREACH_CALL, reading)
            figures = one(program, options.seconds)
        except ThreadproofError as error:
            print(f"{row['path']}: {error}", flush=True)
            continue
        if figures is not None:
            table.append(figures)
            print(row["path"], *(f"{r.value}: {figures[r]}" for r in Reduction), sep="  ", flush=True)
    report(table)
    return 0


def report(table: list[dict[Reduction, Figure]]) -> None:
    print(f"{len(table)} tasks; medians of none/X:")
    for reduction in (Reduction.LOCAL, Reduction.CONFLICT, Reduction.FULL):
        pairs = [(row[Reduction.NONE], row[reduction]) for row in table]
        states = statistics.median(none.states / max(1, other.states) for none, other in pairs)
        seconds = statistics.median(none.seconds / other.seconds for none, other in pairs)
        print(f"{reduction.value:9} states {states:6.2f}  seconds {seconds:6.2f}")


if __name__ == "__main__":
    sys.exit(main())
