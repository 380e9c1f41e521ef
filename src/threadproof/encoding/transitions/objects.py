"""Memory objects of a symbolic state: every object has one place for ever, and parts (cells) by the partition.

Globals lie where the layout puts them. A local or a heap block is a slot: an allocation in its calling context, in a
thread instance. It has one address; whoever allocates there again while something may still point to the first object
comes to a limit, which forbids `true` (the reference machine would use another address). Heap blocks of a known size
that are made in a loop have a few slots, `TOLD_APART`: each is taken once, in order. So which object a pointer means is
a comparison with constants, or with what follows from the thread's handle.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from threadproof.analysis.memory.partition import Part, Partition, Shape
from threadproof.analysis.points_to import ObjectKind, Offsets, Root
from threadproof.analysis.points_to.cloning import Cloned
from threadproof.automaton.letters import Context
from threadproof.automaton.program import Instance, ProgramAutomaton
from threadproof.core.thread_id import MAIN
from threadproof.encoding.errors import CannotEncode
from threadproof.ir import instr as ir
from threadproof.ir.constant import constant
from threadproof.ir.content import initial_bytes
from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Storage
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import GlobalVar, Lifetime, Mutability, Origin, Program
from threadproof.smt.term import Array, Op, Term
from threadproof.smt.terms import Terms

TOLD_APART = 3
"""Heap blocks of one place of allocation."""
LIFE_BITS = 2
WORD_BYTES = 4
_MOST_ELEMENTS = 4096
"""Elements with a value other than zero in an initial array."""


class ObjectLife(IntEnum):
    NEVER = 0
    ALIVE = 1
    OVER = 2


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicObject:
    name: str
    root: Root
    owner: Instance | None  # the thread whose local, block or thread-local variable it is
    context: Context
    base: Term
    size: Term  # in bytes, as wide as an address
    life: Term | None = None  # None: as long as anybody can ask for it
    content: bytes | None = None  # at first
    constant: bool = False
    elsewhere: bool = False  # declared, defined nowhere
    site: Site | None = None  # where it is allocated, in the program (the root's is in one with copies)
    number: int = 1  # which one of this place


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicCell:
    """A part of an object: one value, or an array by byte offset from the object's start."""

    object: SymbolicObject
    term: Term  # a variable, or a constant for what is never written
    start: int
    size: int  # of an element
    stride: int  # 0: one value
    shape: Shape
    at: Offsets  # what accesses of the part may touch: `reach` bytes at each of these, though an array has them all
    reach: int


