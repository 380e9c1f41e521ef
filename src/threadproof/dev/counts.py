"""Numbers of executions beside those of other tools: `python -m threadproof.dev.counts CORPUS [--seconds 20]`.

Of the rows of META.csv with `expected_counts`, those that mean traces under sequential consistency: Nidhugg's
`-sc -optimal`, and GenMC's `sc=` (with options that only switch its own reductions off). Ours are the executions of
`--reduction optimal`, spurious wake-ups off.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown
from threadproof.dev.command import end
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import Settings, machine_for
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import DataModel, Taken
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Spurious

SAYS = """\
Compare the numbers of executions of `--reduction optimal` with those that other tools print.

A line for every program whose number is not met, a last line with totals:
  met                    as many executions
  met with blocked ones  as many if executions that end blocked are counted too
  different              another number
  not complete           not finished in time, or something unsupported was reached
  refused                the program cannot be read"""
_GENMC = re.compile(r"(?:^|; )sc(?:\[(?P<options>[^]]*)\])?=(?P<count>\d+)")
_PLAIN = {"-disable-ipr", "-disable-sr", "-disable-race-detection", "|"}
_NOTHING = Property.NO_OVERFLOW  # not compiled in: no execution is cut short by a violation


@dataclass(frozen=True, slots=True)
class CountRow:
    id: str
    path: Path
    model: DataModel
    count: int


def rows(corpus: Path) -> Iterator[CountRow]:
    with (corpus / "INDEX.csv").open(encoding="utf-8") as file:
        index = {row["id"]: row for row in csv.DictReader(file)}
    with (corpus / "META.csv").open(encoding="utf-8") as file:
        for meta in csv.DictReader(file):
            count = sc_traces(meta["tool_options"], meta["expected_counts"])
            if count is not None and meta["id"] in index:
                row = index[meta["id"]]
                yield CountRow(row["id"], corpus / row["path"], DataModel(row["data_model"]), count)


def sc_traces(options: str, counts: str) -> int | None:
    """The number of traces without special options, if the row says that."""
    if counts.startswith("traces="):
        return int(counts[len("traces=") :]) if options.split() == ["-sc", "-optimal"] else None
    found = _GENMC.search(counts)
    if found is None or not set((found["options"] or "").split()) <= _PLAIN:
        return None
    return int(found["count"])


def counted(row: CountRow, seconds: float) -> tuple[str, str]:
    """How the row compares, and the sentence that says so."""
    try:
        program = normalise(load([str(row.path)], FrontendOptions(data_model=row.model, undefined=Taken.PURE)))
        machine = machine_for(program, Spurious.OFF)
        search = StatelessSearch(Task(program, _NOTHING), Settings(), Budget(seconds), Silent(), machine)
    except InputError as error:
        return "refused", str(error)
    try:
        result = search.run()
        stats = search.stats()
    finally:
        search.close()
    ours = f"{stats['executions']} executions, {stats['blocked']} blocked"
    if isinstance(result, Unknown):
        return "not complete", f"{ours}: {result.reason}"
    assert isinstance(result, Safe)
    if row.count == stats["executions"]:
        return "met", ours
    both = stats["executions"] + stats["blocked"]
    return ("met with blocked ones", ours) if row.count == both else ("different", ours)


def main() -> int:
    parser = argparse.ArgumentParser(description=SAYS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="a folder with INDEX.csv and META.csv")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each program, 20 if not given")
    asked = parser.parse_args()
    for file in ("INDEX.csv", "META.csv"):
        if not (asked.corpus / file).is_file():
            raise InputError(f"no {file} in {asked.corpus}")
    totals: Counter[str] = Counter()
    for row in rows(asked.corpus):
        kind, sentence = counted(row, asked.seconds)
        totals[kind] += 1
        if kind != "met":
            print(f"{kind}: {row.id}: {row.count} expected, {sentence}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in totals.most_common()))
    return 0


if __name__ == "__main__":
    end(main)
