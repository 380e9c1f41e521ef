"""Floating point: an operation becomes a variable for its result, and a definition that relates it to the operands."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.encoding.encoded import NotEncoded
from threadproof.ir.expr import (
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    MathCall,
)
from threadproof.ir.maths import error, value
from threadproof.smt.floats import WIDEST_INTEGER, to_integer
from threadproof.smt.sorts import FLOAT_WIDTHS
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_BINARY = {FloatOp.ADD: Op.FP_ADD, FloatOp.SUB: Op.FP_SUB, FloatOp.MUL: Op.FP_MUL, FloatOp.DIV: Op.FP_DIV}
_MODE = {FloatUnaryOp.FLOOR: "RTN", FloatUnaryOp.CEIL: "RTP", FloatUnaryOp.TRUNC: "RTZ"}
_CONVERT = {
    FloatConvertOp.FLOAT_TO_FLOAT: Op.FP_CAST,
    FloatConvertOp.SIGNED_TO_FLOAT: Op.FP_FROM_SIGNED,
    FloatConvertOp.UNSIGNED_TO_FLOAT: Op.FP_FROM_UNSIGNED,
    FloatConvertOp.FLOAT_TO_SIGNED: Op.FP_TO_SIGNED,
    FloatConvertOp.FLOAT_TO_UNSIGNED: Op.FP_TO_UNSIGNED,
}
_TO_INTEGER = (FloatConvertOp.FLOAT_TO_SIGNED, FloatConvertOp.FLOAT_TO_UNSIGNED)
FIT = NotEncoded("conversion of a floating-point number that does not fit the integer type")
REMAINDER = NotEncoded("the remainder of floating-point numbers")


class Floats:
    def __init__(self, terms: Terms, trap: Callable[[Term, NotEncoded], None]) -> None:
        self._terms = terms
        self._trap = trap
        self.definitions: list[Term] = []

    def binary(self, expr: FloatBinary, left: Term, right: Term) -> Term:
        if expr.op is FloatOp.REM:
            return self._refused(expr.width, REMAINDER)
        if expr.width not in FLOAT_WIDTHS:
            return self._refused(expr.width, _format(expr.width))
        return self._result(_BINARY[expr.op], (left, right), expr.width)

    def unary(self, expr: FloatUnary, operand: Term) -> Term:
        sign = 1 << (expr.width - 1)
        match expr.op:
            case FloatUnaryOp.NEG:
                return self._terms.make(Op.BVXOR, (operand, self._terms.bv(sign, expr.width)))
            case FloatUnaryOp.ABS:
                return self._terms.make(Op.BVAND, (operand, self._terms.bv(sign - 1, expr.width)))
            case _ if expr.width not in FLOAT_WIDTHS:
                return self._refused(expr.width, _format(expr.width))
            case FloatUnaryOp.SQRT:
                return self._result(Op.FP_SQRT, (operand,), expr.width)
            case _:
                return self._rounded(_MODE[expr.op], operand)

    def _rounded(self, mode: str, operand: Term) -> Term:
        """A NaN stays the very NaN it is."""
        rounded = self._result(Op.FP_ROUND, (operand,), operand.width, mode)
        return self._terms.ite(self._nan(operand), operand, rounded)

    def compare(self, expr: FloatCompare, x: Term, y: Term) -> Term:
        """A Boolean."""
        if x.width not in FLOAT_WIDTHS:
            self._trap(self._terms.true, _format(x.width))
            return self._terms.false
        terms, predicate = self._terms, expr.predicate
        unordered = terms.or_(self._nan(x), self._nan(y))
        match predicate:
            case "true" | "false":
                return terms.bool(predicate == "true")
            case "uno":
                return unordered
            case "ord":
                return terms.not_(unordered)
            case _:
                related = self._relation(predicate[1:], x, y)
                if predicate[0] == "u":
                    return terms.or_(unordered, related)
                return terms.and_(terms.not_(unordered), related)

    def _relation(self, name: str, x: Term, y: Term) -> Term:
        """Of two numbers."""
        match name:
            case "eq" | "ne":
                equal = self._terms.make(Op.FP_EQ, (x, y))
                return equal if name == "eq" else self._terms.not_(equal)
            case "lt" | "le":
                return self._terms.make(Op.FP_LT if name == "lt" else Op.FP_LEQ, (x, y))
            case _:
                return self._terms.make(Op.FP_LT if name == "gt" else Op.FP_LEQ, (y, x))

    def convert(self, expr: FloatConvert, operand: Term) -> Term:
        op = _CONVERT[expr.op]
        widths = {
            Op.FP_CAST: (operand.width, expr.width),
            Op.FP_TO_SIGNED: (operand.width,),
            Op.FP_TO_UNSIGNED: (operand.width,),
        }.get(op, (expr.width,))
        for width in widths:
            if width not in FLOAT_WIDTHS:
                return self._refused(expr.width, _format(width))
        if expr.op not in _TO_INTEGER:
            return self._result(op, (operand,), expr.width)
        if expr.width > WIDEST_INTEGER:
            return self._refused(expr.width, FIT)
        number, fits = to_integer(self._terms, op, operand, expr.width)
        self._trap(self._terms.not_(fits), FIT)
        return number

    def call(self, expr: MathCall, args: tuple[Term, ...]) -> Term:
        """Solvers know nothing of these functions: of numbers that are known, the C library is asked."""
        if any(arg.op is not Op.VALUE for arg in args):
            return self._refused(expr.width, NotEncoded(f"the function {expr.name} of numbers that are not known"))
        result = (error if expr.errno else value)(expr.name, tuple(arg.value for arg in args))
        return self._terms.bv(result, expr.width)

    def _nan(self, x: Term) -> Term:
        return self._terms.make(Op.FP_NAN, (x,))

    def _result(self, op: Op, operands: tuple[Term, ...], width: int, *params: str) -> Term:
        """A variable named after what it is the result of: the same operation has one result."""
        name = "!".join((op, *params, *(str(operand.id) for operand in operands), str(width)))
        result = self._terms.bv_var(name, width)
        self.definitions.append(self._terms.make(op, (*operands, result), params))
        return result

    def _refused(self, width: int, why: NotEncoded) -> Term:
        self._trap(self._terms.true, why)
        return self._terms.bv(0, width)


def _format(width: int) -> NotEncoded:
    return NotEncoded(f"{width}-bit floating point")
