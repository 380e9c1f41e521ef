"""Simplification of integers, and of what turns bit-vectors into integers and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadproof.smt.term import Op, Params, Term

if TYPE_CHECKING:
    from threadproof.smt.terms import Terms

Rule = Callable[["Terms", tuple[Term, ...], Params], Term | None]


def _is(term: Term, value: int) -> bool:
    return term.op is Op.INTEGER and term.value == value


def _add(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if _is(b, 0):
        return a
    if b.op is Op.INTEGER and a.op is Op.INT_ADD and a.args[1].op is Op.INTEGER:
        return terms.make(Op.INT_ADD, (a.args[0], terms.integer(a.args[1].value + b.value)))
    return None


def _sub(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b:
        return terms.integer(0)
    return terms.make(Op.INT_ADD, (a, terms.integer(-b.value))) if b.op is Op.INTEGER else None


def _mul(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    return b if _is(b, 0) else a if _is(b, 1) else None


def _div(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return args[0] if _is(args[1], 1) else None


def _mod(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if _is(b, 1):
        return terms.integer(0)
    fits = a.op is Op.UBV_TO_INT and b.value >= 1 << a.args[0].width
    return a if fits else None


def _less(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    """The same constant added on both sides, or a number against itself."""
    (a, b), ops = args, (Op.UBV_TO_INT, Op.SBV_TO_INT)
    if a is b:
        return terms.false
    if a.op is b.op and a.op in ops and a.args[0].sort == b.args[0].sort:
        return terms.make(Op.ULT if a.op is Op.UBV_TO_INT else Op.SLT, (a.args[0], b.args[0]))
    if a.op is Op.INT_ADD and a.args[1].op is Op.INTEGER and b.op is Op.INTEGER:
        return terms.less(a.args[0], terms.integer(b.value - a.args[1].value))
    if b.op is Op.INT_ADD and b.args[1].op is Op.INTEGER and a.op is Op.INTEGER:
        return terms.less(terms.integer(a.value - b.args[1].value), b.args[0])
    return None


def _from_int(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    """Of a bit-vector's number: the bit-vector, cut or extended."""
    (a,), (width,) = args, params
    assert isinstance(width, int)
    if a.op not in (Op.UBV_TO_INT, Op.SBV_TO_INT):
        return None
    bits = a.args[0]
    if width <= bits.width:
        return terms.extract(bits, width - 1, 0)
    return terms.zext(bits, width) if a.op is Op.UBV_TO_INT else terms.sext(bits, width)


RULES: dict[Op, Rule] = {
    Op.INT_ADD: _add,
    Op.INT_SUB: _sub,
    Op.INT_MUL: _mul,
    Op.INT_DIV: _div,
    Op.INT_MOD: _mod,
    Op.INT_LT: _less,
    Op.INT_TO_BV: _from_int,
}
