"""Simplification of Booleans, equality, choice and arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from threadproof.smt.term import BOOL, Op, Params, Term

if TYPE_CHECKING:
    from threadproof.smt.terms import Terms

Rule = Callable[["Terms", tuple[Term, ...], Params], Term | None]


def _not(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return args[0].args[0] if args[0].op is Op.NOT else None


def _and(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return _junction(terms, Op.AND, args, neutral=terms.true, absorbing=terms.false)


def _or(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    return _junction(terms, Op.OR, args, neutral=terms.false, absorbing=terms.true)


def _junction(terms: Terms, op: Op, args: tuple[Term, ...], *, neutral: Term, absorbing: Term) -> Term | None:
    """No neutral operands, none twice, in order of their numbers. Nested ones stay: they are shared, and flattening
    a chain of guards would square its size."""
    kept = sorted({arg for arg in args if arg is not neutral}, key=lambda arg: arg.id)
    present = set(kept)
    opposites = any(arg.op is Op.NOT and arg.args[0] in present for arg in kept)
    if absorbing in present or opposites:
        return absorbing
    dual = Op.OR if op is Op.AND else Op.AND
    kept = [arg for arg in kept if not (arg.op is dual and any(part in present for part in arg.args))]
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return None if tuple(kept) == args else terms.make(op, tuple(kept))


def _eq(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    a, b = args
    if a is b:
        return terms.true
    if a.sort is BOOL:
        return _iff(terms, a, b)
    return _eq_value(terms, a, b) if b.op is Op.VALUE else None


def _iff(terms: Terms, a: Term, b: Term) -> Term | None:
    if b is terms.true:
        return a
    if b is terms.false:
        return terms.not_(a)
    if (a.op is Op.NOT and a.args[0] is b) or (b.op is Op.NOT and b.args[0] is a):
        return terms.false
    if a.op is Op.NOT or b.op is Op.NOT:
        same = terms.eq(*(x.args[0] if x.op is Op.NOT else x for x in (a, b)))
        return same if a.op is b.op else terms.not_(same)
    return None


def _eq_value(terms: Terms, a: Term, b: Term) -> Term | None:
    """`a` against a constant: what can be undone is undone on both sides. A loop, since such chains get long."""
    value, term = b.value, a
    while True:
        match term.op:
            case Op.ADD if term.args[1].op is Op.VALUE:
                value -= term.args[1].value
            case Op.BVXOR if term.args[1].op is Op.VALUE:
                value ^= term.args[1].value
            case Op.BVNOT:
                value = ~value
            case Op.NEG:
                value = -value
            case Op.ZEXT if value >> term.args[0].width:
                return terms.false
            case Op.ZEXT:
                pass
            case _:
                break
        value &= (1 << term.width) - 1
        term = term.args[0]
    if term is not a:
        return terms.eq(term, terms.bv(value, term.width))
    return _eq_parts(terms, a, b)


def _eq_parts(terms: Terms, a: Term, b: Term) -> Term | None:
    match a.op:
        case _ if b.width == 1 and b.value == 0:  # a bit is asked for in one way only
            return terms.not_(terms.eq(a, terms.bv(1, 1)))
        case Op.CONCAT:
            high, low = a.args
            first = terms.eq(high, terms.bv(b.value >> low.width, high.width))
            return terms.and_(first, terms.eq(low, terms.bv(b.value, low.width)))
        case Op.ITE if a.args[1].op is Op.VALUE and a.args[2].op is Op.VAR:
            condition, then, otherwise = a.args
            rest = terms.eq(otherwise, b)
            return terms.or_(condition, rest) if then is b else terms.and_(terms.not_(condition), rest)
        case Op.ITE if b.width == 1 and _known_way(a) is not None:
            return _eq_bit(terms, a, b)
        case _:
            return None


def _known_way(choice: Term) -> int | None:
    """Which of its ways, 1 or 2, is a constant."""
    return next((way for way in (1, 2) if choice.args[way].op is Op.VALUE), None)


def _eq_bit(terms: Terms, a: Term, b: Term) -> Term:
    """Truth values of C that are selected by conditions become conditions again. A loop, since such chains get long."""
    chain: list[tuple[Term, bool]] = []  # what must hold for the constant to be meant, and whether it is `b`
    while a.op is Op.ITE and (way := _known_way(a)) is not None:
        condition = a.args[0] if way == 1 else terms.not_(a.args[0])
        chain.append((condition, a.args[way] is b))
        a = a.args[3 - way]
    found = terms.eq(a, b)
    for condition, same in reversed(chain):
        found = terms.or_(condition, found) if same else terms.and_(terms.not_(condition), found)
    return found


def _ite(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    c, a, b = args
    if a is b or c is terms.true:
        return a
    if c is terms.false:
        return b
    if c.op is Op.NOT:
        return terms.ite(c.args[0], b, a)
    if a.sort is BOOL:
        short = _bool_ite(terms, c, a, b)
        if short is not None:
            return short
    if a.op is Op.ITE and a.args[0] is c:
        return terms.ite(c, a.args[1], b)
    if b.op is Op.ITE and b.args[0] is c:
        return terms.ite(c, a, b.args[2])
    if b.op is Op.ITE and b.args[1] is a:
        return terms.ite(terms.or_(c, b.args[0]), a, b.args[2])
    if a.op is Op.ITE and a.args[2] is b:
        return terms.ite(terms.and_(c, a.args[0]), a.args[1], b)
    return None


def _bool_ite(terms: Terms, c: Term, a: Term, b: Term) -> Term | None:
    if a is terms.true or a is c:
        return terms.or_(c, b)
    if b is terms.false or b is c:
        return terms.and_(c, a)
    if a is terms.false:
        return terms.and_(terms.not_(c), b)
    if b is terms.true:
        return terms.or_(terms.not_(c), a)
    return None


def _select(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    """Looks through stores elsewhere."""
    array, index = args
    while array.op is Op.STORE and _differ(array.args[1], index):
        array = array.args[0]
    if array.op is Op.STORE and array.args[1] is index:
        return array.args[2]
    if array.op is Op.FILL:
        return array.args[0]
    return None if array is args[0] else terms.select(array, index)


def _differ(a: Term, b: Term) -> bool:
    """Certainly different: different constants, or the same term and different constants added."""
    base_a, offset_a = _split(a)
    base_b, offset_b = _split(b)
    return base_a is base_b and offset_a != offset_b


def _split(index: Term) -> tuple[Term | None, int]:
    if index.op is Op.VALUE:
        return None, index.value
    if index.op is Op.ADD and index.args[1].op is Op.VALUE:
        return index.args[0], index.args[1].value
    return index, 0


def _store(terms: Terms, args: tuple[Term, ...], params: Params) -> Term | None:
    array, index, value = args
    if value.op is Op.SELECT and value.args == (array, index):
        return array
    if array.op is Op.STORE and array.args[1] is index:
        return terms.store(array.args[0], index, value)
    return None


RULES: dict[Op, Rule] = {
    Op.NOT: _not,
    Op.AND: _and,
    Op.OR: _or,
    Op.EQ: _eq,
    Op.ITE: _ite,
    Op.SELECT: _select,
    Op.STORE: _store,
}
