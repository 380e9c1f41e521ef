"""The relations of floating point on bit patterns, with Python's doubles.

A double is computed exactly. A float is computed as a double and rounded once more, which changes nothing for
+ - * / and the square root, because 53 >= 2 * 24 + 2 (Figueroa, SIGNUM 1995).
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from threadproof.smt.term import Op, Params

_FORMATS = {32: "<f", 64: "<d"}


def holds(op: Op, params: Params, values: list[int], widths: list[int]) -> bool:
    """Whether the operands, the last of them often a result, are so related."""
    match op:
        case Op.FP_LT | Op.FP_LEQ | Op.FP_EQ:
            x, y = to_float(values[0], widths[0]), to_float(values[1], widths[1])
            return x < y if op is Op.FP_LT else x <= y if op is Op.FP_LEQ else x == y
        case Op.FP_NAN:
            return math.isnan(to_float(values[0], widths[0]))
        case Op.FP_FROM_SIGNED | Op.FP_FROM_UNSIGNED:
            signed = op is Op.FP_FROM_SIGNED and values[0] >> (widths[0] - 1)
            number = values[0] - (1 << widths[0]) if signed else values[0]
            return values[1] == to_bits(nearest(number, widths[1]), widths[1])
        case _:
            operands = [to_float(v, w) for v, w in zip(values[:-1], widths[:-1], strict=True)]
            return _same(to_bits(_result(op, params, operands), widths[-1]), values[-1], widths[-1])


def to_float(bits: int, width: int) -> float:
    return struct.unpack(_FORMATS[width], bits.to_bytes(width // 8, "little"))[0]


def to_bits(value: float, width: int) -> int:
    try:
        packed = struct.pack(_FORMATS[width], value)
    except OverflowError:  # a double too large for a float rounds to infinity
        packed = struct.pack(_FORMATS[width], math.copysign(math.inf, value))
    return int.from_bytes(packed, "little")


def truncated(bits: int, width: int) -> int:
    """The integer next to a float, towards zero."""
    return math.trunc(to_float(bits, width))


def nearest(number: int, width: int) -> float:
    """The float or double next to an integer, ties to even: rounded once."""
    if width == 64:
        try:
            return float(number)
        except OverflowError:
            return math.copysign(math.inf, number)
    excess = max(0, abs(number).bit_length() - 24)
    rounded = round(Fraction(number, 1 << excess)) << excess
    return float(rounded) if abs(rounded) < 1 << 128 else math.copysign(math.inf, number)


def _same(expected: int, given: int, width: int) -> bool:
    """Any NaN will do for a NaN."""
    return expected == given or (math.isnan(to_float(expected, width)) and math.isnan(to_float(given, width)))


def _result(op: Op, params: Params, operands: list[float]) -> float:
    match op, operands:
        case Op.FP_ADD, [x, y]:
            return x + y
        case Op.FP_SUB, [x, y]:
            return x - y
        case Op.FP_MUL, [x, y]:
            return x * y
        case Op.FP_DIV, [x, y]:
            return _quotient(x, y)
        case Op.FP_SQRT, [x]:
            return math.sqrt(x) if x >= 0 else math.nan
        case Op.FP_ROUND, [x]:
            return _rounded(x, str(params[0]))
        case Op.FP_CAST, [x]:
            return x
        case _:
            raise AssertionError(f"no floating-point operation: {op}")


def _quotient(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def _rounded(x: float, mode: str) -> float:
    if math.isinf(x) or math.isnan(x):
        return x
    how = {"RTN": math.floor, "RTP": math.ceil, "RTZ": math.trunc}[mode]
    return math.copysign(float(how(x)), x)
