"""Compares what the stateless search says and counts with one worker and with several.

python tests/differential/execution_jobs.py 0 500 [--large]

Workers part with work at every event, and meet often. With `source` the number of executions that end asleep may depend
on who reversed which race first; everything else may not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from comparison import read
from reductions import spurious_of
from sweep import data_model

from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown, Unsafe
from threadproof.dev.programs.generate import TinyShape, generate_tiny
from threadproof.engines.dpor.native import DporReduction
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import Settings, machine_for
from threadproof.engines.task import Task
from threadproof.evidence.replay import Replay
from threadproof.passes.pipeline import normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.run import Granularity

JOBS = (2, 3)
PROPERTIES = (Property.NO_OVERFLOW, Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK)
"""The first is not compiled in: nothing ends those searches early."""
LARGE = TinyShape(threads=(2, 4), steps=(1, 5), together=9, features=(1, 3))
ENDS = 300_000
SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Explored:
    verdict: str
    cuts: frozenset[str]
    executions: int
    blocked: int
    redundant: int
    ends: frozenset[int]
    shares: tuple[int, ...] = ()  # events made by each worker


def explored(machine: NativeMachine, prop: Property, settings: Settings) -> Explored | None:
    """None if it is too large. Of a violation only that there is one."""
    search = StatelessSearch(Task(machine.program, prop), settings, Budget(SECONDS), Silent(), machine)
    try:
        result = search.run()
        if isinstance(result, Unsafe):
            reference = Machine(machine.program, Granularity.VISIBLE, machine.spurious)
            assert Replay(reference, prop).run(result.schedule) is not None, "the schedule does not replay"
            return Explored("false", frozenset(), 0, 0, 0, frozenset())
        if isinstance(result, Unknown) and result.reason.startswith("time"):
            return None
        if search.kernel.count("end_count") > ENDS:
            return None
        counts = (cast(int, search.stats()[name]) for name in ("executions", "blocked", "redundant"))
        shares = tuple(int(block.events_made) for block in search.kernel.blocks)
        verdict = "unknown" if isinstance(result, Unknown) else "true"
        return Explored(verdict, frozenset(search.cut), *counts, frozenset(search.kernel.ends), shares)
    finally:
        search.close()


def same(one: Explored, other: Explored, reduction: DporReduction) -> bool:
    redundant = one.redundant if reduction is DporReduction.SOURCE else other.redundant
    return replace(other, redundant=redundant, shares=()) == replace(one, shares=())


def compare(machine: NativeMachine, prop: Property, reduction: DporReduction) -> tuple[str, int, int]:
    """How answers differ, the executions of one worker, and how many workers beside it had something to do."""
    settings = Settings(reduction, slice=200, gives_after=0, ends=ENDS)
    alone = explored(machine, prop, replace(settings, slice=20_000))
    if alone is None:
        return "", 0, 0
    helpers = 0
    for jobs in JOBS:
        several = explored(machine, prop, replace(settings, jobs=jobs))
        if several is None:
            return "", 0, 0
        if not same(alone, several, reduction):
            told = [replace(one, ends=frozenset(), cuts=one.cuts) for one in (alone, several)]
            ends = f"{len(alone.ends)} ends and {len(several.ends)}"
            return f"{prop.value}, {reduction.name.lower()}, {jobs} workers: {told}, {ends}", 0, 0
        helpers += sum(share > 0 for share in several.shares) - 1 if several.shares else 0
    return "", alone.executions + alone.blocked, helpers


def questions(machine: NativeMachine) -> Iterator[tuple[Property, DporReduction]]:
    for reduction in DporReduction:
        yield PROPERTIES[0], reduction
    for prop in PROPERTIES[1:]:
        yield prop, DporReduction.OPTIMAL


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--large", action="store_true", help="up to four threads, only the stronger reductions")
    options = parser.parse_args()
    asked, different, total, helped = 0, 0, 0, 0
    for seed in range(options.first, options.last):
        source = generate_tiny(seed, LARGE) if options.large else generate_tiny(seed)
        machine = machine_for(normalise(read(source, data_model=data_model(seed))), spurious_of(seed))
        for prop, reduction in questions(machine):
            if options.large and reduction <= DporReduction.SLEEP:
                continue
            difference, executions, helpers = compare(machine, prop, reduction)
            asked += executions > 0
            total += executions
            helped += helpers > 0
            if difference:
                different += 1
                print(f"seed {seed}: {difference}", flush=True)
    print(
        f"{asked} questions, {different} differences; {total:,} executions; {helped} had more than one worker at work"
    )


if __name__ == "__main__":
    main()
