"""How many known bugs random testing finds: `python -m threadproof.dev.hits CORPUS [--seconds 10] [--only GLOB]`.

Every `unreach-call` row of `CORPUS/INDEX.csv` is tested for some seconds, reading and compiling included, which the
schedulers share. The seconds are CPU time, so that it does not matter what else the machine does. A hit counts once
the reference semantics has replayed it. No task expected `true` may be hit.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from threadproof.core.budget import Budget
from threadproof.core.errors import ThreadproofError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.engines.random.strategies import Strategy
from threadproof.engines.random.testing import RandomTesting
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend.options import FrontendOptions
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio.prepare import prepare

REQUIRED_SHARE = 0.70
PROPERTY = Property.UNREACH_CALL


@dataclass(frozen=True, slots=True)
class HitRow:
    """One task of the index."""

    path: Path
    name: str
    family: str
    expected: str
    data_model: str


@dataclass(frozen=True, slots=True)
class Found:
    row: HitRow
    seconds: dict[str, float] = field(default_factory=dict[str, float])  # to the first hit, of the schedulers that hit
    note: str = ""  # how the runs ended, or what went wrong


@dataclass(frozen=True, slots=True)
class CpuBudget(Budget):
    """Counts what this process and the compilers it waited for have used."""

    begun: float = field(default_factory=lambda: sum(os.times()[:4]))

    def elapsed(self) -> float:
        return sum(os.times()[:4]) - self.begun


@dataclass(frozen=True, slots=True)
class Effort:
    seconds: float
    strategies: tuple[Strategy, ...]
    seed: int


# --- one task --------------------------------------------------------------------------------------------------------


def tested(row: HitRow, effort: Effort) -> Found:
    budget = CpuBudget(effort.seconds)
    found = Found(row)
    try:
        options = FrontendOptions(data_model=DataModel(row.data_model), undefined=Taken.PURE)
        program = prepare([str(row.path)], PROPERTY, options)
        testing = RandomTesting(Task(program, PROPERTY, effort.seed), budget, Silent(), effort.strategies)
        for hit in testing.hits():
            if replay_schedule(program, PROPERTY, hit.schedule) is None:
                return Found(row, found.seconds, f"a hit of {hit.strategy.value} does not replay")
            found.seconds[hit.strategy.value] = hit.seconds
        endings = Counter(testing.endings).most_common()
        return Found(row, found.seconds, ", ".join(f"{count} {kind.name.lower()}" for kind, count in endings))
    except (ThreadproofError, OutOfAddresses) as error:
        return Found(row, found.seconds, str(error))


# --- the table -------------------------------------------------------------------------------------------------------


def table(found: Sequence[Found], names: Sequence[str]) -> str:
    families = sorted({one.row.family for one in found})
    width = max(len("family"), *(len(family) for family in families))
    columns = " ".join(f"{name:>8}" for name in (*names, "any"))
    lines = [f"{'family':{width}} {'false':>6} {columns} {'median s':>9} {'true':>6} {'hit':>4}"]
    for family in (*families, "all"):
        rows = [one for one in found if family in ("all", one.row.family)]
        lines.append(f"{family:{width}} {_cells(rows, names)}")
    return "\n".join(lines)


def _cells(rows: Sequence[Found], names: Sequence[str]) -> str:
    wrong = [one for one in rows if one.row.expected == "false"]
    right = [one for one in rows if one.row.expected == "true"]
    hits = [sum(name in one.seconds for one in wrong) for name in names]
    first = [min(one.seconds.values()) for one in wrong if one.seconds]
    counts = " ".join(f"{count:8}" for count in (*hits, len(first)))
    middle = f"{median(first):9.2f}" if first else " " * 9
    return f"{len(wrong):6} {counts} {middle} {len(right):6} {sum(bool(one.seconds) for one in right):4}"


def _write(file: str, found: Sequence[Found], names: Sequence[str]) -> None:
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("path", "family", "expected", *names, "note"))
        for one in found:
            times = (f"{one.seconds[name]:.3f}" if name in one.seconds else "" for name in names)
            writer.writerow((one.row.name, one.row.family, one.row.expected, *times, one.note))


# --- the command -----------------------------------------------------------------------------------------------------


def rows_of(corpus: Path, only: str, expected: str) -> list[HitRow]:
    with open(corpus / "INDEX.csv", encoding="utf-8", newline="") as index:
        rows = [row for row in csv.DictReader(index) if row["property"] == PROPERTY.value]
    found = [
        HitRow(corpus / row["path"], row["path"], _family(row), row["expected"], row["data_model"]) for row in rows
    ]
    return [row for row in found if fnmatch.fnmatch(row.name, only) and expected in ("both", row.expected)]


def _family(row: dict[str, str]) -> str:
    """The source and the folder, which of a task with a folder of its own is the one above."""
    path = Path(row["path"])
    folder = path.parent.parent if path.stem == "main" else path.parent
    return f"{row['source']}/{folder.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    names = options.schedulers.split(",")
    try:
        effort = Effort(options.seconds, tuple(Strategy(name) for name in names), options.seed)
        rows = rows_of(Path(options.corpus), options.only, options.expected)
    except (OSError, KeyError, ValueError) as error:
        print(f"cannot begin: {error}", file=sys.stderr)
        return 3
    found: list[Found] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in as_completed([pool.submit(tested, row, effort) for row in rows]):
            found.append(one := done.result())
            if bool(one.seconds) != (one.row.expected == "false"):
                print(f"{'HIT' if one.seconds else 'missed'}: {one.row.name}: {one.note}", flush=True)
    found.sort(key=lambda one: one.row.name)
    if options.csv:
        _write(options.csv, found, names)
    print(table(found, names) if found else "no task")
    return 0 if _good_enough(found) else 1


def _good_enough(found: Sequence[Found]) -> bool:
    wrong = [one for one in found if one.row.expected == "false"]
    hit = sum(bool(one.seconds) for one in wrong)
    alarms = [one for one in found if one.row.expected == "true" and one.seconds]
    return hit >= REQUIRED_SHARE * len(wrong) and not alarms


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m threadproof.dev.hits", description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU time for each task")
    parser.add_argument("--only", metavar="GLOB", default="*", help="paths of tasks")
    parser.add_argument("--expected", choices=("both", "false", "true"), default="both")
    parser.add_argument("--schedulers", default="uniform,pct,walk")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", metavar="FILE", help="write one row for each task")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
