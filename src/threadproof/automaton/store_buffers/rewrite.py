"""The program with store buffers: each thread has so many slots, thread-local variables, in which its stores wait.

Paper: J. Alglave, D. Kroening, V. Nimal, M. Tautschnig, Software Verification for Weak Memory via Program
Transformation, ESOP 2013, which the Impara paper names for its table III.
Differs: the buffers are those of our reference semantics (`semantics/store_buffer.py`), oldest store first, and a
thread moves its own stores to memory: before each of its instructions that others can notice it may do so, any
number of times. When that happens is all that others can tell, so this loses nothing. One store more than there are
slots is unsupported, which forbids `true`.
Invariants: a slot is free if its address is null; used slots come before free ones, and free ones hold zeros. So equal
buffers are equal values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from threadproof.automaton.store_buffers.treatment import FLUSHING, Treatment, Treatments, treatments
from threadproof.core.memory_model import MemoryModel
from threadproof.core.source import SourceLoc
from threadproof.ir import instr as ir
from threadproof.ir.check import require_legal
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    GlobalRef,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    true,
)
from threadproof.ir.instr import Edge, Instr, Order
from threadproof.ir.program import Block, Function, GlobalVar, Lifetime, Program

MORE_STORES = "more stores in a buffer than were looked at"
SOURCE = "when stores reach memory"
RELEASE, FENCED = 1, 2
"""Marks of a store under PSO: it leaves after all earlier ones; no later one leaves before it."""
BYTE = 8


@dataclass(frozen=True, slots=True)
class BufferedProgram:
    program: Program
    origin: dict[Site, Site]  # which instruction of the original one stands for; others are ours
    stores: frozenset[Site]  # of those, stores that go into the buffer
    flushes: dict[Site, int]  # stores that leave the buffer, by their place in it


def with_store_buffers(program: Program, model: MemoryModel, slots: int) -> BufferedProgram:
    """Raises CannotBuffer."""
    treated = treatments(program, model)
    buffer = _Slots(program, model, slots, treated)
    functions = {name: _Rewriting(function, buffer, treated) for name, function in program.functions.items()}
    made = {name: one.run() for name, one in functions.items()}
    names = {variable.name: variable for variable in buffer.variables()}
    found = replace(
        program, functions=made, globals={**program.globals, **names}, unshared=program.unshared | names.keys()
    )
    require_legal(found)
    origin = {new: old for one in functions.values() for new, old in one.origin.items()}
    stores = frozenset(new for new, old in origin.items() if treated.of[old] is Treatment.STORE)
    flushes = {site: place for one in functions.values() for site, place in one.flushes.items()}
    return BufferedProgram(found, origin, stores, flushes)


@dataclass(frozen=True, slots=True)
class _Field:
    """What each slot holds, in a thread-local variable of its own."""

    name: str
    width: int

    def at(self, slot: int) -> str:
        return f".buffer.{self.name}.{slot}"


class _Slots:
    def __init__(self, program: Program, model: MemoryModel, slots: int, treated: Treatments) -> None:
        self.pointer = program.data_model.pointer_bits
        self.count = slots
        self.places = range(1 if model is MemoryModel.TSO else slots)  # from which stores may leave
        self.sizes = treated.sizes
        self.address = _Field("address", self.pointer)
        self.value = _Field("value", BYTE * max(self.sizes, default=1))
        self.size = _Field("size", BYTE)
        self.marks = _Field("marks", BYTE)
        self.fields = [self.address, self.value]
        self.fields += [self.size] if len(self.sizes) > 1 else []
        self.fields += [self.marks] if treated.marks else []

    def variables(self) -> Iterator[GlobalVar]:
        if self.sizes:
            for field in self.fields:
                for slot in range(self.count):
                    size = field.width // BYTE
                    yield GlobalVar(field.at(slot), size, b"", lifetime=Lifetime.THREAD, align=size)


_Contents = dict[_Field, list[Expr]]


class _Rewriting:
    """One function."""

    def __init__(self, function: Function, slots: _Slots, treated: Treatments) -> None:
        self._function = function
        self._slots = slots
        self._treated = treated
        self._blocks: list[Block] = []
        self._label, self._instrs = "", list[Instr]()
        self._fresh = 0
        self._loc: SourceLoc = function.loc
        self.origin: dict[Site, Site] = {}
        self.flushes: dict[Site, int] = {}

    def run(self) -> Function:
        for block in self._function.blocks:
            self._label = block.label
            if (self._function.name, block.label) in self._treated.heads:
                self._flush_point()
            for number, instr in enumerate(block.instrs):
                self._loc = instr.loc
                self._instr(Site(self._function.name, block.label, number), instr)
        return replace(self._function, blocks=tuple(self._blocks))

    def _instr(self, site: Site, instr: Instr) -> None:
        treatment = self._treated.of[site]
        if treatment in FLUSHING:
            self._flush_point()
        match treatment, instr:
            case Treatment.LOAD, ir.Load():
                self._load(site, instr)
            case Treatment.STORE, ir.Store():
                self._store(site, instr)
            case Treatment.DRAIN, _:
                if self._slots.sizes:
                    self._emit(ir.Assume(_free(self._read(self._slots.address, 0)), loc=self._loc))
                self._emit(instr, site)
            case Treatment.MARK, _:
                self._mark()
                self._emit(instr, site)
            case _:
                self._emit(instr, site)

    # --- text --------------------------------------------------------------------------------------------------------

    def _emit(self, instr: Instr, origin: Site | None = None) -> Site:
        site = Site(self._function.name, self._label, len(self._instrs))
        self._instrs.append(instr)
        if origin is not None:
            self.origin[site] = origin
        if isinstance(instr, ir.ENDS_BLOCK):
            self._blocks.append(Block(self._label, tuple(self._instrs)))
            self._instrs = []
        return site

    def _named(self, what: str) -> str:
        self._fresh += 1
        return f"{what}.buffer{self._fresh}"

    def _register(self, width: int) -> Reg:
        return Reg(self._named("%"), width)

    def _read(self, field: _Field, slot: int) -> Reg:
        found = self._register(field.width)
        address = TlsRef(field.at(slot), self._slots.pointer)
        self._emit(ir.Load(found, address, field.width // BYTE, loc=self._loc))
        return found

    def _contents(self) -> _Contents:
        return {field: [self._read(field, slot) for slot in range(self._slots.count)] for field in self._slots.fields}

    def _write(self, field: _Field, slot: int, value: Expr, origin: Site | None = None) -> None:
        address = TlsRef(field.at(slot), self._slots.pointer)
        self._emit(ir.Store(address, value, field.width // BYTE, loc=self._loc), origin)

    # --- accesses ----------------------------------------------------------------------------------------------------

    def _load(self, site: Site, load: ir.Load) -> None:
        """The newest store to the address in the buffer, else memory."""
        if not self._slots.sizes:
            self._emit(load, site)
            return
        held = self._contents()
        memory = self._register(load.dst.width)
        self._emit(replace(load, dst=memory, purpose=ir.Purpose.VALUE), site)
        seen: Expr = memory
        for address, value in zip(held[self._slots.address], held[self._slots.value], strict=True):
            seen = Select(_equal(address, load.address), _resized(value, load.dst.width), seen)
        self._emit(ir.Assign(load.dst, seen, loc=self._loc))

    def _store(self, site: Site, store: ir.Store) -> None:
        """Into the first free slot. What cannot be an address goes wrong at once."""
        held = self._contents()
        addresses = held[self._slots.address]
        if not _certainly_there(store.address):
            self._otherwise(_free(store.address), "null", [store])
        self._otherwise(_taken(addresses[-1]), "full", [ir.Unsupported(MORE_STORES, loc=self._loc)])
        new: dict[_Field, Expr] = {
            self._slots.address: store.address,
            self._slots.value: _resized(store.value, self._slots.value.width),
            self._slots.size: Const(store.size, BYTE),
            self._slots.marks: Const(RELEASE if store.order is Order.RELEASE else 0, BYTE),
        }
        origin: Site | None = site
        for slot, address in enumerate(addresses):
            first = _free(address) if slot == 0 else _and(_free(address), _taken(addresses[slot - 1]))
            for field in self._slots.fields:
                self._write(field, slot, Select(first, new[field], held[field][slot]), origin)
                origin = None

    def _otherwise(self, condition: Expr, name: str, instead: list[Instr]) -> None:
        """Where the condition holds, something else, which ends the execution."""
        wrong, on = self._named(name), self._named(self._label)
        self._emit(ir.Branch(condition, Edge(wrong), Edge(on), loc=self._loc))
        self._label = wrong
        for instr in instead:
            self._emit(instr)
        if self._instrs:
            self._emit(ir.Jump(Edge(on), loc=self._loc))
        self._label = on

    def _mark(self) -> None:
        """The newest store is marked."""
        if not self._slots.sizes:
            return
        held = self._contents()
        addresses, marks = held[self._slots.address], held[self._slots.marks]
        for slot, address in enumerate(addresses):
            last = _taken(address)
            if slot + 1 < len(addresses):
                last = _and(last, _free(addresses[slot + 1]))
            marked = Binary(BinaryOp.OR, marks[slot], Const(FENCED, BYTE))
            self._write(self._slots.marks, slot, Select(last, marked, marks[slot]))

    # --- flushes -----------------------------------------------------------------------------------------------------

    def _flush_point(self) -> None:
        """Stores leave the buffer, any number of them; then the program goes on."""
        if not self._slots.sizes:
            return
        head, on = self._named(self._label), self._named(self._label)
        ways = [(place, self._named(f"flush{place}")) for place in self._slots.places]
        self._emit(ir.Jump(Edge(head), loc=self._loc))
        self._label = head
        chosen = self._register(BYTE)
        self._emit(ir.Nondet(chosen, SOURCE, 0, len(ways), loc=self._loc))
        cases = tuple((place + 1, Edge(label)) for place, label in ways)
        self._emit(ir.Switch(chosen, cases, Edge(on), loc=self._loc))
        for place, label in ways:
            self._label = label
            self._flush(place, head)
        self._label = on

    def _flush(self, place: int, head: str) -> None:
        """The store at this place leaves, those behind it move up."""
        slots, held = self._slots, self._contents()
        self._emit(ir.Assume(self._may_leave(place, held), loc=self._loc))
        if slots.marks in held and place:
            fence = _bits(held[slots.marks][place], FENCED)
            before = held[slots.marks][place - 1]
            self._write(slots.marks, place - 1, Binary(BinaryOp.OR, before, fence))
        for field in slots.fields:
            for slot in range(place, slots.count):
                behind = held[field][slot + 1] if slot + 1 < slots.count else Const(0, field.width)
                self._write(field, slot, behind)
        address, value = held[slots.address][place], held[slots.value][place]
        for size in slots.sizes[:-1]:
            self._otherwise_store(held, place, size, head)
        self._to_memory(address, value, slots.sizes[-1], place, head)

    def _otherwise_store(self, held: _Contents, place: int, size: int, head: str) -> None:
        slots = self._slots
        here, on = self._named(self._label), self._named(self._label)
        same = _equal(held[slots.size][place], Const(size, BYTE))
        self._emit(ir.Branch(same, Edge(here), Edge(on), loc=self._loc))
        self._label = here
        self._to_memory(held[slots.address][place], held[slots.value][place], size, place, head)
        self._label = on

    def _to_memory(self, address: Expr, value: Expr, size: int, place: int, head: str) -> None:
        site = self._emit(ir.Store(address, _resized(value, BYTE * size), size, loc=self._loc))
        self.flushes[site] = place
        self._emit(ir.Jump(Edge(head), loc=self._loc))

    def _may_leave(self, place: int, held: _Contents) -> Expr:
        """As `semantics/store_buffer.py` has it."""
        slots, address = self._slots, held[self._slots.address][place]
        needed = [_taken(address)]
        for earlier in held[slots.address][:place]:
            needed.append(Compare(CompareOp.NE, earlier, address))
        if slots.marks in held and place:
            marks = held[slots.marks]
            needed.append(_equal(_bits(marks[place], RELEASE), Const(0, BYTE)))
            needed += [_equal(_bits(earlier, FENCED), Const(0, BYTE)) for earlier in marks[:place]]
        return reduce(_and, needed)


def _certainly_there(address: Expr) -> bool:
    while isinstance(address, PtrAdd):
        address = address.base
    return isinstance(address, GlobalRef | TlsRef)


def _resized(value: Expr, width: int) -> Expr:
    if value.width == width:
        return value
    return Convert(ConvertOp.ZEXT if value.width < width else ConvertOp.TRUNC, value, width)


def _equal(left: Expr, right: Expr) -> Expr:
    return Compare(CompareOp.EQ, left, right)


def _free(address: Expr) -> Expr:
    return _equal(address, Const(0, address.width))


def _taken(address: Expr) -> Expr:
    return Compare(CompareOp.NE, address, Const(0, address.width))


def _and(left: Expr, right: Expr) -> Expr:
    return Binary(BinaryOp.AND, left, right) if left != true() else right


def _bits(value: Expr, bits: int) -> Expr:
    return Binary(BinaryOp.AND, value, Const(bits, BYTE))
