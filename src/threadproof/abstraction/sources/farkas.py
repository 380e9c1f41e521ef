"""Linear interpolants: a sum of inequations that cannot be true, and what each part of a path contributes to it.

Inequations over integers that contradict each other (over the rationals) have a sum `1 <= 0` with factors that are not
negative. The sum over the steps up to a place is one inequation that follows from them, and with the later steps it
gives the contradiction: an interpolant, often one that speaks of no particular round of a loop. Factors are small
where small ones do.

Paper: K. L. McMillan, An interpolating theorem prover, TCS 2005 (interpolants from Farkas' lemma). Differs: factors
are found by a solver for integers; alternatives (`a < b or b < a`) are tried one by one, and their interpolants
joined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from threadproof.smt.context import Context
from threadproof.smt.linear import Linear, linear
from threadproof.smt.solver import Sat, SolverName
from threadproof.smt.term import INT, Op, Term
from threadproof.smt.terms import Terms

_SMALL = (1, 8)  # factors that are preferred
_MOST_ALTERNATIVES = 3  # literals with alternatives,
_MOST_WAYS = 8  # and of each so many
_SECONDS = 1.0
_RENEWED = 200


@dataclass(frozen=True, slots=True)
class Inequation:
    """`sum <= 0`, or `sum = 0`, known from the formula at this place of the sequence."""

    sum: Linear
    equal: bool
    place: int


Alternatives = list[list[Inequation]]


def ways(formula: Term, place: int) -> Alternatives:
    """A formula over integers as alternatives of inequations; what is no inequation, or has too many alternatives, says
    nothing."""
    return _ways(formula, place, True)


def _ways(formula: Term, place: int, positive: bool) -> Alternatives:
    match formula.op:
        case Op.NOT:
            return _ways(formula.args[0], place, not positive)
        case Op.AND | Op.OR:
            parts = [_ways(arg, place, positive) for arg in formula.args]
            if (formula.op is Op.OR) == positive:
                either = [way for part in parts for way in part]
                return either if len(either) <= _MOST_WAYS else [[]]
            found: Alternatives = [[]]
            for part in parts:
                if len(found) * len(part) <= _MOST_WAYS:  # otherwise that part says nothing
                    found = [[*one, *other] for one in found for other in part]
            return found
        case Op.INT_LT:
            a, b = (linear(arg) for arg in formula.args)
            less = a.plus(b, -1).plus(Linear({}, 1)) if positive else b.plus(a, -1)
            return [[Inequation(less, False, place)]]
        case Op.EQ if formula.args[0].sort is INT:
            a, b = (linear(arg) for arg in formula.args)
            if positive:
                return [[Inequation(a.plus(b, -1), True, place)]]
            one = Linear({}, 1)
            return [[Inequation(x.plus(y, -1).plus(one), False, place)] for x, y in ((a, b), (b, a))]
        case _:
            return [[]]


Say = Callable[[Linear, bool], Term]
"""A formula that says `sum = 0` (if the second is true) or `sum <= 0`."""


class Farkas:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._factors = _Factors()

    def interpolants(
        self, given: Sequence[Inequation], open_: Sequence[tuple[int, Alternatives]], count: int, say: Say
    ) -> list[Term] | None:
        """One formula for each of the `count` places between formulas; `open_` are literals with alternatives. Where
        only equations contribute, it is an equation."""
        found = self._by_sum(given, count, say)
        if found is not None or not open_:
            return found
        if len(open_) > _MOST_ALTERNATIVES:
            return None
        (place, alternatives), *rest = open_
        known: list[list[Term]] = []
        for way in alternatives:
            one = self.interpolants([*given, *way], rest, count, say)
            if one is None:
                return None
            known.append(one)
        join = [self._terms.any if place <= between else self._terms.all for between in range(count)]
        return [join[between](one[between] for one in known) for between in range(count)]

    def _by_sum(self, given: Sequence[Inequation], count: int, say: Say) -> list[Term] | None:
        factors = self._factors.of(given)
        if factors is None:
            return None
        found: list[Term] = []
        for between in range(count):
            total, equal = Linear({}, 0), True
            for inequation, factor in zip(given, factors, strict=True):
                if inequation.place <= between and factor:
                    total = total.plus(inequation.sum, factor)
                    equal &= inequation.equal
            found.append(say(total, equal))
        return found


def over_integers(terms: Terms) -> Say:
    def say(total: Linear, equal: bool) -> Term:
        parts = [terms.make(Op.INT_MUL, (atom, terms.integer(times))) for atom, times in total.coefficients.items()]
        left, zero = terms.total([*parts, terms.integer(total.constant)]), terms.integer(0)
        return terms.eq(left, zero) if equal else terms.at_most(left, zero)

    return say


class _Factors:
    """Its terms are its own, and thrown away now and then: nobody else asks for them."""

    def __init__(self) -> None:
        self._asked = 0
        self._context = Context(Terms(), SolverName.Z3, _SECONDS)

    def of(self, given: Sequence[Inequation]) -> list[int] | None:
        """So that the sum has no variables left and is positive."""
        self._asked += 1
        if self._asked % _RENEWED == 0:
            self._context = Context(Terms(), SolverName.Z3, _SECONDS)
        terms = self._context.terms
        names = [terms.int_var(f"factor {index}") for index in range(len(given))]
        wanted = self._wanted(names, given)
        any_ = self._context.check(wanted)
        if not isinstance(any_, Sat):
            return None
        for most in _SMALL:
            outcome = self._context.check([*wanted, *(self._within(name, most) for name in names)])
            if isinstance(outcome, Sat):
                return [outcome.model.number(name) for name in names]
        return [any_.model.number(name) for name in names]

    def _wanted(self, names: Sequence[Term], given: Sequence[Inequation]) -> list[Term]:
        terms = self._context.terms
        zero = terms.integer(0)
        wanted = [terms.at_most(zero, name) for name, one in zip(names, given, strict=True) if not one.equal]
        for atom in dict.fromkeys(atom for one in given for atom in one.sum.coefficients):
            wanted.append(terms.eq(self._weighted(names, [one.sum.coefficients.get(atom, 0) for one in given]), zero))
        constants = self._weighted(names, [one.sum.constant for one in given])
        return [*wanted, terms.at_most(terms.integer(1), constants)]

    def _weighted(self, names: Sequence[Term], weights: Sequence[int]) -> Term:
        terms = self._context.terms
        parts = [(name, weight) for name, weight in zip(names, weights, strict=True) if weight]
        return terms.total(terms.make(Op.INT_MUL, (name, terms.integer(weight))) for name, weight in parts)

    def _within(self, name: Term, most: int) -> Term:
        terms = self._context.terms
        return terms.and_(terms.at_most(terms.integer(-most), name), terms.at_most(name, terms.integer(most)))
