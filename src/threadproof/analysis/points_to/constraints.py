"""What a program says about pointers, as constraints that both analyses solve.

Pointers are plain numbers in the program model, so every value is followed, through registers, memory and arithmetic.
Pointer arithmetic (`PtrAdd`) stays with the object of its base and moves the offset; any other arithmetic keeps the
objects and forgets the offset. Comparisons make no pointers, nor do constants: a number that nobody computed from an
address is no address (docs/soundness.md, "Numbers as pointers"). A nondeterministic number may be any address.

Nodes are numbers; each stands for a register, the value of an expression, a function's result and the like.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from threadproof.analysis.points_to.objects import (
    ANY_OFFSET,
    ANYTHING,
    ZERO,
    ObjectKind,
    Offsets,
    Place,
    Root,
    offsets,
)
from threadproof.ir.constant import constant
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.expr import (
    OFFSET_BITS,
    Binary,
    BinaryOp,
    Compare,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatCompare,
    GlobalRef,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    children,
)
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Call,
    CompareExchange,
    Instr,
    Load,
    Nondet,
    Return,
    Rmw,
    RmwOp,
    Storage,
    Store,
    Sync,
    edges,
)
from threadproof.ir.program import Function, Lifetime, Program
from threadproof.sync.facts import Act, PointerSize, sync_facts


class Copy(NamedTuple):
    source: int
    target: int
    shift: Offsets


class ThroughPointer(NamedTuple):
    """A load (`value` receives) or a store (`value` gives) of `size` bytes through the pointer `address`."""

    address: int
    value: int
    size: int


class Invocation(NamedTuple):
    callee: int
    arguments: tuple[int, ...]
    result: int | None
    site: Site


class Joined(NamedTuple):
    handle: int
    result: int  # receives the thread's result


class KeyScope(Enum):
    """Whose values of a thread-specific key are told apart."""

    PROGRAM = "program"
    FUNCTION = "function"  # every function is the whole code of a thread


@dataclass(slots=True)
class Constraints:
    program: Program
    scope: KeyScope = KeyScope.PROGRAM
    nodes: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    bases: list[tuple[int, Place]] = field(default_factory=list[tuple[int, Place]])
    copies: list[Copy] = field(default_factory=list[Copy])
    loads: list[ThroughPointer] = field(default_factory=list[ThroughPointer])
    stores: list[ThroughPointer] = field(default_factory=list[ThroughPointer])
    calls: list[Invocation] = field(default_factory=list[Invocation])
    joins: list[Joined] = field(default_factory=list[Joined])
    threads: dict[Site, int] = field(default_factory=dict[Site, int])  # node of the start routine, by creation

    def node(self, key: Hashable) -> int:
        return self.nodes.setdefault(key, len(self.nodes))

    def register(self, function: str, name: str) -> int:
        return self.node((function, name))

    def result(self, function: str) -> int:
        return self.node(("result of", function, ""))

    def value(self, function: str, expr: Expr) -> int:
        """The node of an expression's value."""
        if isinstance(expr, Reg):
            return self.register(function, expr.name)
        key = (function, expr)
        if key in self.nodes:
            return self.nodes[key]
        node = self.node(key)
        for source, shift in self.sources(function, expr):
            if isinstance(source, Root):
                self.bases.append((node, Place(source, shift)))
            else:
                self.copies.append(Copy(source, node, shift))
        return node

    def sources(self, function: str, expr: Expr) -> Iterator[tuple[int | Root, Offsets]]:
        """Where the value may come from, and how far it moved on the way."""
        match expr:
            case Reg():
                yield self.register(function, expr.name), ZERO
            case GlobalRef():
                kind = ObjectKind.GLOBAL if expr.name in self.program.globals else ObjectKind.FUNCTION
                yield Root(kind, expr.name), ZERO
            case TlsRef():
                yield Root(ObjectKind.THREAD_LOCAL, expr.name), ZERO
            case Const() | Compare() | FloatCompare():
                return
            case PtrAdd():
                yield from self._moved(function, expr.base, distance(expr.offset))
            case Binary(op=BinaryOp.ADD | BinaryOp.SUB, right=Const()) if expr.width == self._pointer_bits():
                yield from self._moved(function, expr.left, distance(_signed(expr)))
            case Select():
                yield from self.sources(function, expr.then)
                yield from self.sources(function, expr.otherwise)
            case Convert():
                part = expr.width < self._pointer_bits()
                yield from self._moved(function, expr.operand, ANY_OFFSET if part else ZERO)
            case _:
                for child in children(expr):
                    yield from self._moved(function, child, ANY_OFFSET)

    def _moved(self, function: str, expr: Expr, by: Offsets) -> Iterator[tuple[int | Root, Offsets]]:
        for source, shift in self.sources(function, expr):
            yield source, shift.shifted(by)

    def _pointer_bits(self) -> int:
        return self.program.data_model.pointer_bits


