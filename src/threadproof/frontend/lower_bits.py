"""Bit counting and byte order as expressions: the intrinsics behind `__builtin_popcount` and its kin.

Paper: Warren, Hacker's Delight, 2nd ed., chapter 5 (population count, leading and trailing zeros).
Differs: any width; intermediate results are registers of their own, so that expressions stay small.
"""

from __future__ import annotations

from threadproof.frontend.builder import Builder
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Reg, Select, const


def _shift(op: BinaryOp, value: Expr, by: int) -> Expr:
    return Binary(op, value, Const(by, value.width))


def count_ones(b: Builder, value: Expr) -> Expr:
    """Adds neighbouring fields of 1, 2, 4, ... bits."""
    width = value.width
    total = b.assign(value)
    field = 1
    while field < width:
        mask = sum(((1 << field) - 1) << at for at in range(0, width, 2 * field))
        low = Binary(BinaryOp.AND, total, const(mask, width))
        high = Binary(BinaryOp.AND, _shift(BinaryOp.LSHR, total, field), const(mask, width))
        total = b.assign(Binary(BinaryOp.ADD, low, high))
        field *= 2
    return total


def count_leading(b: Builder, value: Expr) -> Expr:
    """Smears the highest one downwards and counts the zeros above it; of zero that is the width."""
    smeared = b.assign(value)
    by = 1
    while by < value.width:
        smeared = b.assign(Binary(BinaryOp.OR, smeared, _shift(BinaryOp.LSHR, smeared, by)))
        by *= 2
    return count_ones(b, Binary(BinaryOp.XOR, smeared, const(-1, value.width)))


def count_trailing(b: Builder, value: Expr) -> Expr:
    """Counts the ones that subtracting one makes of the trailing zeros."""
    number = b.assign(value)
    ones = const(-1, value.width)
    below = Binary(BinaryOp.AND, Binary(BinaryOp.XOR, number, ones), Binary(BinaryOp.ADD, number, ones))
    return count_ones(b, below)


def swap_bytes(value: Reg) -> Expr:
    width = value.width
    result: Expr | None = None
    for at in range(0, width, 8):
        byte = Binary(BinaryOp.AND, _shift(BinaryOp.LSHR, value, at), Const(0xFF, width))
        moved = _shift(BinaryOp.SHL, byte, width - 8 - at)
        result = moved if result is None else Binary(BinaryOp.OR, result, moved)
    assert result is not None
    return result


def funnel(b: Builder, kind: str, high: Expr, low: Expr, by: Expr) -> Expr:
    """`fshl`, `fshr`: a shift of the double-width number high:low. No part is shifted by the whole width."""
    width = high.width
    amount = b.assign(Binary(BinaryOp.UREM, by, Const(width, width)))
    rest = Binary(BinaryOp.SUB, Const(width, width), amount)
    up, down = (amount, rest) if kind == "fshl" else (rest, amount)
    both = Binary(BinaryOp.OR, Binary(BinaryOp.SHL, high, up), Binary(BinaryOp.LSHR, low, down))
    untouched = high if kind == "fshl" else low
    return Select(Compare(CompareOp.EQ, amount, Const(0, width)), untouched, both)
