"""Who is asked, and when: the quick ones first, then the searches side by side."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from threadproof.analysis.control.creations import creates_a_crowd, creates_in_loops
from threadproof.analysis.control.loops import cycles
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.rows import ENGINES
from threadproof.ir.instr import Nondet
from threadproof.ir.program import Program
from threadproof.portfolio.engines import Turn, knows
from threadproof.semantics.leaks import may_lose

RACES = Turn("races", 0.15, 10.0)  # races are mostly proved or found within a second, or not at all
TESTING = Turn("random", 0.6, 2.0, patience_s=0.3, niceness=10, alone_s=0.0)
"""What a few runs show is shown at once; then it goes on with what the searches leave."""
WAITING_CROWD = Turn("random", 0.5, 20.0)  # all of very many threads must come to wait: nobody else can show that
DEADLOCKS = Turn("deadlocks", 0.15, 2.0)  # a matter of milliseconds, mostly
EXPLICIT = Turn("explicit", patience_s=6.0, niceness=5)
BMC = Turn("bmc")
DPOR = Turn("dpor", patience_s=0.0, niceness=10, after_s=2.0)
TRACE = Turn("trace")
LATE_TRACE = replace(TRACE, patience_s=0.0, niceness=3, after_s=2.0)
"""Of 480 tasks of the corpus, `explicit` decided 4 after more than six seconds, `dpor` none, `bmc` 30. So the first
two have the processors to themselves for a while, and most of them later."""
MANY_THREADS = Turn("modular")
"""Asked where threads are created in a loop, and about memory: few threads are proved sooner by the searches. Begins
beside the quick one, since nobody else has a chance if there are more threads than can be listed."""
SEARCHING_A_CROWD = (EXPLICIT, replace(BMC, patience_s=2.0, niceness=10))
"""Where there are hundreds of threads: for errors among a few of them (`explicit` begins with such, and needs about a
second and the time of a replay); `dpor` and `trace` only refuse."""
LISTING_NUMBERS = (replace(EXPLICIT, patience_s=1.0, niceness=10), DPOR)
"""Where numbers come from outside and there are loops: they rarely see all states, and soon give way to labels."""
BMC_BESIDE_LABELS = replace(BMC, patience_s=8.0, niceness=5)
"""About memory and overflow, beside two engines of labels: of 34 such tasks, it decided none after eight seconds."""
SMALL_CHOICE = 255
"""Choices among so few values can be listed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The quick turns have the processors to themselves, except those they leave idle. The searches share them: where
    there are fewer processors than searches, the system's scheduler gives each its part of the time."""

    quick: tuple[Turn, ...]
    searches: tuple[Turn, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        return (*self.quick, *self.searches)


def plan(engine: str, prop: Property, model: MemoryModel, program: Program) -> Plan:
    if engine != "auto":
        return Plan((), (Turn(engine),))
    return Plan(_able((DEADLOCKS, _quick(program, prop)), prop, model), _able(_searches(program, prop), prop, model))


def _quick(program: Program, prop: Property) -> Turn:
    if prop is Property.NO_DATA_RACE:
        return RACES
    return WAITING_CROWD if prop is Property.NO_DEADLOCK and creates_a_crowd(program) else TESTING


def _searches(program: Program, prop: Property) -> tuple[Turn, ...]:
    """Whether an access is valid mostly depends on what is the thread's own: `modular` proves that sooner than others
    list states; and so with overflow where numbers come from outside. Where memory may be lost, it only refuses."""
    listed = _listing(program)
    if prop is Property.VALID_MEMSAFETY and may_lose(program, prop):
        return tuple(turn for turn in listed if turn not in (MANY_THREADS, TRACE, LATE_TRACE))
    numbers_in_loops = _asks_for_numbers(program) and _has_loops(program)
    if prop in (Property.VALID_MEMSAFETY, Property.NO_OVERFLOW) and numbers_in_loops and not creates_a_crowd(program):
        others = (turn for turn in listed if turn not in (MANY_THREADS, BMC))
        return (MANY_THREADS, *others, BMC_BESIDE_LABELS)
    if prop is Property.VALID_MEMSAFETY:
        return (MANY_THREADS, *(turn for turn in listed if turn != MANY_THREADS))
    return listed


def _listing(program: Program) -> tuple[Turn, ...]:
    """The most promising first: it begins beside the quick one. Where a program takes numbers from outside, states are
    too many to be listed: then formulas come first, and where there are loops, labels, which need the most time."""
    listed = (EXPLICIT, BMC, DPOR, LATE_TRACE)
    if creates_a_crowd(program):
        return (MANY_THREADS, *SEARCHING_A_CROWD)
    if creates_in_loops(program):
        return (MANY_THREADS, *listed)
    if not _asks_for_numbers(program):
        return listed
    return (TRACE, BMC, *LISTING_NUMBERS) if _has_loops(program) else (BMC, EXPLICIT, DPOR, LATE_TRACE)


def _asks_for_numbers(program: Program) -> bool:
    wide = (one for one in program.instrs() if isinstance(one, Nondet) and not one.values)
    return any(one.high - one.low > SMALL_CHOICE for one in wide)


def _has_loops(program: Program) -> bool:
    return any(cycles(function) for function in program.functions.values())


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _able(turns: tuple[Turn, ...], prop: Property, model: MemoryModel) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if knows(turn.engine, model) and prop in ENGINES[turn.engine].properties)
