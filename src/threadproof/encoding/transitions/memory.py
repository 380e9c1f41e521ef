"""Reads and writes: which cells an address may mean, and what goes wrong if it means none of them.

Points-to sets say which cells an access may touch (the partition); the address says which of them it is. What is
none of them is out of bounds, null, or an object that is not there any more: a trap.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.memory.partition import MEMORY, Shape
from threadproof.analysis.points_to import ObjectKind, Offsets, Root, may_overlap
from threadproof.analysis.points_to.objects import Place
from threadproof.encoding.encoded import NotEncoded, Zone
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.objects import LIFE_BITS, ObjectLife, SymbolicCell, SymbolicObject
from threadproof.encoding.transitions.run import LetterRun
from threadproof.encoding.transitions.space import Space
from threadproof.ir.expr import Expr, PtrAdd, Reg, TlsRef
from threadproof.ir.instr import UndefinedKind
from threadproof.smt.term import Op, Term

_FEW_ELEMENTS = 32
ANYWHERE = "a pointer that may point anywhere"


@dataclass(frozen=True, slots=True)
class CellTarget:
    cell: SymbolicCell
    when: Term
    offset: Term  # from the object's start


class CellMemory:
    def __init__(self, space: Space) -> None:
        self._space = space
        self._terms = space.terms
        self._known_places: dict[tuple[str, int], tuple[Expr, list[Place]]] = {}  # kept with what has the id

    # --- objects that an address may mean ----------------------------------------------------------------------------

    def zones(self, run: LetterRun, expr: Expr) -> list[Zone]:
        found: list[Zone] = []
        for one in self.reached(run, expr):
            never = self._terms.bv(ObjectLife.NEVER, LIFE_BITS)
            certain = one.life is None or one.root in self._space.never_freed
            exists = self._terms.true if certain else self._terms.ne(run.get(one.life), never)  # type: ignore[arg-type]
            exists = self._terms.and_(exists, self.there(run, one))
            found.append(Zone(exists, one.base, run.get(one.size)))
        return found

    def objects(self, run: LetterRun, expr: Expr, kind: ObjectKind) -> list[SymbolicObject]:
        """Those of a kind that an expression may point to."""
        roots = dict.fromkeys(place.root for place in self._places(run, expr) if place.root.kind is kind)
        return [one for root in roots for one in self._objects(run, expr, root)]

    def _places(self, run: LetterRun, expr: Expr) -> list[Place]:
        step, clones = run.step, self._space.cloned
        function = clones.name(step.context, step.site.function)
        known = self._known_places.get((function, id(expr)))
        if known is not None:
            return known[1]
        places = self._space.cloned_points_to.expression(function, expr)
        if any(place.root.kind is ObjectKind.ANYTHING for place in places):
            raise CannotEncode(ANYWHERE)
        found = sorted((p for p in places if p.root.kind in MEMORY), key=_order)
        self._known_places[function, id(expr)] = (expr, found)
        return found

    def _objects(self, run: LetterRun, expr: Expr, root: Root) -> list[SymbolicObject]:
        found = self._space.objects.of(root)
        if not found and root.kind is ObjectKind.HEAP and root.site is None:
            raise CannotEncode(f"memory that comes from outside: {root}")
        base, context = expr, run.step.context
        while isinstance(base, PtrAdd):
            base = base.base
        own = isinstance(base, TlsRef) or self._is_unshared(root)
        if isinstance(base, Reg) and base.name in self._space.slot_registers(run.step.site.function):
            return [one for one in found if one.owner == run.instance and one.context == context]
        return [one for one in found if one.owner == run.instance] if own else found

    def there(self, run: LetterRun, one: SymbolicObject) -> Term:
        """Whether its thread was started: one that was not may have the handle, and so the addresses, of another."""
        settled = one.owner is None or one.owner == run.instance or one.owner in self._space.apart
        return self._terms.true if settled else run.get(self._space.threads[one.owner].started)  # type: ignore[index]

    def _is_unshared(self, root: Root) -> bool:
        if root.kind is ObjectKind.STACK and root.site is not None:
            return root.name in self._space.cloned.program.functions[root.site.function].unshared
        return root.kind is ObjectKind.THREAD_LOCAL and root.name in self._space.program.unshared

    # --- accesses ----------------------------------------------------------------------------------------------------

    def read(
        self, run: LetterRun, expr: Expr, address: Term, size: int, when: Term | None = None, shift: int = 0
    ) -> Term:
        targets = self.targets(run, expr, address, size, when, shift)
        value = self._terms.bv(0, 8 * size)
        for target in reversed(targets):
            here = self._element(run, target, size)
            value = here if target is targets[-1] else self._terms.ite(target.when, here, value)
        return value

    def write(
        self,
        run: LetterRun,
        expr: Expr,
        address: Term,
        size: int,
        value: Term,
        when: Term | None = None,
        shift: int = 0,
    ) -> None:
        happens = self._terms.true if when is None else when
        for target in self.targets(run, expr, address, size, when, shift):
            cell = target.cell
            where = self._terms.and_(happens, target.when)
            if cell.object.constant:
                run.trap(where, UndefinedKind.WRITE_TO_CONSTANT)
            elif cell.term.op is not Op.VAR:
                run.trap(where, NotEncoded("a write to what is never written"))
            else:
                run.set_if(where, cell.term, self._with_element(run, target, size, value))

    def reached(self, run: LetterRun, expr: Expr) -> list[SymbolicObject]:
        """All objects that an address may lie in."""
        roots = dict.fromkeys(place.root for place in self._places(run, expr))
        return [one for root in roots for one in self._objects(run, expr, root)]

    def exists(self, run: LetterRun, expr: Expr, address: Term) -> None:
        """Traps unless the address lies in an object that is alive (of which no cell is looked at)."""
        hits: list[Term] = []
        for one in self.reached(run, expr):
            inside = self._terms.ult(self._offset(one, address), run.get(one.size))
            inside = self._terms.and_(inside, self.there(run, one))
            hits.append(inside)
            self._must_live(run, one, inside)
        self._must_hit(run, address, hits, self._terms.true)

    def targets(
        self, run: LetterRun, expr: Expr, address: Term, size: int, when: Term | None, shift: int = 0
    ) -> list[CellTarget]:
        """The cells it may be, disjoint; what is none of them has trapped."""
        happens = self._terms.true if when is None else when
        cells: dict[SymbolicCell, None] = {}
        for root, at in self._places(run, expr):
            span = at.shifted(Offsets(shift, 0))
            for one in self._objects(run, expr, root):
                for cell in self._space.objects.cells(one):
                    if may_overlap(span, size, cell.at, cell.reach):
                        cells[cell] = None
        if any(cell.size != size and cell.shape is not Shape.BYTES for cell in cells):
            raise CannotEncode("an access of another size than its cell")
        found = [t for cell in cells if (t := self._target(run, cell, address, size, cells)) is not None]
        for target in found:
            self._must_live(run, target.cell.object, self._terms.and_(happens, target.when))
            if target.cell.object.elsewhere:
                name = target.cell.object.name
                reason = NotEncoded(f"the variable {name}, which is defined nowhere")
                run.trap(self._terms.and_(happens, target.when), reason)
        self._must_hit(run, address, [target.when for target in found], happens)
        return found

    def _target(
        self, run: LetterRun, cell: SymbolicCell, address: Term, size: int, cells: dict[SymbolicCell, None]
    ) -> CellTarget | None:
        terms, owner = self._terms, cell.object
        whole, needed = run.get(owner.size), terms.bv(size, self._space.bits)
        offset = self._offset(owner, address)
        if not cell.stride:
            start = terms.bv(cell.start, self._space.bits)
            ends = terms.ule(terms.add(start, needed), whole)
            when = terms.and_(terms.eq(address, terms.add(owner.base, start)), ends)
        else:
            room = terms.ule(needed, whole)
            when = terms.and_(room, terms.ule(offset, terms.sub(whole, needed)))
            alone = all(other is cell or other.object is not owner for other in cells)
            if not alone and cell.stride > 1:
                when = terms.and_(when, self._starts_element(cell, offset, whole))
        when = terms.and_(when, self.there(run, owner))
        return None if when is terms.false else CellTarget(cell, when, offset)

    def _starts_element(self, cell: SymbolicCell, offset: Term, whole: Term) -> Term:
        """Of few elements, which one it is: solvers take long for remainders."""
        terms, bits = self._terms, self._space.bits
        if whole.op is Op.VALUE and whole.value <= _FEW_ELEMENTS * cell.stride and cell.stride & (cell.stride - 1):
            return terms.any(terms.eq(offset, terms.bv(at, bits)) for at in range(cell.start, whole.value, cell.stride))
        stride = terms.bv(cell.stride, bits)
        moved = terms.sub(offset, terms.bv(cell.start, bits))
        aligned = terms.eq(terms.make(Op.UREM, (moved, stride)), terms.bv(0, bits))
        return terms.and_(aligned, terms.ule(terms.bv(cell.start, bits), offset))

    def _offset(self, owner: SymbolicObject, address: Term) -> Term:
        return self._terms.sub(address, owner.base)

    def _must_live(self, run: LetterRun, owner: SymbolicObject, when: Term) -> None:
        terms = self._terms
        if owner.root.kind is ObjectKind.THREAD_LOCAL and owner.owner is not None and owner.owner != run.instance:
            thread = self._space.threads[owner.owner]
            gone = terms.or_(terms.not_(run.get(thread.started)), run.get(thread.finished))
            run.trap(terms.and_(when, gone), UndefinedKind.DEAD_LOCAL)
        if owner.life is None or owner.root in self._space.never_freed or self._certainly_alive(run, owner):
            return
        dead = terms.ne(run.get(owner.life), terms.bv(ObjectLife.ALIVE, LIFE_BITS))
        kind = UndefinedKind.USE_AFTER_FREE if owner.root.kind is ObjectKind.HEAP else UndefinedKind.DEAD_LOCAL
        run.trap(terms.and_(when, dead), kind)

    def _certainly_alive(self, run: LetterRun, owner: SymbolicObject) -> bool:
        """A local of a call that is not over; its address is known, so it was allocated. An array of variable length
        ends before its call does."""
        site, context = owner.root.site, run.step.context
        if owner.root.kind is not ObjectKind.STACK or owner.owner != run.instance or site is None:
            return False
        inside = (*(call.function for call in context), run.step.site.function)
        depth = len(owner.context)
        function = self._space.cloned.name(context[:depth], inside[depth]) if depth < len(inside) else ""
        return context[:depth] == owner.context and function == site.function and not self._space.scoped(function)

    def _must_hit(self, run: LetterRun, address: Term, hits: list[Term], when: Term) -> None:
        terms = self._terms
        missed = terms.and_(when, terms.not_(terms.any(hits)))
        null = terms.ult(address, terms.bv(self._space.layout.plan.code, self._space.bits))
        run.trap(terms.and_(missed, null), UndefinedKind.NULL_DEREFERENCE)
        other = UndefinedKind.OUT_OF_BOUNDS if hits else UndefinedKind.WILD_DEREFERENCE
        run.trap(terms.and_(missed, terms.not_(null)), other)

    # --- elements ----------------------------------------------------------------------------------------------------

    def _element(self, run: LetterRun, target: CellTarget, size: int) -> Term:
        terms, cell = self._terms, target.cell
        now = run.get(cell.term)
        if not cell.stride:
            return now
        if cell.size == size:
            return terms.select(now, target.offset)
        found = terms.select(now, target.offset)
        for byte in range(1, size):
            index = terms.add(target.offset, terms.bv(byte, self._space.bits))
            found = terms.concat(terms.select(now, index), found)
        return found

    def _with_element(self, run: LetterRun, target: CellTarget, size: int, value: Term) -> Term:
        terms, cell = self._terms, target.cell
        if not cell.stride:
            return value
        array = run.get(cell.term)
        if cell.size == size:
            return terms.store(array, target.offset, value)
        for byte in range(size):
            index = terms.add(target.offset, terms.bv(byte, self._space.bits))
            array = terms.store(array, index, terms.extract(value, 8 * byte + 7, 8 * byte))
        return array


def _order(place: Place) -> tuple[str, str, str, Offsets]:
    return place.root.kind.value, place.root.name, str(place.root.site), place.offsets
