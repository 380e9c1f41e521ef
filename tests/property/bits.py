"""Expressions a second time, as circuits on lists of bits: slow, and with nothing in common with `semantics.evaluate`.

Bit 0 comes first. Undefined operations raise `Undefined`.
"""

from __future__ import annotations

from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, Reg, Select

Bits = list[bool]


class Undefined(Exception):
    """Division by zero, or a shift by the width or more."""


def evaluate(expr: Expr, registers: dict[str, int]) -> int:
    return number(_bits(expr, registers))


def number(bits: Bits) -> int:
    return sum(1 << index for index, bit in enumerate(bits) if bit)


def to_bits(value: int, width: int) -> Bits:
    return [bool(value >> index & 1) for index in range(width)]


def _bits(expr: Expr, registers: dict[str, int]) -> Bits:
    match expr:
        case Const():
            return to_bits(expr.value, expr.width)
        case Reg():
            return to_bits(registers[expr.name], expr.width)
        case Binary():
            return _BINARY[expr.op](_bits(expr.left, registers), _bits(expr.right, registers))
        case Compare():
            return [_COMPARE[expr.op](_bits(expr.left, registers), _bits(expr.right, registers))]
        case Convert():
            return _convert(expr.op, _bits(expr.operand, registers), expr.width)
        case Select():
            then, otherwise = _bits(expr.then, registers), _bits(expr.otherwise, registers)
            return then if _bits(expr.condition, registers)[0] else otherwise
        case _:
            raise AssertionError(f"no circuit for {expr}")


def _convert(op: ConvertOp, bits: Bits, width: int) -> Bits:
    match op:
        case ConvertOp.TRUNC:
            return bits[:width]
        case ConvertOp.ZEXT:
            return bits + [False] * (width - len(bits))
        case ConvertOp.SEXT:
            return bits + [bits[-1]] * (width - len(bits))


def _add(a: Bits, b: Bits, carry: bool = False) -> Bits:
    total: Bits = []
    for x, y in zip(a, b, strict=True):
        total.append(x ^ y ^ carry)
        carry = (x and y) or (carry and (x or y))
    return total


def _not(a: Bits) -> Bits:
    return [not x for x in a]


def _negate(a: Bits) -> Bits:
    return _add(_not(a), [False] * len(a), carry=True)


def _subtract(a: Bits, b: Bits) -> Bits:
    return _add(a, _not(b), carry=True)


def _multiply(a: Bits, b: Bits) -> Bits:
    total = [False] * len(a)
    for index, bit in enumerate(b):
        if bit:
            total = _add(total, [False] * index + a[: len(a) - index])
    return total


def _divide(a: Bits, b: Bits) -> tuple[Bits, Bits]:
    """Quotient and remainder by long division."""
    if not any(b):
        raise Undefined
    wide = [*b, False]
    rest = [False] * len(wide)
    quotient = [False] * len(a)
    for index in reversed(range(len(a))):
        rest = [a[index], *rest[:-1]]
        if not _less(rest, wide):
            rest = _subtract(rest, wide)
            quotient[index] = True
    return quotient, rest[:-1]


def _signed_divide(a: Bits, b: Bits) -> tuple[Bits, Bits]:
    """Rounds towards zero; the remainder has the sign of the dividend."""
    quotient, rest = _divide(_negate(a) if a[-1] else a, _negate(b) if b[-1] else b)
    return _negate(quotient) if a[-1] != b[-1] else quotient, _negate(rest) if a[-1] else rest


def _shift(a: Bits, b: Bits, fill: bool, *, left: bool) -> Bits:
    if number(b) >= len(a):
        raise Undefined
    for _ in range(number(b)):
        a = [fill, *a[:-1]] if left else [*a[1:], fill]
    return a


def _less(a: Bits, b: Bits) -> bool:
    for x, y in zip(reversed(a), reversed(b), strict=True):
        if x != y:
            return y
    return False


def _signed_less(a: Bits, b: Bits) -> bool:
    return _less([*a[:-1], not a[-1]], [*b[:-1], not b[-1]])


_BINARY = {
    BinaryOp.ADD: _add,
    BinaryOp.SUB: _subtract,
    BinaryOp.MUL: _multiply,
    BinaryOp.UDIV: lambda a, b: _divide(a, b)[0],
    BinaryOp.UREM: lambda a, b: _divide(a, b)[1],
    BinaryOp.SDIV: lambda a, b: _signed_divide(a, b)[0],
    BinaryOp.SREM: lambda a, b: _signed_divide(a, b)[1],
    BinaryOp.SHL: lambda a, b: _shift(a, b, fill=False, left=True),
    BinaryOp.LSHR: lambda a, b: _shift(a, b, fill=False, left=False),
    BinaryOp.ASHR: lambda a, b: _shift(a, b, fill=a[-1], left=False),
    BinaryOp.AND: lambda a, b: [x and y for x, y in zip(a, b, strict=True)],
    BinaryOp.OR: lambda a, b: [x or y for x, y in zip(a, b, strict=True)],
    BinaryOp.XOR: lambda a, b: [x != y for x, y in zip(a, b, strict=True)],
}

_COMPARE = {
    CompareOp.EQ: lambda a, b: a == b,
    CompareOp.NE: lambda a, b: a != b,
    CompareOp.ULT: _less,
    CompareOp.ULE: lambda a, b: not _less(b, a),
    CompareOp.SLT: _signed_less,
    CompareOp.SLE: lambda a, b: not _signed_less(b, a),
}
