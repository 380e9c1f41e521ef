"""The parent process: one child per property, limits enforced from outside, no process left behind."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.portfolio.engines import DEFAULT
from threadproof.portfolio.options import VerifyOptions
from threadproof.portfolio.worker import Message, work

MARGIN_S = 0.5  # what the child keeps back of its time to deliver an answer
MARGIN = 0.05


def verify(
    paths: Sequence[str], properties: Sequence[Property], options: VerifyOptions, observer: Observer
) -> list[Answer]:
    """One answer per property, in the order asked; the time limit holds for all of them together."""
    options.check()
    whole = Budget(options.timeout, options.memory_mb)
    answers: list[Answer] = []
    for index, prop in enumerate(properties):
        share = whole.part(1 / (len(properties) - index))
        answers.append(_verify_one(paths, prop, options, share, observer))
    return answers


def _verify_one(
    paths: Sequence[str], prop: Property, options: VerifyOptions, budget: Budget, observer: Observer
) -> Answer:
    started, cpu = time.monotonic(), _cpu()
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    seconds = None if budget.seconds is None else budget.left() - max(MARGIN_S, MARGIN * budget.left())
    inner = Budget(seconds, options.memory_mb)
    child = context.Process(target=work, args=(sending, list(paths), prop, options, inner), daemon=False)
    child.start()
    sending.close()
    try:
        answer = _listen(receiving, child, prop, options, budget, observer)
    finally:
        _end(child)
        receiving.close()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return replace(answer, wall_s=time.monotonic() - started, cpu_s=_cpu() - cpu, peak_mb=peak)


def _listen(
    pipe: Connection,
    child: BaseProcess,
    prop: Property,
    options: VerifyOptions,
    budget: Budget,
    observer: Observer,
) -> Answer:
    while True:
        try:
            if pipe.poll(max(0.0, min(0.25, budget.left()))):
                answer = _take(pipe.recv(), observer)
                if answer is not None:
                    return answer
        except EOFError:
            child.join()
            return _unknown(prop, options, f"the worker ended without an answer (exit code {child.exitcode})")
        if budget.left() <= 0:
            return _unknown(prop, options, "time")
        if options.memory_mb is not None and _resident_mb(child.pid) > 1.1 * options.memory_mb:
            return _unknown(prop, options, "memory")


def _take(message: Message, observer: Observer) -> Answer | None:
    kind, content = message
    match kind:
        case "progress":
            what, figures = content
            observer.progress(what, **figures)
            return None
        case "answer":
            return content
        case "input":
            raise InputError(content)
        case _:
            error = InternalError(content[0])
            error.add_note(content[1])
            raise error


def _end(child: BaseProcess) -> None:
    if child.is_alive():
        child.terminate()
        child.join(0.5)
    if child.is_alive():
        child.kill()
    child.join()


def _unknown(prop: Property, options: VerifyOptions, reason: str) -> Answer:
    engine = DEFAULT if options.engine == "auto" else options.engine
    return Answer(prop, Verdict.UNKNOWN, engine, reason=reason)


def _cpu() -> float:
    mine, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


def _resident_mb(pid: int | None) -> float:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * 4096 / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0