class SymbolicObjects:
    """All that the program can ever have, for given instances with given handles."""

    def __init__(
        self,
        terms: Terms,
        program: Program,
        automaton: ProgramAutomaton,
        partition: Partition,
        handles: Mapping[Instance, Term],
        outlived: Callable[[Root], bool],
        clones: Cloned,
        repeated: Mapping[str, Container[tuple[Context, Site]]],
    ) -> None:
        """`outlived`: whether something may still hold the address of such a local when it is gone. Roots are those
        of the program with copies. `repeated`: where threads of a template may allocate more than once."""
        self._clones = clones
        self._repeated = repeated
        self._terms = terms
        self._program = program
        self._layout = program.layout()
        self._bits = program.data_model.pointer_bits
        self._handles = handles
        self._arenas: dict[Instance, Term] = {}
        self._outlived = outlived
        self._parts: dict[Root, list[Part]] = {}
        for part in partition.parts:
            self._parts.setdefault(part.root, []).append(part)
        self._by_root: dict[tuple[ObjectKind, str | Site], list[SymbolicObject]] = {}
        self.slots: dict[tuple[Instance, Context, Site], SymbolicObject] = {}
        self.later: dict[tuple[Instance, Context, Site], list[SymbolicObject]] = {}  # for more objects of these places
        self._cells: dict[SymbolicObject, tuple[SymbolicCell, ...]] = {}
        self._globals()
        for instance in handles:
            self._thread_locals(instance)
        try:
            self._slots(automaton)
        except OutOfAddresses as limit:
            raise CannotEncode(str(limit)) from limit

    def __iter__(self) -> Iterator[SymbolicObject]:
        for found in self._by_root.values():
            yield from found

    def of(self, root: Root) -> list[SymbolicObject]:
        return self._by_root.get((root.kind, root.site or root.name), [])

    def arena(self, instance: Instance) -> Term:
        """Where the thread's own memory begins."""
        if instance not in self._arenas:
            self._arenas[instance] = self._arena(instance)
        return self._arenas[instance]

    def _arena(self, instance: Instance) -> Term:
        plan, handle = self._layout.plan, self._terms.zext(self._handles[instance], self._bits)
        if instance == next(iter(self._handles)):
            return self._terms.bv(plan.main_arena, self._bits)
        apart = self._terms.sub(handle, self._terms.bv(2, self._bits))
        shift = self._terms.bv(plan.arena_size.bit_length() - 1, self._bits)
        return self._terms.add(self._terms.make(Op.SHL, (apart, shift)), self._terms.bv(plan.arenas, self._bits))

    # --- objects -----------------------------------------------------------------------------------------------------

    def _add(self, key: str | Site, found: SymbolicObject) -> SymbolicObject:
        self._by_root.setdefault((found.root.kind, key), []).append(found)
        return found

    def _globals(self) -> None:
        half = self._layout.plan.red_zone // 2
        for variable in self._program.globals.values():
            for relocation in variable.relocations:
                target = self._program.globals.get(relocation.target)
                if not -half <= relocation.addend < (0 if target is None else target.size) + half:
                    raise CannotEncode(f"an initial value that points far outside {relocation.target}")
            if variable.lifetime is Lifetime.PROGRAM:
                base = self._terms.bv(self._layout.globals[variable.name], self._bits)
                self._add(variable.name, self._variable(variable, ObjectKind.GLOBAL, None, base))

    def _thread_locals(self, instance: Instance) -> None:
        for variable in self._program.globals.values():
            if variable.lifetime is Lifetime.THREAD:
                offset = self._terms.bv(self._layout.tls[variable.name], self._bits)
                base = self._terms.add(self.arena(instance), offset)
                self._add(variable.name, self._variable(variable, ObjectKind.THREAD_LOCAL, instance, base))

    def _variable(self, variable: GlobalVar, kind: ObjectKind, owner: Instance | None, base: Term) -> SymbolicObject:
        return SymbolicObject(
            f"{variable.name}" if owner is None else f"{owner}:{variable.name}",
            Root(kind, variable.name),
            owner,
            (),
            base,
            self._terms.bv(variable.size, self._bits),
            content=initial_bytes(variable, self._layout, self._bits // 8),
            constant=variable.mutability is Mutability.CONSTANT,
            elsewhere=variable.origin is Origin.ELSEWHERE,
        )

    def _slots(self, automaton: ProgramAutomaton) -> None:
        for instance in self._handles:
            cursors = {Storage.STACK: self._stack_start(instance), Storage.HEAP: self._heap_start(instance)}
            for context, site, alloc in _allocations(automaton, instance.template):
                self.slots[instance, context, site] = self._slot(instance, context, site, alloc, cursors)
                if is_told_apart(alloc) and (context, site) in self._repeated[instance.template]:
                    self.later[instance, context, site] = [
                        self._slot(instance, context, site, alloc, cursors, number)
                        for number in range(2, TOLD_APART + 1)
                    ]

    def _slot(
        self,
        instance: Instance,
        context: Context,
        site: Site,
        alloc: ir.Alloc,
        cursors: dict[Storage, int],
        number: int = 1,
    ) -> SymbolicObject:
        terms, kind = self._terms, ObjectKind.STACK if alloc.storage is Storage.STACK else ObjectKind.HEAP
        which = f"{alloc.name or 'block'}{'' if number == 1 else f' {number}'}"
        name = f"{instance}:{_shown(context)}{which}@{site.function}.{site.block}.{site.number}"
        known = constant_size(alloc)
        size = terms.bv_var(f"size {name}", self._bits) if known is None else terms.bv(known, self._bits)
        room = self.room if known is None else known
        end = self._stack_end(instance) if kind is ObjectKind.STACK else self._heap_end(instance)
        offset, cursors[alloc.storage] = self._layout.place_after(cursors[alloc.storage], room, alloc.align, end)
        base = terms.add(self.arena(instance), terms.bv(offset, self._bits))
        root = Root(kind, alloc.name, self._clones.site(context, site))
        life = terms.bv_var(f"life {name}", LIFE_BITS) if kind is ObjectKind.HEAP or self._outlived(root) else None
        found = SymbolicObject(name, root, instance, context, base, size, life, site=site, number=number)
        assert root.site is not None
        return self._add(root.site, found)

    @property
    def room(self) -> int:
        """Addresses kept for an object whose size is not known."""
        return 1 << 14 if self._bits == 32 else 1 << 24

    @property
    def largest(self) -> int:
        """PTRDIFF_MAX: C knows no larger object."""
        return (1 << (self._bits - 1)) - 1

    def ends_before_null(self, slot: SymbolicObject) -> bool:
        """Whether addresses of a block do not come to an end, and go on at null, before it is that large."""
        return self._bits == 64 or (slot.owner is not None and self._is_main(slot.owner))

    def _is_main(self, instance: Instance) -> bool:
        return instance == next(iter(self._handles))

    def _stack_start(self, instance: Instance) -> int:
        return self._layout.stack_start(MAIN) - self._layout.arena(MAIN)

    def _heap_start(self, instance: Instance) -> int:
        plan = self._layout.plan
        return plan.main_stack if self._is_main(instance) else plan.arena_stack

    def _stack_end(self, instance: Instance) -> int:
        return self._heap_start(instance)

    def _heap_end(self, instance: Instance) -> int:
        plan = self._layout.plan
        return plan.main_size if self._is_main(instance) else plan.arena_size

    # --- cells -------------------------------------------------------------------------------------------------------

    def cells(self, owner: SymbolicObject) -> tuple[SymbolicCell, ...]:
        found = self._cells.get(owner)
        if found is None:
            parts = self._parts.get(owner.root, ())
            found = self._cells[owner] = tuple(cell for part in parts for cell in self._of_part(owner, part))
        return found

    def _of_part(self, owner: SymbolicObject, part: Part) -> Iterator[SymbolicCell]:
        name, start, stride = f"{owner.name}+{part.at.start}", part.at.start, part.at.stride
        if part.shape is Shape.SYNC and not stride:
            for word in range(0, part.size, WORD_BYTES):
                one = f"{owner.name}+{start + word}"
                term = self._terms.bv_var(one, 8 * WORD_BYTES)
                at = Offsets(start + word, 0)
                yield SymbolicCell(owner, term, start + word, WORD_BYTES, 0, Shape.SYNC, at, WORD_BYTES)
            return
        size = {Shape.SYNC: WORD_BYTES, Shape.BYTES: 1}.get(part.shape, part.size)
        if part.shape is Shape.SYNC or part.shape is Shape.BYTES:
            stride = size if part.shape is Shape.BYTES or stride % WORD_BYTES == 0 else 1
            if part.shape is Shape.SYNC and stride == 1:
                raise CannotEncode("synchronisation objects at odd addresses")
            start = part.at.start % stride if stride else part.at.start
        if stride:
            term = self._terms.var(f"{name}[]", Array(self._bits, 8 * size))
        else:
            term = self._terms.bv_var(name, 8 * size)
        cell = SymbolicCell(owner, term, start, size, stride, part.shape, part.at, part.size)
        if not part.written and owner.content is not None:
            cell = replace(cell, term=self.initial(cell))
        yield cell

    def initial(self, cell: SymbolicCell) -> Term:
        """The value of a cell of a variable at first."""
        owner, terms = cell.object, self._terms
        content = owner.content
        assert content is not None

        def element(offset: int) -> int:
            return int.from_bytes(content[offset : offset + cell.size].ljust(cell.size, b"\0"), "little")

        if not cell.stride:
            return terms.bv(element(cell.start), 8 * cell.size)
        array = terms.fill(terms.bv(0, 8 * cell.size), self._bits)
        offsets = [at for at in range(cell.start, len(content), cell.stride) if element(at)]
        if len(offsets) > _MOST_ELEMENTS:
            raise CannotEncode(f"{owner.name} has more than {_MOST_ELEMENTS} initial values")
        for offset in offsets:
            array = terms.store(array, terms.bv(offset, self._bits), terms.bv(element(offset), 8 * cell.size))
        return array


def constant_size(alloc: ir.Alloc) -> int | None:
    found = constant(alloc.size)
    return None if found is None else found.value


def is_told_apart(alloc: ir.Alloc) -> bool:
    """If there may be several: those of unknown size may take all addresses there are."""
    return alloc.storage is Storage.HEAP and constant_size(alloc) is not None


def _allocations(automaton: ProgramAutomaton, template: str) -> list[tuple[Context, Site, ir.Alloc]]:
    found: dict[tuple[Context, Site], ir.Alloc] = {}
    for letter in automaton.templates[template].letters:
        for step in letter.steps:
            if isinstance(step.instr, ir.Alloc):
                found[step.context, step.site] = step.instr
    return [(context, site, alloc) for (context, site), alloc in found.items()]


def _shown(context: Context) -> str:
    return "".join(f"{site.function}.{site.block}.{site.number}/" for site in context)
