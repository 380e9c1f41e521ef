"""Conjunctions of literals from a finite list: predicate abstraction without negations.

Differs from the other domains: there is no arithmetic. States and models drop what they violate (`admit`); what
survives an assignment or follows from a condition is seen where it stands there already, or asked of whoever proves
implications.

Invariants: the value is the set of literals that hold; fewer literals are more states. Of no state all of them hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from threadproof.domains.interface import Updates
from threadproof.smt.batch import ValueBatch
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_SHARPER = 3  # weaker bounds that are asked for
Proves = Callable[[Sequence[Term], Term], bool]
"""Whether a formula is known to follow. `False` says nothing."""


def follows_plainly(given: Sequence[Term], formula: Term) -> bool:
    """Every conjunct stands there."""
    return all(part in given or part.op is Op.TRUE for part in conjuncts(formula))


def asking(context: Context) -> Proves:
    """A solver is asked; undecided is no proof."""
    return lambda given, formula: context.implies(context.terms.all(given), formula) is True


class LiteralBound(NamedTuple):
    of: tuple[Term, Op, bool]  # what it bounds, in which order of numbers, and whether from above
    limit: int  # larger is weaker


def bound_of(literal: Term) -> LiteralBound | None:
    """If it compares something with a number."""
    negated = literal.op is Op.NOT
    atom = literal.args[0] if negated else literal
    if atom.op not in (Op.SLT, Op.ULT):
        return None
    left, right = atom.args
    if right.op is Op.VALUE:  # x < limit, or x >= limit
        limit = _order(right, atom.op)
        return LiteralBound((left, atom.op, not negated), -limit if negated else limit - 1)
    if left.op is Op.VALUE:  # limit < x, or limit >= x
        limit = _order(left, atom.op)
        return LiteralBound((right, atom.op, negated), limit if negated else -limit - 1)
    return None


def _order(value: Term, op: Op) -> int:
    size = 1 << value.width
    return value.value - size if op is Op.SLT and value.value >= size // 2 else value.value


class Literals:
    def __init__(
        self,
        terms: Terms,
        columns: Iterable[Term],
        kept: frozenset[Term] = frozenset(),
        *,
        proves: Proves = follows_plainly,
        empty: bool = False,
    ) -> None:
        """`columns` are all literals there are, `kept` those that hold; `empty` if there is no state."""
        self.terms = terms
        self.columns = tuple(dict.fromkeys(columns))
        self.kept = frozenset(self.columns) if empty else kept
        self._proves = proves
        self._empty = empty

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literals) and (self._empty, self.kept) == (other._empty, other.kept)

    def __hash__(self) -> int:
        return hash((self._empty, self.kept))

    def _with(self, kept: Iterable[Term], *, empty: bool = False) -> Literals:
        return Literals(self.terms, self.columns, frozenset(kept), proves=self._proves, empty=empty)

    def top(self) -> Literals:
        return self._with(())

    def bottom(self) -> Literals:
        return self._with((), empty=True)

    @property
    def is_bottom(self) -> bool:
        return self._empty

    def join(self, other: Literals) -> Literals:
        return self._with(self.kept & other.kept, empty=self._empty and other._empty)

    def meet(self, other: Literals) -> Literals:
        return self._with(self.kept | other.kept, empty=self._empty or other._empty)

    def leq(self, other: Literals) -> bool:
        return self._empty or (not other._empty and self.kept >= other.kept)

    def admit(self, state: Assignment) -> Literals:
        return self._with(literal for literal in self.kept if state.holds(literal))

    def admit_all(self, states: ValueBatch) -> Literals:
        kept = [literal for literal in self.kept if states.numbers(literal).all()]
        return self if len(kept) == len(self.kept) and not self._empty else self._with(kept)

    def holds(self, state: Assignment) -> bool:
        return not self._empty and all(state.holds(literal) for literal in self.kept)

    def drop(self, claim: Term) -> Literals:
        return self._with(self.kept - {claim}, empty=self._empty and claim.op is not Op.FALSE)

    def sharper(self, claim: Term, state: Assignment) -> Iterable[Term]:
        """Where `x < 5` is wrong, `x < 7` may be wrong at once."""
        bound = bound_of(claim)
        if bound is None or state.holds(claim):
            return []
        others = ((one, bound_of(one)) for one in self.kept)
        weaker = [(b.limit, one) for one, b in others if b is not None and b.of == bound.of and b.limit > bound.limit]
        order = sorted((pair for pair in weaker if state.holds(pair[1])), key=lambda pair: -pair[0])
        return [self.terms.not_(one) for _, one in order[:_SHARPER]]

    def assign(self, updates: Updates) -> Literals:
        if self._empty:
            return self
        given = self.to_terms()
        after = zip(self.columns, self.terms.substitute(self.columns, updates), strict=True)
        return self._with(literal for literal, image in after if self._proves(given, image))

    def assume(self, condition: Term) -> Literals:
        given = [*self.to_terms(), *conjuncts(condition)]
        if self._empty or self._proves(given, self.terms.false):
            return self.bottom()
        return self._with(literal for literal in self.columns if self._proves(given, literal))

    def to_terms(self) -> list[Term]:
        return [self.terms.false] if self._empty else [literal for literal in self.columns if literal in self.kept]
