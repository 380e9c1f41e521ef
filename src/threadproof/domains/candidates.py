"""Literals that are often invariants: comparisons of variables with each other and with the program's constants.

Only candidates: whoever uses them drops what does not hold (`by_models`, triples of `abstraction`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from threadproof.smt.integers import Signedness, Signs
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order
from threadproof.smt.terms import Terms

_STRIDE = 64
"""Numbers up to here may be the steps of a loop. Those that are no power of 2 are no equation modulo 2**width."""


def constants(formulas: Iterable[Term]) -> dict[int, list[int]]:
    """Numbers of the formulas by width, with 0, 1 and -1: as unsigned numbers, ascending."""
    found: dict[int, set[int]] = {}
    for part in in_order(formulas):
        if isinstance(part.sort, BitVec):
            values = found.setdefault(part.width, {0, 1, (1 << part.width) - 1})
            values.update([part.value] if part.op is Op.VALUE else [])
    return {width: sorted(values) for width, values in sorted(found.items())}


def candidates(
    terms: Terms,
    columns: Sequence[Term],
    numbers: dict[int, list[int]],
    signs: Signs = lambda column: Signedness.SIGNED,
) -> list[Term]:
    """About each column, then about pairs; none twice, none trivial."""
    made = [literal for column in columns for literal in _alone(terms, column, numbers, signs)]
    for a, b in combinations(columns, 2):
        made += _pair(terms, a, b, numbers, signs)
    return [literal for literal in dict.fromkeys(made) if literal not in (terms.true, terms.false)]


def _alone(terms: Terms, column: Term, numbers: dict[int, list[int]], signs: Signs) -> list[Term]:
    if column.sort is BOOL:
        return [column, terms.not_(column)]
    if not isinstance(column.sort, BitVec):
        return []
    found: list[Term] = []
    for number in numbers.get(column.width, ()):
        value = terms.bv(number, column.width)
        equal = terms.eq(column, value)
        found += [equal, terms.not_(equal), *_ordered(terms, column, value, signs(column))]
        if 2 < number <= _STRIDE:
            found.append(terms.eq(terms.make(Op.UREM, (column, value)), terms.bv(0, column.width)))
    return found


def _pair(terms: Terms, a: Term, b: Term, numbers: dict[int, list[int]], signs: Signs) -> list[Term]:
    if a.sort is BOOL and b.sort is BOOL:
        sides = [(x, y) for x in (a, terms.not_(a)) for y in (b, terms.not_(b))]
        return [terms.or_(x, y) for x, y in sides]
    if not isinstance(a.sort, BitVec) or a.sort != b.sort:
        return []
    equal = terms.eq(a, b)
    found = [equal, terms.not_(equal)]
    for sign in dict.fromkeys((signs(a), signs(b))):
        found += _ordered(terms, a, b, sign)
    for number in numbers.get(a.width, ()):
        value = terms.bv(number, a.width)
        found += [terms.eq(terms.sub(a, b), value), terms.eq(terms.add(a, b), value)]
    return found


def _ordered(terms: Terms, a: Term, b: Term, sign: Signedness) -> list[Term]:
    less = terms.slt if sign is Signedness.SIGNED else terms.ult
    return [less(a, b), less(b, a), terms.not_(less(a, b)), terms.not_(less(b, a))]
