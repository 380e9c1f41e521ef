"""Bits of integers and floats as expressions: what `__builtin_popcount`, `isnan` and their kin become.

Paper: Warren, Hacker's Delight, 2nd ed., chapter 5 (population count, leading and trailing zeros).
Differs: any width; intermediate results are registers of their own, so that expressions stay small.
"""

from __future__ import annotations

from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Expr,
    FloatCompare,
    Reg,
    Select,
    const,
)


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


def reverse_bits(b: Builder, value: Expr) -> Expr:
    """Swaps neighbouring fields of 1, 2, 4, ... bits; the width is a power of two."""
    width, field = value.width, 1
    current = b.assign(value)
    while field < width:
        mask = const(sum(((1 << field) - 1) << at for at in range(0, width, 2 * field)), width)
        low = _shift(BinaryOp.SHL, Binary(BinaryOp.AND, current, mask), field)
        high = Binary(BinaryOp.AND, _shift(BinaryOp.LSHR, current, field), mask)
        current = b.assign(Binary(BinaryOp.OR, low, high))
        field *= 2
    return current


def funnel(b: Builder, kind: str, high: Expr, low: Expr, by: Expr) -> Expr:
    """`fshl`, `fshr`: a shift of the double-width number high:low. No part is shifted by the whole width."""
    width = high.width
    amount = b.assign(Binary(BinaryOp.UREM, by, Const(width, width)))
    rest = Binary(BinaryOp.SUB, Const(width, width), amount)
    up, down = (amount, rest) if kind == "fshl" else (rest, amount)
    both = Binary(BinaryOp.OR, Binary(BinaryOp.SHL, high, up), Binary(BinaryOp.LSHR, low, down))
    untouched = high if kind == "fshl" else low
    return Select(Compare(CompareOp.EQ, amount, Const(0, width)), untouched, both)


def saturated(b: Builder, kind: str, first: Expr, second: Expr) -> Expr:
    """Addition and subtraction that stop at the ends of the type."""
    left, right = b.assign(first), b.assign(second)
    width = left.width
    total = b.assign(Binary(BinaryOp.ADD if kind.endswith("add") else BinaryOp.SUB, left, right))
    match kind:
        case "uadd":
            return Select(Compare(CompareOp.ULT, total, left), const(-1, width), total)
        case "usub":
            return Select(Compare(CompareOp.ULT, left, right), Const(0, width), total)
        case _:
            other = right if kind == "sadd" else Binary(BinaryOp.XOR, right, const(-1, width))
            changed = Binary(BinaryOp.AND, Binary(BinaryOp.XOR, total, left), Binary(BinaryOp.XOR, total, other))
            least = const(1 << (width - 1), width)
            negative = Compare(CompareOp.SLT, left, Const(0, width))
            end = Select(negative, least, const((1 << (width - 1)) - 1, width))
            return Select(Compare(CompareOp.SLT, changed, Const(0, width)), end, total)


_MANTISSA = {32: 23, 64: 52}


def float_class(b: Builder, value: Expr, mask: int) -> Expr:
    """LLVM's `is.fpclass`: the pattern lies in one of the ranges of patterns that `mask` names.

    Bits of the mask: signalling and quiet NaN; -inf, -normal, -subnormal, -0; +0, +subnormal, +normal, +inf.
    """
    width = value.width
    pattern = b.assign(value)
    if width not in _MANTISSA:
        return _wide_class(pattern, mask)
    sign, quiet = 1 << (width - 1), 1 << (_MANTISSA[width] - 1)
    infinity, normal = sign - (quiet << 1), quiet << 1
    positive = ((infinity + 1, infinity + quiet - 1), (infinity + quiet, sign - 1))
    sizes = ((0, 0), (1, normal - 1), (normal, infinity - 1), (infinity, infinity))
    ranges = [(low, high, bit) for bit, (low, high) in enumerate(positive)]
    ranges += [(low | sign, high | sign, bit) for bit, (low, high) in enumerate(positive)]
    ranges += [(low, high, 6 + bit) for bit, (low, high) in enumerate(sizes)]
    ranges += [(low | sign, high | sign, 5 - bit) for bit, (low, high) in enumerate(sizes)]
    result: Expr = Const(0, 1)
    for low, high, bit in ranges:
        if mask >> bit & 1:
            above = Binary(BinaryOp.SUB, pattern, const(low, width))
            inside = Compare(CompareOp.ULE, above, const(high - low, width))
            result = Binary(BinaryOp.OR, result, inside)
    return result


_LEAST_NORMAL = {80: 3 << 63, 128: 1 << 112}
_INFINITY = {80: 0xFFFF << 63, 128: 0x7FFF << 112}


def _wide_class(value: Expr, mask: int) -> Expr:
    """By comparison: not every pattern of 80 bits is a number. The two kinds of NaN are told apart by nobody."""
    if mask & 3 in (1, 2):
        raise Unlowerable("telling signalling from quiet NaNs")
    width = value.width
    zero, one, normal, infinity = (const(n, width) for n in (0, 1, _LEAST_NORMAL[width], _INFINITY[width]))
    size = Binary(BinaryOp.AND, value, const((1 << (width - 1)) - 1, width))
    negative = Compare(CompareOp.SLT, value, zero)
    classes = (
        FloatCompare("oeq", size, zero),
        Binary(BinaryOp.AND, FloatCompare("oge", size, one), FloatCompare("olt", size, normal)),
        Binary(BinaryOp.AND, FloatCompare("oge", size, normal), FloatCompare("olt", size, infinity)),
        FloatCompare("oeq", size, infinity),
    )
    result: Expr = FloatCompare("uno", value, value) if mask & 3 else Const(0, 1)
    for number, inside in enumerate(classes):
        plus, minus = mask >> (6 + number) & 1, mask >> (5 - number) & 1
        if plus or minus:
            sign = Const(1, 1) if plus and minus else Compare(CompareOp.EQ, negative, Const(minus, 1))
            result = Binary(BinaryOp.OR, result, Binary(BinaryOp.AND, inside, sign))
    return result


def two_floats(b: Builder, kind: str, first: Expr, second: Expr) -> Expr:
    """copysign by bits; the larger or smaller of two numbers, the other one if one of them is a NaN."""
    width = first.width
    if kind == "copysign":
        sign = const(1 << (width - 1), width)
        size = Binary(BinaryOp.AND, first, const((1 << (width - 1)) - 1, width))
        return Binary(BinaryOp.OR, size, Binary(BinaryOp.AND, second, sign))
    left, right = b.assign(first), b.assign(second)
    predicate = "ogt" if kind == "maxnum" else "olt"
    take_left = Binary(BinaryOp.OR, FloatCompare(predicate, left, right), FloatCompare("uno", right, right))
    return Select(take_left, left, right)
