"""Floating point wider than a double on bit patterns: x87's extended precision (80 bits) and quadruple precision.

Exact by arithmetic on fractions, then rounded once: to nearest, ties to even. Python's floats do the same for floats
and doubles (`evaluate`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from threadproof.ir.expr import FloatConvertOp, FloatOp, FloatUnaryOp
from threadproof.semantics.outcome import Unsupportable


@dataclass(frozen=True, slots=True)
class Format:
    exponent_bits: int
    precision: int  # bits of the significand, the leading one among them
    explicit: bool = False  # whether the leading bit is stored

    @property
    def fraction_bits(self) -> int:
        return self.precision - (not self.explicit)

    @property
    def infinite(self) -> int:
        """The stored exponent of infinities and NaNs."""
        return (1 << self.exponent_bits) - 1

    @property
    def bias(self) -> int:
        return self.infinite >> 1


FORMATS = {32: Format(8, 24), 64: Format(11, 53), 80: Format(15, 64, explicit=True), 128: Format(15, 113)}
_PAYLOAD = 112  # payloads of NaNs are kept as wide as the widest format's, left-aligned
_QUIET = 1 << (_PAYLOAD - 1)
_ZERO = Fraction(0)


class WideNumber(NamedTuple):
    """A finite number, an infinity (`size` None) or a NaN (`payload` not 0)."""

    negative: bool
    size: Fraction | None
    payload: int = 0


NAN = WideNumber(True, None, _QUIET)  # what the processor gives for an operation that has no result


def _format(width: int) -> Format:
    if width not in FORMATS:
        raise Unsupportable(f"{width}-bit floating point")
    return FORMATS[width]


def decoded(bits: int, width: int) -> WideNumber:
    form = _format(width)
    negative = bool(bits >> (width - 1))
    exponent = bits >> form.fraction_bits & form.infinite
    significand = bits & ((1 << form.fraction_bits) - 1)
    leading = 1 << (form.precision - 1)
    if form.explicit and exponent and not significand & leading:
        return NAN  # no number: the processor takes it as an invalid operand
    if exponent == form.infinite:
        below = significand & (leading - 1)
        return WideNumber(negative, None, (below << (_PAYLOAD + 1 - form.precision)) | _QUIET if below else 0)
    if exponent and not form.explicit:
        significand |= leading
    return WideNumber(negative, _scaled(significand, max(exponent, 1) - form.bias - form.precision + 1))


def encoded(number: WideNumber, width: int) -> int:
    """The nearest bit pattern, ties to even."""
    form = _format(width)
    exponent, significand = _rounded(number, form)
    if not form.explicit:
        significand &= (1 << (form.precision - 1)) - 1
    return number.negative << (width - 1) | exponent << form.fraction_bits | significand


def _rounded(number: WideNumber, form: Format) -> tuple[int, int]:
    """The stored exponent, and the significand with its leading bit."""
    leading = 1 << (form.precision - 1)
    beyond = form.infinite, leading | number.payload >> (_PAYLOAD + 1 - form.precision)
    if number.size is None:
        return beyond
    if not number.size:
        return 0, 0
    power = max(_power(number.size), 1 - form.bias) - form.precision + 1
    significand = round(number.size * _scaled(1, -power))
    if significand == 2 * leading:
        significand, power = leading, power + 1
    exponent = power + form.precision - 1 + form.bias if significand & leading else 0
    return (exponent, significand) if exponent < form.infinite else beyond


def _power(size: Fraction) -> int:
    """The largest power of two that is not above it."""
    power = size.numerator.bit_length() - size.denominator.bit_length()
    return power if size >= _scaled(1, power) else power - 1


def _scaled(number: int, power: int) -> Fraction:
    return Fraction(number << power) if power >= 0 else Fraction(number, 1 << -power)


# --- operations ------------------------------------------------------------------------------------------------------


def binary(op: FloatOp, a: int, b: int, width: int) -> int:
    x, y = decoded(a, width), decoded(b, width)
    if x.payload or y.payload:
        return encoded(max(x, y, key=lambda number: number.payload), width)
    return encoded(_BINARY[op](x, y), width)


def _sum(x: WideNumber, y: WideNumber) -> WideNumber:
    if x.size is None or y.size is None:
        if x.size is None and y.size is None and x.negative != y.negative:
            return NAN
        return x if x.size is None else y
    total = _value(x) + _value(y)
    return WideNumber(total < 0 if total else x.negative and y.negative, abs(total))


def _difference(x: WideNumber, y: WideNumber) -> WideNumber:
    return _sum(x, y._replace(negative=not y.negative))


def _product(x: WideNumber, y: WideNumber) -> WideNumber:
    negative = x.negative != y.negative
    if x.size is None or y.size is None:
        return NAN if x.size == 0 or y.size == 0 else WideNumber(negative, None)
    return WideNumber(negative, x.size * y.size)


def _quotient(x: WideNumber, y: WideNumber) -> WideNumber:
    negative = x.negative != y.negative
    if x.size is None or y.size == 0:
        return NAN if x.size == y.size else WideNumber(negative, None)
    return WideNumber(negative, _ZERO if y.size is None else x.size / y.size)


def _remainder(x: WideNumber, y: WideNumber) -> WideNumber:
    if x.size is None or y.size == 0:
        return NAN
    return x if y.size is None else WideNumber(x.negative, x.size % y.size)


_BINARY: dict[FloatOp, Callable[[WideNumber, WideNumber], WideNumber]] = {
    FloatOp.ADD: _sum,
    FloatOp.SUB: _difference,
    FloatOp.MUL: _product,
    FloatOp.DIV: _quotient,
    FloatOp.REM: _remainder,
}


def unary(op: FloatUnaryOp, a: int, width: int) -> int:
    x = decoded(a, width)
    match op:
        case FloatUnaryOp.SQRT:
            return encoded(_root(x, _format(width).precision), width)
        case FloatUnaryOp.FLOOR:
            return encoded(_integral(x, math.floor), width)
        case FloatUnaryOp.CEIL:
            return encoded(_integral(x, math.ceil), width)
        case FloatUnaryOp.TRUNC:
            return encoded(_integral(x, math.trunc), width)
        case FloatUnaryOp.NEG | FloatUnaryOp.ABS:
            raise AssertionError("these change the sign bit alone")


def _root(x: WideNumber, precision: int) -> WideNumber:
    if x.payload or x.size == 0:
        return x
    if x.negative:
        return NAN
    if x.size is None:
        return x
    # As many bits as are rounded and some more, and a last one that says whether there are others.
    shift = precision + 2 - _power(x.size) // 2
    square = x.size * _scaled(1, 2 * shift)
    root = math.isqrt(math.floor(square))
    return WideNumber(False, _scaled(2 * root + (root * root != square), -shift - 1))


def _integral(x: WideNumber, how: Callable[[Fraction], int]) -> WideNumber:
    return x if x.size is None else x._replace(size=Fraction(abs(how(_value(x)))))


def _value(x: WideNumber) -> Fraction:
    assert x.size is not None
    return -x.size if x.negative else x.size


def settled(predicate: str, unordered: bool) -> bool | None:
    """What LLVM's predicate of floats says where the numbers themselves do not matter; None if they do."""
    if predicate in ("true", "false"):
        return predicate == "true"
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    return predicate[0] == "u" if unordered else None


