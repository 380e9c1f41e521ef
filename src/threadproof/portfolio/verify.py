"""The process that was called: one worker per property, limits enforced from outside, no process left behind.

The worker leads a session to which everything it starts belongs. Whatever happens here, the session is ended; if this
process is killed, the system tells the worker, and it ends the session itself.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.portfolio.engines import require_properties
from threadproof.portfolio.messages import Contradicted, Crashed, Message, Progress, RefusedRequest
from threadproof.portfolio.options import VerifyOptions
from threadproof.portfolio.prepare import Readings
from threadproof.portfolio.processes import end_session, memory_mb, of_session
from threadproof.portfolio.worker import Job, work

if TYPE_CHECKING:
    from threadproof.ir.program import Program

MARGIN_S = 0.5  # what the child keeps back of its time to deliver an answer
MARGIN = 0.05
TICK_S = 0.25
LEAVING_S = 0.5  # for the worker to end the others itself, so that their processor time is known
HARD = 1.1  # of the memory: at its limit the worker ends an engine, and beyond this everything ends


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: what was answered before."""

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        super().__init__()
        self.answers = answers


def verify(
    paths: Sequence[str], properties: Sequence[Property], options: VerifyOptions, observer: Observer
) -> list[Answer]:
    """One answer per property, in the order asked; the time limit holds for all of them together. Several properties
    are asked about one reading of the program (two, if overflow is among them: its checks are compiled in)."""
    options.check()
    require_properties(options.engine, properties)
    whole = Budget(options.timeout, options.memory_mb)
    readings = Readings(paths, options.frontend) if len(properties) > 1 else None
    if readings is not None:
        sys.setrecursionlimit(20_000)  # as in workers
    answers: list[Answer] = []
    for index, prop in enumerate(properties):
        program = None if readings is None else readings.program(prop)
        share = whole.part(1 / (len(properties) - index))
        if len(properties) > 1:
            observer.progress(f"{prop}, property {index + 1} of {len(properties)}")
        try:
            answers.append(_verify_one(paths, prop, options, share, observer, program))
        except KeyboardInterrupt:
            raise Interrupted(tuple(answers)) from None
    return answers


def _verify_one(
    paths: Sequence[str],
    prop: Property,
    options: VerifyOptions,
    budget: Budget,
    observer: Observer,
    program: Program | None,
) -> Answer:
    started, cpu = time.monotonic(), _cpu()
    seconds = None if budget.seconds is None else budget.left() - max(MARGIN_S, MARGIN * budget.left())
    inner = Budget(seconds, options.memory_mb)
    with tempfile.TemporaryDirectory(prefix="threadproof-", ignore_cleanup_errors=True) as scratch:
        answer = _ask(Job(paths, prop, options, inner, scratch, program), budget, observer)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    answer = replace(answer, memory_model=options.memory_model)
    return replace(answer, wall_s=time.monotonic() - started, cpu_s=_cpu() - cpu, peak_mb=peak)


def _ask(job: Job, budget: Budget, observer: Observer) -> Answer:
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(target=work, args=(sending, job))
    child.start()
    sending.close()
    try:
        return _listen(receiving, child, job, budget, observer)
    finally:
        end_session(child.pid or -1)
        child.kill()
        child.join()
        receiving.close()


def _listen(pipe: Connection, child: BaseProcess, job: Job, budget: Budget, observer: Observer) -> Answer:
    def unknown(reason: str) -> Answer:
        return Answer(job.property, Verdict.UNKNOWN, job.options.engine, reason=reason)

    while True:
        try:
            if pipe.poll(max(0.0, min(TICK_S, budget.left()))):
                answer = _take(pipe.recv(), observer)
                if answer is not None:
                    child.join(LEAVING_S)
                    return answer
            elif not child.is_alive() and not pipe.poll():
                raise EOFError
        except (EOFError, OSError):
            child.join()
            return unknown(f"the worker ended without an answer (exit code {child.exitcode})")
        if budget.left() <= 0:
            return unknown("time")
        if budget.memory_mb is not None and _too_large(child, HARD * budget.memory_mb):
            return unknown("memory")


def _take(message: Message, observer: Observer) -> Answer | None:
    match message:
        case Progress():
            observer.progress(message.what, **message.figures)
            return None
        case Answer():
            return message
        case RefusedRequest():
            raise InputError(message.why)
        case Contradicted() | Crashed():
            error = InternalError(message.what, message.reproduce if isinstance(message, Contradicted) else ())
            error.add_note(message.where)
            raise error


def _too_large(child: BaseProcess, limit: float) -> bool:
    return memory_mb(of_session(child.pid or -1), limit) > limit


def _cpu() -> float:
    mine, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime
