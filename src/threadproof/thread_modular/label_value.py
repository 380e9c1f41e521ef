"""The value of a label: literals, a small set of values for each column, equations. Parts can be looked at alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import cast

from threadproof.domains.box import StateBox
from threadproof.domains.equations import Equations
from threadproof.domains.literals import Literals
from threadproof.domains.product import DomainProduct
from threadproof.domains.small_sets import SizedSet
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term, variables

Columns = frozenset[Term]
Support = Callable[[Term], Columns]
"""The columns that a literal speaks of."""


class LabelValue(DomainProduct):
    """Literals, box and equations (one part for each width), in this order. What the box says already of a single
    column is not said again, but kept in mind: it may be what is left of it."""

    def to_terms(self) -> list[Term]:
        return list(self._said)

    @cached_property
    def _said(self) -> tuple[Term, ...]:
        if self.is_bottom:
            return (self.terms.false,)
        others = [*self.literals.to_terms(), *(row for part in self.equations for row in part.to_terms())]
        return (*(one for one in others if not self._follows(one)), *self.box.to_terms())

    def _follows(self, claim: Term) -> bool:
        column = _only_column(claim)
        if column is None or column not in self._columns:
            return False
        values = self.box[column].values
        return values is not None and all(_holds(claim, column, value) for value in values)

    @cached_property
    def _columns(self) -> Columns:
        return frozenset(self.box.columns)

    @property
    def literals(self) -> Literals:
        return cast("Literals", self.parts[0])

    @property
    def box(self) -> StateBox[SizedSet]:
        return cast("StateBox[SizedSet]", self.parts[1])

    @property
    def equations(self) -> tuple[Equations, ...]:
        return cast("tuple[Equations, ...]", self.parts[2:])

    def values(self, column: Term) -> frozenset[int]:
        """Of a column, if they are few."""
        return (self.box[column].values if column in self._columns else None) or frozenset()

    def part(self, columns: Columns, support: Support) -> LabelValue:
        """What it says of these columns alone."""
        kept = tuple(column for column in self.box.columns if column in columns)
        box = StateBox(self.terms, self.box.values, kept, tuple(self.box[column] for column in kept))
        about = [one for one in self.literals.columns if support(one) <= columns]
        literals = Literals(self.terms, about, self.literals.kept.intersection(about), empty=self.is_bottom)
        narrowed = (
            (one, tuple(c for c in one.columns if c in columns or c.op is not Op.VAR)) for one in self.equations
        )
        return LabelValue(literals, box, *(one.onto(few) for one, few in narrowed if few))

    def after(self, part: LabelValue, source: LabelValue, columns: Columns, support: Support) -> LabelValue:
        """With the states that a step leads to: `part` says what holds then of `columns` (with what held before), of
        the others holds what `source` says. What speaks of both is given up."""
        known = tuple(
            part.box[one] if one in columns else self.box[one].join(source.box[one]) if one in source._columns else top
            for one, top in zip(self.box.columns, self.box.top().known, strict=True)
        )
        kept = {one for one in self.literals.kept if one in source.literals.kept and support(one).isdisjoint(columns)}
        of_source = {one.width: one for one in source.equations}
        rests = [
            one.join(of_source[one.width].onto(one.columns)) if one.width in of_source else one.top()
            for one in self.equations
        ]
        return self._of(frozenset(kept | part.literals.kept), known, _met(rests, part, columns))

    def with_equations(self, equations: Iterable[Equations]) -> LabelValue:
        """With these instead of its own."""
        return LabelValue(self.literals, self.box, *equations)

    def weakened(self, part: LabelValue, columns: Columns) -> LabelValue:
        """With what `part` says of its columns, and nothing else changed."""
        known = tuple(part.box[one] if one in part._columns else self.box[one] for one in self.box.columns)
        kept = self.literals.kept.difference(part.literals.columns) | part.literals.kept
        return self._of(kept, known, _met(self.equations, part, columns))

    def grown_since(self, before: LabelValue) -> list[Term]:
        """Columns that have more values than before, when they had some."""
        if before.is_bottom:
            return []
        return [one for one in self.box.columns if self.box[one] != before.box[one]]

    def without(self, columns: Iterable[Term]) -> LabelValue:
        """These may be anything, as far as sets of values say."""
        gone = frozenset(columns)
        if not gone or self.is_bottom:
            return self
        tops = zip(self.box.columns, self.box.top().known, strict=True)
        known = tuple(top if one in gone else self.box[one] for one, top in tops)
        return self._of(self.literals.kept, known, self.equations)

    def _of(self, kept: frozenset[Term], known: tuple[SizedSet, ...], equations: Iterable[Equations]) -> LabelValue:
        literals = Literals(self.terms, self.literals.columns, kept)
        return LabelValue(literals, StateBox(self.terms, self.box.values, self.box.columns, known), *equations)


def _met(wholes: Iterable[Equations], part: LabelValue, columns: Columns) -> Iterator[Equations]:
    """Equations of columns that are not among these, with those of the part."""
    parts = {one.width: one for one in part.equations}
    for whole in wholes:
        rest = whole.forget(columns.intersection(whole.columns))
        yield rest.meet(parts[whole.width].onto(whole.columns)) if whole.width in parts else rest


@lru_cache(maxsize=100_000)
def _only_column(literal: Term) -> Term | None:
    names = variables([literal])
    return names[0] if len(names) == 1 else None


@lru_cache(maxsize=100_000)
def _holds(literal: Term, column: Term, value: int) -> bool:
    return Assignment({column.name: value}).holds(literal)
