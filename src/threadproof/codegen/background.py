"""Compiling beside other work: a child process fills the cache of machines; when it ends, its compiler does."""

from __future__ import annotations

import multiprocessing
import signal

from threadproof.codegen.build import Effort, library


class Compilation:
    """Of one text. When it is ready, `library` has it at once."""

    def __init__(self, text: str, effort: Effort) -> None:
        context = multiprocessing.get_context("fork")
        self._child = context.Process(target=_compile, args=(text, effort), daemon=True)
        self._child.start()

    def is_ready(self) -> bool:
        return self._child.exitcode == 0

    def stop(self) -> None:
        if self._child.is_alive():
            self._child.terminate()
        self._child.join()


def _compile(text: str, effort: Effort) -> None:
    signal.signal(signal.SIGTERM, _leave)
    library(text, effort)


def _leave(*_: object) -> None:
    """As an exception, so that the compiler is ended too."""
    raise SystemExit(1)
