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

import numpy as np

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer as Progress
from threadproof.engines.smc.language.score import DEAD, GOAL
from threadproof.engines.smc.sampling.particles import Particles, Snapshot

MAX_LEVELS = 10_000  # of an adaptive search


@dataclass(frozen=True, slots=True)
class Level:
    score: float
    fraction: float


@dataclass(slots=True)
class Product:
    """One estimate: the product over the levels."""

    levels: list[Level] = field(default_factory=list[Level])
    runs: int = 0
    undecided: int = 0
    steps: int = 0
    reached: list[tuple[float, Snapshot]] = field(default_factory=list[tuple[float, Snapshot]])  # one state per level
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

    def take(self, count: int) -> list[int]:
        first, self._next = self._next, self._next + count
        return list(range(first, first + count))


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
    starts = [particles.initial()] * budget
    for level in [*sorted(set(levels)), GOAL]:
        flights = particles.fly(starts, keys.take(budget), level)
        product.runs += budget
        product.steps += flights.steps
        product.undecided += flights.undecided
        survivors = [one for one in flights.reached if one is not None]
        product.levels.append(Level(level, len(survivors) / budget))
        said.progress("splitting", repetition=repetition + 1, level=len(product.levels), estimate=product.estimate)
        if not survivors:
            break
        product.reached.append((level, rng.choice(survivors)))
        if clock.exhausted() is not None:
            product.complete = level == GOAL
            break
        starts = survivors + rng.choices(survivors, k=budget - len(survivors))
    return product


def adaptive_levels(
    particles: Particles, keep: float, budget: int, seed: int, repetition: int, clock: Budget, said: Progress
) -> Product:
    """Levels where the scores put them: each round gives up the worst runs and restarts them from better ones."""
    rng, keys, product = Random(f"{seed}/splitting/{repetition}"), Keys(repetition), Product()
    kill = min(budget - 1, max(1, round(budget * (1 - keep))))
    starts, names = [particles.initial()] * budget, keys.take(budget)
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
        chosen = sorted(set(parents))
        again = particles.fly([starts[one] for one in chosen], [names[one] for one in chosen], above)
        entry = dict(zip(chosen, again.reached, strict=True))
        fresh: list[Snapshot] = []
        for parent in parents:
            found = entry[parent]
            assert found is not None, "a run with the same key goes the same way"
            fresh.append(found)
        if fresh:
            product.reached.append((level, fresh[0]))
        new = keys.take(len(fresh))
        flown = particles.fly(fresh, new, GOAL)
        for place, start, name, score in zip(dead, fresh, new, flown.best, strict=True):
            starts[place], names[place], best[place] = start, name, score
        product.runs += len(fresh)
        product.steps += again.steps + flown.steps
        product.undecided += flown.undecided
    product.levels.append(Level(GOAL, float(np.count_nonzero(best == GOAL)) / budget))
    return product
