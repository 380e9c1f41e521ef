"""Who is asked, and when: the quick ones first, then the searches side by side."""

from __future__ import annotations

import os
from dataclasses import dataclass

from threadproof.analysis.control.creations import creates_in_loops
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.rows import ENGINES
from threadproof.ir.program import Program
from threadproof.portfolio.engines import Turn, knows

RACES = Turn("races", 0.15, 10.0)  # races are mostly proved or found within a second, or not at all
TESTING = Turn("random", 0.15, 2.0)
SEARCHES = (
    Turn("explicit", patience_s=6.0, niceness=5),
    Turn("bmc"),
    Turn("dpor", patience_s=4.0, niceness=10),
    Turn("trace"),
)
"""Of 480 tasks of the corpus, `explicit` decided 4 after more than six seconds, `dpor` none, `bmc` 30."""
MANY_THREADS = Turn("modular")
"""Asked only where threads are created in a loop: few threads are proved sooner by the searches. Begins beside the
quick one, since nobody else has a chance if there are more threads than can be listed."""


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
    quick = RACES if prop is Property.NO_DATA_RACE else TESTING
    searches = (MANY_THREADS, *SEARCHES) if creates_in_loops(program) else SEARCHES
    return Plan(_able((quick,), prop, model), _able(searches, prop, model))


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _able(turns: tuple[Turn, ...], prop: Property, model: MemoryModel) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if knows(turn.engine, model) and prop in ENGINES[turn.engine].properties)
