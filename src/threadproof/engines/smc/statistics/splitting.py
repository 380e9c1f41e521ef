"""Importance splitting: the probability of a rare event as a product of probabilities that are not rare.

Papers: C. Jegourel, A. Legay, S. Sedwards, Importance Splitting for Statistical Model Checking Rare Properties, CAV
2013 (fixed levels, Alg. 2); the same, An Effective Heuristic for Adaptive Importance Splitting in Statistical Model
Checking, ISoLA 2014 (adaptive levels, Alg. 1, which keeps the best fraction; with `kill` 1 it is the last-particle
algorithm of Cerou and Guyader).
Differs: runs that reached a level go on themselves, only the failed ones are restarted from a survivor chosen uniformly
(as Plasma-Lab does). The state at which a run first passed an adaptive level is found by running it again: a run is a
function of its start and its key.
Invariants: the estimate is the product of the fractions reported in `levels`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer as Progress
from threadproof.engines.smc.language.score import DEAD, GOAL
from threadproof.engines.smc.sampling.particles import Flock, Particles

MAX_LEVELS = 10_000  # of an adaptive search


@dataclass(frozen=True, slots=True)
class Level:
    score: float
    fraction: float


@dataclass(frozen=True, slots=True)
class Landmark:
    """One state at a level: how it is reached, as the particles say it."""

    score: float
    steps: int
    past: Any


@dataclass(slots=True)
class Product:
    """One estimate: the product over the levels."""

    levels: list[Level] = field(default_factory=list[Level])
    runs: int = 0
    undecided: int = 0
    steps: int = 0
    reached: list[Landmark] = field(default_factory=list[Landmark])
    complete: bool = True

    @property
    def estimate(self) -> float:
        return math.prod(level.fraction for level in self.levels)

    def deviation(self, budget: int) -> float:
        """The relative standard deviation if levels were independent (CAV 2013, section 4)."""
        return math.sqrt(sum((1 - one.fraction) / one.fraction for one in self.levels if one.fraction > 0) / budget)


class Keys:
    """Fresh keys for runs: repetition and running number, never twice the same."""

    def __init__(self, repetition: int) -> None:
        self._next = repetition << 40

    def take(self, count: int) -> NDArray[np.uint64]:
        first, self._next = self._next, self._next + count
        return np.arange(first, first + count, dtype=np.uint64)


def _landmark(score: float, flock: Flock, place: int) -> Landmark:
    return Landmark(score, int(flock.steps[place]), flock.pasts[place])


def fixed_levels(
    particles: Particles,
    levels: Sequence[float],
    budget: int,
    seed: int,
    repetition: int,
    clock: Budget,
    said: Progress,
) -> Product:
    """`budget` runs from level to level; the last one is the query's formula."""
    rng, keys, product = Random(f"{seed}/splitting/{repetition}"), Keys(repetition), Product()
    starts = particles.initial().take(np.zeros(budget, np.intp))
    for level in [*sorted(set(levels)), GOAL]:
        flights = particles.fly(starts, keys.take(budget), level)
        product.runs += budget
        product.steps += flights.steps
        product.undecided += flights.undecided
        survivors = range(len(flights.reached))
        product.levels.append(Level(level, len(survivors) / budget))
        said.progress("splitting", repetition=repetition + 1, level=len(product.levels), estimate=product.estimate)
        if not survivors:
            break
        product.reached.append(_landmark(level, flights.reached, rng.choice(survivors)))
        if clock.exhausted() is not None:
            product.complete = level == GOAL
            break
        starts = flights.reached.take([*survivors, *rng.choices(survivors, k=budget - len(survivors))])
    return product


def adaptive_levels(
    particles: Particles, keep: float, budget: int, seed: int, repetition: int, clock: Budget, said: Progress
) -> Product:
    """Levels where the scores put them: each round gives up the worst runs and restarts them from better ones."""
    rng, keys, product = Random(f"{seed}/splitting/{repetition}"), Keys(repetition), Product()
    kill = min(budget - 1, max(1, round(budget * (1 - keep))))
    starts, names = particles.initial().take(np.zeros(budget, np.intp)), keys.take(budget)
    flights = particles.fly(starts, names, GOAL)
    best = flights.best.copy()
    product.runs, product.steps, product.undecided = budget, flights.steps, flights.undecided
    for _ in range(MAX_LEVELS):
        level = float(np.sort(best)[kill - 1])
        if level == GOAL or clock.exhausted() is not None:
            product.complete = level == GOAL
            break
        alive, dead = np.flatnonzero(best > level), np.flatnonzero(best <= level)
        product.levels.append(Level(level, len(alive) / budget))
        said.progress("splitting", repetition=repetition + 1, level=level, estimate=product.estimate)
        if not len(alive):
            return product
        above = math.nextafter(level, math.inf) if level != DEAD else -1e308
        parents = [int(alive[rng.randrange(len(alive))]) for _ in dead]
        chosen = np.unique(parents)
        again = particles.fly(starts.take(chosen), names[chosen], above)
        assert len(again.at) == len(chosen), "a run with the same key goes the same way"
        fresh = again.reached.take(np.searchsorted(chosen, parents))
        product.reached.append(_landmark(level, fresh, 0))
        new = keys.take(len(fresh))
        flown = particles.fly(fresh, new, GOAL)
        starts.put(dead, fresh)
        names[dead], best[dead] = new, flown.best
        product.runs += len(fresh)
        product.steps += again.steps + flown.steps
        product.undecided += flown.undecided
    product.levels.append(Level(GOAL, float(np.count_nonzero(best == GOAL)) / budget))
    return product
