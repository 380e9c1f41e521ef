"""Objects come and go: locals and heap blocks, their sizes and the end of their lives."""

from __future__ import annotations

from threadproof.encoding.encoded import NotEncoded
from threadproof.engines.bmc.unwinding.evaluation import Evaluation
from threadproof.engines.bmc.unwinding.events import Atomic, EventRole, Limit, Why
from threadproof.engines.bmc.unwinding.memory import PendingAccess, UnwoundMemory
from threadproof.engines.bmc.unwinding.objects import ObjectStorage, UnwoundObject
from threadproof.engines.bmc.unwinding.state import Registers
from threadproof.engines.bmc.unwinding.world import Freeing, HeapBlock, Unwound, UnwoundStep
from threadproof.ir import instr as ir
from threadproof.ir.instr import Fill, UndefinedKind
from threadproof.smt.term import Op, Term

MAX_OBJECT = 1 << 20


class Allocation:
    def __init__(self, world: Unwound, memory: UnwoundMemory, evaluation: Evaluation) -> None:
        self._world = world
        self._terms = world.terms
        self._memory = memory
        self._evaluation = evaluation

    def alloc(self, step: UnwoundStep, registers: Registers, instr: ir.Alloc, locals_: list[UnwoundObject]) -> None:
        world, terms = self._world, self._terms
        size = self._evaluation.value(step, registers, instr.size)
        if not step.alive:
            return
        heap = instr.storage is ir.Storage.HEAP
        if heap:
            world.log(step, visible=True)
            world.event(step, EventRole.FENCE, drains=False)
        extent = None if size.op is Op.VALUE else self._fitted_size(step, size)
        room = world.bounds.size if extent is not None else size.value
        if room > MAX_OBJECT:
            world.end(step, terms.true, NotEncoded("a large block"))
            return
        storage = ObjectStorage.HEAP if heap else ObjectStorage.STACK
        name = instr.name or f"malloc@{instr.loc.line}"
        content = bytes(room) if instr.fill is Fill.ZERO else None
        private = name in world.program.functions[step.function].unshared and not heap
        key = (step.thread.number, step.site, room, extent)
        owner = world.objects.instance(key, room, name, storage, content, private, extent)
        if heap:
            world.heap[owner.start] = HeapBlock(
                owner, step.state.guard, step.thread.number, len(step.thread.events) - 1
            )
        else:
            locals_.append(owner)
        registers[instr.dst.name] = terms.bv(owner.start, instr.dst.width)

    def _fitted_size(self, step: UnwoundStep, size: Term) -> Term:
        """A size that is not known, as wide as an address; sizes beyond the addresses kept free are a limit."""
        world, terms = self._world, self._terms
        most = terms.bv(world.objects.reserve, size.width)
        world.end(step, terms.ult(most, size), Limit(Why.SIZE))
        width = world.pointer_bits
        return terms.extract(size, width - 1, 0) if size.width > width else terms.zext(size, width)

    def free(self, step: UnwoundStep, registers: Registers, instr: ir.Free) -> None:
        world, terms = self._world, self._terms
        where = self._evaluation.value(step, registers, instr.address)
        if not step.alive:
            return
        world.log(step, visible=True)
        numbers = world.values.of(where)
        if numbers is None:
            world.end(step, terms.true, NotEncoded("freeing a block that could be any"))
            return
        # Every access looks at the life of its block, and this ends it: that makes it a race.
        access = self._memory.draining(step, Atomic.ATOMIC if step.state.depth else Atomic.PLAIN)
        for number in sorted(numbers - {0}):
            when = terms.true if len(numbers) == 1 else terms.eq(where, terms.bv(number, where.width))
            owner = world.objects.near(number)
            if owner is None or owner.storage is not ObjectStorage.HEAP or owner.start != number:
                world.end(step, when, UndefinedKind.INVALID_FREE)
                continue
            alive = self._memory.life(access, owner, when)
            world.end(step, terms.and_(when, terms.not_(alive)), UndefinedKind.DOUBLE_FREE)
            self._memory.end_life(access, owner, when)
            happens = terms.all((*step.state.guard, when))
            freeing = Freeing(step.thread.number, len(step.thread.events), dict(step.state.clock), happens)
            world.frees[owner.start].append(freeing)

    def object_size(self, step: UnwoundStep, registers: Registers, instr: ir.ObjectSize) -> None:
        world, terms = self._world, self._terms
        where = self._evaluation.value(step, registers, instr.address)
        found = terms.bv(0, instr.dst.width)
        numbers = world.values.of(where)
        if numbers is None:
            world.end(step, terms.true, NotEncoded("a block that could be any"))
            return
        access = PendingAccess(step, Atomic.NO_ACCESS, drains=False)
        for number in sorted(numbers):
            when = terms.eq(where, terms.bv(number, where.width))
            owner = world.objects.near(number)
            if owner is None or owner.storage is not ObjectStorage.HEAP or owner.start != number:
                world.end(step, when, UndefinedKind.INVALID_FREE)
                continue
            alive = self._memory.life(access, owner, when)
            world.end(step, terms.and_(when, terms.not_(alive)), UndefinedKind.DOUBLE_FREE)
            whole = terms.bv(owner.size, world.pointer_bits) if owner.extent is None else owner.extent
            whole = terms.extract(terms.zext(whole, max(whole.width, instr.dst.width)), instr.dst.width - 1, 0)
            found = terms.ite(when, whole, found)
        registers[instr.dst.name] = found

    def restore(
        self, step: UnwoundStep, registers: Registers, instr: ir.StackRestore, locals_: list[UnwoundObject]
    ) -> None:
        """Ends the life of locals from a mark on: how many there were, or the first of them."""
        mark = self._evaluation.value(step, registers, instr.address)
        if mark.op is not Op.VALUE:
            self._world.end(step, self._terms.true, NotEncoded("a stack that ends in several places"))
            return
        first = next((i for i, owner in enumerate(locals_) if owner.start == mark.value), mark.value)
        access = PendingAccess(step, Atomic.NO_ACCESS, drains=True)
        for owner in locals_[first:]:
            self._memory.end_life(access, owner, self._terms.true)
        if access.event is not None and step.entry is None:  # others may notice: a step of its own
            self._world.log(step, visible=False).events.append(access.event)
        del locals_[first:]
