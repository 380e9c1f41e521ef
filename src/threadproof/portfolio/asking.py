"""From a job to its answer: reads the program once and lets the engines at it, which inherit it."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.result import Answer, Verdict
from threadproof.engines.task import Task
from threadproof.frontend.compilations import Compilations
from threadproof.portfolio.assumptions import time_without_bodies, told
from threadproof.portfolio.contest import Contest
from threadproof.portfolio.glance import ENGINE, glance
from threadproof.portfolio.judge import shortened, with_rarity, with_roles_of_events
from threadproof.portfolio.options import VerdictCache
from threadproof.portfolio.plan import Plan, plan
from threadproof.portfolio.prepare import normal_form, prepare
from threadproof.portfolio.worker import Job


def answer(job: Job, begun: Compilations, observer: Observer) -> Answer:
    options, prop = job.options, job.property
    if job.program is None:
        program = prepare(job.paths, prop, options.frontend, begun)
    else:
        program = normal_form(job.program, prop)
    budget = time_without_bodies(program, job.budget)
    task = options.task(program, prop)
    kept = None
    if options.cache is not VerdictCache.OFF:
        from threadproof.portfolio.verdicts import Verdicts

        kept = Verdicts(task, options.engine)
    found = None if kept is None else kept.recall(budget)
    if found is None:
        entrants = plan(options.engine, prop, options.memory_model, program)
        found = shortened(program, _asked(job, task, entrants, budget, observer), job.budget)
        if kept is not None:
            kept.keep(found, job.budget.elapsed())
    found = with_roles_of_events(program, found, min(options.telling_s, max(0.0, job.budget.left())))
    if found.trace is not None and found.verdict is Verdict.FALSE and options.memory_model is MemoryModel.SC:
        found = with_rarity(task, found, min(options.rarity_s, job.budget.left() / 2))
    return told(program, found, options.memory_model)


def _asked(job: Job, task: Task, entrants: Plan, budget: Budget, observer: Observer) -> Answer:
    def command(engine: str) -> str:
        return job.options.command(job.paths, job.property, engine)

    contest = Contest(task, entrants, budget, observer, command)
    contest.begin()
    try:
        found = glance(task, entrants, budget)
    except InternalError as error:
        raise InternalError(str(error), (command(ENGINE),)) from error
    return contest.run() if found is None else contest.agreed(found)
