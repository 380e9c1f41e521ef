"""From runs to an answer: when to stop, and what to say then.

Every stop is decided in the order of run numbers, never in the order in which runs came back.
Differs from Lodin: with no (or only) satisfying runs Lodin puts the whole error on one side and stops after 299 runs
at a width of 0.01; the two-sided interval used here keeps its confidence and needs 368.
"""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.estimate import Estimate
from threadproof.engines.smc.language import syntax as s
from threadproof.engines.smc.sampling.jobs import Batches
from threadproof.engines.smc.sampling.sampler import RunAnswer, RunBatch
from threadproof.engines.smc.statistics.intervals import (
    Interval,
    SprtPlan,
    clopper_pearson_many,
    mean_interval,
    okamoto,
    okamoto_runs,
    sprt_plan,
)
from threadproof.engines.smc.statistics.tally import Tally

LARGE = 100_000_000  # runs after which a sequential method gives up


def sequential(batches: Batches, query: str, width: float, tally: Tally, budget: Budget) -> Estimate:
    """Lodin's method: until the Clopper-Pearson interval is no wider than `width`."""
    reason = f"not narrower than {width} after {LARGE} runs"
    with closing(batches.until(LARGE)) as stream:
        for batch in stream:
            stop = _first_narrow(tally, batch, width)
            tally.add(batch, stop)
            tally.mark()
            if stop is not None:
                reason = ""
                break
            if (limit := budget.exhausted()) is not None:
                reason = limit
                break
            if tally.undecided and tally.undecided / tally.runs > width and tally.runs >= 1000:
                reason = "too many runs are undecided for that width"
                break
    interval = tally.proportion()
    return tally.finish(query, "sequential Clopper-Pearson", tally.satisfying / max(1, tally.runs), interval, reason)


def _first_narrow(tally: Tally, batch: RunBatch, width: float) -> int | None:
    """How many runs of the batch are needed: the first number at which the interval is narrow enough."""
    yes = tally.satisfying + np.cumsum(batch.answer == RunAnswer.YES)
    open_ = tally.undecided + np.cumsum(batch.answer == RunAnswer.UNDECIDED)
    n = tally.runs + np.arange(1, len(batch) + 1)
    p = yes / n
    wald = 2 * 1.5 * np.sqrt(p * (1 - p) / n)  # well below the exact width: only skips what is far off
    near = np.flatnonzero(wald <= width)
    if not len(near):
        return None
    low, _ = clopper_pearson_many(yes[near], n[near], tally.confidence)
    _, high = clopper_pearson_many((yes + open_)[near], n[near], tally.confidence)
    found = np.flatnonzero(high - low <= width)
    return int(near[found[0]]) + 1 if len(found) else None


def fixed(batches: Batches, query: str, runs: int, tally: Tally, budget: Budget) -> Estimate:
    reason = _take(batches, runs, tally, budget)
    return tally.finish(query, "fixed runs", tally.satisfying / max(1, tally.runs), tally.proportion(), reason)


def chernoff(batches: Batches, query: str, width: float, tally: Tally, budget: Budget) -> Estimate:
    """As many runs as Okamoto's bound asks for, known beforehand."""
    reason = _take(batches, okamoto_runs(width, tally.confidence), tally, budget)
    low = okamoto(tally.satisfying, tally.runs, tally.confidence).low
    high = okamoto(tally.satisfying + tally.undecided, tally.runs, tally.confidence).high
    return tally.finish(query, "Okamoto bound", tally.satisfying / max(1, tally.runs), Interval(low, high), reason)


def _take(batches: Batches, runs: int, tally: Tally, budget: Budget) -> str:
    """Accept that many runs, or as many as the budget allows; the reason for stopping early."""
    with closing(batches.sums(runs)) as stream:
        for sums in stream:
            tally.add_sums(sums)
            tally.mark()
            if tally.runs < runs and (limit := budget.exhausted()) is not None:
                return limit
    return ""


def sprt(
    batches: Batches, query: str, bound: s.ProbabilityBound, half: float, tally: Tally, budget: Budget
) -> Estimate:
    """Wald's sequential test of the query's bound."""
    plan = sprt_plan(bound.value, half, tally.confidence)
    ratio, decided, reason = 0.0, None, f"not decided after {LARGE} runs"
    with closing(batches.until(LARGE)) as stream:
        for batch in stream:
            if np.any(batch.answer == RunAnswer.UNDECIDED):
                reason = "a run is undecided"
                tally.add(batch)
                break
            ratios = plan.ratios(batch.answer, ratio)
            stop = _crossing(plan, ratios)
            tally.add(batch, stop)
            tally.mark()
            ratio = float(ratios[-1])
            if stop is not None:
                decided, reason = bool(ratios[stop - 1] <= plan.accept), ""
                break
            if (limit := budget.exhausted()) is not None:
                reason = limit
                break
    answer = None if decided is None else decided == bound.op.startswith(">")
    estimate = tally.satisfying / max(1, tally.runs)
    return tally.finish(query, "SPRT", estimate, tally.proportion(), reason, answer)


def _crossing(plan: SprtPlan, ratios: NDArray[np.float64]) -> int | None:
    crossed = np.flatnonzero((ratios <= plan.accept) | (ratios >= plan.reject))
    return int(crossed[0]) + 1 if len(crossed) else None


def expectation(batches: Batches, goal: s.Expectation, query: str, tally: Tally, budget: Budget) -> Estimate:
    reason = ""
    with closing(batches.until(goal.runs)) as stream:
        for batch in stream:
            if batch.causes:
                raise InputError(f"the value is not known in every run: {batch.causes[0]}")
            tally.add(batch)
            values = tally.values()
            interval = mean_interval(values, tally.confidence)
            tally.point(float(values.mean()), interval)
            if tally.runs < goal.runs and (limit := budget.exhausted()) is not None:
                reason = limit
                break
    values = tally.values()
    interval = mean_interval(values, tally.confidence)
    return tally.finish(query, f"mean of the {goal.measure.value}", float(values.mean()), interval, reason)


def enum_states(batches: Batches, goal: s.EnumStates, query: str, tally: Tally, budget: Budget) -> Estimate:
    """The number of distinct states met: certain as a lower bound, hence the open end above."""
    seen = np.zeros(0, np.uint64)
    reason = ""
    with closing(batches.until(goal.runs)) as stream:
        for batch in stream:
            tally.add(batch)
            seen = np.union1d(seen, batch.states)
            tally.point(len(seen), Interval(len(seen), len(seen)))
            if tally.runs < goal.runs and (limit := budget.exhausted()) is not None:
                reason = limit
                break
    return tally.finish(query, "distinct states", len(seen), Interval(len(seen), math.inf), reason)
