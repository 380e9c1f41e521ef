"""What sampling says: how likely, with an interval."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class EstimatePoint(NamedTuple):
    """The running estimate after some runs."""

    runs: int
    estimate: float
    low: float
    high: float


def _no_values() -> array[float]:
    return array("d")


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate with its interval. Never a proof: sampling says how likely, not whether."""

    query: str
    method: str  # sequential Clopper-Pearson, fixed runs, ...
    estimate: float  # not a number if nothing is known
    low: float
    high: float
    confidence: float
    runs: int
    satisfying: int = 0
    undecided: int = 0  # runs that met something unsupported first: they widen the interval to both sides
    steps: int = 0
    wall_s: float = 0.0
    sampler: str = ""
    answer: bool | None = None  # of a comparison with a bound
    reason: str = ""  # why the sampling ended early, if it did
    endings: dict[str, int] = field(default_factory=dict[str, int])
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()  # what the program is taken to do where it does not say
    convergence: tuple[EstimatePoint, ...] = ()
    values: array[float] = field(default_factory=_no_values)  # per run, for CSV and histogram
    details: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def known(self) -> bool:
        return not math.isnan(self.estimate)

    @property
    def steps_per_s(self) -> float:
        return self.steps / self.wall_s if self.wall_s else 0.0


def unknown(query: str, method: str, confidence: float, reason: str) -> Estimate:
    """Nothing can be said, and why."""
    return Estimate(query, method, math.nan, -math.inf, math.inf, confidence, 0, reason=reason)
