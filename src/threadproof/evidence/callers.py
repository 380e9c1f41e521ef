"""Where the program called the function of the C library in which something happened.

People know the lines of their own files. A step is made once more, with a note at each thing it does of the call that
stands below it on the stack.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from threadproof.core.schedule import Move
from threadproof.core.source import SourceLoc
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Effect, Outcome
from threadproof.semantics.run import Run
from threadproof.semantics.state import State
from threadproof.sync.footprint import Touch


def in_program(machine: Machine, state: State, move: Move) -> Outcome:
    """What the move comes to, with the program's own lines where the library did it."""
    return with_program_lines(machine).move(state, move)


def with_program_lines(machine: Machine) -> Machine:
    """One whose steps tell of the program's own lines where the library does something."""
    noting = copy(machine)
    noting.run_of = type("NotingRun", (_Noting, machine.run_of), {})
    return noting


def caller(run: Run, loc: SourceLoc) -> SourceLoc:
    """The innermost call on the stack that the program itself makes."""
    for frame in reversed(run.frames):
        called = run.static.codes[frame.function].instrs[frame.pc - 1].loc
        if called.file != RUNTIME:
            return called
    return loc


class _Noting(Run):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.effects = _Effects(self)


class _Effects(list[Effect]):
    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def append(self, effect: Effect) -> None:
        if not isinstance(effect, Touch) and effect.loc.file == RUNTIME:
            effect = effect._replace(loc=caller(self._run, effect.loc))
        super().append(effect)
