"""How rare a violation is: a second of native runs under a scheduler that chooses among threads at random."""

from __future__ import annotations

from math import sqrt

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.engines.random.strategies import Strategy
from threadproof.engines.random.testing import RandomTesting
from threadproof.engines.task import Task

NORMAL_95 = 1.96
RULE_OF_THREE = 3.0
"""No success in n trials: with 95 % confidence the probability is below 3/n."""


def rarity(task: Task, seconds: float) -> str:
    """A sentence, or nothing where random runs do not look for the property."""
    if task.property is Property.NO_DATA_RACE:
        return ""
    return in_words(*RandomTesting(task, Budget(seconds), Silent(), (Strategy.UNIFORM,)).frequency())


def in_words(violating: int, runs: int, others: int = 0) -> str:
    """`runs` violate or come to an end; the others do neither."""
    if not runs:
        return ""
    besides = f" {others:,} other runs came to no end, and do not count." if others else ""
    return _of_runs(violating, runs) + besides


def _of_runs(violating: int, runs: int) -> str:
    if not violating:
        bound = f", so it is rarer than 1 in {runs / RULE_OF_THREE:,.0f} (95 %)" if runs >= 30 else ""
        return f"None of {runs:,} random runs shows it{bound}."
    low, high = _wilson(violating, runs)
    if violating == runs:
        return f"Every one of {runs:,} random runs shows it."
    return (
        f"About 1 random run in {_one_in(violating / runs)} shows it "
        f"(95 %: 1 in {_one_in(high)} to 1 in {_one_in(low)}; {runs:,} runs, uniform scheduler)."
    )


def _one_in(probability: float) -> str:
    return f"{1 / probability:,.3g}" if probability > 0.1 else f"{float(f'{1 / probability:.3g}'):,.0f}"


def _wilson(satisfying: int, runs: int) -> tuple[float, float]:
    share, z = satisfying / runs, NORMAL_95
    middle = share + z * z / (2 * runs)
    spread = z * sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
    scale = 1 + z * z / runs
    return (middle - spread) / scale, (middle + spread) / scale
