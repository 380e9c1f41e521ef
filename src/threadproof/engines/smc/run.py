"""From a program and a query to an estimate."""

from __future__ import annotations

import time
from dataclasses import replace

from threadproof.cluster.crew import Crew
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.estimate import Estimate, unknown
from threadproof.core.observer import Observer
from threadproof.engines.smc.language import syntax as s
from threadproof.engines.smc.language.goal import QueryGoal, resolve_query
from threadproof.engines.smc.options import EstimationMethod, SmcOptions
from threadproof.engines.smc.sampling.away import AwayRuns, on_client
from threadproof.engines.smc.sampling.jobs import Batches, place_notes
from threadproof.engines.smc.sampling.machines import sampler_for
from threadproof.engines.smc.sampling.native import OutOfRoom
from threadproof.engines.smc.statistics import estimators
from threadproof.engines.smc.statistics.intervals import difference
from threadproof.engines.smc.statistics.rare import split
from threadproof.engines.smc.statistics.tally import Tally
from threadproof.ir.program import Program

DEFAULT_WIDTH = 0.01


def estimate_program(
    program: Program, query: str, options: SmcOptions, observer: Observer, crew: Crew | None = None
) -> Estimate:
    """`program` is in instruction form (`passes.pipeline.instruction_form`). `crew`: who makes the runs, if not we."""
    options.check()
    budget = Budget(options.timeout, options.memory_mb)
    goal = resolve_query(program, query, options.steps)
    try:
        if options.splitting is not None:
            return split(program, goal, options, budget, observer, crew)
        return _sample(program, goal, options, budget, observer, crew)
    except OutOfRoom as error:
        return unknown(goal.text, "native runs", options.confidence, str(error))


def _sample(
    program: Program, goal: QueryGoal, options: SmcOptions, budget: Budget, observer: Observer, crew: Crew | None
) -> Estimate:
    started = time.monotonic()
    observer.progress("preparing")
    sampler = sampler_for(program, goal, on_client(options))
    away = None if crew is None else AwayRuns(crew, program, goal, options, sampler)
    batches = Batches(sampler, options.jobs, away)
    tally = Tally(options.confidence, observer)
    made = _estimate(batches, goal, options, tally, budget)
    if batches.interrupted:
        if made.runs == 0:
            raise KeyboardInterrupt
        made = replace(made, reason="interrupted")
    prepared = time.monotonic() - started - made.wall_s
    name = sampler.name if away is None else f"{', '.join(away.names)} on a cluster"
    notes = (*made.notes, *(place_notes(sampler.place) if away is None else away.notes))
    return replace(made, sampler=name, notes=notes, details={**made.details, "prepare_s": prepared})


def _estimate(batches: Batches, goal: QueryGoal, options: SmcOptions, tally: Tally, budget: Budget) -> Estimate:
    match goal.query:
        case s.Expectation():
            query = goal.query if options.runs is None else replace(goal.query, runs=options.runs)
            return estimators.expectation(batches, query, goal.text, tally, budget)
        case s.EnumStates():
            query = goal.query if options.runs is None else replace(goal.query, runs=options.runs)
            return estimators.enum_states(batches, query, goal.text, tally, budget)
        case s.Probability():
            return _probability(batches, goal, goal.query, options, tally, budget)


def _probability(
    batches: Batches, goal: QueryGoal, query: s.Probability, options: SmcOptions, tally: Tally, budget: Budget
) -> Estimate:
    width = DEFAULT_WIDTH if options.width is None else options.width
    if query.bound is not None and options.runs is None:
        return estimators.sprt(batches, goal.text, query.bound, options.indifference, tally, budget)
    match options.method:
        case EstimationMethod.AUTO if options.runs is not None:
            made = estimators.fixed(batches, goal.text, options.runs, tally, budget)
        case EstimationMethod.FIXED:
            assert options.runs is not None
            made = estimators.fixed(batches, goal.text, options.runs, tally, budget)
        case EstimationMethod.OKAMOTO:
            made = estimators.chernoff(batches, goal.text, width, tally, budget)
        case EstimationMethod.AUTO | EstimationMethod.SEQUENTIAL:
            made = estimators.sequential(batches, goal.text, width, tally, budget)
    return made if query.bound is None else replace(made, answer=_compared(made, query.bound))


def _compared(made: Estimate, bound: s.ProbabilityBound) -> bool | None:
    """What the interval says about the bound; None if the bound lies inside."""
    if made.low <= bound.value <= made.high:
        return None
    return (made.low > bound.value) == bound.op.startswith(">")


def _comparable(program: Program, query: str, options: SmcOptions, observer: Observer, crew: Crew | None) -> Estimate:
    """What cannot be compared says in which of the two programs."""
    name = ", ".join(program.sources) or program.name
    try:
        made = estimate_program(program, query, options, observer, crew)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if made.undecided or not made.known:
        raise InputError(f"{name}: cannot be compared, {(*made.notes, made.reason)[0]}")
    return made


def compare_programs(
    first: Program,
    second: Program,
    query: str,
    options: SmcOptions,
    observer: Observer,
    crew: Crew | None = None,
) -> tuple[Estimate, Estimate, Estimate]:
    """Both estimates, and the difference of the probabilities, first minus second."""
    runs = options.runs if options.runs is not None else 10_000
    told = replace(options, runs=runs, width=None, method=EstimationMethod.FIXED)
    one = _comparable(first, query, told, observer, crew)
    two = _comparable(second, query, replace(told, seed=options.seed + 1), observer, crew)
    low, high = difference(one.satisfying, one.runs, two.satisfying, two.runs, options.confidence)
    gap = replace(
        one,
        method="difference of proportions",
        estimate=one.estimate - two.estimate,
        low=low,
        high=high,
        runs=one.runs + two.runs,
        satisfying=one.satisfying,
        steps=one.steps + two.steps,
        wall_s=one.wall_s + two.wall_s,
        answer=None if low <= 0 <= high else low > 0,
        details={"first": one.estimate, "second": two.estimate},
    )
    return one, two, gap
