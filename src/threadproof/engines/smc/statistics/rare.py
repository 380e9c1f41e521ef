"""Splitting as a command: levels from options, repetitions, one interval."""

from __future__ import annotations

import hashlib
import math
import time
from array import array
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import numpy as np

from threadproof.cluster.crew import Crew
from threadproof.core import schedule as schedules
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.estimate import Estimate, EstimatePoint, unknown
from threadproof.core.observer import Observer, Silent
from threadproof.engines.smc.language.goal import QueryGoal, resolve_expression
from threadproof.engines.smc.language.score import Score, levels_as_score, read_score
from threadproof.engines.smc.options import SmcOptions, SplittingKind, SplittingOptions
from threadproof.engines.smc.sampling.away import for_workers, kept, on_client, question
from threadproof.engines.smc.sampling.jobs import in_order, place_notes, processes
from threadproof.engines.smc.sampling.machines import particles_for
from threadproof.engines.smc.sampling.native import NativeParticles
from threadproof.engines.smc.sampling.particles import Particles, Regrown, require_reachability
from threadproof.engines.smc.statistics.intervals import Interval, skewed_mean_interval
from threadproof.engines.smc.statistics.splitting import Product, adaptive_levels, fixed_levels
from threadproof.ir.program import Program

ENOUGH = 200
"""Repetitions after which the interval covers the truth as often as it says, as measured."""
OUTLIER = 1.5
"""Of the median: where a repetition estimates so much, runs get around the levels."""

Repetition = tuple[Product, list[dict[str, Any]]]


def split(
    program: Program,
    goal: QueryGoal,
    options: SmcOptions,
    budget: Budget,
    observer: Observer,
    crew: Crew | None = None,
) -> Estimate:
    asked = options.splitting
    assert asked is not None
    require_reachability(goal)
    score, levels = score_and_levels(program, asked)
    started = time.monotonic()
    particles = particles_for(program, goal, score, on_client(options))
    products: list[Product] = []
    points: list[EstimatePoint] = []
    reason, reached = "", list[dict[str, Any]]()

    def repetition(number: int) -> Repetition:
        return _repetition(particles, asked, levels, options.seed, number, budget, observer)

    if crew is None:
        repetitions = in_order(repetition, asked.repeat, processes(particles.place, options.jobs))
    else:
        told = question(program, goal, score, levels, for_workers(options, isinstance(particles, NativeParticles)))
        repetitions = _away(crew, told, asked.repeat, repetition, budget)
    for product, found in repetitions:
        reached = found or reached
        if not product.complete:
            reason = budget.exhausted() or "time"
            break
        products.append(product)
        interval = _interval(products, asked.budget, options.confidence)
        points.append(EstimatePoint(len(products), _mean(products), interval.low, interval.high))
    method = f"importance splitting, {asked.kind.value} levels"
    if not products:
        return unknown(goal.text, method, options.confidence, f"{reason}: no repetition was completed")
    interval = _interval(products, asked.budget, options.confidence)
    undecided = sum(product.undecided for product in products)
    if undecided:  # nobody knows how many runs would have followed from each of them
        interval = Interval(interval.low, 1.0)
    return Estimate(
        query=goal.text,
        method=method,
        estimate=_mean(products),
        low=interval.low,
        high=interval.high,
        confidence=options.confidence,
        runs=sum(product.runs for product in products),
        undecided=undecided,
        steps=sum(product.steps for product in products),
        wall_s=time.monotonic() - started,
        sampler=particles.name if crew is None else f"{particles.name} on a cluster",
        reason=reason,
        notes=(*place_notes(particles.place), *_few(products)),
        convergence=tuple(points),
        values=array("d", (product.estimate for product in products)),
        details=_details(products, reached, asked),
    )


def _away(
    crew: Crew, told: bytes, count: int, here: Callable[[int], Repetition], budget: Budget
) -> Generator[Repetition, None, None]:
    shared = crew.share(told, hashlib.sha256(told).hexdigest())
    left = None if budget.seconds is None else budget.left()

    def instead(_told: Any, number: int, _left: float | None) -> Repetition:
        return here(number)

    pieces = ((shared, number, left) for number in range(count))
    for _, found in crew.results(repetition_there, pieces, here=instead):
        yield found


def repetition_there(told: bytes, number: int, seconds: float | None) -> Repetition:
    """At a worker."""
    particles, levels, options = kept(told, _prepared)
    assert options.splitting is not None
    return _repetition(particles, options.splitting, levels, options.seed, number, Budget(seconds), Silent())


