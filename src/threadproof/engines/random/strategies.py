"""Which scheduler a batch of runs is made with: each strategy is a family, and varies its parameters by turn.

Papers: Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding
Bugs, ASPLOS 2010 (PCT); Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing, ASPLOS 2025 (URW).
Differs: neither the depth of the bug nor the length of runs is known, so PCT's depth goes round from 1 to 5, and
lengths are what runs took so far. The walk is every second time one without lengths.
"""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from threadproof.codegen.runs.schedulers import Pct, RandomWalk, Scheduler, Uniform

DEPTHS = 5
SHORTER = 4  # different lengths, each half of the one before: the error may come early
SHORT = 4


class Strategy(Enum):
    UNIFORM = "uniform"
    PCT = "pct"
    WALK = "walk"


def scheduler(strategy: Strategy, turn: int, length: int, lengths: tuple[int, ...]) -> Scheduler:
    """The scheduler of this turn; `length` is how many steps runs are expected to take, `lengths` those by thread."""
    match strategy:
        case Strategy.UNIFORM:
            return Uniform()
        case Strategy.PCT:
            return Pct(1 + turn % DEPTHS, max(SHORT, length >> turn // DEPTHS % SHORTER))
        case Strategy.WALK:
            return RandomWalk(lengths if turn % 2 else ())
        case _:
            assert_never(strategy)
