"""Compiling beside other work: a child process fills the cache of machines; when it ends, its compiler does."""

from __future__ import annotations

import multiprocessing
import signal
import time

from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.budget import Budget

OPTIMISE_S = 3.0  # after so long it is worth compiling again


class Compilation:
    """Of one text. When it is ready, `library` has it at once."""

    def __init__(self, text: str, effort: CompilerEffort) -> None:
        context = multiprocessing.get_context("fork")
        self._child = context.Process(target=_compile, args=(text, effort), daemon=True)
        self._child.start()

    def is_ready(self) -> bool:
        return self._child.exitcode == 0

    def stop(self) -> None:
        if self._child.is_alive():
            self._child.terminate()
        self._child.join()


class Optimisation:
    """A machine made with more effort for a search that lasts: compiled beside it, handed over once."""

    def __init__(self, wanted: CompilerEffort, budget: Budget) -> None:
        self._wanted = wanted
        self._budget = budget
        self._started = time.monotonic()
        self._compilation: Compilation | None = None

    def ready(self, machine: NativeMachine) -> NativeMachine | None:
        """The better machine in place of this one, when there is one. To be asked now and then."""
        if machine.effort is self._wanted:
            return None
        if self._compilation is not None:
            return machine.rebuilt(machine.capacity, self._wanted) if self._compilation.is_ready() else None
        if time.monotonic() - self._started > OPTIMISE_S and self._budget.left() > OPTIMISE_S:
            self._compilation = Compilation(machine.text, self._wanted)
        return None

    def stop(self) -> None:
        """What is being compiled is no longer wanted."""
        if self._compilation is not None:
            self._compilation.stop()
            self._compilation = None


def _compile(text: str, effort: CompilerEffort) -> None:
    signal.signal(signal.SIGTERM, _leave)
    library(text, effort)


def _leave(*_: object) -> None:
    """As an exception, so that the compiler is ended too."""
    raise SystemExit(1)
