"""Equations and literals of a node, without literals that the equations say already.

Where a variable is known to be a number, or equal to another one, most comparisons of it say nothing new. They are kept
in mind all the same: when an equation has to go, they may be what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from threadproof.domains.equations import Equations
from threadproof.domains.literals import LiteralBound, bound_of
from threadproof.domains.product import DomainProduct
from threadproof.smt.term import Op, Term


class LabelParts(DomainProduct):
    """The first part are the literals, the others are equations."""

    def to_terms(self) -> list[Term]:
        return list(self._said)

    @property
    def equations(self) -> list[Equations]:
        return [part for part in self.parts if isinstance(part, Equations)]

    @cached_property
    def _said(self) -> tuple[Term, ...]:
        literals, *equations = self.parts
        if self.is_bottom:
            return (self.terms.false,)
        said = [term for part in equations for term in part.to_terms()]
        known = _known(said)
        kept = literals.to_terms()
        simpler: dict[Term, Term] = {}
        for literal, simple in zip(kept, self.terms.substitute(kept, known), strict=True):
            if simple.op is not Op.TRUE:
                simpler.setdefault(simple, literal)
        return (*_tightest(simpler.values()), *said)


def _tightest(literals: Iterable[Term]) -> Iterator[Term]:
    """Without bounds that others imply."""
    best: dict[object, tuple[LiteralBound, Term]] = {}
    for one in literals:
        bound = bound_of(one)
        if bound is None:
            yield one
        elif bound.of not in best or bound.limit < best[bound.of][0].limit:
            best[bound.of] = bound, one
    yield from (one for _, one in best.values())


def _known(equations: list[Term]) -> dict[Term, Term]:
    """Variables that are a number, or another variable."""
    found: dict[Term, Term] = {}
    for one in equations:
        match one.op, one.args:
            case Op.EQ, (left, right) if left.op is Op.VAR and right.op in (Op.VALUE, Op.VAR):
                found[left] = found.get(right, right)
            case Op.EQ, (left, right) if right.op is Op.VAR and left.op is Op.VALUE:
                found[right] = left
            case _:
                pass
    return found
