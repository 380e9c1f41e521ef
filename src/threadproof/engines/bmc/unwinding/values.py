"""What a term can come to: small sets of numbers, computed from what its variables can be.

Constant propagation through shared memory: a read may be one of the values that are ever written there, and what
follows from that (a branch never taken, an address that is one of three) is known before any solver is asked. A set is
an over-approximation; None stands for anything.
"""

from __future__ import annotations

from itertools import product

from threadproof.smt.meaning import apply
from threadproof.smt.term import BOOL, Op, Term, in_order
from threadproof.smt.terms import Terms

Numbers = frozenset[int] | None

LIMIT = 32
"""Larger sets are None."""
COMBINATIONS = 128
_BOTH = frozenset((0, 1))
_DECIDED = frozenset((Op.TRUE, Op.FALSE))


def united(a: Numbers, b: Numbers) -> Numbers:
    if a is None or b is None:
        return None
    both = a | b
    return both if len(both) <= LIMIT else None


class ValueSets:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[Term, Numbers] = {}
        self._folded: dict[Term, Term] = {}
        self._declared: dict[Term, Numbers] = {}

    def declare(self, variable: Term, numbers: Numbers) -> None:
        """Before the variable is used in any term that is asked about."""
        self._known[variable] = self._declared[variable] = numbers

    def declared_again(self, others: dict[Term, Numbers]) -> ValueSets:
        """The same with other values of some variables, and nothing computed yet."""
        found = ValueSets(self._terms)
        found._declared = {**self._declared, **others}
        found._known = dict(found._declared)
        return found

    def of(self, term: Term) -> Numbers:
        if term in self._known:
            return self._known[term]
        for part in in_order((term,), self._known):
            self._known[part] = self._computed(part)
        return self._known[term]

    def decided(self, truth: Term) -> bool | None:
        """Whether a Boolean can have one value only."""
        found = self.folded(truth)
        return None if found.op not in _DECIDED else found.op is Op.TRUE

    def folded(self, term: Term) -> Term:
        """The term, or the one number it can be."""
        found = self._folded.get(term)
        if found is None:
            found = self._folded[term] = self._fold(term)
        return found

    def _fold(self, term: Term) -> Term:
        numbers = self.of(term)
        if numbers is None or len(numbers) != 1:
            return term
        number = next(iter(numbers))
        return self._terms.bool(number == 1) if term.sort is BOOL else self._terms.bv(number, term.width)

    def _computed(self, term: Term) -> Numbers:
        match term.op:
            case Op.VALUE:
                return frozenset((term.value,))
            case Op.TRUE | Op.FALSE:
                return frozenset((int(term.op is Op.TRUE),))
            case Op.AND | Op.OR:
                return self._junction(term, 0 if term.op is Op.AND else 1)
            case Op.ITE:
                return self._choice(term)
            case Op.VAR | Op.SELECT | Op.STORE | Op.FILL:
                return _BOTH if term.sort is BOOL else None
            case _:
                return self._applied(term)

    def _junction(self, term: Term, absorbing: int) -> Numbers:
        parts = [self._known[arg] for arg in term.args]
        if frozenset((absorbing,)) in parts:
            return frozenset((absorbing,))
        if all(part == frozenset((1 - absorbing,)) for part in parts):
            return frozenset((1 - absorbing,))
        return _BOTH

    def _choice(self, term: Term) -> Numbers:
        condition, then, otherwise = (self._known[arg] for arg in term.args)
        if condition is not None and len(condition) == 1:
            return then if 1 in condition else otherwise
        return united(then, otherwise)

    def _applied(self, term: Term) -> Numbers:
        sets = [self._known[arg] for arg in term.args]
        unknown = _BOTH if term.sort is BOOL else None
        size = 1
        for numbers in sets:
            if numbers is None:
                return unknown
            size *= len(numbers)
        if size > COMBINATIONS:
            return unknown
        found: set[int] = set()
        for combination in product(*[numbers for numbers in sets if numbers is not None]):
            value = apply(term, list(combination))
            if not isinstance(value, int):
                return None
            found.add(value)
        return frozenset(found) if len(found) <= LIMIT else None
