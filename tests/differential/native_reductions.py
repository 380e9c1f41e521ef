"""The native stateless search against brute force on one program: what differs, in words.

`python tests/differential/native_reductions.py FIRST LAST` compares that many random tiny programs and prints a
summary. Traces are counted by the reference (`explore.traces`); end states are compared with those of all
interleavings, made natively.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from comparison import read
from reductions import LIMIT, Compared, spurious_of
from sweep import data_model

from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Stats, Unsafe, Verdict
from threadproof.dev.programs.generate import generate_tiny
from threadproof.engines.dpor.search import StatelessSearch
from threadproof.engines.dpor.stateless import DporReduction, Settings, machine_for
from threadproof.engines.task import Task
from threadproof.evidence.replay import Replay
from threadproof.explore.findings import Findings
from threadproof.explore.program_lts import ProgramLTS
from threadproof.explore.traces import TooManyStates, all_traces
from threadproof.ir.program import DataModel
from threadproof.passes.pipeline import normalise
from threadproof.semantics.machine import Machine
from threadproof.semantics.run import Granularity, Spurious

ENDS = 1_000_000
NOTHING = Property.NO_OVERFLOW  # not compiled in: no execution is cut short by a violation


@dataclass(slots=True)
class Native:
    result: Result
    stats: Stats
    ends: set[int]


def explore(machine: NativeMachine, reduction: DporReduction, prop: Property = NOTHING) -> Native:
    search = StatelessSearch(Task(machine.program, prop), Settings(reduction, ends=ENDS), Budget(), Silent(), machine)
    try:
        result = search.run()
        return Native(result, search.stats(), search.kernel.ends)
    finally:
        search.close()


def compare_native(source: str, spurious: Spurious, model: DataModel = DataModel.LP64, limit: int = LIMIT) -> Compared:
    program = normalise(read(source, data_model=model))
    try:
        every = all_traces(ProgramLTS(program, spurious), limit)
    except TooManyStates:
        return Compared(too_large=True)
    if every.cut or every.interleavings > ENDS:  # where it was cut nothing is claimed
        return Compared(too_large=True)
    machine = machine_for(program, spurious)
    differences = [*_counts(machine, every), *_verdicts(machine, every)]
    return Compared(differences, every.traces + every.blocked, every.interleavings)


def _counts(machine: NativeMachine, every: Findings) -> Iterator[str]:
    brute = explore(machine, DporReduction.NONE)
    for reduction in (DporReduction.SLEEP, DporReduction.SOURCE, DporReduction.OPTIMAL):
        found = explore(machine, reduction)
        if not isinstance(found.result, Safe):  # something unsupported or undefined was met: nothing is claimed
            return
        name, counts = reduction.name.lower(), (found.stats["executions"], found.stats["blocked"])
        if counts != (every.traces, every.blocked):
            yield f"{name}: {counts[0]}+{counts[1]}, not {every.traces}+{every.blocked} traces"
        if found.ends != brute.ends:
            yield f"{name}: {len(found.ends)} ends, not {len(brute.ends)}"
        if reduction is DporReduction.OPTIMAL and found.stats["redundant"]:
            yield f"optimal: {found.stats['redundant']} redundant executions"


def _verdicts(machine: NativeMachine, every: Findings) -> Iterator[str]:
    reference = Machine(machine.program, Granularity.VISIBLE, machine.spurious)
    for prop in (Property.UNREACH_CALL, Property.NO_DATA_RACE, Property.NO_DEADLOCK):
        result = explore(machine, DporReduction.OPTIMAL, prop).result
        expected = every.verdict(prop)
        if isinstance(result, Unsafe) != (expected is Verdict.FALSE):
            yield f"{prop}: {type(result).__name__}, not {expected.value}"
        if isinstance(result, Safe) and expected is not Verdict.TRUE:
            yield f"{prop}: proved, but {expected.value}"
        if isinstance(result, Unsafe) and Replay(reference, prop).run(result.schedule) is None:
            yield f"{prop}: does not replay"


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    started, compared, traces, too_large, different = time.monotonic(), 0, 0, 0, 0
    for seed in range(first, last):
        found = compare_native(generate_tiny(seed), spurious_of(seed), data_model(seed))
        compared += not found.too_large
        too_large += found.too_large
        traces += found.traces
        different += bool(found.differences)
        if found.differences:
            print(f"--- seed {seed}", *found.differences, sep="\n", flush=True)
        if seed % 50 == 49:
            print(f"{compared} compared, {different} differ, {time.monotonic() - started:.0f} s", flush=True)
    took = time.monotonic() - started
    print(f"{compared} programs compared ({too_large} too large), {traces} traces, {different} differ, {took:.0f} s")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