def _prepared(
    program: Program, goal: QueryGoal, score: Score, levels: list[float], options: SmcOptions
) -> tuple[Particles, list[float], SmcOptions]:
    return particles_for(program, goal, score, options), levels, options


def _repetition(
    particles: Particles,
    asked: SplittingOptions,
    levels: list[float],
    seed: int,
    number: int,
    budget: Budget,
    observer: Observer,
) -> Repetition:
    """With the schedules that lead to the levels, of the last one or where the time is over."""
    made = _once(particles, asked, levels, seed, number, budget, observer)
    found = _reached(particles, made) if number == asked.repeat - 1 or not made.complete else []
    return replace(made, reached=[]), found


def score_and_levels(program: Program, asked: SplittingOptions) -> tuple[Score, list[float]]:
    """A score with numbers as levels, or formulas as levels, which make the score themselves."""
    if asked.score:
        score = read_score(program, asked.score)
        try:
            levels = [float(level) for level in asked.levels]
        except ValueError as error:
            raise InputError(f"with a score, levels are numbers: {error}") from None
    elif asked.levels:
        formulas = [resolve_expression(program, level) for level in asked.levels]
        score, levels = levels_as_score(formulas), [float(n) for n in range(1, len(formulas) + 1)]
    else:
        raise InputError("splitting needs --score, or formulas as --levels")
    if levels != sorted(set(levels)):
        raise InputError(f"levels must rise: {', '.join(asked.levels)}")
    if asked.kind is SplittingKind.FIXED and not levels:
        raise InputError("splitting with fixed levels needs --levels")
    return score, levels


def _once(
    particles: Particles,
    asked: SplittingOptions,
    levels: list[float],
    seed: int,
    repetition: int,
    budget: Budget,
    observer: Observer,
) -> Product:
    """A function of its number: whatever room the machine had before, every run is the same."""
    while True:
        try:
            if asked.kind is SplittingKind.FIXED:
                return fixed_levels(particles, levels, asked.budget, seed, repetition, budget, observer)
            return adaptive_levels(particles, asked.keep, asked.budget, seed, repetition, budget, observer)
        except Regrown:
            continue


def _mean(products: list[Product]) -> float:
    return float(np.mean([product.estimate for product in products]))


def _interval(products: list[Product], budget: int, confidence: float) -> Interval:
    """Over the repetitions, whose distribution has a long tail to the right where runs get around the levels; of a
    single one what independent levels would give (CAV 2013, section 4).

    Where no repetition reached the event, nothing is known of its probability but that it is no more than 1.
    """
    if not any(product.estimate for product in products):
        return Interval(0.0, 1.0)
    if len(products) > 1:
        low, high = skewed_mean_interval(np.array([product.estimate for product in products]), confidence)
        return Interval(max(0.0, low), min(1.0, high))
    from statistics import NormalDist

    spread = NormalDist().inv_cdf((1 + confidence) / 2) * products[0].deviation(budget)
    estimate = products[0].estimate
    return Interval(estimate / (1 + spread), estimate / (1 - spread) if spread < 1 else 1.0)


def _few(products: list[Product]) -> tuple[str, ...]:
    """What nobody can know of a tail that was hardly seen. ADR 96 has the measurements."""
    values = np.array([product.estimate for product in products])
    if not values.any() or len(values) >= ENOUGH:
        return ()
    if len(values) > 1 and float(np.max(values)) < OUTLIER * float(np.median(values)):
        return ()
    return (f"repetitions differ much: for an interval that covers as often as it says, --repeat {ENOUGH}",)


def _reached(particles: Particles, product: Product) -> list[dict[str, Any]]:
    """A schedule per level that leads there."""
    return [
        {"score": _number(one.score), "steps": one.steps, "schedule": schedules.to_json(particles.schedule(one.past))}
        for one in product.reached
    ]


def _details(products: list[Product], reached: list[dict[str, Any]], asked: SplittingOptions) -> dict[str, Any]:
    return {
        "budget": asked.budget,
        "repetitions": len(products),
        "estimates": [product.estimate for product in products],
        "levels": [
            [{"score": _number(level.score), "fraction": level.fraction} for level in product.levels]
            for product in products
        ],
        "reached": reached,
    }


def _number(score: float) -> float | str:
    return score if math.isfinite(score) else "goal"
