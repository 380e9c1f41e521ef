"""What a schedule does that real threads have to do in the same order: accesses to shared memory, calls of threads and
locks; and which values come from outside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from threadproof.core.property import Property
from threadproof.core.thread_id import MAIN, ThreadId, number
from threadproof.core.trace import Trace
from threadproof.ir.instr import Nondet
from threadproof.ir.program import Program
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Access, AccessKind, Effect, Happening, Moved, Telling, Trap, Unsupportable
from threadproof.semantics.state import State
from threadproof.sync.facts import FACTS, Family
from threadproof.witness.source_text import SourceTexts
from threadproof.witness.watching import Sight, SightKind, WatchedMachine

_KINDS = {AccessKind.READ: "R", AccessKind.WRITE: "W", AccessKind.UPDATE: "U"}
_FAMILIES = (
    Family.MUTEX,
    Family.RWLOCK,
    Family.SPIN,
    Family.SEMAPHORE,
    Family.BARRIER,
    Family.THREAD,
    Family.CONDITION,
)
_UNSTEERED = ("init", "destroy", "self", "detach", "equal", "robust_", "cancel")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class SteeredObject:
    """`symbol`: of a global variable, if other files can name it."""

    name: str
    size: int
    symbol: str


@dataclass(frozen=True, slots=True)
class SteeredEvent:
    thread: int
    kind: str  # R, W, U (an atomic update), S (a call)
    line: int
    what: str
    object: int = 0
    offset: int = 0
    size: int = 0
    value: int = 0


@dataclass(frozen=True, slots=True)
class GivenValue:
    """That a function from outside returns."""

    thread: int
    value: int
    function: str


@dataclass(frozen=True, slots=True)
class Recording:
    threads: tuple[ThreadId, ...]  # main first
    objects: tuple[SteeredObject, ...]
    events: tuple[SteeredEvent, ...]
    nondets: tuple[GivenValue, ...]
    last_thread: int
    outside: tuple[str, ...]  # functions whose values are given
    pointer: int  # bytes


def recorded(program: Program, prop: Property, trace: Trace, files: Sequence[str]) -> Recording:
    return _Recorder(program, prop, files).run(trace)


class _Recorder:
    def __init__(self, program: Program, prop: Property, files: Sequence[str]) -> None:
        self._program = program
        self._watched = WatchedMachine(program, prop, SourceTexts(files))
        self._threads: dict[ThreadId, int] = {MAIN: 0}
        self._objects: dict[tuple[str, int], int] = {}
        self._known: list[SteeredObject] = []
        self._events: list[SteeredEvent] = []
        self._nondets: list[GivenValue] = []

    def run(self, trace: Trace) -> Recording:
        machine = self._watched.machine
        state = machine.initial()
        last = 0
        for move in trace.schedule:
            last = self._number(move.thread)
            outcome = self._watched.step(state, number(move.thread), move.choices, self._see)
            after = getattr(outcome, "state", None) or state
            self._note(last, getattr(outcome, "effects", ()), state, after)
            if isinstance(outcome, Moved):
                state = outcome.state
        return Recording(
            tuple(self._threads),
            tuple(self._known),
            tuple(self._events),
            tuple(self._nondets),
            last,
            tuple(_from_outside(self._program)),
            self._program.data_model.pointer_bytes,
        )

    def _number(self, thread: ThreadId) -> int:
        """Parents come before their children."""
        for depth in range(1, len(thread) + 1):
            self._threads.setdefault(thread[:depth], len(self._threads))
        return self._threads[thread]

    def _see(self, sight: Sight) -> None:
        if sight.kind is SightKind.RETURN and _IDENTIFIER.fullmatch(sight.called) and sight.called not in FACTS:
            self._nondets.append(GivenValue(self._number(sight.thread), sight.value or 0, sight.called))

    def _note(self, thread: int, effects: Sequence[Effect], before: State, after: State) -> None:
        calls = {e.loc for e in effects if isinstance(e, Happening) and e.kind is Telling.SYNC}
        for effect in effects:
            if isinstance(effect, Happening) and effect.kind is Telling.SYNC and _is_steered(effect.text):
                value = effect.value if isinstance(effect.value, int) else 0
                self._events.append(SteeredEvent(thread, "S", effect.loc.line, effect.text, value=value))
            elif isinstance(effect, Access) and effect.kind in _KINDS and effect.loc.file != RUNTIME:
                found = self._object(effect.address, after) or self._object(effect.address, before)
                if found is not None and effect.loc not in calls:
                    index, offset = found
                    what = self._known[index].name
                    line, kind = effect.loc.line, _KINDS[effect.kind]
                    self._events.append(SteeredEvent(thread, kind, line, what, index, offset, effect.size))

    def _object(self, address: int, state: State) -> tuple[int, int] | None:
        try:
            obj = MemoryView(self._watched.machine.static.image, state).find(address)
        except (Trap, Unsupportable):
            return None
        key = (obj.name, obj.start)
        if key not in self._objects:
            self._objects[key] = len(self._known)
            variable = self._program.globals.get(obj.name)
            named = variable is not None and variable.name == variable.c_name and "." not in obj.name
            self._known.append(SteeredObject(obj.name, obj.size, obj.name if named else ""))
        return self._objects[key], address - obj.start


def _from_outside(program: Program) -> list[str]:
    found = {instr.source for instr in program.instrs() if isinstance(instr, Nondet)}
    return sorted(one for one in found if _IDENTIFIER.fullmatch(one))


def _is_steered(operation: str) -> bool:
    facts = FACTS.get(operation)
    return facts is not None and facts.family in _FAMILIES and not any(one in operation for one in _UNSTEERED)
