"""The child process: front end, engines in turn and evidence for one property. Speaks to its parent through a pipe."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.ir.layout import OutOfAddresses
from threadproof.portfolio.engines import turns
from threadproof.portfolio.judge import judge
from threadproof.portfolio.options import VerifyOptions
from threadproof.portfolio.prepare import prepare

Message = tuple[str, Any]


class PipeObserver:
    """Passes progress on to the parent, a few times a second."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0

    def progress(self, what: str, **figures: float) -> None:
        now = time.monotonic()
        if now - self._last >= 0.2:
            self._last = now
            self._pipe.send(("progress", (what, figures)))


def work(pipe: Connection, paths: Sequence[str], prop: Property, options: VerifyOptions, budget: Budget) -> None:
    """Everything that can go wrong becomes a message; the parent decides what to do with it."""
    sys.setrecursionlimit(20_000)
    signal.signal(signal.SIGTERM, _leave)
    try:
        pipe.send(("answer", _answer(pipe, paths, prop, options, budget)))
    except MemoryError:
        pipe.send(("answer", Answer(prop, Verdict.UNKNOWN, options.engine, reason="memory")))
    except OutOfAddresses as limit:
        pipe.send(("answer", Answer(prop, Verdict.UNKNOWN, options.engine, reason=f"unsupported: {limit}")))
    except InputError as error:
        pipe.send(("input", str(error)))
    except InternalError as error:
        pipe.send(("internal", (str(error), traceback.format_exc())))
    except Exception as error:
        pipe.send(("internal", (f"{type(error).__name__}: {error}", traceback.format_exc())))


def _leave(*_: object) -> None:
    """Asked to end: as an exception, so that whoever started a compiler ends it too."""
    raise SystemExit(1)


def _answer(pipe: Connection, paths: Sequence[str], prop: Property, options: VerifyOptions, budget: Budget) -> Answer:
    observer = PipeObserver(pipe)
    observer.progress("reading the program")
    program = prepare(paths, prop, options.frontend)
    task = options.task(program, prop)
    answers: list[Answer] = []
    for turn in turns(options.engine, prop):
        result = turn.load()(task, turn.budget(budget), observer)
        answers.append(judge(program, prop, turn.engine, result, budget, options.memory_model))
        if answers[-1].verdict is not Verdict.UNKNOWN:
            return answers[-1]
    reasons = [one.reason if len(answers) == 1 else f"{one.engine}: {one.reason}" for one in reversed(answers)]
    return replace(answers[-1], reason="; ".join(reasons))
