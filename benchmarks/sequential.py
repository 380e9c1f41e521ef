"""What the reductions of sequentialized programs are worth to our own engine:

    PYTHONPATH=src python benchmarks/sequential.py CORPUS_DIR [--tasks N] [--seconds S] [--seed N]

Draws tasks about unreach-call, sequentializes each with none, local, conflict and full, and explores the four programs
with the explicit engine. `search` is the time of the search alone; `whole` is processor time from the original's
normal form to the verdict: writing the text, reading it with the front end, compilers, search. A search that runs out
of time counts with what it has used and seen until then. Passed over are tasks that say nothing: with few states
without any reduction, or out of reach of both `none` and `full`. The last lines are medians of the quotients none/X,
for all tasks and for those that need a reduction: where `none` searches for more than a second.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import statistics
import sys
from collections import Counter
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

TELLING = 5_000  # states of `none`
NEEDY_S = 1.0
NAMES = {"Safe": "true", "Unsafe": "false", "Unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Figure:
    answer: str
    states: int
    search: float
    whole: float

    @property
    def known(self) -> bool:
        return self.answer != NAMES[Unknown.__name__]

    def __str__(self) -> str:
        return f"{self.answer:7} {self.states:8} {self.search:6.2f} {self.whole:6.2f}"


Row = dict[Reduction, Figure]


def processor() -> float:
    """Seconds of this process and of the compilers it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(program: Program, reduction: Reduction, seconds: float) -> Figure:
    started = processor()
    sequential = read(sequentialize(program, Options(reduction)), program, ("CHECK_BOUNDS",))
    result = explicit.check(Task(sequential, Property.UNREACH_CALL), Budget(seconds), Silent(), patience=0)
    stats = result.stats
    searched = float(stats.get("seconds_searching", seconds))
    return Figure(NAMES[type(result).__name__], int(stats.get("states", 0)), searched, processor() - started)


def row_of(program: Program, seconds: float) -> Row | str:
    """The figures of a task, or why it says nothing."""
    found = {Reduction.FULL: measure(program, Reduction.FULL, seconds)}
    found[Reduction.NONE] = measure(program, Reduction.NONE, seconds)
    if not (found[Reduction.FULL].known or found[Reduction.NONE].known):
        return "out of reach"
    if found[Reduction.NONE].states < TELLING:
        return "few states"
    for reduction in (Reduction.CONFLICT, Reduction.LOCAL):
        found[reduction] = measure(program, reduction, seconds)
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
        rows = [r for r in csv.DictReader(index) if r["property"] == "unreach-call"]
    random.Random(options.seed).shuffle(rows)
    table, passed = list[Row](), Counter[str]()
    print("verdict, states, search s, whole s of:", *(f"{r.value:31}" for r in Reduction), "task")
    for row in rows:
        if len(table) == options.tasks:
            break
        reading = FrontendOptions(data_model=DataModel(row["data_model"]))
        try:
            program = prepare([str(options.corpus / row["path"])], Property.UNREACH_CALL, reading)
            found = row_of(program, options.seconds)
        except ThreadproofError as error:
            found = f"refused: {error}"
        if isinstance(found, str):
            passed[found] += 1
            continue
        table.append(found)
        print(*(found[r] for r in Reduction), row["path"], sep="  ", flush=True)
    print("passed over:", ", ".join(f"{count} {why}" for why, count in passed.items()) or "none")
    report("all", table)
    report("needy", [row for row in table if row[Reduction.NONE].search > NEEDY_S])
    return 0


def report(which: str, table: list[Row]) -> None:
    print(f"{which}: {len(table)} tasks; known, and medians of none/X:")
    for reduction in Reduction if table else ():
        pairs = [(row[Reduction.NONE], row[reduction]) for row in table]
        known = sum(other.known for _, other in pairs)
        states = statistics.median(none.states / max(1, other.states) for none, other in pairs)
        search = statistics.median(none.search / max(1e-6, other.search) for none, other in pairs)
        whole = statistics.median(none.whole / other.whole for none, other in pairs)
        print(f"{reduction.value:9} known {known:4}  states {states:7.2f}  search {search:7.2f}  whole {whole:6.2f}")


if __name__ == "__main__":
    sys.exit(main())