def _signed(expr: Binary) -> Expr:
    """The constant that is added, as an offset."""
    assert isinstance(expr.right, Const)
    value = expr.right.value
    if value >> (expr.width - 1):
        value -= 1 << expr.width
    value = value if expr.op is BinaryOp.ADD else -value
    return Const(value % (1 << 64), 64)


_LARGEST_STRIDE = 1 << 40


def distance(expr: Expr) -> Offsets:
    """The values an offset expression can have."""
    expr = constant(expr) or expr
    match expr:
        case Const():
            value = expr.value - (1 << expr.width) if expr.value >> (expr.width - 1) else expr.value
            return Offsets(value, 0)
        case Binary(op=BinaryOp.ADD):
            return distance(expr.left).shifted(distance(expr.right))
        case Binary(op=BinaryOp.SUB):
            return distance(expr.left).shifted(_times(distance(expr.right), -1))
        case Binary(op=BinaryOp.MUL, right=Const()):
            return _multiple(expr.left, distance(expr.right).start)
        case Binary(op=BinaryOp.SHL, right=Const(value=bits)):
            return _multiple(expr.left, 1 << bits)
        case Convert(op=ConvertOp.SEXT, operand=Const()):
            return distance(expr.operand)
        case Convert(op=ConvertOp.ZEXT, operand=Const(value=value)):
            return Offsets(value, 0)
        case _:
            return ANY_OFFSET


def _multiple(expr: Expr, factor: int) -> Offsets:
    """Of a product that may wrap only the power of two in its stride remains: 12 * i can be any multiple of 4."""
    found = _times(distance(expr), factor)
    if _bits(expr) + abs(factor).bit_length() < OFFSET_BITS - 1:
        return found
    return offsets(found.start, min(found.stride & -found.stride, _LARGEST_STRIDE))


def _bits(expr: Expr) -> int:
    """How many bits the number needs at most, without its sign."""
    match expr:
        case Const():
            return min(expr.value, (1 << expr.width) - expr.value).bit_length()
        case Convert(op=ConvertOp.SEXT):
            return min(_bits(expr.operand), expr.operand.width)
        case Convert(op=ConvertOp.ZEXT):
            return expr.operand.width
        case Binary(op=BinaryOp.ADD | BinaryOp.SUB):
            return min(max(_bits(expr.left), _bits(expr.right)) + 1, expr.width)
        case Binary(op=BinaryOp.MUL):
            return min(_bits(expr.left) + _bits(expr.right), expr.width)
        case Binary(op=BinaryOp.SHL, right=Const(value=bits)):
            return min(_bits(expr.left) + bits, expr.width)
        case _:
            return expr.width


def _times(what: Offsets, factor: int) -> Offsets:
    return offsets(what.start * factor, abs(what.stride * factor))


def collect(program: Program, scope: KeyScope = KeyScope.PROGRAM) -> Constraints:
    """The constraints of the whole program."""
    c = Constraints(program, scope)
    for variable in program.globals.values():
        kind = ObjectKind.THREAD_LOCAL if variable.lifetime is Lifetime.THREAD else ObjectKind.GLOBAL
        for relocation in variable.relocations:
            target = ObjectKind.GLOBAL if relocation.target in program.globals else ObjectKind.FUNCTION
            pointer, value = c.node(("initial", variable.name, relocation.offset)), c.node(relocation)
            c.bases.append((pointer, Place(Root(kind, variable.name), Offsets(relocation.offset, 0))))
            c.bases.append((value, Place(Root(target, relocation.target), Offsets(relocation.addend, 0))))
            c.stores.append(ThroughPointer(pointer, value, program.data_model.pointer_bytes))
    for function in program.functions.values():
        for site, instr in sites(function):
            _collect(c, function, instr, site)
    return c


