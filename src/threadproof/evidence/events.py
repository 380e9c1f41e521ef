"""What a step did, told in words."""

from __future__ import annotations

import re
from dataclasses import replace

from threadproof.core.schedule import Move
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import handle, name, number
from threadproof.core.trace import About, CallStack, Event, EventKind, TraceStep
from threadproof.evidence.callers import in_program
from threadproof.ir.ctypes import signed
from threadproof.ir.instr import Owner
from threadproof.semantics.code import RUNTIME
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.naming import Names
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    AssumptionFailed,
    Blocked,
    Effect,
    Happening,
    Outcome,
    OwnChoice,
    Telling,
    Trap,
)
from threadproof.semantics.state import Life, State
from threadproof.sync.facts import FACTS, HAS_HOLDER, WAITS_FOR_THREAD, Act, Attempt
from threadproof.sync.footprint import Touch
from threadproof.sync.operations import EOWNERDEAD, LOOK, TAKEN_ROBUST
from threadproof.sync.phrases import PHRASES, WAITS

_UNINITIALISED = "uninitialised "  # how the machine calls such choices
_OWN = {
    OwnChoice.BLOCK.value: "malloc gives back freed memory",
    OwnChoice.TIMEOUT.value: "its time is over",
    OwnChoice.WAITER.value: "the signal wakes waiter {} (from 0)",
    OwnChoice.CANCELLED.value: "its wait was over before it was cancelled: it goes on",
}
_DONE = (0, TAKEN_ROBUST, EOWNERDEAD)  # results of operations that took a lock, or gave it back


def _is_told(effect: Access | Happening) -> bool:
    """Not the access that freeing is (that the block is freed says it), nor that a function looks at its object."""
    if isinstance(effect, Access):
        return effect.kind is not AccessKind.FREE
    return effect.text != LOOK


def _frees(effect: Access | Happening) -> bool:
    return isinstance(effect, Happening) and effect.text == "free"


def _is_owner(view: MemoryView, address: int, me: int) -> bool:
    """Nobody owns a lock whose memory is gone."""
    try:
        return view.peek_word(address, 32) == me
    except Trap:
        return False


def _word_is_owner(operation: str) -> bool:
    """Whether the first word of the operation's object says which thread holds it."""
    facts = FACTS.get(operation)
    holder = None if facts is None or facts.locks is None or facts.locks.arg else facts.locks.holder
    return holder is not None and not holder.offset64


def _mentions(text: str, title: str) -> bool:
    return re.search(rf"(?<![\w#]){re.escape(title)}(?![\w#])", text) is not None


