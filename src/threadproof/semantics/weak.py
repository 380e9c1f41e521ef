"""The machine with store buffers: the reference meaning of a program under TSO and PSO.

Its steps are those of the machine for SC, one visible operation each, and one more kind of move: `flush`, by which a
buffered store reaches memory. Whoever schedules chooses when. An operation that drains is blocked until its thread's
buffer is empty; `docs/algorithms/weak-memory.md` says which, and what the C11 orders mean.

Differs from the papers named in `store_buffer`: accesses that no other thread can notice are not buffered, nor those of
an atomic block (it begins with an empty buffer and nobody sees its middle) or of a thread that is alone.
Invariants: a thread that ended has an empty buffer; an operation inside an atomic block finds an empty buffer.
"""

from __future__ import annotations

from typing import Any

from threadproof.core.memory_model import MemoryModel
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr, Order
from threadproof.ir.program import Program
from threadproof.semantics.code import Code
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.ops import Op
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    Blocked,
    Effect,
    Happening,
    Moved,
    Outcome,
    Telling,
    Trap,
    UndefinedBehaviour,
    Unsupportable,
)
from threadproof.semantics.run import STOP, BlockedHere, Granularity, Run, Solo, Spurious
from threadproof.semantics.state import Buffered, Obj, Phase, State, Value
from threadproof.semantics.store_buffer import Partly, fenced, may_reach_memory, newest, without
from threadproof.semantics.thread_map import with_thread
from threadproof.sync.drains import drains
from threadproof.sync.footprint import Mode, Touch

WAITS_FOR_BUFFER = "store buffer"
"""The operation of `Blocked` while a thread waits for its own stores to reach memory."""


def machine_under(
    model: MemoryModel,
    program: Program,
    granularity: Granularity = Granularity.VISIBLE,
    spurious: Spurious = Spurious.ON,
    solo: Solo = Solo.LIVE,
) -> Machine:
    """The machine that gives a program its meaning under a memory model."""
    kinds = {MemoryModel.SC: Machine, MemoryModel.TSO: TsoMachine, MemoryModel.PSO: PsoMachine}
    return kinds[model](program, granularity, spurious, solo)


def flushes(machine: Machine, state: State, number: int) -> tuple[int, ...]:
    """Which entries of the thread's buffer may reach memory now: the values `Move.flush` may have."""
    return may_reach_memory(machine.model, state.threads[number].buffer)


class BufferedRun(Run):
    """A step of a thread with a store buffer."""

    def _is_alone(self) -> bool:
        return super()._is_alone() and not self.thread.buffer

    def drain(self) -> None:
        if self.open and self.thread.buffer:
            raise BlockedHere(WAITS_FOR_BUFFER, 0)

    # --- accesses --------------------------------------------------------------------------------------------------

    def load(self, address: Value, size: int, atomic: bool, loc: SourceLoc) -> Any:
        found = self._own(address, size)
        if found is None:
            return super().load(address, size, atomic, loc)
        return self._forwarded(found, address, size, atomic, loc)

    def load_raw(self, address: Value, size: int, moves: bool, loc: SourceLoc) -> Any:
        found = self._own(address, size)
        if found is None:
            return super().load_raw(address, size, moves, loc)
        return self._forwarded(found, address, size, False, loc)

    def _own(self, address: Value, size: int) -> Buffered | None:
        """The own store that a load sees instead of memory."""
        if not self.open or not self.thread.buffer or not isinstance(address, int):
            return None
        found = newest(self.thread.buffer, address, size)
        if found is Partly.PARTLY:
            raise BlockedHere(WAITS_FOR_BUFFER, 0)
        return found

    def _forwarded(self, entry: Buffered, address: int, size: int, atomic: bool, loc: SourceLoc) -> int:
        self.find(address)  # traps if the object is gone
        offset = address - entry.address
        if entry.mask is not None and any(entry.mask[offset : offset + size]):
            raise Unsupportable("reading an uninitialised value back from the store buffer")
        value = int.from_bytes(entry.data[offset : offset + size], "little")
        self.effects.append(Access(address, size, AccessKind.READ, atomic, loc, value))
        return value

    def store(self, address: Value, value: Any, size: int, order: Order, loc: SourceLoc) -> bool:
        obj = self.find(address)
        direct = self.alone or self.depth > 0 or order is Order.SEQ_CST
        wrong = obj.constant or address + size > obj.start + obj.size
        if obj.sharing or not self.open or direct or wrong:
            return super().store(address, value, size, order, loc)
        data, mask = self._pair(value, size) if isinstance(value, tuple) else (value.to_bytes(size, "little"), None)
        entry = Buffered(address, data, mask, order, loc)
        self.thread = self.thread._replace(buffer=(*self.thread.buffer, entry))
        shown = int.from_bytes(data, "little")
        self.effects.append(Access(address, size, AccessKind.WRITE, order is not Order.PLAIN, loc, shown))
        return True

    # --- ends ------------------------------------------------------------------------------------------------------

    def finish_thread(self, value: Any) -> int:
        self.drain()
        return super().finish_thread(value)

    def end_thread(self, value: Any, phase: Phase = Phase.ENDING) -> int:
        self.drain()
        return super().end_thread(value, phase)

    def drop_stack(self, mark: int, cursor: int, kept: tuple[Value, ...]) -> bool:
        if any(not obj.sharing for obj in self.thread.stack[mark:]):
            self.drain()
        return super().drop_stack(mark, cursor, kept)

    def _is_pointed_to(self, obj: Obj, kept: tuple[Value, ...]) -> bool:
        """A pointer may be on its way to memory."""
        on_the_way = not obj.sharing and any(thread.buffer for thread in self.threads.values())
        return on_the_way or super()._is_pointed_to(obj, kept)


