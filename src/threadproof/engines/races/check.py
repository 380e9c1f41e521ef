"""The engine: prove that there is no race, else hunt one among the pairs that stayed open."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines.races.hunt import Hunt
from threadproof.engines.races.prove import prove
from threadproof.engines.task import Task

HUNTING_S = 8.0  # a race that is not found by then hides well: searches of all states have better chances
HUNTING = 0.6  # of the time that is left


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.property is not Property.NO_DATA_RACE:
        return Unknown(f"the engine races answers no-data-race only, not {task.property}")
    tried = prove(task, budget, observer)
    if isinstance(tried.result, Safe):
        return tried.result
    observer.progress("hunting a race")
    hunt = Hunt(task.program, tried.suspects, task.seed)
    schedule = hunt.find(Budget(min(HUNTING_S, budget.part(HUNTING).left()), budget.memory_mb))
    stats = {**tried.result.stats, "runs": hunt.runs}
    return Unknown(tried.result.reason, stats) if schedule is None else Unsafe(schedule, stats)
