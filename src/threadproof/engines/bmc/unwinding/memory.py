"""Reads and writes: cells that one thread uses are values in its state, others are parts of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from threadproof.core.memory_model import MemoryModel
from threadproof.encoding.encoded import NotEncoded
from threadproof.engines.bmc.unwinding.events import (
    Atomic,
    Cell,
    Clock,
    EventRole,
    Limit,
    UnwoundAccess,
    UnwoundEvent,
    Why,
    WriteFact,
    Writes,
)
from threadproof.engines.bmc.unwinding.objects import ObjectStorage, UnwoundObject
from threadproof.engines.bmc.unwinding.places import Target, TargetPlaces
from threadproof.engines.bmc.unwinding.state import BLOCK, Cached, PathState
from threadproof.engines.bmc.unwinding.values import Numbers, united
from threadproof.engines.bmc.unwinding.world import ProgramEnd, Unwound, UnwoundStep
from threadproof.ir.instr import UndefinedKind
from threadproof.smt.term import Term

UNCLEAR = NotEncoded("an address that could be anywhere")
ELSEWHERE = NotEncoded("a variable that is defined nowhere")
TOO_LARGE = Limit(Why.SIZE)


@dataclass(slots=True)
class PendingAccess:
    """An access under way: its event is made when the first cell needs one."""

    step: UnwoundStep
    atomic: Atomic
    drains: bool
    event: UnwoundEvent | None = None
    kind: EventRole = EventRole.ACCESS
    releases: bool = False

    def needed(self, world: Unwound) -> UnwoundEvent:
        if self.event is None:
            self.event = world.event(self.step, self.kind, self.atomic, self.drains)
            self.event.releases = self.releases
        return self.event


class UnwoundMemory:
    def __init__(self, world: Unwound) -> None:
        self._world = world
        self._terms = world.terms
        self.places = TargetPlaces(world.terms, world.objects, world.values)

    # --- finding ---------------------------------------------------------------------------------------------------

    def targets(self, step: UnwoundStep, address: Term, size: int) -> list[Target]:
        """Where the address can point to; whatever else it could be ends the path."""
        found = self.places.targets(address, size)
        world = self._world
        world.end(step, found.unclear, UNCLEAR)
        world.end(step, found.invalid, UndefinedKind.OUT_OF_BOUNDS)
        world.end(step, found.beyond, TOO_LARGE)
        possible = [target for target in found.found if world.values.decided(target.when) is not False]
        for target in possible:
            if target.object.elsewhere:
                world.end(step, target.when, ELSEWHERE)
        return [target for target in possible if not target.object.elsewhere] if step.alive else []

    def check_alive(self, access: PendingAccess, targets: Sequence[Target]) -> None:
        for target in targets:
            if target.object.start in self._world.facts.ended:
                dead = self._terms.eq(self._read_cell(access, (target.object.start, 0), target.when), self._bit(0))
                kind = UndefinedKind.USE_AFTER_FREE
                if target.object.storage is not ObjectStorage.HEAP:
                    kind = UndefinedKind.DEAD_LOCAL
                self._world.end(access.step, self._terms.and_(target.when, dead), kind)

    def cells(self, owner: UnwoundObject, offset: int, size: int) -> list[Cell]:
        return self._world.boundaries.cells(owner.start, offset, size)

    # --- accesses --------------------------------------------------------------------------------------------------

    def read(self, access: PendingAccess, targets: Sequence[Target], size: int) -> Term:
        self.check_alive(access, targets)
        found: Term | None = None
        for target in targets:
            value: Term | None = None
            cells = self.cells(target.object, target.offset, size)
            if self._world.model is not MemoryModel.SC and len(cells) > 1 and BLOCK not in access.step.state.sections:
                # Own stores may have some of them: an event, even if nobody else writes any.
                access.needed(self._world).spans.append((target.when, frozenset(cells)))
            for cell in cells:
                part = self._read_cell(access, cell, target.when)
                if len(cells) > 1 and any(o.storage is ObjectStorage.HEAP for o in self.places.owners(part)):
                    self._world.compared = True  # an address as part of a larger number
                value = part if value is None else self._terms.concat(part, value)
            assert value is not None
            found = value if found is None else self._terms.ite(target.when, value, found)
        return self._terms.bv(0, 8 * size) if found is None else self._world.values.folded(found)

    def write(self, access: PendingAccess, targets: Sequence[Target], size: int, value: Term) -> None:
        self.check_alive(access, targets)
        for target in targets:
            if target.object.constant:
                self._world.end(access.step, target.when, UndefinedKind.WRITE_TO_CONSTANT)
                continue
            low = 0
            cells = self.cells(target.object, target.offset, size)
            if len(cells) > 1 and any(o.storage is ObjectStorage.HEAP for o in self.places.owners(value)):
                self._world.compared = True  # the bytes of an address are looked at one by one
            for cell in cells:
                part = self._terms.extract(value, low + 8 * cell[1] - 1, low) if 8 * cell[1] < 8 * size else value
                self._write_cell(access, cell, target.when, part)
                low += 8 * cell[1]
            if self._world.model is not MemoryModel.SC and access.event is not None:
                access.event.spans.append((target.when, frozenset(cells)))

    def end_life(self, access: PendingAccess, owner: UnwoundObject, when: Term) -> None:
        self._world.ended.add(owner.start)
        self._write_cell(access, (owner.start, 0), when, self._bit(0))

    def life(self, access: PendingAccess, owner: UnwoundObject, when: Term) -> Term:
        """Whether the object still lives."""
        return self._terms.eq(self._read_cell(access, (owner.start, 0), when), self._bit(1))

    def _bit(self, value: int) -> Term:
        return self._terms.bv(value, 1)

    # --- cells -----------------------------------------------------------------------------------------------------

    def _touch(
        self, access: PendingAccess, cell: Cell, when: Term, event: UnwoundEvent | None, *, writes: bool
    ) -> None:
        step, thread = access.step, access.step.thread
        if access.atomic is not Atomic.NO_ACCESS:
            self._world.direct.add(cell)
        index = len(thread.events) if event is None else event.index
        clock = dict(step.state.clock) if event is None else event.clock
        held, guard = step.state.held, step.state.guard
        entry = len(thread.entries) - 1
        touch = UnwoundAccess(
            event, thread.number, index, clock, held, cell, writes, access.atomic, guard, when, step.instr, entry
        )
        self._world.touches[cell].append(touch)

    def _writers(self, cell: Cell, thread: int) -> bool:
        """Whether others write the cell."""
        return any(write.thread != thread for write in self._world.facts.writes.get(cell, ()))

    def _is_used_by_others(self, cell: Cell, thread: int) -> bool:
        users = self._world.facts.users.get(cell)
        return users is not None and (len(users) > 1 or thread not in users)

    def _section(self, state: PathState, cell: Cell) -> int | None:
        """The section in which nobody else touches the cell: of one mutex that all agree on, or an atomic block."""
        protected = self._world.facts.protected.get(cell)
        if protected:
            return min(protected) if min(protected) in state.sections else None
        return BLOCK if BLOCK in state.sections else None

    def _read_cell(self, access: PendingAccess, cell: Cell, when: Term) -> Term:
        step, world, thread = access.step, self._world, access.step.thread.number
        world.users[cell].add(thread)
        if not self._writers(cell, thread):
            self._touch(access, cell, when, None, writes=False)
            return step.state.memory.get(cell) or world.initial[cell]
        section = self._section(step.state, cell)
        if section is not None:
            event = step.state.sections[section]
            self._touch(access, cell, when, event, writes=False)
            known = step.state.cached.get(cell)
            if known is None:
                known = Cached(section, self.fetch(event, cell), dirty=False)
                step.state.cached[cell] = known
            return known.value
        event = access.needed(world)
        self._touch(access, cell, when, event, writes=False)
        return self._part(event, cell, when)

    def fetch(self, event: UnwoundEvent, cell: Cell) -> Term:
        """The value of a cell when a section began: a read that belongs to its first event."""
        known = next((part for part in event.reads if part.cell == cell), None)
        return self._part(event, cell, self._terms.true) if known is None else known.value

    def _part(self, event: UnwoundEvent, cell: Cell, when: Term) -> Term:
        world = self._world
        variable = self._terms.bv_var(f"r.{event.thread}.{event.index}.{cell[0]:x}.{cell[1]}", 8 * cell[1] or 1)
        part = world.part(event, cell, when, variable)
        world.values.declare(variable, possible(world, world.facts.writes, event, cell, part.order))
        part.value = world.values.folded(variable)
        event.reads.append(part)
        return part.value

    def _write_cell(self, access: PendingAccess, cell: Cell, when: Term, value: Term) -> None:
        step, world, thread = access.step, self._world, access.step.thread.number
        world.users[cell].add(thread)
        state = step.state
        if not self._is_used_by_others(cell, thread):
            self._touch(access, cell, when, None, writes=True)
            old = state.memory.get(cell) or world.initial[cell]
            state.memory[cell] = self._terms.ite(when, value, old)
            return
        section = self._section(state, cell)
        if section is not None:
            event = state.sections[section]
            self._touch(access, cell, when, event, writes=True)
            if when is not self._terms.true:
                known = state.cached.get(cell)
                old = self.fetch(event, cell) if known is None else known.value
                value = self._terms.ite(when, value, old)
            state.cached[cell] = Cached(section, value, dirty=True)
        else:
            event = access.needed(world)
            self._touch(access, cell, when, event, writes=True)
            event.writes.append(world.part(event, cell, when, value))
        if not self._writers(cell, thread):
            old = state.memory.get(cell) or world.initial[cell]
            state.memory[cell] = self._terms.ite(when, value, old)

    def draining(self, step: UnwoundStep, atomic: Atomic) -> PendingAccess:
        """Under weak memory, what waits for an empty store buffer is an event whatever it accesses."""
        access = PendingAccess(step, atomic, drains=True)
        if self._world.model is not MemoryModel.SC:
            access.needed(self._world)
        return access

    # --- the end ---------------------------------------------------------------------------------------------------

    def stop(self, step: UnwoundStep) -> None:
        """Look at every pointer in memory that may lead to a heap block."""
        world, pointer = self._world, self._world.pointer_bits // 8
        access = PendingAccess(step, Atomic.NO_ACCESS, drains=True, kind=EventRole.FENCE)
        pointers: dict[Cell, Term] = {}
        for cell in sorted(world.facts.users):
            owner = world.objects.near(cell[0])
            if cell[1] == pointer and owner is not None and owner.storage is not ObjectStorage.STACK:
                value = self._read_cell(access, cell, self._terms.true)
                numbers = world.values.of(value)
                if numbers is None or any(self._in_heap(number) for number in numbers):
                    pointers[cell] = value
        thread = step.thread
        stop = ProgramEnd(thread.number, len(thread.events), step.state.guard, dict(step.state.clock), pointers)
        world.stops.append(stop)

    def _in_heap(self, number: int) -> bool:
        owner = self._world.objects.near(number)
        return owner is not None and owner.storage is ObjectStorage.HEAP

    # --- sections --------------------------------------------------------------------------------------------------

    def leave(self, state: PathState, section: int, event: UnwoundEvent) -> None:
        """The section ends with `event`: what was written in it is seen from there on."""
        for cell, known in list(state.cached.items()):
            if known.section == section:
                if known.dirty:
                    event.writes.append(self._world.part(event, cell, self._terms.true, known.value))
                del state.cached[cell]
        state.sections.pop(section, None)

    def flush(self, step: UnwoundStep, section: int) -> None:
        """Caching ends here though the section goes on."""
        dirty = any(known.dirty and known.section == section for known in step.state.cached.values())
        event = self._world.event(step, EventRole.ACCESS, drains=False) if dirty else step.state.sections[section]
        self.leave(step.state, section, event)

    def leave_all(self, step: UnwoundStep) -> None:
        """The thread ends, perhaps inside sections and atomic blocks: what it wrote stays."""
        for section in list(step.state.sections):
            self.flush(step, section)
        step.state.block = step.state.depth = 0

    def flush_locks(self, step: UnwoundStep) -> None:
        """Writes back what this thread keeps to itself inside critical sections: at forks, joins and atomic blocks,
        where other threads may come to see those cells without taking the lock."""
        for section in [s for s in step.state.sections if s != BLOCK]:
            self.flush(step, section)


def possible(world: Unwound, writes: Writes, event: UnwoundEvent, cell: Cell, order: int) -> Numbers:
    """What a read can see, from the writes of the round before."""
    candidates = [w for w in writes.get(cell, ()) if _may_come_before(w, event, order)]
    reader = set(event.guard)
    sure = [w for w in candidates if is_before(w, event, order) and w.guard <= reader]
    hidden = Hidden([(w.thread, w.order, w.clock) for w in sure])
    numbers: Numbers = frozenset()
    for write in candidates:
        if not hidden.covers(write.thread, write.order, write.index):
            numbers = united(numbers, write.numbers)
    return numbers if sure else united(numbers, world.values.of(world.initial[cell]))


class Hidden:
    """Which writes are overwritten for certain: those that come before one of the given writes, each by its thread, its
    place in program order and its vector clock."""

    def __init__(self, sure: Iterable[tuple[int, int, Clock]]) -> None:
        self._own: Clock = {}
        self._known: Clock = {}
        for thread, order, clock in sure:
            self._own[thread] = max(order, self._own.get(thread, -1))
            for other, count in clock.items():
                if other != thread:
                    self._known[other] = max(count, self._known.get(other, 0))

    def covers(self, thread: int, order: int, index: int) -> bool:
        return order < self._own.get(thread, -1) or index < self._known.get(thread, 0)


def is_before(write: WriteFact, event: UnwoundEvent, order: int) -> bool:
    if write.thread == event.thread:
        return write.order < order
    return event.clock.get(write.thread, 0) > write.index


def _may_come_before(write: WriteFact, event: UnwoundEvent, order: int) -> bool:
    if write.thread == event.thread:
        return write.order < order
    return write.clock.get(event.thread, 0) <= event.index