class BufferedCode(Code):
    def _compile(self, pc: int, instr: Instr) -> Op:
        op = super()._compile(pc, instr)
        return _drained(op) if drains(instr) else op


class _WeakMachine(Machine):
    code_of = BufferedCode
    run_of = BufferedRun

    def flush(self, state: State, number: int, place: int) -> Outcome:
        thread = state.threads[number]
        others = state.atomic is not None and state.atomic != number
        if others or place not in may_reach_memory(self.model, thread.buffer):
            return Blocked(WAITS_FOR_BUFFER, 0, NOWHERE)
        entry = thread.buffer[place]
        view = MemoryView(self.static.image, state)
        effects: tuple[Effect, ...] = (_reaches(entry), Touch(entry.address, len(entry.data), Mode.WRITE))
        try:
            view.write_raw(view.find(entry.address), entry.address, entry.data, entry.mask)
        except Trap as trap:  # another thread has freed the object meanwhile
            return UndefinedBehaviour(trap.kind, trap.detail, entry.loc, effects, state, trap.about)
        thread = thread._replace(buffer=without(thread.buffer, place))
        return Moved(state._replace(memory=view.memory, threads=with_thread(state.threads, number, thread)), effects)


class TsoMachine(_WeakMachine):
    model = MemoryModel.TSO


class _PsoCode(BufferedCode):
    """A release fence leaves a mark in the buffer."""

    def _compile(self, pc: int, instr: Instr) -> Op:
        op = super()._compile(pc, instr)
        releases = isinstance(instr, ir.Fence) and instr.order in (Order.RELEASE, Order.ACQ_REL)
        return _fencing(op) if releases else op


class PsoMachine(_WeakMachine):
    model = MemoryModel.PSO
    code_of = _PsoCode


def _drained(op: Op) -> Op:
    """Private updates, of an unshared object, wait for the buffer too."""

    def drained(run: Run) -> int:
        if run.thread.buffer and not run.open:
            return STOP
        assert isinstance(run, BufferedRun)
        run.drain()
        return op(run)

    return drained


def _fencing(op: Op) -> Op:
    def fence(run: Run) -> int:
        if run.open:
            run.thread = run.thread._replace(buffer=fenced(run.thread.buffer))
        return op(run)

    return fence


def _reaches(entry: Buffered) -> Happening:
    value = int.from_bytes(entry.data, "little")
    return Happening(Telling.FLUSH, "", entry.loc, entry.address, value, 8 * len(entry.data))
