"""Every reduction against brute force on one program: what differs, in words.

`python tests/differential/reductions.py FIRST LAST` compares that many random tiny programs and prints a summary.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from comparison import read
from sweep import data_model

from threadproof.dev.programs.generate import generate_tiny
from threadproof.explore.findings import Findings
from threadproof.explore.futures import ProgramFutures
from threadproof.explore.lts import Footprint, enabled
from threadproof.explore.por import (
    bounded,
    monotonic,
    optimal_dpor,
    persistent,
    sleep,
    source_dpor,
    weakly_persistent,
)
from threadproof.explore.program_lts import ProgramLTS, Spinning
from threadproof.explore.traces import TooManyStates, all_states, all_traces
from threadproof.ir.instr import Sync
from threadproof.ir.program import DataModel, Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.run import Spurious

LIMIT = 3_000  # classes of prefixes; larger programs are passed over


@dataclass(slots=True)
class Compared:
    differences: list[str] = field(default_factory=list)
    traces: int = 0
    interleavings: int = 0
    too_large: bool = False  # or cut


def compare_reductions(
    source: str, spurious: Spurious, model: DataModel = DataModel.LP64, limit: int = LIMIT
) -> Compared:
    program = normalise(read(source, data_model=model))
    try:
        every = all_traces(ProgramLTS(program, spurious), limit)
    except TooManyStates:
        return Compared(too_large=True)
    if every.cut:  # then nothing is claimed
        return Compared(too_large=True)
    differences = [*_counting(program, spurious, every), *_states(program, spurious, every)]
    return Compared(differences, every.traces + every.blocked, every.interleavings)


def _counting(program: Program, spurious: Spurious, every: Findings) -> Iterator[str]:
    """Reductions that explore executions."""
    for name, explore in (("optimal", optimal_dpor), ("source", source_dpor), ("sleep", sleep)):
        found = explore.explore(ProgramLTS(program, spurious))
        if (found.traces, found.blocked) != (every.traces, every.blocked):
            counts = f"{found.traces}+{found.blocked}, not {every.traces}+{every.blocked}"
            yield f"{name}: {counts} traces"
        yield from _same(name, found, every)
        if name == "optimal" and found.redundant:
            yield f"optimal: {found.redundant} redundant executions"


def _states(program: Program, spurious: Spurious, every: Findings) -> Iterator[str]:
    """Searches for states. A thread that spins goes on here, so blocked executions have no end."""
    lts = ProgramLTS(program, spurious, Spinning.GOES_ON)
    futures = ProgramFutures(program)
    everything = all_states(lts)
    yield from _same("all states", everything, every)
    for name, found in (("sleep, stateful", sleep.states(lts)), ("monotonic", monotonic.explore(lts))):
        yield from _same(name, found, everything)
        if found.states != everything.states and not _meets_at_barriers(program):
            yield f"{name}: {found.states} states, not {everything.states}"
    for name, found in (
        ("persistent", persistent.explore(lts, futures)),
        ("weakly persistent", weakly_persistent.explore(lts, futures)),
    ):
        yield from _same(name, found, everything, races=found.race)
    few = bounded.explore(lts, 1)
    if not few.ends <= everything.ends or (not few.cut and few.ends != everything.ends):
        yield "one preemption: other ends"
    yield from _outside_their_future(lts, futures)


def _meets_at_barriers(program: Program) -> bool:
    """Who came last is in a register, so equivalent executions lead to states that differ there."""
    instrs = (i for f in program.functions.values() for block in f.blocks for i in block.instrs)
    return any(isinstance(instr, Sync) and instr.op == "barrier_arrive" for instr in instrs)


def _same(name: str, found: Findings, expected: Findings, *, races: bool = True) -> Iterator[str]:
    """`races`: whether not having seen a race means that there is none."""
    for what in ("ends", "deadlock", "stopped"):
        if getattr(found, what) != getattr(expected, what) and not _spinning_only(what, found, expected):
            yield f"{name}: other {what}"
    if races and found.race != expected.race:
        yield f"{name}: race {found.race}"


def _spinning_only(what: str, found: Findings, expected: Findings) -> bool:
    return what == "stopped" and all(why.stop.waits for why in found.stopped ^ expected.stopped)


def _outside_their_future(lts: ProgramLTS, futures: ProgramFutures) -> Iterator[str]:
    """What a thread touches must lie in what it may touch: now, and also before its step."""
    seen, todo = set(), [lts.initial()]
    while todo:
        state = todo.pop()
        for step in enabled(lts, state):
            if not _inside(step.footprint, futures.future(state, step.thread)):
                yield f"futures: {step.action} touches {step.footprint}"
            if len(seen) < 300 and lts.key(step.target) not in seen:
                seen.add(lts.key(step.target))
                todo.append(step.target)


def _inside(touched: Footprint, future: Footprint) -> bool:
    return all(
        any(
            f.address <= t.address and t.address + t.size <= f.address + f.size and f.mode in (t.mode, 1)
            for f in future
        )
        or t.size > 1 << 62  # of undefined behaviour, which touches everything
        for t in touched
    )


def spurious_of(seed: int) -> Spurious:
    return Spurious.ON if seed % 3 == 0 else Spurious.OFF


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    started, compared, traces, interleavings, too_large, different = time.monotonic(), 0, 0, 0, 0, 0
    for seed in range(first, last):
        found = compare_reductions(generate_tiny(seed), spurious_of(seed), data_model(seed))
        compared += not found.too_large
        too_large += found.too_large
        traces += found.traces
        interleavings += found.interleavings
        different += bool(found.differences)
        if found.differences:
            print(f"--- seed {seed}", *found.differences, sep="\n", flush=True)
    took = time.monotonic() - started
    print(
        f"{compared} programs compared ({too_large} too large), {traces} traces of {interleavings} interleavings, "
        f"{different} differ, {took:.0f} s"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
