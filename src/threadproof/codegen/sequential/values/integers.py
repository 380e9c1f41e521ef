"""Integer operations as C.

Invariants: nothing printed here overflows a signed type, whatever the values; sums, differences and products are
unsigned, and C's conversions bring them back. What is undefined in the program (division by zero, a shift that is too
wide) is undefined in the same place of the text.
"""

from __future__ import annotations

from threadproof.codegen.sequential.refusal import NoC
from threadproof.codegen.sequential.values.scalars import CKind, Sign, container, unsigned
from threadproof.codegen.sequential.values.typed import (
    BIT,
    Typed,
    Values,
    as_unsigned,
    bare,
    cut,
    narrowed,
    number,
    signed_constant,
    without_suffix,
)
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, may_trap

_ARITHMETIC = {BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*"}
_BITWISE = {BinaryOp.AND: "&", BinaryOp.OR: "|", BinaryOp.XOR: "^"}
_DIVISION = {BinaryOp.UDIV: "/", BinaryOp.SDIV: "/", BinaryOp.UREM: "%", BinaryOp.SREM: "%"}
_UNSIGNED = {**_BITWISE, BinaryOp.UDIV: "/", BinaryOp.UREM: "%"}


def binary(values: Values, expr: Binary) -> Typed:
    if expr.width == 1:
        return _of_bits(values, expr)
    if expr.op in _ARITHMETIC:
        return _arithmetic(values, expr)
    if expr.op in _UNSIGNED:
        left, right = _pair(values, expr.left, expr.right)
        return Typed(f"{left.inner} {_UNSIGNED[expr.op]} {right.inner}", unsigned(expr.width), False)
    if expr.op in _DIVISION:
        left, right = values.signed(expr.left), values.signed(expr.right)
        return narrowed(Typed(f"{left.inner} {_DIVISION[expr.op]} {right.inner}", left.kind, False), expr.width)
    return _shift(values, expr)


def _pair(values: Values, left: Expr, right: Expr) -> tuple[Typed, Typed]:
    """Two unsigned operands; a small constant beside a variable needs no suffix."""
    a, b = values.unsigned(left), values.unsigned(right)
    return (bare(left, a) if not isinstance(right, Const) else a, bare(right, b))


def _of_bits(values: Values, expr: Binary) -> Typed:
    left, right = values.value(expr.left), values.value(expr.right)
    match expr.op:
        case BinaryOp.XOR if isinstance(expr.right, Const):
            return Typed(f"!{left.inner}", BIT, False) if expr.right.value else left
        case BinaryOp.AND | BinaryOp.OR if not may_trap(expr.right):
            return Typed(f"{left.inner} {_BITWISE[expr.op] * 2} {right.inner}", BIT, False)
        case BinaryOp.AND | BinaryOp.OR | BinaryOp.XOR:
            return Typed(f"{left.inner} {_BITWISE[expr.op]} {right.inner}", BIT, False)
        case BinaryOp.ADD | BinaryOp.SUB:
            return Typed(f"{left.inner} ^ {right.inner}", BIT, False)
        case BinaryOp.MUL:
            return Typed(f"{left.inner} & {right.inner}", BIT, False)
        case _:
            raise NoC("division or shift of single bits")


def _shift(values: Values, expr: Binary) -> Typed:
    width, kind = expr.width, unsigned(expr.width)
    amount = values.unsigned(expr.right)
    if expr.op is BinaryOp.ASHR:
        left = values.signed(expr.left)
        return narrowed(Typed(f"{left.inner} >> {amount.inner}", left.kind, False), width)
    left = values.unsigned(expr.left)
    if expr.op is BinaryOp.LSHR:
        return Typed(f"{left.inner} >> {amount.inner}", kind, False)
    wide = left if width in (32, 64, 128) else Typed(f"({_computing(width)}){left.inner}", kind, False)
    return cut(Typed(f"{wide.inner} << {amount.inner}", kind, False), width)


def _computing(width: int) -> str:
    """The type to compute in, where C has none of the width; never one that C would make an `int` of."""
    return f"u{max(32, container(width))}"


def _arithmetic(values: Values, expr: Binary) -> Typed:
    """At least one operand is unsigned and as wide as the result; C converts the other."""
    width, kind, op = expr.width, unsigned(expr.width), _ARITHMETIC[expr.op]
    left, right = values.value(expr.left), values.value(expr.right)
    if isinstance(expr.right, Const) and expr.op is BinaryOp.ADD and expr.right.value >> (width - 1):
        right, op = Typed(number((1 << width) - expr.right.value, width), kind), "-"
    if Sign.POINTER in (left.kind.sign, right.kind.sign):
        left, right = as_unsigned(left, width), as_unsigned(right, width)
    if width in (32, 64, 128):
        if left.kind.sign is right.kind.sign is Sign.SIGNED:
            left = as_unsigned(left, width)
        elif left.kind.sign is right.kind.sign is Sign.UNSIGNED and not isinstance(expr.left, Const):
            right = right._replace(text=without_suffix(right.text))
        return Typed(f"{left.inner} {op} {right.inner}", kind, False)
    left, right = as_unsigned(left, width), as_unsigned(right, width)
    return cut(Typed(f"({_computing(width)}){left.inner} {op} {right.inner}", kind, False), width)


# --- comparisons -----------------------------------------------------------------------------------------------------


def compare(values: Values, expr: Compare) -> Typed:
    match expr.op:
        case CompareOp.EQ | CompareOp.NE:
            return _equal(values, expr)
        case CompareOp.ULT | CompareOp.ULE:
            left, right = _pair(values, expr.left, expr.right)
        case CompareOp.SLT | CompareOp.SLE:
            left, right = values.signed(expr.left), values.signed(expr.right)
    return Typed(f"{left.inner} {expr.op.value[:-1]} {right.inner}", BIT, False)


def _equal(values: Values, expr: Compare) -> Typed:
    left, right = values.value(expr.left), values.value(expr.right)
    signs = {left.kind.sign, right.kind.sign}
    if Sign.POINTER in signs:
        if isinstance(expr.right, Const) and not expr.right.value:
            # Compilers complain where a variable's address is compared with null.
            left = as_unsigned(left, 0) if left.text.startswith("&") else left
            right = Typed("0", right.kind)
        elif signs != {Sign.POINTER}:
            left, right = as_unsigned(left, 0), as_unsigned(right, 0)
        else:
            left, right = _plain(left), _plain(right)
    elif isinstance(expr.right, Const) and left.kind.sign is Sign.SIGNED:
        right = signed_constant(expr.right)
    elif isinstance(expr.right, Const) and not isinstance(expr.left, Const):
        right = bare(expr.right, right)
    elif len(signs) > 1:
        left, right = as_unsigned(left, expr.left.width), as_unsigned(right, expr.left.width)
    return Typed(f"{left.inner} {expr.op.value} {right.inner}", BIT, False)


def _plain(pointer: Typed) -> Typed:
    """Pointers to different types are compared as `void *`."""
    return pointer if pointer.text.isidentifier() else Typed(f"(void *){pointer.inner}", pointer.kind, False)


# --- conversions -----------------------------------------------------------------------------------------------------


def signed(value: Typed, width: int) -> Typed:
    """The value of so many bits as a signed number."""
    if value.kind.sign is Sign.SIGNED:
        return value
    if width == 1:
        return Typed(f"-(int){value.inner}", CKind(Sign.SIGNED, 32), False)
    size = container(width)
    kind = CKind(Sign.SIGNED, size)
    if size == width:
        return Typed(f"({kind.text}){as_unsigned(value, width).inner}", kind, False)
    text = f"({kind.text})((({unsigned(size).text}){value.inner}) << {size - width}) >> {size - width}"
    return Typed(text, kind, False)


def convert(values: Values, expr: Convert) -> Typed:
    match expr.op:
        case ConvertOp.ZEXT:
            return _zero_extended(values, expr)
        case ConvertOp.SEXT:
            return _sign_extended(values, expr)
        case ConvertOp.TRUNC:
            inner = values.unsigned(expr.operand)
            if expr.width == 1:
                return Typed(f"{inner.inner} & 1", BIT, False)
            low = _cast(inner, expr.width)
            return low if container(expr.width) == expr.width else cut(low, expr.width)


def _cast(value: Typed, width: int) -> Typed:
    return Typed(f"({unsigned(width).text}){value.inner}", unsigned(width), False)


def _zero_extended(values: Values, expr: Convert) -> Typed:
    inner = values.unsigned(expr.operand)
    if expr.operand.width == 1 and not inner.atom and expr.width <= 64:
        one, zero = number(1, expr.width), number(0, expr.width)
        return Typed(f"{inner.inner} ? {one} : {zero}", unsigned(expr.width), False)
    return _cast(inner, expr.width)


def _sign_extended(values: Values, expr: Convert) -> Typed:
    inner, kind = values.signed(expr.operand), CKind(Sign.SIGNED, expr.width)
    if container(expr.width) == expr.width:
        return Typed(f"({kind.text}){inner.inner}", kind, False)
    return cut(_cast(inner, expr.width), expr.width)