def compared(predicate: str, a: int, b: int, width: int) -> bool:
    x, y = decoded(a, width), decoded(b, width)
    unordered = bool(x.payload or y.payload)
    if (known := settled(predicate, unordered)) is not None:
        return known
    left, right = _place(x), _place(y)
    match predicate[1:]:
        case "eq":
            return left == right
        case "ne":
            return left != right
        case "lt":
            return left < right
        case "le":
            return left <= right
        case "gt":
            return left > right
        case _:
            return left >= right


def _place(x: WideNumber) -> tuple[int, Fraction]:
    """On the line of numbers, the infinities at its ends."""
    if x.size is None:
        return (-1 if x.negative else 1), _ZERO
    return 0, _value(x)


def converted(op: FloatConvertOp, a: int, source: int, target: int) -> int:
    signed = a - (1 << source) if a >> (source - 1) else a
    match op:
        case FloatConvertOp.FLOAT_TO_FLOAT:
            return encoded(decoded(a, source), target)
        case FloatConvertOp.SIGNED_TO_FLOAT:
            return encoded(WideNumber(signed < 0, Fraction(abs(signed))), target)
        case FloatConvertOp.UNSIGNED_TO_FLOAT:
            return encoded(WideNumber(False, Fraction(a)), target)
        case FloatConvertOp.FLOAT_TO_SIGNED:
            return _integer(decoded(a, source), -(1 << (target - 1)), 1 << (target - 1)) & ((1 << target) - 1)
        case FloatConvertOp.FLOAT_TO_UNSIGNED:
            return _integer(decoded(a, source), 0, 1 << target)


def _integer(x: WideNumber, low: int, end: int) -> int:
    if x.size is None or not low <= math.trunc(_value(x)) < end:
        raise Unsupportable("conversion of a floating-point number that does not fit the integer type")
    return math.trunc(_value(x))
