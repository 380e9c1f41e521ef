"""The interface between runs and statistics: batches of runs, each a pure function of (seed, run number)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class RunAnswer(IntEnum):
    """What a run says about the path formula. Undecided: something unsupported came first."""

    NO = 0
    YES = 1
    UNDECIDED = 2


class Ending(IntEnum):
    """How a run came to its end."""

    DECIDED = 0  # the formula was decided before the run ended
    BOUND = 1  # as many steps as asked for
    FINISHED = 2  # the program ended
    ERROR = 3  # reach_error, a failed assertion
    DEADLOCK = 4  # no thread is active
    ASSUMPTION = 5  # an assumption failed
    UNDEFINED = 6  # undefined behaviour
    UNSUPPORTED = 7


@dataclass(frozen=True, slots=True)
class RunBatch:
    """Runs `first`, `first + 1`, ...: one entry each."""

    first: int
    answer: NDArray[np.int8]
    ending: NDArray[np.int8]
    steps: NDArray[np.int64]
    value: NDArray[np.float64]  # of an Estimate query, else 0
    states: frozenset[Any] = field(default_factory=frozenset[Any])  # of an EnumStates query: fingerprints
    causes: tuple[str, ...] = ()  # why runs are undecided

    def __len__(self) -> int:
        return len(self.answer)


class Sampler(Protocol):
    """Runs of one program under one question."""

    @property
    def name(self) -> str: ...

    @property
    def chunk(self) -> int:
        """Runs that take about a second: no batch should be larger."""
        ...

    def batch(self, first: int, runs: int) -> RunBatch: ...


def part(batch: RunBatch, runs: int) -> RunBatch:
    """The first `runs` runs of a batch."""
    return RunBatch(
        batch.first,
        batch.answer[:runs],
        batch.ending[:runs],
        batch.steps[:runs],
        batch.value[:runs],
        batch.states,
        batch.causes,
    )
