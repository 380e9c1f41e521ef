"""Floating point. Numbers are kept as their bits; `as_float32` and `bits_of32` lead to C's types and back."""

from __future__ import annotations

from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.values.scalars import CKind, Sign, unsigned
from threadproof.codegen.sequential.values.typed import BIT, Typed, Values, cut, narrowed, number
from threadproof.ir.expr import (
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
)

_REALS = {32: "float", 64: "double"}
_RELATION = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_BUILTIN = {
    FloatUnaryOp.SQRT: "__builtin_sqrt",
    FloatUnaryOp.FLOOR: "__builtin_floor",
    FloatUnaryOp.CEIL: "__builtin_ceil",
    FloatUnaryOp.TRUNC: "__builtin_trunc",
}


def float_value(values: Values, expr: FloatBinary | FloatUnary | FloatCompare | FloatConvert) -> Typed:
    match expr:
        case FloatBinary():
            left, right = _real(values, expr.left), _real(values, expr.right)
            if expr.op is FloatOp.REM:
                return _bits(f"__builtin_fmod({left}, {right})", expr.width)
            return _bits(f"{left} {expr.op.value[1:]} {right}", expr.width)
        case FloatUnary(op=FloatUnaryOp.NEG):
            return _bits(f"-{_real(values, expr.operand)}", expr.width)
        case FloatUnary(op=FloatUnaryOp.ABS):
            inner = values.unsigned(expr.operand)
            return Typed(f"{inner.inner} & {number((1 << (expr.width - 1)) - 1, expr.width)}", inner.kind, False)
        case FloatUnary():
            return _bits(f"{_BUILTIN[expr.op]}({_real(values, expr.operand)})", expr.width)
        case FloatCompare():
            return _compare(values, expr)
        case FloatConvert():
            return _convert(values, expr)


def _real(values: Values, expr: Expr) -> str:
    if expr.width not in _REALS:
        raise NoC(f"{expr.width}-bit floating point")
    return f"as_float{expr.width}({values.unsigned(expr).text})"


def _bits(text: str, width: int) -> Typed:
    if width not in _REALS:
        raise NoC(f"{width}-bit floating point")
    return Typed(f"bits_of{width}({text})", unsigned(width))


def _compare(values: Values, expr: FloatCompare) -> Typed:
    left, right = _real(values, expr.left), _real(values, expr.right)
    unordered = f"__builtin_isunordered({left}, {right})"
    match expr.predicate:
        case "true" | "false":
            return Typed(str(int(expr.predicate == "true")), BIT)
        case "uno":
            return Typed(unordered, BIT)
        case "ord":
            return Typed(f"!{unordered}", BIT, False)
        case "oeq" | "une":
            return Typed(f"{left} {_RELATION[expr.predicate[1:]]} {right}", BIT, False)
        case predicate:
            relation = f"{left} {_RELATION[predicate[1:]]} {right}"
            ordered = f"!{unordered} && {relation}" if predicate[0] == "o" else f"{unordered} || {relation}"
            return Typed(ordered, BIT, False)


def _convert(values: Values, expr: FloatConvert) -> Typed:
    match expr.op:
        case FloatConvertOp.FLOAT_TO_FLOAT:
            return _bits(_real(values, expr.operand), expr.width)
        case FloatConvertOp.SIGNED_TO_FLOAT:
            return _bits(values.signed(expr.operand).text, expr.width)
        case FloatConvertOp.UNSIGNED_TO_FLOAT:
            return _bits(values.unsigned(expr.operand).text, expr.width)
        case FloatConvertOp.FLOAT_TO_SIGNED:
            kind = CKind(Sign.SIGNED, expr.width)
            return narrowed(Typed(f"({kind.text}){_real(values, expr.operand)}", kind, False), expr.width)
        case FloatConvertOp.FLOAT_TO_UNSIGNED:
            kind = unsigned(expr.width)
            return cut(Typed(f"({kind.text}){_real(values, expr.operand)}", kind, False), expr.width)


def float_functions(code: str) -> list[str]:
    """The functions between numbers and their bits that the text mentions."""
    lines: list[str] = []
    for width, real in _REALS.items():
        union = f"union {{ u{width} bits; {real} value; }}"
        if f"as_float{width}(" in code:
            lines.append(f"static {real} as_float{width}(u{width} b) {{ {union} both = {{ b }}; return both.value; }}")
        if f"bits_of{width}(" in code:
            lines.append(
                f"static u{width} bits_of{width}({real} v) {{ {union} both; both.value = v; return both.bits; }}"
            )
    return lines