def _collect(c: Constraints, function: Function, instr: Instr, site: Site) -> None:
    name = function.name
    match instr:
        case Assign():
            _assign(c, name, instr.dst, instr.value)
        case Load():
            c.loads.append(ThroughPointer(c.value(name, instr.address), c.register(name, instr.dst.name), instr.size))
        case Store():
            c.stores.append(ThroughPointer(c.value(name, instr.address), c.value(name, instr.value), instr.size))
        case Alloc():
            kind = ObjectKind.STACK if instr.storage is Storage.STACK else ObjectKind.HEAP
            c.bases.append((c.register(name, instr.dst.name), Place(Root(kind, instr.name, site), ZERO)))
        case Rmw():
            address, old = c.value(name, instr.address), c.register(name, instr.dst.name)
            c.loads.append(ThroughPointer(address, old, instr.size))
            new = c.node(("new value", site))
            shift = ZERO if instr.op is RmwOp.XCHG else ANY_OFFSET
            c.copies.append(Copy(c.value(name, instr.value), new, shift))
            if instr.op is not RmwOp.XCHG:
                c.copies.append(Copy(old, new, shift))
            c.stores.append(ThroughPointer(address, new, instr.size))
        case CompareExchange():
            address = c.value(name, instr.address)
            c.loads.append(ThroughPointer(address, c.register(name, instr.old.name), instr.size))
            c.stores.append(ThroughPointer(address, c.value(name, instr.desired), instr.size))
        case Call():
            _call(c, name, instr, site)
        case Sync():
            _sync(c, name, instr, site)
        case Nondet() if instr.dst.width == c.program.data_model.pointer_bits:
            c.bases.append((c.register(name, instr.dst.name), Place(ANYTHING, ZERO)))
        case Return() if instr.value is not None:
            c.copies.append(Copy(c.value(name, instr.value), c.result(name), ZERO))
        case _:
            pass
    for edge in edges(instr):
        for dst, value in edge.moves:
            _assign(c, name, dst, value)


def _assign(c: Constraints, function: str, dst: Reg, value: Expr) -> None:
    node = c.register(function, dst.name)
    for source, shift in c.sources(function, value):
        if isinstance(source, Root):
            c.bases.append((node, Place(source, shift)))
        else:
            c.copies.append(Copy(source, node, shift))


def _call(c: Constraints, function: str, instr: Call, site: Site) -> None:
    callee = instr.callee if not isinstance(instr.callee, str) else GlobalRef(instr.callee, 0)
    arguments = tuple(c.value(function, arg) for arg in instr.args)
    result = None if instr.dst is None else c.register(function, instr.dst.name)
    c.calls.append(Invocation(c.value(function, callee), arguments, result, site))


def _sync(c: Constraints, function: str, instr: Sync, site: Site) -> None:
    keys = c.node(("keys", function if c.scope is KeyScope.FUNCTION else "", ""))
    facts = sync_facts(instr)
    match facts.act:
        case Act.CREATE:
            where, start, argument = (c.value(function, arg) for arg in instr.args)
            handle = c.node(("handle", site))
            c.bases.append((handle, Place(Root(ObjectKind.THREAD, "thread", site), ZERO)))
            c.stores.append(ThroughPointer(where, handle, c.program.data_model.pointer_bytes))
            c.calls.append(Invocation(start, (argument,), c.node(("thread result", site)), site))
            c.threads[site] = start
        case Act.JOIN:
            result = c.node(("joined", site))
            c.joins.append(Joined(c.value(function, instr.args[0]), result))
            for store in facts.stores:
                size = store.bytes(c.program.data_model.pointer_bytes)
                c.stores.append(ThroughPointer(c.value(function, instr.args[store.arg]), result, size))
        case Act.EXIT:
            c.copies.append(Copy(c.value(function, instr.args[0]), c.node("exits"), ZERO))
        case Act.SELF if instr.dst is not None:
            c.bases.append((c.register(function, instr.dst.name), Place(Root(ObjectKind.THREAD, "self"), ZERO)))
        case Act.KEY_SET:
            c.copies.append(Copy(c.value(function, instr.args[1]), keys, ZERO))
        case Act.KEY_GET if instr.dst is not None:
            c.copies.append(Copy(keys, c.register(function, instr.dst.name), ZERO))
        case Act.KEY_CREATE:
            c.calls.append(Invocation(c.value(function, instr.args[1]), (keys,), None, site))
        case _:
            assert not any(isinstance(store.size, PointerSize) for store in facts.stores), (
                f"{instr.op} stores a pointer"
            )
