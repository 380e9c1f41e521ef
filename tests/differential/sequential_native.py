"""All ends of all executions of a program, from the native search of the explicit engine without any reduction."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from brute_force import TooManyStates

from threadproof.codegen.machine.numbering import Placed
from threadproof.codegen.machine.operations import HALT_KINDS
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.engines.explicit.search import Fold, NativeSearch, SearchEnd, SearchQuestion, SearchReduction
from threadproof.ir.instr import HaltKind
from threadproof.ir.program import Program
from threadproof.semantics.outcome import Choose, NotSupported, UndefinedBehaviour
from threadproof.semantics.run import Granularity, Spurious

QUESTION = SearchQuestion(frozenset(), frozenset(), reduction=SearchReduction.NONE, fold=Fold.EQUAL)
FINISHED = 3
"""The phase of a thread that has ended, as `kernel/state.h` has it."""


class NotNative(Exception):
    """Something that only the reference has a meaning for, or that is too large for the native machine."""


class Ends:
    """How one execution ended. Only valid until the search goes on."""

    def __init__(self, machine: NativeMachine) -> None:
        self._machine = machine
        layout = machine.decoder.block
        self._at: dict[str, Placed] = {placed.variable.name: placed for placed in machine.numbering.globals}
        self._globals = layout.g.offset
        self._masks = layout.gmask.offset if machine.numbering.masked else None
        slots = machine.capacity.threads
        self._threads = [layout.t.offset + slot * layout.t.size // slots for slot in range(slots)]
        self._lines: dict[int, int] = {}
        self._state = 0
        self.line: int | None = None  # of an error
        self.undefined = ""
        self.halt: HaltKind | None = None

    def turn_to(self, state: int, kind: OutcomeKind, detail: Any) -> None:
        self._state, self.line, self.undefined, self.halt = state, None, "", None
        match kind:
            case OutcomeKind.FINISHED:
                self.halt = HALT_KINDS[int(detail.kind)]
            case OutcomeKind.FAILED:
                if detail.pc not in self._lines:
                    self._lines[detail.pc] = self._machine.loc(detail.pc).line
                self.line = self._lines[detail.pc]
            case OutcomeKind.UNDEFINED | OutcomeKind.UNSUPPORTED:
                told = self._machine.told(kind, detail)
                assert isinstance(told, UndefinedBehaviour | NotSupported)
                self.undefined = told.kind.value if isinstance(told, UndefinedBehaviour) else told.construct
            case _:
                pass

    def bytes_of(self, name: str) -> bytes:
        placed = self._at[name]
        return ctypes.string_at(self._state + self._globals + placed.offset, placed.variable.size)

    def content(self, name: str) -> bytes | None:
        """None if some of it is arbitrary."""
        placed = self._at[name]
        if self._masks is not None:
            mask = ctypes.string_at(self._state + self._masks + placed.offset, placed.variable.size)
            if any(mask):
                return None
        return self.bytes_of(name)

    def live(self) -> int:
        """How many threads have not ended."""
        return sum(ctypes.string_at(self._state + at, 1)[0] not in (0, FINISHED) for at in self._threads)


def explored(program: Program, enter: Callable[[Ends], None], limit: int) -> bool:
    """Tells all ends; whether there were choices of too many values to try them all."""
    machine = NativeMachine(program, Granularity.VISIBLE, Spurious.ON, effort=CompilerEffort.NONE)
    while True:
        told = _Told(Ends(machine), enter)
        search = NativeSearch(machine, QUESTION, ended=told)
        try:
            end = search.run(limit)
            if told.error is not None:
                raise told.error
            match end:
                case SearchEnd.DONE:
                    return isinstance(search.cut, Choose)
                case SearchEnd.MORE | SearchEnd.MEMORY:
                    raise TooManyStates(f"more than {limit} states")
                case SearchEnd.NOT_NATIVE | SearchEnd.VIOLATED:
                    raise NotNative("not native")
                case SearchEnd.SHORT:
                    machine = _larger(machine, search.short_of)
        finally:
            search.close()


def _larger(machine: NativeMachine, room: str) -> NativeMachine:
    larger = machine.grown(room)
    if larger is None:
        raise NotNative(f"too many {room}")
    return larger


class _Told:
    """What the search calls. An error cannot pass through it, so it is kept."""

    def __init__(self, ends: Ends, enter: Callable[[Ends], None]) -> None:
        self._ends, self._enter = ends, enter
        self.error: Exception | None = None

    def __call__(self, state: int, kind: OutcomeKind, detail: Any) -> None:
        try:
            self._ends.turn_to(state, kind, detail)
            self._enter(self._ends)
        except Exception as error:  # raised again where the search has ended
            self.error = self.error or error
