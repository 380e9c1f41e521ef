"""The child process for one property: leads a session, lets the compiler begin, and only then imports who answers."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from threadproof.core.budget import Budget
from threadproof.core.property import Property
from threadproof.core.result import Answer
from threadproof.frontend.compilations import Compilations
from threadproof.portfolio.messages import PipeObserver, tell
from threadproof.portfolio.options import VerifyOptions
from threadproof.portfolio.prepare import reading
from threadproof.portfolio.processes import die_with_parent, end_session

if TYPE_CHECKING:
    from threadproof.ir.program import Program


_NEW_OBJECTS = 5_000
"""Before Python looks for garbage among them: engines make millions of terms that stay, and few circles that go."""


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
    observer, begun = PipeObserver(pipe), Compilations()
    observer.progress("reading the program")
    if job.program is None:
        begun.begin(job.paths, reading(job.paths, job.property, job.options.frontend))
    from threadproof.portfolio.asking import answer

    gc.freeze()  # what was imported stays, and is not looked at again
    gc.set_threshold(_NEW_OBJECTS)
    return answer(job, begun, observer)
