"""Cheap identities, applied where expressions are put together: they undo clang's detours through int and char."""

from __future__ import annotations

from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    PtrAdd,
    Reg,
    Select,
    const,
    negate,
    opposite,
    rebuild,
)


def simplify(expr: Expr) -> Expr:
    """The same value, written shorter. Looks at the top of the expression only; operands are simplified already."""
    match expr:
        case Compare():
            return _compare(expr)
        case Convert():
            return _convert(expr)
        case Binary():
            return _binary(expr)
        case Select(condition=Const(value=value)):
            return expr.then if value else expr.otherwise
        case PtrAdd(offset=Const(value=0)):
            return expr.base
        case _:
            return expr


def substitute(expr: Expr, values: dict[str, Expr]) -> Expr:
    """`expr` with registers replaced, simplified on the way up."""
    if isinstance(expr, Reg):
        return values.get(expr.name, expr)
    return simplify(rebuild(expr, lambda operand: substitute(operand, values)))


def _compare(expr: Compare) -> Expr:
    left, right = expr.left, expr.right
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(int(_holds(expr.op, left, right)), 1)
    if expr.op in (CompareOp.EQ, CompareOp.NE) and isinstance(right, Const) and right.value in (0, 1):
        inner = left.operand if isinstance(left, Convert) and left.op is ConvertOp.ZEXT else left
        if inner.width == 1:
            same = (expr.op is CompareOp.EQ) == (right.value == 1)
            return inner if same else simplify(negate(inner))
    return expr


def _holds(op: CompareOp, left: Const, right: Const) -> bool:
    sign = 1 << (left.width - 1)
    a, b = left.value, right.value
    match op:
        case CompareOp.EQ:
            return a == b
        case CompareOp.NE:
            return a != b
        case CompareOp.ULT:
            return a < b
        case CompareOp.ULE:
            return a <= b
        case CompareOp.SLT:
            return a ^ sign < b ^ sign
        case CompareOp.SLE:
            return a ^ sign <= b ^ sign


def _binary(expr: Binary) -> Expr:
    left, right = expr.left, expr.right
    if expr.op is BinaryOp.XOR and expr.width == 1 and right == Const(1, 1):
        return Const(left.value ^ 1, 1) if isinstance(left, Const) else opposite(left)
    if isinstance(right, Const) and right.value == 0 and expr.op in (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.OR):
        return left
    if isinstance(right, Const) and isinstance(left, Binary) and isinstance(left.right, Const):
        inner, outer = _added(left), _added(expr)
        if inner is not None and outer is not None:
            return simplify(Binary(BinaryOp.ADD, left.left, const(inner + outer, expr.width)))
    return expr


def _added(expr: Binary) -> int | None:
    """The constant that is added to the left side."""
    assert isinstance(expr.right, Const)
    match expr.op:
        case BinaryOp.ADD:
            return expr.right.value
        case BinaryOp.SUB:
            return -expr.right.value
        case _:
            return None


def _convert(expr: Convert) -> Expr:
    inner = expr.operand
    if isinstance(inner, Const):
        value = inner.value
        if expr.op is ConvertOp.SEXT and value >> (inner.width - 1):
            value -= 1 << inner.width
        return const(value, expr.width)
    if expr.width == inner.width:
        return inner
    if isinstance(inner, Convert) and inner.op is ConvertOp.ZEXT and expr.op is not ConvertOp.SEXT:
        source = inner.operand
        if expr.width == source.width:
            return source
        op = ConvertOp.ZEXT if expr.width > source.width else ConvertOp.TRUNC
        return Convert(op, source, expr.width)
    return expr