class Narrator:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.names = Names(machine)
        self._locked: dict[int, dict[int, str]] = {}

    def step(self, state: State, move: Move, outcome: Outcome) -> TraceStep:
        """One line of the story: what the move did in `state`."""
        mover = number(move.thread)
        place = self._machine.next_instr(state, mover)
        function, loc = (self._user_function(state, mover, place[0]), place[1].loc) if place else ("", NOWHERE)
        after = getattr(outcome, "state", None) or state
        if any(isinstance(e, Access | Happening) and e.loc.file == RUNTIME for e in getattr(outcome, "effects", ())):
            outcome = in_program(self._machine, state, move)
        effects: tuple[Effect, ...] = () if isinstance(outcome, Blocked) else getattr(outcome, "effects", ())
        told = [effect for effect in effects if not isinstance(effect, Touch) and _is_told(effect)]
        held = tuple(self.locks_held(state, mover)) if self._locked.get(mover) else ()
        self._note_locks(mover, told)
        buffered = {entry.address for entry in after.threads[mover].buffer}
        self.names.see(after)
        told = [effect for effect in self._without_own_zeros(told) if not self._is_no_news(state, after, effect)]
        freed = next((place for place, effect in enumerate(told) if _frees(effect)), 0)
        moments = [self._moment(state, after, effect, place < freed) for place, effect in enumerate(told)]
        events = [self._event(moment, effect, buffered) for moment, effect in zip(moments, told, strict=True)]
        events = self._with_allocations(state, after, mover, events)
        events = [replace(event, loc=self.user_loc(state, mover, event.loc)) for event in events]
        if isinstance(outcome, AssumptionFailed):
            events.append(Event(EventKind.END, "the assumption fails", outcome.loc))
        first = next((event.loc for event in events if event.loc.line), self.user_loc(state, mover, loc))
        return TraceStep(move.thread, first, function, tuple(events), held)

    def user_loc(self, state: State, thread: int, loc: SourceLoc) -> SourceLoc:
        """For a place in the runtime library, the call in the program that led there."""
        if loc.file != RUNTIME:
            return loc
        for frame in reversed(state.threads[thread].frames[:-1]):
            caller = self._machine.static.codes[frame.function].instrs[frame.pc - 1].loc
            if caller.file != RUNTIME:
                return caller
        return loc

    def _user_function(self, state: State, thread: int, function: str) -> str:
        """For a function of the runtime library, the one of the program that has called it."""
        running = (frame.function for frame in reversed(state.threads[thread].frames))
        codes = self._machine.static.codes
        return next((one for one in running if codes[one].function.loc.file != RUNTIME), function)

    def stack(self, state: State, thread: int) -> CallStack:
        """The calls a thread is in, without those inside the runtime library."""
        calls: list[tuple[str, SourceLoc]] = []
        for depth, frame in enumerate(reversed(state.threads[thread].frames)):
            code = self._machine.static.codes[frame.function]
            loc = code.instrs[max(0, frame.pc - (depth > 0))].loc
            if loc.file != RUNTIME and not code.function.loc.file.startswith("<"):
                calls.append((frame.function, loc if loc.line else code.function.loc))
        return CallStack(state.threads[thread].id, tuple(calls))

    def _moment(self, before: State, after: State, effect: Access | Happening, frees: bool) -> State:
        """The state in which what the effect touched has a name: afterwards, unless it was freed or popped. `frees`: a
        block is freed later in the step; who reads a pointer to one that is alive does not read a freed one."""
        if frees and isinstance(effect, Access) and effect.kind is AccessKind.READ and isinstance(effect.value, int):
            known = MemoryView(self._machine.static.image, before).zone(effect.value)
            if known is not None and known.life is Life.ALIVE and self.names.is_known(before, effect.address):
                return before
        return after if not effect.address or self.names.is_known(after, effect.address) else before

    def _event(self, state: State, effect: Access | Happening, buffered: set[int]) -> Event:
        if isinstance(effect, Access):
            return self._access(state, effect, buffered)
        match effect.kind:
            case Telling.CHOICE:
                return Event(EventKind.CHOICE, self._choice(effect), effect.loc)
            case Telling.FLUSH:
                place, ctype = self.names.place(state, effect.address)
                value = self.names.value(state, effect.value, ctype, effect.bits)
                about = About(effect.address, effect.bits // 8, place, value)
                return Event(EventKind.FLUSH, f"{place} = {value} reaches memory", effect.loc, about=about)
            case Telling.NOTE:
                return Event(EventKind.NOTE, f"note: {effect.text}", effect.loc)
            case Telling.SYNC:
                about = About(effect.address, 1, self.names.title(state, effect.address)) if effect.address else None
                return Event(EventKind.SYNC, self._sync(state, effect), effect.loc, about=about)

    def _is_no_news(self, before: State, after: State, effect: Access | Happening) -> bool:
        """What the library keeps for itself; a pointer that is read to be followed."""
        if isinstance(effect, Access) or effect.kind is Telling.FLUSH:
            moment = after if self.names.is_known(after, effect.address) else before
            if self.names.is_internal(moment, effect.address):
                return True
        return self._reads_its_name(after, effect)

    def _reads_its_name(self, state: State, effect: Access | Happening) -> bool:
        """A pointer that a block is called by is read: what follows tells of the block."""
        if not isinstance(effect, Access) or effect.kind is not AccessKind.READ:
            return False
        place, ctype = self.names.place(state, effect.address)
        return place == self.names.value(state, effect.value, ctype, 8 * effect.size)

    def _choice(self, effect: Happening) -> str:
        value = effect.value if isinstance(effect.value, int) else 0
        if effect.text in _OWN:
            return _OWN[effect.text].format(value)
        if effect.text.startswith(_UNINITIALISED):
            what = self.names.variable(effect.text.removeprefix(_UNINITIALISED))
            return f"{what} has never been set: here it is {signed(value, effect.bits)}"
        return f"{effect.text} is {value}"

    def _without_own_zeros(self, told: list[Access | Happening]) -> list[Access | Happening]:
        """Choices of the machine that came out as they nearly always do are no news."""
        return [
            effect
            for effect in told
            if isinstance(effect, Access)
            or effect.kind is not Telling.CHOICE
            or effect.value
            or effect.text not in _OWN
        ]

    def _with_allocations(self, before: State, after: State, mover: int, events: list[Event]) -> list[Event]:
        """Blocks that are new, told before they are first mentioned."""
        if mover not in after.threads or mover not in before.threads:
            return events
        old = {obj.start: obj for obj in before.threads[mover].heap}
        events = list(events)
        for obj in after.threads[mover].heap:
            again = old.get(obj.start)
            if again is not None and (again.life is obj.life or obj.life is not Life.ALIVE):
                continue
            use = self._machine.program.blocks.get(obj.name)
            if use is None or obj.name == Owner.SYSTEM.value:
                continue
            title = self.names.heap.title(obj)
            what = f"allocates {title} ({self.names.heap.written(obj)})"
            what += ", in the memory of a freed block" if again is not None else ""
            at = next((i for i, event in enumerate(events) if _mentions(event.text, title)), None)
            at = next((i for i, event in enumerate(events) if event.loc == use.loc), 0) if at is None else at
            events.insert(at, Event(EventKind.SYNC, what, use.loc))
        return events

    def _access(self, state: State, access: Access, buffered: set[int]) -> Event:
        place, ctype = self.names.place(state, access.address)
        bits = 8 * access.size
        value = self.names.value(state, access.value, ctype, bits)
        about = About(access.address, access.size, place, value)
        match access.kind:
            case AccessKind.READ:
                return Event(EventKind.READ, f"reads {place} = {value}", access.loc, about=about)
            case AccessKind.WRITE if place == value:
                return Event(EventKind.WRITE, f"{place} is set", access.loc, about=about)
            case AccessKind.WRITE:
                where = " (in its store buffer)" if access.address in buffered else ""
                return Event(EventKind.WRITE, f"{place} = {value}{where}", access.loc, about=about)
            case AccessKind.UPDATE:
                old = self.names.value(state, access.old, ctype, bits)
                return Event(EventKind.WRITE, f"{place}: {old} becomes {value}", access.loc, about=about)
            case AccessKind.FREE:
                what = f"frees {self.names.block(state, access.address)}"
                return Event(EventKind.SYNC, what, access.loc, about=about)

    def _sync(self, state: State, effect: Happening) -> str:
        facts = FACTS.get(effect.text)
        match None if facts is None else facts.act:
            case Act.CREATE:
                return f"creates {self._created(state, effect)}"
            case Act.JOIN:
                return f"joins {self.names.thread(state, effect.address)}"
            case Act.CANCEL:
                return f"cancels {self.names.thread(state, effect.address)}"
            case _:
                pass
        phrase = PHRASES.get(effect.text)
        named = self.names.block if effect.text == "free" else self.names.title
        place = named(state, effect.address) if effect.address else ""
        if phrase is None:
            return f"{effect.text.replace('_', ' ')} {place}".rstrip()
        said = phrase.format(place)
        failed = effect.value if isinstance(effect.value, int) else 0
        if failed and facts is not None and facts.attempt is not Attempt.NO:
            return f"{said}: fails ({signed(failed, 32)})"
        return said

    def _created(self, state: State, effect: Happening) -> str:
        view = MemoryView(self._machine.static.image, state)
        try:
            return self.names.thread(state, view.peek_word(effect.address, 32))
        except Trap:
            return "a thread"

    # --- locks and waiting -----------------------------------------------------------------------------------------

    def waits_for(self, state: State, thread: int, blocked: Blocked) -> str:
        who = name(state.threads[thread].id)
        phrase = WAITS.get(blocked.operation, "waits in " + blocked.operation.replace("_", " ") + " for {}")
        if blocked.operation == WAITS_FOR_THREAD:
            what = self.names.thread(state, blocked.address)
        else:
            what = self.names.title(state, blocked.address) + self._holder(state, blocked)
        return f"{who} {phrase.format(what)} at {self.user_loc(state, thread, blocked.loc)}"

    def _holder(self, state: State, blocked: Blocked) -> str:
        if not _word_is_owner(blocked.operation):
            return ""
        view = MemoryView(self._machine.static.image, state)
        try:
            owner = view.peek_word(blocked.address, 32)
        except Trap:
            return ""
        return f", held by {self.names.thread(state, owner)}" if owner else ""

    def _note_locks(self, thread: int, effects: list[Access | Happening]) -> None:
        """Remember what a step locked."""
        for effect in effects:
            if isinstance(effect, Happening) and effect.kind is Telling.SYNC and effect.value in _DONE:
                facts = FACTS.get(effect.text)
                if facts is None or facts.family not in HAS_HOLDER:
                    continue
                if facts.locks is not None:
                    self._locked.setdefault(thread, {})[effect.address] = effect.text
                elif facts.releases is not None:
                    self._locked.get(thread, {}).pop(effect.address, None)

    def locks_held(self, state: State, thread: int) -> list[str]:
        """The locks a thread holds, by name. A wait on a condition variable gives its mutex back: ask the mutex."""
        me = handle(state.threads[thread].id)
        view = MemoryView(self._machine.static.image, state)
        return [
            self.names.title(state, address)
            for address, operation in self._locked.get(thread, {}).items()
            if not _word_is_owner(operation) or _is_owner(view, address, me)
        ]
