"""Simplification of bit-vector operations. Constants of commutative operations stand on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadproof.smt.term import Op, Params, Term

if TYPE_CHECKING:
    from threadproof.smt.terms import Terms

Rule = Callable[["Terms", tuple[Term, ...], Params], Term | None]


def _is(term: Term, value: int) -> bool:
    return term.op is Op.VALUE and term.value == value


def _ones(term: Term) -> int:
    return (1 << term.width) - 1


def _add(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if _is(b, 0):
        return a
    if b.op is Op.VALUE and a.op is Op.ADD and a.args[1].op is Op.VALUE:
        return terms.add(a.args[0], terms.bv(a.args[1].value + b.value, a.width))
    return None


def _sub(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b:
        return terms.bv(0, a.width)
    if b.op is Op.VALUE:
        return terms.add(a, terms.bv(-b.value, a.width))
    return terms.make(Op.NEG, (b,)) if _is(a, 0) else None


def _mul(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    return b if _is(b, 0) else a if _is(b, 1) else None


def _divided(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return args[0] if _is(args[1], 1) else None


def _udiv(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if b.op is Op.VALUE and b.value.bit_count() == 1:
        return terms.make(Op.LSHR, (a, terms.bv(b.value.bit_length() - 1, a.width)))
    return None


def _urem(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if b.op is Op.VALUE and b.value.bit_count() == 1:
        return terms.make(Op.BVAND, (a, terms.bv(b.value - 1, a.width)))
    return None


def _shift(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return args[0] if _is(args[1], 0) or _is(args[0], 0) else None


def _logical_shift(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if b.op is Op.VALUE and b.value >= a.width:
        return terms.bv(0, a.width)
    return _shift(terms, args, params)


def _opposite(a: Term, b: Term) -> bool:
    return (a.op is Op.BVNOT and a.args[0] is b) or (b.op is Op.BVNOT and b.args[0] is a)


def _bvand(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b or _is(b, _ones(b)):
        return a
    return terms.bv(0, a.width) if _is(b, 0) or _opposite(a, b) else None


def _bvor(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b or _is(b, 0):
        return a
    return terms.bv(-1, a.width) if _is(b, _ones(b)) or _opposite(a, b) else None


def _bvxor(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b or _is(b, 0):
        return terms.bv(0, a.width) if a is b else a
    if _opposite(a, b):
        return terms.bv(-1, a.width)
    return terms.make(Op.BVNOT, (a,)) if _is(b, _ones(b)) else None


def _involution(op: Op) -> Rule:
    return lambda terms, args, params: args[0].args[0] if args[0].op is op else None


def _ult(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b or _is(b, 0) or _is(a, _ones(a)):
        return terms.false
    if _is(b, 1):
        return terms.eq(a, terms.bv(0, a.width))
    if _is(a, 0):
        return terms.ne(b, a)
    return _overflows(terms, a, b) or _unextended(terms, Op.ULT, a, b)


def _overflows(terms: Terms, a: Term, b: Term) -> Term | None:
    """A product with a constant, `a`, is less than the same product with bits enough: it did not fit. Sizes of blocks
    ask that."""
    if a.op is not Op.ZEXT or a.args[0].op is not Op.MUL or b.op is not Op.MUL or b.args[0].op is not Op.ZEXT:
        return None
    (narrow, factor), (wide, same) = a.args[0].args, b.args
    if wide.args[0] is not narrow or factor.op is not Op.VALUE or same.op is not Op.VALUE:
        return None
    if factor.value != same.value or narrow.width + factor.value.bit_length() > a.width:
        return None
    return terms.ult(terms.bv(_ones(narrow) // factor.value, narrow.width), narrow)


def _unextended(terms: Terms, op: Op, a: Term, b: Term) -> Term | None:
    """Both extended in the same way from the same width: compared without. (Both ways keep the unsigned order.)"""
    alike = a.op is b.op and a.op in (Op.ZEXT, Op.SEXT) and a.params == b.params and a.params != (0,)
    if not alike:
        return None
    keeps_sign = a.op is Op.SEXT
    return terms.make(op if keeps_sign else Op.ULT, (a.args[0], b.args[0]))


def _slt(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    least = 1 << (a.width - 1)
    if a is b or _is(b, least) or _is(a, least - 1):
        return terms.false
    return _unextended(terms, Op.SLT, a, b)


def _concat(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    """Neighbouring parts of one term are one part; zeros in front are an extension."""
    high, low = args
    if high.op is Op.EXTRACT and low.op is Op.EXTRACT and high.args[0] is low.args[0]:
        (top, bottom), (middle, least) = _range(high), _range(low)
        if bottom == middle + 1:
            return terms.extract(high.args[0], top, least)
    return terms.zext(low, high.width + low.width) if _is(high, 0) else None


def _range(extract: Term) -> tuple[int, int]:
    high, low = extract.params
    assert isinstance(high, int)
    assert isinstance(low, int)
    return high, low


def _extract(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    (a,), (high, low) = args, params
    assert isinstance(high, int)
    assert isinstance(low, int)
    if low == 0 and high == a.width - 1:
        return a
    match a.op:
        case Op.EXTRACT:
            below = _range(a)[1]
            return terms.extract(a.args[0], high + below, low + below)
        case Op.CONCAT:
            return _extract_of_concat(terms, a, high, low)
        case Op.ZEXT | Op.SEXT if high < a.args[0].width:
            return terms.extract(a.args[0], high, low)
        case Op.ZEXT if low >= a.args[0].width:
            return terms.bv(0, high - low + 1)
        case _:
            return None


def _extract_of_concat(terms: Terms, a: Term, high: int, low: int) -> Term | None:
    front, back = a.args
    if high < back.width:
        return terms.extract(back, high, low)
    if low >= back.width:
        return terms.extract(front, high - back.width, low - back.width)
    return None


def _zext(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    (a,), (more,) = args, params
    assert isinstance(more, int)
    if more == 0:
        return a
    return terms.zext(a.args[0], a.width + more) if a.op is Op.ZEXT else None


def _sext(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    (a,), (more,) = args, params
    assert isinstance(more, int)
    if more == 0:
        return a
    if a.op is Op.SEXT:
        return terms.sext(a.args[0], a.width + more)
    return terms.zext(a.args[0], a.width + more) if a.op is Op.ZEXT and a.params != (0,) else None


RULES: dict[Op, Rule] = {
    Op.ADD: _add,
    Op.SUB: _sub,
    Op.MUL: _mul,
    Op.UDIV: _udiv,
    Op.SDIV: _divided,
    Op.UREM: _urem,
    Op.SHL: _logical_shift,
    Op.LSHR: _logical_shift,
    Op.ASHR: _shift,
    Op.BVAND: _bvand,
    Op.BVOR: _bvor,
    Op.BVXOR: _bvxor,
    Op.BVNOT: _involution(Op.BVNOT),
    Op.NEG: _involution(Op.NEG),
    Op.ULT: _ult,
    Op.SLT: _slt,
    Op.CONCAT: _concat,
    Op.EXTRACT: _extract,
    Op.ZEXT: _zext,
    Op.SEXT: _sext,
}
