"""Counting runs in the order of their numbers, so that the number of jobs changes nothing."""

from __future__ import annotations

import time
from array import array

import numpy as np
from numpy.typing import NDArray

from threadproof.core.estimate import Estimate, EstimatePoint
from threadproof.core.observer import Observer
from threadproof.engines.smc.sampling.sampler import Ending, RunBatch, RunSums, part, sums_of
from threadproof.engines.smc.statistics.intervals import Interval, clopper_pearson

MAX_CAUSES = 5


class Tally:
    """Sums over the runs accepted so far."""

    def __init__(self, confidence: float, observer: Observer) -> None:
        self.confidence = confidence
        self.runs = self.satisfying = self.undecided = self.steps = 0
        self._endings = np.zeros(len(Ending), np.int64)
        self._causes: dict[str, None] = {}
        self._points: list[EstimatePoint] = []
        self._values: list[NDArray[np.float64]] = []
        self._observer = observer
        self._started = time.monotonic()

    def add(self, batch: RunBatch, runs: int | None = None) -> None:
        """Accept the first `runs` runs of a batch (None: all)."""
        taken = batch if runs is None else part(batch, runs)
        self.add_sums(sums_of(taken))
        self._values.append(taken.value)

    def add_sums(self, taken: RunSums) -> None:
        self.runs += taken.runs
        self.satisfying += taken.satisfying
        self.undecided += taken.undecided
        self.steps += taken.steps
        self._endings += taken.endings
        self._causes.update(dict.fromkeys(taken.causes))

    def proportion(self) -> Interval:
        """Clopper-Pearson; undecided runs count against us on both sides."""
        low = clopper_pearson(self.satisfying, self.runs, self.confidence).low
        high = clopper_pearson(self.satisfying + self.undecided, self.runs, self.confidence).high
        return Interval(low, high)

    def mark(self) -> Interval:
        """A point of the convergence, told to the observer."""
        interval = self.proportion()
        self.point(self.satisfying / self.runs, interval)
        self._observer.progress(
            "sampling", runs=self.runs, satisfying=self.satisfying, low=interval.low, high=interval.high
        )
        return interval

    def point(self, estimate: float, interval: Interval) -> None:
        if not self._points or self._points[-1].runs < self.runs:
            self._points.append(EstimatePoint(self.runs, estimate, interval.low, interval.high))

    def values(self) -> NDArray[np.float64]:
        return np.concatenate(self._values) if self._values else np.zeros(0)

    def finish(
        self, query: str, method: str, estimate: float, interval: Interval, reason: str = "", answer: bool | None = None
    ) -> Estimate:
        endings = {ending.name.lower(): int(self._endings[ending]) for ending in Ending if self._endings[ending]}
        return Estimate(
            query=query,
            method=method,
            estimate=estimate,
            low=interval.low,
            high=interval.high,
            confidence=self.confidence,
            runs=self.runs,
            satisfying=self.satisfying,
            undecided=self.undecided,
            steps=self.steps,
            wall_s=time.monotonic() - self._started,
            answer=answer,
            reason=reason,
            endings=endings,
            notes=tuple(self._causes)[:MAX_CAUSES],
            convergence=tuple(self._points),
            values=array("d", self.values().tobytes()),
        )
