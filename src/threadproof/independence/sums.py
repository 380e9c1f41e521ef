"""Sums in one form, so that `(x + a) + b` and `(x + b) + a` are one term and no solver has to find that out.

Sums, differences and products with constants become a constant and coefficients of what is no sum, modulo 2**width.
Two terms with one form are equal in every state; the converse is not promised.
"""

from __future__ import annotations

from threadproof.smt.term import BitVec, Op, Term, in_order
from threadproof.smt.terms import Terms

_Linear = tuple[int, dict[Term, int]]  # a constant, and the coefficient of each term


class Sums:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[Term, Term] = {}
        self._linear: dict[Term, _Linear] = {}

    def of(self, term: Term) -> Term:
        """An equal term in which every sum has its one form."""
        for part in in_order((term,), self._known):
            args = tuple(self._known[arg] for arg in part.args)
            same = part if args == part.args else self._terms.make(part.op, args, part.params)
            self._known[part] = self._summed(same)
        return self._known[term]

    def apart(self, a: Term, b: Term) -> Term:
        """That two numbers differ, without the constant that both may have."""
        first, second = self.of(a), self.of(b)
        constant, other = self._combination(first)[0], self._combination(second)[0]
        if constant and constant == other:
            less = self._terms.bv(-constant, a.width)
            first, second = self.of(self._terms.add(first, less)), self.of(self._terms.add(second, less))
        return self._terms.ne(first, second)

    def _summed(self, term: Term) -> Term:
        if term.op not in (Op.ADD, Op.SUB, Op.NEG, Op.MUL, Op.SHL):
            return term
        constant, parts = self._combination(term)
        width = term.width
        found = self._terms.bv(constant, width)
        for part in sorted(parts, key=lambda part: part.id):
            found = self._terms.add(found, self._times(part, parts[part]))
        self._linear[found] = (constant, parts)
        return found

    def _times(self, term: Term, factor: int) -> Term:
        return term if factor == 1 else self._terms.make(Op.MUL, (term, self._terms.bv(factor, term.width)))

    def _combination(self, term: Term) -> _Linear:
        known = self._linear.get(term)
        if known is not None:
            return known
        assert isinstance(term.sort, BitVec)
        most = 1 << term.width
        match term.op:
            case Op.VALUE:
                return term.value, {}
            case Op.ADD:
                return _added(self._combination(term.args[0]), self._combination(term.args[1]), 1, most)
            case Op.SUB:
                return _added(self._combination(term.args[0]), self._combination(term.args[1]), -1, most)
            case Op.NEG:
                return _added((0, {}), self._combination(term.args[0]), -1, most)
            case Op.MUL if term.args[1].op is Op.VALUE:
                return _added((0, {}), self._combination(term.args[0]), term.args[1].value, most)
            case Op.MUL if term.args[0].op is Op.VALUE:
                return _added((0, {}), self._combination(term.args[1]), term.args[0].value, most)
            case Op.SHL if term.args[1].op is Op.VALUE and term.args[1].value < term.width:
                return _added((0, {}), self._combination(term.args[0]), 1 << term.args[1].value, most)
            case _:
                return 0, {term: 1}


def _added(a: _Linear, b: _Linear, factor: int, most: int) -> _Linear:
    """a + factor * b"""
    parts = dict(a[1])
    for term, coefficient in b[1].items():
        parts[term] = (parts.get(term, 0) + factor * coefficient) % most
    return (a[0] + factor * b[0]) % most, {term: count for term, count in parts.items() if count}
