"""Instructions on bits: tests of one, searches, counts, shifts."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.lower.constants import offset_pointer, resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86 import arithmetic
from threadproof.frontend.x86.arithmetic import Alu
from threadproof.frontend.x86.doing import Doing, Row
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.memory import update
from threadproof.frontend.x86.text import Operand
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, ConvertOp, Expr, const


def _bit_test(op: Alu | None) -> Callable[[Doing], None]:
    """bt, bts, btr, btc: a number in a register may lead beyond the word that the operand names."""

    def work(d: Doing) -> None:
        m, (which, target) = d.m, d.places
        given = m.get(which, d.width)
        number = m.b.assign(given)
        inside = m.b.assign(Binary(BinaryOp.AND, number, const(d.width - 1, d.width)))
        bit = m.b.assign(Binary(BinaryOp.SHL, Const(1, d.width), inside))
        address: Expr | None = None
        if m.in_memory(target):
            address = m.address(target)
            if m.width(which) is not None:
                words = Binary(BinaryOp.ASHR, number, Const(d.width.bit_length() - 1, d.width))
                bytes_ = Binary(BinaryOp.MUL, resized(words, 64, ConvertOp.SEXT), Const(d.width // 8, 64))
                address = m.b.assign(offset_pointer(address, bytes_))
            elif isinstance(which, Operand) and isinstance(given, Const) and given.value >= d.width:
                raise Unlowerable("a bit outside the word, by a number that may or may not be in a register")
        if op is None:
            old = m.b.load(address, d.width // 8) if address is not None else m.get(target, d.width)
        else:
            mask = m.b.assign(Binary(BinaryOp.XOR, bit, const(-1, d.width))) if op is arithmetic.AND else bit
            old = update(d, op, mask, address)
        set_before = Compare(CompareOp.NE, Binary(BinaryOp.AND, old, bit), Const(0, d.width))
        m.flags = {"c": m.b.assign(set_before)}

    return work


def _unary(op: Callable[[Doing, Expr], Expr]) -> Callable[[Doing], None]:
    """From the first operand to the last; the operation sets the flags."""

    def work(d: Doing) -> None:
        value = d.m.b.assign(d.value(d.places[0]))
        d.put(d.places[-1], op(d, value))

    return work


def _shift(op: Callable[[X86Machine, Expr, Expr], Expr]) -> Callable[[Doing], None]:
    """By one, by a number or by %cl."""

    def work(d: Doing) -> None:
        target = d.places[-1]
        by: Expr = Const(1, d.width)
        if len(d.places) == 2:
            given = d.m.get(d.places[0], 8)
            by = Binary(BinaryOp.AND, resized(given, d.width), const(63 if d.width == 64 else 31, d.width))
        d.put(target, op(d.m, d.m.b.assign(d.value(target)), d.m.b.assign(by)))
        d.m.flags = {}

    return work


SHIFTS: dict[str, Row] = {
    "shl": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.SHL))),
    "sal": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.SHL))),
    "shr": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.LSHR))),
    "sar": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.ASHR))),
    "rol": (False, (1, 2), _shift(arithmetic.rotated("fshl"))),
    "ror": (False, (1, 2), _shift(arithmetic.rotated("fshr"))),
}
BITS: dict[str, Row] = {
    "bt": (False, (2,), _bit_test(None)),
    "bts": (True, (2,), _bit_test(arithmetic.OR)),
    "btr": (True, (2,), _bit_test(arithmetic.AND)),
    "btc": (True, (2,), _bit_test(arithmetic.XOR)),
    "bsf": (False, (2,), _unary(arithmetic.bit_scan)),
    "bsr": (False, (2,), _unary(arithmetic.bit_scan_reverse)),
    "popcnt": (False, (2,), _unary(arithmetic.population)),
    "tzcnt": (False, (2,), _unary(arithmetic.trailing)),
    "lzcnt": (False, (2,), _unary(arithmetic.leading)),
    "bswap": (False, (1,), _unary(arithmetic.swapped)),
}
