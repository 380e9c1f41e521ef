"""Life and death of locals and heap blocks. A place of allocation has room for one object at a time, or for a few heap
blocks in all: see `objects`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from threadproof.analysis.memory.partition import Shape
from threadproof.analysis.points_to import ObjectKind
from threadproof.automaton.letters import Context
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions.memory import CellMemory
from threadproof.encoding.transitions.objects import LIFE_BITS, ObjectLife, SymbolicCell, SymbolicObject, constant_size
from threadproof.encoding.transitions.run import LetterRun
from threadproof.encoding.transitions.scopes import Scopes
from threadproof.encoding.transitions.space import Space
from threadproof.ir import instr as ir
from threadproof.ir.expr import Reg
from threadproof.ir.instr import Fill, UndefinedKind
from threadproof.smt.term import Array, Term

AGAIN = NotEncoded("another object of one place of allocation, while something may point to those before")
REUSE = NotEncoded("memory that was freed and may be given out again")
TOO_LARGE = NotEncoded("an object of a size that is not known, and too large")
NO_MEMORY = NotEncoded("a block of more than half of all addresses")


class HugeBlocks(Enum):
    """What becomes of a block that no memory has room for."""

    IMPOSSIBLE = "malloc does not fail, so nobody asks for one"  # an assumption, told with the answer
    OBSTRUCT = "a limit"  # what the reference machine says


class SlotAllocation:
    def __init__(self, space: Space, memory: CellMemory, huge: HugeBlocks) -> None:
        self._space = space
        self._terms = space.terms
        self._memory = memory
        self._scopes = Scopes(space.program)
        self._huge = huge

    def execute(self, run: LetterRun, instr: ir.Alloc | ir.Free | ir.ObjectSize | ir.StackRestore) -> None:
        match instr:
            case ir.Alloc():
                self._alloc(run, instr)
            case ir.Free():
                self._free(run, instr)
            case ir.ObjectSize():
                self._size(run, instr)
            case ir.StackRestore():
                for site in self._scopes.ended(run.step.site, instr):
                    self._end(run, self._space.objects.slots[run.instance, run.step.context, site])

    def _is(self, run: LetterRun, one: SymbolicObject, life: ObjectLife) -> Term:
        assert one.life is not None
        return self._terms.eq(run.get(one.life), self._terms.bv(life, LIFE_BITS))

    def _alloc(self, run: LetterRun, instr: ir.Alloc) -> None:
        terms, step = self._terms, run.step
        slot = self._space.objects.slots[run.instance, step.context, step.site]
        size = run.value(instr.size)
        size = terms.zext(size, self._space.bits) if size.width < self._space.bits else size
        if constant_size(instr) is None:
            self._must_fit(run, slot, size)
        size = terms.extract(size, self._space.bits - 1, 0)
        self._must_be_free(run, slot, size)
        later = self._space.objects.later.get((run.instance, step.context, step.site), [])
        address = slot.base
        for one, chosen in reversed(self._in_turn(run, [slot, *later])):
            self._begin(run, instr, one, chosen, size)
            address = terms.ite(chosen, one.base, address)
        if instr.dst.name not in self._space.slot_registers(step.site.function):
            run.set_register(instr.dst.name, address)

    def _in_turn(self, run: LetterRun, slots: Sequence[SymbolicObject]) -> list[tuple[SymbolicObject, Term]]:
        """Each with the condition that it is the one to be taken now: the first that never was."""
        if len(slots) == 1:
            return [(slots[0], self._terms.true)]
        found: list[tuple[SymbolicObject, Term]] = []
        taken = self._terms.true  # all before
        for one in slots:
            never = self._is(run, one, ObjectLife.NEVER)
            found.append((one, self._terms.and_(taken, never)))
            taken = self._terms.and_(taken, self._terms.not_(never))
        run.trap(taken, AGAIN)
        return found

    def _begin(self, run: LetterRun, instr: ir.Alloc, slot: SymbolicObject, when: Term, size: Term) -> None:
        if constant_size(instr) is None:
            run.set_if(when, slot.size, size)
        if slot.life is not None:
            run.set_if(when, slot.life, self._terms.bv(ObjectLife.ALIVE, LIFE_BITS))
        for cell in self._space.objects.cells(slot):
            run.set_if(when, cell.term, self._content(run, instr, cell))

    def _must_fit(self, run: LetterRun, slot: SymbolicObject, size: Term) -> None:
        terms, objects = self._terms, self._space.objects
        if slot.root not in self._space.roomy:
            run.trap(terms.ult(terms.bv(objects.room, size.width), size), TOO_LARGE)
            return
        huge = terms.ult(terms.bv(objects.largest, size.width), size)
        if self._huge is HugeBlocks.OBSTRUCT:
            run.trap(huge, NO_MEMORY)
        else:
            run.assume(terms.not_(huge))

    def _must_be_free(self, run: LetterRun, slot: SymbolicObject, size: Term) -> None:
        terms, step = self._terms, run.step
        again = (step.context, step.site) in self._space.repeated[run.instance.template]
        several = (run.instance, step.context, step.site) in self._space.objects.later
        if slot.root.kind is ObjectKind.HEAP:
            if again and not several:
                run.trap(terms.not_(self._is(run, slot, ObjectLife.NEVER)), AGAIN)
            for other in self._space.objects:
                before = other is not slot or several
                if other.root.kind is ObjectKind.HEAP and before and other.root in self._space.observed:
                    same = terms.eq(run.get(other.size), size)
                    run.trap(terms.and_(self._is(run, other, ObjectLife.OVER), same), REUSE)
        elif slot.life is not None and again and (slot.root in self._space.kept_roots or self._is_named(run, slot)):
            run.trap(terms.not_(self._is(run, slot, ObjectLife.NEVER)), AGAIN)
        elif slot.life is not None and again and self._scopes.meets_itself(step.site):
            run.trap(self._is(run, slot, ObjectLife.ALIVE), AGAIN)

    def _is_named(self, run: LetterRun, slot: SymbolicObject) -> bool:
        """Whether a register that is read again may still point to the object of the round before."""
        step, space = run.step, self._space
        function, widths = space.cloned.name(step.context, step.site.function), space.widths(step.site.function)
        live = space.live(step.site.function, step.site.block, step.site.number)
        places = (space.cloned_points_to.expression(function, Reg(name, widths[name])) for name in sorted(live))
        return any(place.root == slot.root for several in places for place in several)

    def _content(self, run: LetterRun, instr: ir.Alloc, cell: SymbolicCell) -> Term:
        """Arbitrary, and chosen now: nobody can tell that from a choice when it is first read. Synchronisation objects
        that nobody initialised are as if they were zero."""
        terms, sort = self._terms, cell.term.sort
        if instr.fill is Fill.ARBITRARY and cell.shape is not Shape.SYNC:
            return run.input(f"uninitialised {cell.object.name}", sort)
        zero = terms.bv(0, 8 * cell.size)
        return terms.fill(zero, sort.index) if isinstance(sort, Array) else zero

    def _free(self, run: LetterRun, instr: ir.Free) -> None:
        terms, address = self._terms, run.value(instr.address)
        blocks = self._memory.objects(run, instr.address, ObjectKind.HEAP)
        same = [self._at(run, address, block) for block in blocks]
        null = terms.eq(address, terms.bv(0, address.width))
        run.trap(terms.not_(terms.or_(null, *same)), UndefinedKind.INVALID_FREE)
        for block, when in zip(blocks, same, strict=True):
            assert block.life is not None
            run.trap(terms.and_(when, self._is(run, block, ObjectLife.OVER)), UndefinedKind.DOUBLE_FREE)
            run.trap(terms.and_(when, self._is(run, block, ObjectLife.NEVER)), UndefinedKind.INVALID_FREE)
            run.access([block], address, run.get(block.size), writes=True, atomic=False, when=when)
            run.set_if(when, block.life, terms.bv(ObjectLife.OVER, LIFE_BITS))

    def _at(self, run: LetterRun, address: Term, block: SymbolicObject) -> Term:
        return self._terms.and_(self._terms.eq(address, block.base), self._memory.there(run, block))

    def _size(self, run: LetterRun, instr: ir.ObjectSize) -> None:
        terms, address = self._terms, run.value(instr.address)
        blocks = self._memory.objects(run, instr.address, ObjectKind.HEAP)
        size = terms.bv(0, self._space.bits)
        same = [self._at(run, address, block) for block in blocks]
        run.trap(terms.not_(terms.any(same)), UndefinedKind.INVALID_FREE)
        for block, when in zip(blocks, same, strict=True):
            run.trap(terms.and_(when, terms.not_(self._is(run, block, ObjectLife.ALIVE))), UndefinedKind.DOUBLE_FREE)
            size = terms.ite(when, run.get(block.size), size)
        wide = terms.zext(size, max(size.width, instr.dst.width))
        run.set_register(instr.dst.name, terms.extract(wide, instr.dst.width - 1, 0))

    def leave(self, run: LetterRun, context: Context | None, function: str = "") -> None:
        """The locals of a call are gone; without a context, those of the whole thread."""
        for (instance, where, site), slot in self._space.objects.slots.items():
            ends = context is None or (where == context and site.function == function)
            if instance == run.instance and ends and slot.root.kind is ObjectKind.STACK:
                self._end(run, slot)

    def _end(self, run: LetterRun, slot: SymbolicObject) -> None:
        if slot.life is not None:
            there = self._terms.not_(self._is(run, slot, ObjectLife.NEVER))
            run.set_if(there, slot.life, self._terms.bv(ObjectLife.OVER, LIFE_BITS))
