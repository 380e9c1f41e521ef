"""Sums of integers in normal form: comparisons that say the same are the same term, and nothing is subtracted."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from threadproof.smt.term import Op, Term, in_order
from threadproof.smt.terms import Terms


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of terms times their coefficients (none of them 0), and a constant."""

    coefficients: dict[Term, int]
    constant: int

    def plus(self, other: Linear, times: int = 1) -> Linear:
        found = dict(self.coefficients)
        for term, coefficient in other.coefficients.items():
            found[term] = found.get(term, 0) + times * coefficient
        kept = {term: coefficient for term, coefficient in found.items() if coefficient}
        return Linear(kept, self.constant + times * other.constant)

    def scaled(self, times: int) -> Linear:
        return Linear({}, 0).plus(self, times)


def linear(term: Term) -> Linear:
    """Of an integer term; what is no sum is a term of its own."""
    known: dict[Term, Linear] = {}
    for part in in_order((term,)):
        args = [known[arg] for arg in part.args if arg in known]
        match part.op, args:
            case Op.INTEGER, _:
                known[part] = Linear({}, part.value)
            case Op.INT_ADD, [a, b]:
                known[part] = a.plus(b)
            case Op.INT_SUB, [a, b]:
                known[part] = a.plus(b, -1)
            case Op.INT_MUL, [a, b] if not b.coefficients:
                known[part] = a.scaled(b.constant)
            case Op.INT_MUL, [a, b] if not a.coefficients:
                known[part] = b.scaled(a.constant)
            case _:
                known[part] = Linear({part: 1}, 0)
    return known[term]


def balanced(terms: Terms, op: Op, a: Term, b: Term) -> Term:
    """`a = b` or `a < b` with positive coefficients on both sides, divided by what they have in common."""
    difference = linear(a).plus(linear(b), -1)
    common = gcd(*difference.coefficients.values())
    constant = -difference.constant
    if common > 1 and op is Op.EQ:
        if constant % common:
            return terms.false
        constant //= common
    elif common > 1:  # c * s < k over integers is s < ceil(k / c)
        constant = -(-constant // common)
    scaled = {term: times // (common or 1) for term, times in sorted(difference.coefficients.items(), key=_number)}
    positive = {term: times for term, times in scaled.items() if times > 0}
    negative = {term: -times for term, times in scaled.items() if times < 0}
    on_the_right = not negative or (bool(positive) and constant > 0)  # alone, or where it is not negative
    left = _total(terms, positive, 0 if on_the_right else -constant)
    right = _total(terms, negative, constant if on_the_right else 0)
    return terms.make(op, (left, right))


def _number(item: tuple[Term, int]) -> int:
    return item[0].id


def _total(terms: Terms, coefficients: dict[Term, int], constant: int) -> Term:
    parts = [terms.make(Op.INT_MUL, (term, terms.integer(times))) for term, times in coefficients.items()]
    return terms.total([*parts, terms.integer(constant)])
