"""Confidence intervals and sample sizes.

Papers: C. Clopper, E. Pearson, Biometrika 26 (1934); M. Okamoto, Ann. Inst. Stat. Math. 10 (1958); R. Newcombe,
Statistics in Medicine 17 (1998), method 10 for a difference of proportions; P. Hall, On the Removal of Skewness by
Transformation, J. R. Statist. Soc. B 54 (1992); A. Wald, Sequential Analysis (1947).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]
_beta: Any = stats.beta
_normal: Any = stats.norm
_student: Any = stats.t
_skew: Any = cast(Any, stats).skew


class Interval(NamedTuple):
    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low


def clopper_pearson(satisfying: int, runs: int, confidence: float) -> Interval:
    """The exact interval of a proportion; [0, 1] without runs."""
    low, high = clopper_pearson_many([satisfying], [runs], confidence)
    return Interval(float(low[0]), float(high[0]))


def clopper_pearson_many(satisfying: ArrayLike, runs: ArrayLike, confidence: float) -> tuple[Floats, Floats]:
    k, n = np.asarray(satisfying, dtype=np.float64), np.asarray(runs, dtype=np.float64)
    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(k > 0, _beta.ppf(tail, np.maximum(k, 1), n - k + 1), 0.0)
        high = np.where(k < n, _beta.ppf(1 - tail, k + 1, np.maximum(n - k, 1)), 1.0)
    return cast(Floats, low), cast(Floats, high)


def okamoto_runs(width: float, confidence: float) -> int:
    """Runs after which the estimate is within width/2 of the truth with that confidence, whatever the truth."""
    return math.ceil(math.log(2 / (1 - confidence)) / (2 * (width / 2) ** 2))


def okamoto(satisfying: int, runs: int, confidence: float) -> Interval:
    half = math.sqrt(math.log(2 / (1 - confidence)) / (2 * runs))
    estimate = satisfying / runs
    return Interval(max(0.0, estimate - half), min(1.0, estimate + half))


def mean_interval(values: Floats, confidence: float) -> Interval:
    """Student's interval of a mean. Without two values or without variation: what little is known."""
    count = len(values)
    mean = float(np.mean(values))
    if count < 2:
        return Interval(-math.inf, math.inf)
    half = float(_student.ppf((1 + confidence) / 2, count - 1)) * float(np.std(values, ddof=1)) / math.sqrt(count)
    return Interval(mean - half, mean + half)


def skewed_mean_interval(values: Floats, confidence: float) -> Interval:
    """Of a mean of values with a long tail: Student's interval, and Hall's, which takes their skewness away; from the
    lower of the lower ends to the higher of the higher ones. Student's alone lies too low as long as the tail was seen
    too little, since the mean and the deviation are then too small together."""
    plain = mean_interval(values, confidence)
    count, deviation = len(values), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    skewness = float(_skew(values, bias=False)) if count > 2 and deviation > 0 else 0.0
    if not abs(skewness) > 1e-6:
        return plain
    mean, y = float(np.mean(values)), float(_student.ppf((1 + confidence) / 2, count - 1)) / math.sqrt(count)
    low, high = (mean - deviation * _unskewed(side, skewness, count) for side in (y, -y))
    return Interval(min(plain.low, low), max(plain.high, high))


def _unskewed(y: float, skewness: float, count: int) -> float:
    """The inverse of t + s t^2 / 3 + s^2 t^3 / 27 + s / 6n."""
    return 3 / skewness * (float(np.cbrt(1 + skewness * (y - skewness / (6 * count)))) - 1)


def wilson(satisfying: int, runs: int, confidence: float) -> Interval:
    z = float(_normal.ppf((1 + confidence) / 2))
    p, denominator = satisfying / runs, 1 + z * z / runs
    centre = (p + z * z / (2 * runs)) / denominator
    half = z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs)) / denominator
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def difference(k1: int, n1: int, k2: int, n2: int, confidence: float) -> Interval:
    """Of two proportions, first minus second (Newcombe's hybrid of two Wilson intervals)."""
    p1, p2 = k1 / n1, k2 / n2
    first, second = wilson(k1, n1, confidence), wilson(k2, n2, confidence)
    down = math.hypot(p1 - first.low, second.high - p2)
    up = math.hypot(first.high - p1, p2 - second.low)
    return Interval(max(-1.0, p1 - p2 - down), min(1.0, p1 - p2 + up))


class SprtPlan(NamedTuple):
    """Wald's test of p >= p0 against p <= p1, p1 < p0, both errors at most `error`."""

    p0: float
    p1: float
    error: float

    def ratios(self, answers: NDArray[np.int8], before: float) -> Floats:
        """The log likelihood ratio of p1 against p0 after each run."""
        yes = math.log(self.p1 / self.p0)
        no = math.log((1 - self.p1) / (1 - self.p0))
        return before + np.cumsum(np.where(answers == 1, yes, no))

    @property
    def accept(self) -> float:
        """At or below: p >= p0."""
        return math.log(self.error / (1 - self.error))

    @property
    def reject(self) -> float:
        """At or above: p <= p1."""
        return -self.accept


def sprt_plan(threshold: float, indifference: float, confidence: float) -> SprtPlan:
    """The test of p >= threshold with an indifference region of that half-width around it."""
    tiny = 1e-9
    return SprtPlan(min(1 - tiny, threshold + indifference), max(tiny, threshold - indifference), 1 - confidence)
