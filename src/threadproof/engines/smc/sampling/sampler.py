"""The interface between runs and statistics: batches of runs, each a pure function of (seed, run number)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from threadproof.codegen.device.choice import Device


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


def _no_states() -> NDArray[np.uint64]:
    return np.zeros(0, np.uint64)


@dataclass(frozen=True, slots=True)
class RunBatch:
    """Runs `first`, `first + 1`, ...: one entry each."""

    first: int
    answer: NDArray[np.int8]
    ending: NDArray[np.int8]
    steps: NDArray[np.int64]
    value: NDArray[np.float64]  # of an Estimate query, else 0
    states: NDArray[np.uint64] = field(default_factory=_no_states)  # of an EnumStates query: fingerprints
    causes: tuple[str, ...] = ()  # why runs are undecided

    def __len__(self) -> int:
        return len(self.answer)


@dataclass(frozen=True, slots=True)
class RunSums:
    """What runs `first`, `first + 1`, ... come to together: enough where their number is known beforehand."""

    first: int
    runs: int
    satisfying: int
    undecided: int
    steps: int
    endings: NDArray[np.int64]  # by Ending
    causes: tuple[str, ...] = ()

    def and_then(self, other: RunSums) -> RunSums:
        """With the runs that follow these."""
        return RunSums(
            self.first,
            self.runs + other.runs,
            self.satisfying + other.satisfying,
            self.undecided + other.undecided,
            self.steps + other.steps,
            self.endings + other.endings,
            tuple(dict.fromkeys(self.causes + other.causes)),
        )


class Sampler(Protocol):
    """Runs of one program under one question."""

    @property
    def name(self) -> str: ...

    @property
    def chunk(self) -> int:
        """Runs that take about a second: no batch should be larger."""
        ...

    @property
    def place(self) -> Device | None:
        """Where runs are made, if that is not simply here."""
        ...

    @property
    def least(self) -> int:
        """Runs of the first batch: short answers come at once."""
        ...

    def batch(self, first: int, runs: int) -> RunBatch: ...

    def sums(self, first: int, runs: int) -> RunSums: ...


def sums_of(batch: RunBatch) -> RunSums:
    return RunSums(
        batch.first,
        len(batch),
        int(np.count_nonzero(batch.answer == RunAnswer.YES)),
        int(np.count_nonzero(batch.answer == RunAnswer.UNDECIDED)),
        int(batch.steps.sum()),
        np.bincount(batch.ending, minlength=len(Ending)),
        batch.causes,
    )


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
