"""Arithmetic instructions: what they compute and what becomes of the flags z, s, c, o."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from threadproof.frontend.lower.bits import count_leading, count_ones, count_trailing, funnel, swap_bytes
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.text import Place
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, ConvertOp, Expr, Reg, Select, const
from threadproof.ir.instr import Branch, Edge, Jump, RmwOp

Result = Callable[[X86Machine, Expr, Expr], Expr]
Flags = Callable[[X86Machine, Expr, Expr, Expr], None]


@dataclass(frozen=True, slots=True)
class Alu:
    """`target = result(target, operand)`."""

    result: Result
    flags: Flags  # of (machine, old target, operand, new target)
    atomic: Callable[[Expr], tuple[RmwOp, Expr]] | None = None  # the update that a lock makes of it
    of_itself: Callable[[X86Machine, int], Expr] | None = None  # both operands one register, whatever is in it


def _is_zero(value: Expr) -> Expr:
    return Compare(CompareOp.EQ, value, Const(0, value.width))


def _negative(value: Expr) -> Expr:
    return Compare(CompareOp.SLT, value, Const(0, value.width))


def _both_signs(left: Expr, right: Expr) -> Expr:
    return _negative(Binary(BinaryOp.AND, left, right))


def _xor(left: Expr, right: Expr) -> Expr:
    return Binary(BinaryOp.XOR, left, right)


def _binary(op: BinaryOp) -> Result:
    return lambda m, old, operand: Binary(op, old, operand)


def _common(m: X86Machine, new: Expr, carry: Expr | None, overflow: Expr | None) -> None:
    found = {"z": _is_zero(new), "s": _negative(new)}
    if carry is not None:
        found["c"] = carry
    if overflow is not None:
        found["o"] = overflow
    m.flags = {name: m.b.assign(value) for name, value in found.items()}


def _add_flags(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    _common(m, new, Compare(CompareOp.ULT, new, old), _both_signs(_xor(new, old), _xor(new, operand)))


def _sub_flags(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    _common(m, new, Compare(CompareOp.ULT, old, operand), _both_signs(_xor(old, operand), _xor(old, new)))


def _logic_flags(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    _common(m, new, Const(0, 1), Const(0, 1))


def _step_flags(flags: Flags) -> Flags:
    """inc and dec leave the carry flag."""

    def work(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
        carry = m.flags.get("c")
        flags(m, old, operand, new)
        del m.flags["c"]
        if carry is not None:
            m.flags["c"] = carry

    return work


def _neg_flags(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    _sub_flags(m, Const(0, old.width), old, new)


def _keep(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    pass


def _forget(m: X86Machine, old: Expr, operand: Expr, new: Expr) -> None:
    m.flags = {}


def _carry(m: X86Machine, width: int) -> Expr:
    return resized(m.flag("c"), width)


def _zero(m: X86Machine, width: int) -> Expr:
    zero = Const(0, width)
    _logic_flags(m, zero, zero, zero)
    return zero


def _spread(m: X86Machine, width: int) -> Expr:
    """sbb of a register from itself: the carry flag in every bit."""
    carry = m.flag("c")
    m.flags = {"c": carry}
    return resized(carry, width, ConvertOp.SEXT)


ADD = Alu(_binary(BinaryOp.ADD), _add_flags, lambda operand: (RmwOp.ADD, operand))
SUB = Alu(_binary(BinaryOp.SUB), _sub_flags, lambda operand: (RmwOp.SUB, operand), _zero)
AND = Alu(_binary(BinaryOp.AND), _logic_flags, lambda operand: (RmwOp.AND, operand))
OR = Alu(_binary(BinaryOp.OR), _logic_flags, lambda operand: (RmwOp.OR, operand))
XOR = Alu(_binary(BinaryOp.XOR), _logic_flags, lambda operand: (RmwOp.XOR, operand), _zero)
INC = Alu(_binary(BinaryOp.ADD), _step_flags(_add_flags), lambda operand: (RmwOp.ADD, operand))
DEC = Alu(_binary(BinaryOp.SUB), _step_flags(_sub_flags), lambda operand: (RmwOp.SUB, operand))
NEG = Alu(lambda m, old, operand: Binary(BinaryOp.SUB, Const(0, old.width), old), _neg_flags)
NOT = Alu(
    lambda m, old, operand: _xor(old, const(-1, old.width)),
    _keep,
    lambda operand: (RmwOp.XOR, const(-1, operand.width)),
)
ADC = Alu(
    lambda m, old, operand: Binary(BinaryOp.ADD, Binary(BinaryOp.ADD, old, operand), _carry(m, old.width)), _forget
)
SBB = Alu(
    lambda m, old, operand: Binary(BinaryOp.SUB, Binary(BinaryOp.SUB, old, operand), _carry(m, old.width)),
    _forget,
    of_itself=_spread,
)
IMUL = Alu(_binary(BinaryOp.MUL), _forget)


# --- shifts: the amount is already taken modulo 32 or 64 ---


def shifted(op: BinaryOp) -> Result:
    """Narrow registers may be shifted by more than their width: then all bits leave."""

    def work(m: X86Machine, value: Expr, by: Expr) -> Expr:
        width = value.width
        if width >= 32:
            return Binary(op, value, by)
        wide = resized(value, 32, ConvertOp.SEXT if op is BinaryOp.ASHR else ConvertOp.ZEXT)
        return resized(Binary(op, wide, resized(by, 32)), width)

    return work


def rotated(kind: str) -> Result:
    return lambda m, value, by: funnel(m.b, kind, value, value, by)


# --- bits ---


class Scan(Protocol):
    @property
    def m(self) -> X86Machine: ...
    @property
    def places(self) -> tuple[Place, ...]: ...


def bit_scan(d: Scan, value: Expr) -> Expr:
    return _scanned(d, value, count_trailing(d.m.b, value))


def bit_scan_reverse(d: Scan, value: Expr) -> Expr:
    width = value.width
    return _scanned(d, value, Binary(BinaryOp.SUB, const(width - 1, width), count_leading(d.m.b, value)))


def _scanned(d: Scan, value: Expr, found: Expr) -> Expr:
    """Of zero the result is undefined: the old value if there is one, as processors do it, else any."""
    m, b = d.m, d.m.b
    zero = b.assign(_is_zero(value))
    m.flags = {"z": zero}
    old = m.known(m.family(d.places[-1]), value.width)
    if old is not None:
        return Select(zero, old, found)
    result: Reg = b.temp(value.width)
    nowhere, after = b.label("nothing"), b.label("scanned")
    b.end(Branch(zero, Edge(nowhere), Edge(after, ((result, found),)), loc=b.loc))
    b.go_on(nowhere)
    b.end(Jump(Edge(after, ((result, b.any_value(value.width, "bit scan of zero")),)), loc=b.loc))
    b.go_on(after)
    return result


def population(d: Scan, value: Expr) -> Expr:
    m = d.m
    m.flags = {"z": m.b.assign(_is_zero(value)), "c": Const(0, 1), "s": Const(0, 1), "o": Const(0, 1)}
    return count_ones(m.b, value)


def trailing(d: Scan, value: Expr) -> Expr:
    return _counted(d, value, count_trailing(d.m.b, value))


def leading(d: Scan, value: Expr) -> Expr:
    return _counted(d, value, count_leading(d.m.b, value))


def _counted(d: Scan, value: Expr, count: Expr) -> Expr:
    m = d.m
    m.flags = {"c": m.b.assign(_is_zero(value)), "z": m.b.assign(_is_zero(count))}
    return count


def swapped(d: Scan, value: Expr) -> Expr:
    if value.width < 32 or not isinstance(value, Reg):
        raise Unlowerable("bswap of 16 bits")
    return swap_bytes(value)
