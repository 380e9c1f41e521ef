"""Accesses of instructions to memory: plain ones, and locked ones, which are atomic and sequentially consistent."""

from __future__ import annotations

from typing import Protocol

from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.arithmetic import Alu
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.text import Place
from threadproof.ir.expr import Compare, CompareOp, Expr, Reg, Select
from threadproof.ir.instr import CompareExchange, Rmw, RmwOp, Sync
from threadproof.sync.operations import ATOMIC_BEGIN, ATOMIC_END


class X86Access(Protocol):
    """The instruction at work."""

    @property
    def m(self) -> X86Machine: ...
    @property
    def lock(self) -> bool: ...
    @property
    def width(self) -> int: ...
    @property
    def places(self) -> tuple[Place, ...]: ...
    def value(self, place: Place) -> Expr: ...
    def put(self, place: Place, value: Expr) -> None: ...


def load(m: X86Machine, place: Place, width: int) -> Reg:
    return m.b.load(_address(m, place), width // 8)


def store(m: X86Machine, place: Place, value: Expr) -> None:
    m.b.store(_address(m, place), value, value.width // 8)


def exchange(m: X86Machine, place: Place, value: Expr) -> Expr:
    old = m.b.temp(value.width)
    m.b.emit(Rmw(old, RmwOp.XCHG, _address(m, place), value, value.width // 8, loc=m.b.loc))
    return old


def update(d: X86Access, op: Alu, operand: Expr, address: Expr | None = None) -> Expr:
    """Replaces the last operand, sets the flags and gives the old value. `address` if it is not the operand's own."""
    m, target = d.m, d.places[-1]
    operand = m.b.assign(operand)
    if not m.in_memory(target):
        old = m.b.assign(m.get(target, d.width))
        new = m.b.assign(op.result(m, old, operand))
        op.flags(m, old, operand, new)
        m.put(target, new)
        return old
    address = _address(m, target) if address is None else address
    old, new = _locked(m, op, operand, address) if d.lock else _plain(m, op, operand, address)
    op.flags(m, old, operand, new)
    return old


def _plain(m: X86Machine, op: Alu, operand: Expr, address: Expr) -> tuple[Expr, Expr]:
    old = m.b.load(address, operand.width // 8)
    new = m.b.assign(op.result(m, old, operand))
    m.b.store(address, new, operand.width // 8)
    return old, new


def _locked(m: X86Machine, op: Alu, operand: Expr, address: Expr) -> tuple[Expr, Expr]:
    if op.atomic is None:
        m.b.emit(Sync(None, ATOMIC_BEGIN, (), loc=m.b.loc))
        both = _plain(m, op, operand, address)
        m.b.emit(Sync(None, ATOMIC_END, (), loc=m.b.loc))
        return both
    kind, value = op.atomic(operand)
    old = m.b.temp(operand.width)
    m.b.emit(Rmw(old, kind, address, value, operand.width // 8, loc=m.b.loc))
    return old, m.b.assign(op.result(m, old, operand))


def compare_exchange(d: X86Access, place: Place, expected: Expr, desired: Expr) -> Expr:
    """The old value. Without `lock` the old value is written back where it is not replaced."""
    m = d.m
    if not m.in_memory(place):
        old: Expr = m.b.assign(d.value(place))
        d.put(place, Select(Compare(CompareOp.EQ, old, expected), desired, old))
        return old
    address, size = _address(m, place), expected.width // 8
    if not d.lock:
        old = m.b.load(address, size)
        m.b.store(address, Select(Compare(CompareOp.EQ, old, expected), desired, old), size)
        return old
    found = m.b.temp(expected.width)
    m.b.emit(CompareExchange(found, m.b.temp(1), address, expected, desired, size, loc=m.b.loc))
    return found


def _address(m: X86Machine, place: Place) -> Expr:
    if m.on_stack(place):
        raise Unlowerable("an access to the stack")
    return m.address(place)
