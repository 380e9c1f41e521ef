"""Expressions as Python functions: each is printed as a Python expression once and compiled.

`r` is the list of registers (slot 0: the base of the running thread's thread-local storage), `m` the running step,
asked for pointer arithmetic only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from threadproof.ir import maths
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    GlobalRef,
    MathCall,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
)
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.layout import Layout
from threadproof.semantics import wide_floats
from threadproof.semantics.outcome import Trap, Unsupportable

Evaluator = Callable[[list[Any], Any], Any]

_ARITHMETIC = {BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*"}
_BITWISE = {BinaryOp.AND: "&", BinaryOp.OR: "|", BinaryOp.XOR: "^"}
_DIVISION = {BinaryOp.UDIV: "udiv", BinaryOp.SDIV: "sdiv", BinaryOp.UREM: "urem", BinaryOp.SREM: "srem"}
_SHIFT = {BinaryOp.SHL: "shl", BinaryOp.LSHR: "lshr", BinaryOp.ASHR: "ashr"}


class ExpressionCompiler:
    """Turns expressions of one function into Python functions, given its register slots."""

    def __init__(self, layout: Layout, slots: dict[str, int], cache: dict[str, Evaluator]) -> None:
        self._layout = layout
        self._slots = slots
        self._cache = cache

    def compile(self, expr: Expr) -> Evaluator:
        text = self._text(expr)
        found = self._cache.get(text)
        if found is None:
            found = self._cache[text] = eval(f"lambda r, m: {text}", _HELPERS)  # text is ours alone
        return found

    def _text(self, expr: Expr) -> str:
        match expr:
            case Const():
                return str(expr.value)
            case Reg():
                return f"r[{self._slots[expr.name]}]"
            case GlobalRef():
                return str(self._layout.address(expr.name))
            case TlsRef():
                return f"(r[0]+{self._layout.tls[expr.name]})"
            case Binary():
                return self._binary(expr)
            case Compare():
                return self._compare(expr)
            case Convert():
                return self._convert(expr)
            case Select():
                then, otherwise = self._text(expr.then), self._text(expr.otherwise)
                return f"({then} if {self._text(expr.condition)} else {otherwise})"
            case PtrAdd():
                return f"m.ptr_add({self._text(expr.base)},{self._signed(expr.offset)})"
            case FloatBinary():
                return f"fbin({expr.op.value!r},{self._text(expr.left)},{self._text(expr.right)},{expr.width})"
            case FloatUnary():
                return f"fun({expr.op.value!r},{self._text(expr.operand)},{expr.width})"
            case FloatCompare():
                left, right = self._text(expr.left), self._text(expr.right)
                return f"fcmp({expr.predicate!r},{left},{right},{expr.left.width})"
            case FloatConvert():
                operand = self._text(expr.operand)
                return f"fconv({expr.op.value!r},{operand},{expr.operand.width},{expr.width})"
            case MathCall():
                args = "".join(f"{self._text(arg)}," for arg in expr.args)
                return f"{'math_error' if expr.errno else 'math_value'}({expr.name!r},({args}))"

    def _signed(self, expr: Expr) -> str:
        sign = 1 << (expr.width - 1)
        if isinstance(expr, Const):
            return str((expr.value ^ sign) - sign)
        return f"(({self._text(expr)}^{sign})-{sign})"

    def _binary(self, expr: Binary) -> str:
        left, right, width = self._text(expr.left), self._text(expr.right), expr.width
        if (symbol := _ARITHMETIC.get(expr.op)) is not None:
            return f"(({left}{symbol}{right})&{(1 << width) - 1})"
        if (symbol := _BITWISE.get(expr.op)) is not None:
            return f"({left}{symbol}{right})"
        name = _DIVISION.get(expr.op) or _SHIFT[expr.op]
        return f"{name}({left},{right},{width})"

    def _compare(self, expr: Compare) -> str:
        left, right = self._text(expr.left), self._text(expr.right)
        match expr.op:
            case CompareOp.EQ | CompareOp.NE:
                return f"({left}{expr.op.value}{right})"
            case CompareOp.ULT | CompareOp.ULE:
                return f"({left}{expr.op.value[:-1]}{right})"
            case CompareOp.SLT | CompareOp.SLE:
                sign = 1 << (expr.left.width - 1)
                return f"(({left}^{sign}){expr.op.value[:-1]}({right}^{sign}))"

    def _convert(self, expr: Convert) -> str:
        operand = self._text(expr.operand)
        match expr.op:
            case ConvertOp.ZEXT:
                return operand
            case ConvertOp.TRUNC:
                return f"({operand}&{(1 << expr.width) - 1})"
            case ConvertOp.SEXT:
                sign = 1 << (expr.operand.width - 1)
                return f"((({operand}^{sign})-{sign})&{(1 << expr.width) - 1})"


# --- operations Python has no operator for ---------------------------------------------------------------------


def _to_signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def udiv(a: int, b: int, width: int) -> int:
    if b == 0:
        raise Trap(UndefinedKind.DIVISION_BY_ZERO)
    return a // b


def urem(a: int, b: int, width: int) -> int:
    if b == 0:
        raise Trap(UndefinedKind.DIVISION_BY_ZERO)
    return a % b


def sdiv(a: int, b: int, width: int) -> int:
    if b == 0:
        raise Trap(UndefinedKind.DIVISION_BY_ZERO)
    x, y = _to_signed(a, width), _to_signed(b, width)
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & ((1 << width) - 1)


def srem(a: int, b: int, width: int) -> int:
    if b == 0:
        raise Trap(UndefinedKind.DIVISION_BY_ZERO)
    x, y = _to_signed(a, width), _to_signed(b, width)
    remainder = abs(x) % abs(y)
    return (-remainder if x < 0 else remainder) & ((1 << width) - 1)


def _amount(b: int, width: int) -> int:
    if b >= width:
        raise Trap(UndefinedKind.OVERSIZED_SHIFT)
    return b


def shl(a: int, b: int, width: int) -> int:
    return (a << _amount(b, width)) & ((1 << width) - 1)


def lshr(a: int, b: int, width: int) -> int:
    return a >> _amount(b, width)


def ashr(a: int, b: int, width: int) -> int:
    return (_to_signed(a, width) >> _amount(b, width)) & ((1 << width) - 1)


_FORMATS = {32: "<f", 64: "<d"}


def _float(bits: int, width: int) -> float:
    return struct.unpack(_FORMATS[width], bits.to_bytes(width // 8, "little"))[0]


def _bits(value: float, width: int) -> int:
    try:
        packed = struct.pack(_FORMATS[width], value)
    except OverflowError:  # a double too large for a float rounds to infinity
        packed = struct.pack(_FORMATS[width], math.copysign(math.inf, value))
    return int.from_bytes(packed, "little")


def fbin(op: str, a: int, b: int, width: int) -> int:
    """Double arithmetic is exact IEEE; float arithmetic in double then rounded once is too (+ - * / and no others)."""
    if width not in _FORMATS:
        return wide_floats.binary(FloatOp(op), a, b, width)
    x, y = _float(a, width), _float(b, width)
    match FloatOp(op):
        case FloatOp.ADD:
            return _bits(x + y, width)
        case FloatOp.SUB:
            return _bits(x - y, width)
        case FloatOp.MUL:
            return _bits(x * y, width)
        case FloatOp.DIV:
            return _bits(_divide(x, y), width)
        case FloatOp.REM:
            bad = math.isinf(x) or y == 0 or math.isnan(x) or math.isnan(y)
            return _bits(math.nan if bad else math.fmod(x, y), width)


def _divide(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def fun(op: str, a: int, width: int) -> int:
    sign = 1 << (width - 1)
    match FloatUnaryOp(op):
        case FloatUnaryOp.NEG:
            return a ^ sign
        case FloatUnaryOp.ABS:
            return a & ~sign
        case wide if width not in _FORMATS:
            return wide_floats.unary(wide, a, width)
        case FloatUnaryOp.SQRT:
            x = _float(a, width)
            return _bits(math.nan if x < 0 else math.sqrt(x), width)
        case FloatUnaryOp.FLOOR:
            return _rounded(a, width, math.floor)
        case FloatUnaryOp.CEIL:
            return _rounded(a, width, math.ceil)
        case FloatUnaryOp.TRUNC:
            return _rounded(a, width, math.trunc)


def _rounded(a: int, width: int, how: Callable[[float], int]) -> int:
    x = _float(a, width)
    if math.isinf(x) or math.isnan(x):
        return a
    return _bits(math.copysign(float(how(x)), x), width)


def fcmp(predicate: str, a: int, b: int, width: int) -> bool:
    if width not in _FORMATS:
        return wide_floats.compared(predicate, a, b, width)
    x, y = _float(a, width), _float(b, width)
    unordered = math.isnan(x) or math.isnan(y)
    if (known := wide_floats.settled(predicate, unordered)) is not None:
        return known
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[1:]]


def fconv(op: str, a: int, source: int, target: int) -> int:
    mask = (1 << target) - 1
    if _is_wide(FloatConvertOp(op), source, target):
        return wide_floats.converted(FloatConvertOp(op), a, source, target)
    match FloatConvertOp(op):
        case FloatConvertOp.FLOAT_TO_FLOAT:
            return _bits(_float(a, source), target)
        case FloatConvertOp.SIGNED_TO_FLOAT:
            return _from_integer(_to_signed(a, source), target)
        case FloatConvertOp.UNSIGNED_TO_FLOAT:
            return _from_integer(a, target)
        case FloatConvertOp.FLOAT_TO_SIGNED:
            return _to_integer(_float(a, source), -(1 << (target - 1)), (1 << (target - 1)) - 1) & mask
        case FloatConvertOp.FLOAT_TO_UNSIGNED:
            return _to_integer(_float(a, source), 0, mask)


def _is_wide(op: FloatConvertOp, source: int, target: int) -> bool:
    match op:
        case FloatConvertOp.FLOAT_TO_FLOAT:
            return source not in _FORMATS or target not in _FORMATS
        case FloatConvertOp.SIGNED_TO_FLOAT | FloatConvertOp.UNSIGNED_TO_FLOAT:
            return target not in _FORMATS
        case FloatConvertOp.FLOAT_TO_SIGNED | FloatConvertOp.FLOAT_TO_UNSIGNED:
            return source not in _FORMATS


def _from_integer(value: int, width: int) -> int:
    if width == 32 and abs(value) >= 1 << 53:
        # Through double would round twice: keep 25 significant bits and a sticky bit, which rounds the same way.
        shift = abs(value).bit_length() - 26
        magnitude = (abs(value) >> shift) | (1 if abs(value) & ((1 << shift) - 1) else 0)
        value = (-magnitude if value < 0 else magnitude) << shift
    return _bits(float(value), width)


def _to_integer(value: float, low: int, high: int) -> int:
    if math.isnan(value) or math.isinf(value) or not low <= math.trunc(value) <= high:
        raise Unsupportable("conversion of a floating-point number that does not fit the integer type")
    return math.trunc(value)


_HELPERS: dict[str, Any] = {
    "__builtins__": {},
    **{f.__name__: f for f in (udiv, urem, sdiv, srem, shl, lshr, ashr, fbin, fun, fcmp, fconv)},
    "math_value": maths.value,
    "math_error": maths.error,
}
