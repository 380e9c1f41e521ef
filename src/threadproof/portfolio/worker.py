"""The child process for one property: reads the program once and lets the engines at it, which inherit it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.ir.program import Program
from threadproof.portfolio.assumptions import time_without_bodies, told
from threadproof.portfolio.contest import Contest
from threadproof.portfolio.judge import shortened, with_rarity, with_roles_of_events
from threadproof.portfolio.messages import PipeObserver, tell
from threadproof.portfolio.options import VerifyOptions
from threadproof.portfolio.plan import plan
from threadproof.portfolio.prepare import normal_form, prepare
from threadproof.portfolio.processes import die_with_parent, end_session


@dataclass(frozen=True, slots=True)
class Job:
    paths: Sequence[str]
    property: Property
    options: VerifyOptions
    budget: Budget
    scratch: str
    """A folder for what the compilers of this job write; it goes with the job, however its processes end."""
    program: Program | None = None  # read before, where several properties are asked


def work(pipe: Connection, job: Job) -> None:
    sys.setrecursionlimit(20_000)
    os.setsid()
    signal.signal(signal.SIGTERM, _leave)
    parent = os.getppid()
    die_with_parent(signal.SIGTERM)
    tempfile.tempdir = job.scratch
    try:
        tell(pipe, job.property, job.options.engine, lambda: _answer(pipe, job))
    finally:
        end_session(os.getpid(), spare=(os.getpid(),))
        if os.getppid() != parent:  # the parent, which removes it otherwise, is gone
            shutil.rmtree(job.scratch, ignore_errors=True)


def _leave(*_: object) -> None:
    """Asked to end: as an exception, so that the others end too."""
    raise SystemExit(1)


def _answer(pipe: Connection, job: Job) -> Answer:
    observer, options, prop = PipeObserver(pipe), job.options, job.property
    observer.progress("reading the program")
    if job.program is None:
        program = prepare(job.paths, prop, options.frontend)
    else:
        program = normal_form(job.program, prop)
    budget = time_without_bodies(program, job.budget)
    entrants = plan(options.engine, prop, options.memory_model, program)
    contest = Contest(
        options.task(program, prop),
        entrants,
        budget,
        observer,
        lambda engine: options.command(job.paths, prop, engine),
    )
    answer = shortened(program, contest.run(), job.budget)
    answer = with_roles_of_events(program, answer, min(options.telling_s, max(0.0, job.budget.left())))
    if answer.trace is not None and answer.verdict is Verdict.FALSE and options.memory_model is MemoryModel.SC:
        answer = with_rarity(options.task(program, prop), answer, min(options.rarity_s, job.budget.left() / 2))
    return told(program, answer, options.memory_model)
