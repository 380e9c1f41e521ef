"""Importance splitting on a Markov chain whose rare event has a probability one can compute."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.schedule import Schedule
from threadproof.engines.smc.language.score import GOAL
from threadproof.engines.smc.sampling.particles import Flights, Flock, flock_of
from threadproof.engines.smc.statistics.intervals import mean_interval
from threadproof.engines.smc.statistics.splitting import adaptive_levels, fixed_levels

UP, TOP = 0.3, 9
TRUTH = (1 - (1 - UP) / UP) / (1 - ((1 - UP) / UP) ** TOP)
"""Gambler's ruin from 1: the probability to reach TOP before 0."""


class Gambler:
    """One up with probability UP, else one down; 0 is the end, TOP the goal; the score is the position."""

    name = "gambler"
    place = None

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def initial(self) -> Flock:
        return flock_of([(1, 0, 0, None)])

    def fly(self, starts: Flock, keys: NDArray[np.uint64], level: float) -> Flights:
        best, steps = np.zeros(len(starts)), 0
        arrived: dict[int, tuple[int, int, int, None]] = {}
        for index, (at, done, key) in enumerate(zip(starts.states, starts.steps, keys, strict=True)):
            rng, begun = Random(f"{self._seed}/{key}"), done
            highest = float(at)
            while 0 < at < TOP and highest < level:
                at += 1 if rng.random() < UP else -1
                done += 1
                highest = max(highest, float(at))
            best[index] = GOAL if at == TOP else highest
            if best[index] >= level:
                arrived[index] = (at, done, 0, None)
            steps += done - begun
        return Flights(best, steps, np.array([*arrived], np.intp), flock_of([*arrived.values()]))

    def schedule(self, past: object) -> Schedule:
        return ()


def fixed(seed: int) -> float:
    return fixed_levels(Gambler(seed), range(2, TOP), 200, seed, 0, Budget(), Silent()).estimate


def adaptive(seed: int) -> float:
    return adaptive_levels(Gambler(seed), 0.75, 200, seed, 0, Budget(), Silent()).estimate


def last_particle(seed: int) -> float:
    return adaptive_levels(Gambler(seed), 0.995, 100, seed, 0, Budget(), Silent()).estimate


@pytest.mark.parametrize("method", [fixed, adaptive, last_particle])
def test_splitting_is_unbiased(method: object):
    assert callable(method)
    assert pytest.approx(0.000650, abs=1e-5) == TRUTH
    estimates = np.array([method(seed) for seed in range(40)])
    low, high = mean_interval(estimates, 0.9999)
    assert low <= TRUTH <= high
    assert high - low < 1.5 * TRUTH


def test_the_interval_of_ten_repetitions_covers():
    inside = 0
    for experiment in range(25):
        low, high = mean_interval(np.array([fixed(1000 + 10 * experiment + n) for n in range(10)]), 0.95)
        inside += low <= TRUTH <= high
    assert inside >= 20  # of 25; 23 to 24 expected


def test_fractions_multiply_to_the_estimate():
    product = fixed_levels(Gambler(1), range(2, TOP), 100, 1, 0, Budget(), Silent())
    assert product.estimate == pytest.approx(float(np.prod([level.fraction for level in product.levels])))
    assert product.levels[-1].score == GOAL


def test_an_event_that_never_happens_is_zero():
    class Stuck(Gambler):
        def initial(self) -> Flock:
            return flock_of([(0, 0, 0, None)])

    assert fixed_levels(Stuck(1), [2, 3], 50, 1, 0, Budget(), Silent()).estimate == 0
    assert adaptive_levels(Stuck(1), 0.5, 50, 1, 0, Budget(), Silent()).estimate == 0
