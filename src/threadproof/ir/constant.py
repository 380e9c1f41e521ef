"""The value of an expression without registers."""

from __future__ import annotations

from threadproof.ir.expr import Binary, BinaryOp, Const, Expr, PtrAdd, const, rebuild
from threadproof.ir.simplify import simplify

SMALL = 4096  # no object lies below


def constant(expr: Expr) -> Const | None:
    """None if the expression is not a known number (or would trap)."""
    if isinstance(expr, Const):
        return expr
    operands: list[Const | None] = []

    def known(operand: Expr) -> Expr:
        value = constant(operand)
        operands.append(value)
        return operand if value is None else value

    rebuilt = rebuild(expr, known)
    if not operands or any(value is None for value in operands):
        return None
    if isinstance(rebuilt, Binary):
        return _binary(rebuilt)
    if isinstance(rebuilt, PtrAdd):
        return _offset_of(rebuilt)
    result = simplify(rebuilt)
    return result if isinstance(result, Const) else None


def _offset_of(expr: PtrAdd) -> Const | None:
    """`&((struct s *)0)->member`: a null pointer moved a little is a small number."""
    assert isinstance(expr.base, Const)
    assert isinstance(expr.offset, Const)
    total = expr.base.value + expr.offset.value
    return Const(total, expr.width) if expr.base.value == 0 and total < SMALL else None


def _binary(expr: Binary) -> Const | None:
    assert isinstance(expr.left, Const)
    assert isinstance(expr.right, Const)
    a, b = expr.left.value, expr.right.value
    match expr.op:
        case BinaryOp.ADD:
            value = a + b
        case BinaryOp.SUB:
            value = a - b
        case BinaryOp.MUL:
            value = a * b
        case BinaryOp.AND:
            value = a & b
        case BinaryOp.OR:
            value = a | b
        case BinaryOp.XOR:
            value = a ^ b
        case BinaryOp.SHL if b < expr.width:
            value = a << b
        case BinaryOp.LSHR if b < expr.width:
            value = a >> b
        case BinaryOp.UDIV if b:
            value = a // b
        case BinaryOp.UREM if b:
            value = a % b
        case _:
            return None
    return const(value, expr.width)
