"""The value of a label: literals, and a small set of values for each column. Parts of it can be looked at alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import cast

from threadproof.domains.box import StateBox
from threadproof.domains.literals import Literals
from threadproof.domains.product import DomainProduct
from threadproof.domains.small_sets import SizedSet
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term, variables

Columns = frozenset[Term]
Support = Callable[[Term], Columns]
"""The columns that a literal speaks of."""


class LabelValue(DomainProduct):
    """Literals and box, in this order. Literals that the box says already are kept in mind: they may be what is left
    of it."""

    def to_terms(self) -> list[Term]:
        return list(self._said)

    @cached_property
    def _said(self) -> tuple[Term, ...]:
        if self.is_bottom:
            return (self.terms.false,)
        literals = (one for one in self.literals.to_terms() if not self._follows(one))
        return (*literals, *self.box.to_terms())

    def _follows(self, literal: Term) -> bool:
        column = _only_column(literal)
        if column is None or column not in self._columns:
            return False
        values = self.box[column].values
        return values is not None and all(_holds(literal, column, value) for value in values)

    @cached_property
    def _columns(self) -> frozenset[Term]:
        return frozenset(self.box.columns)

    @property
    def literals(self) -> Literals:
        return cast("Literals", self.parts[0])

    @property
    def box(self) -> StateBox[SizedSet]:
        return cast("StateBox[SizedSet]", self.parts[1])

    def part(self, columns: Columns, support: Support) -> LabelValue:
        """What it says of these columns alone."""
        kept = tuple(column for column in self.box.columns if column in columns)
        box = StateBox(self.terms, self.box.values, kept, tuple(self.box[column] for column in kept))
        about = [one for one in self.literals.columns if support(one) <= columns]
        literals = Literals(self.terms, about, self.literals.kept.intersection(about), empty=self.is_bottom)
        return LabelValue(literals, box)

    def after(self, part: LabelValue, source: LabelValue, columns: Columns, support: Support) -> LabelValue:
        """With the states that a step leads to: `part` says what holds then of `columns` (with what held before), of
        the others holds what `source` says. Literals that speak of both are given up."""
        rest = source.box.columns
        known = tuple(
            part.box[one] if one in columns else self.box[one].join(source.box[one]) if one in rest else top
            for one, top in zip(self.box.columns, self.box.top().known, strict=True)
        )
        kept = {one for one in self.literals.kept if one in source.literals.kept and support(one).isdisjoint(columns)}
        return self._of(frozenset(kept | part.literals.kept), known)

    def weakened(self, part: LabelValue) -> LabelValue:
        """With what `part` says of its columns, and nothing else changed."""
        known = tuple(part.box[one] if one in part.box.columns else self.box[one] for one in self.box.columns)
        return self._of(self.literals.kept.difference(part.literals.columns) | part.literals.kept, known)

    def _of(self, kept: frozenset[Term], known: tuple[SizedSet, ...]) -> LabelValue:
        literals = Literals(self.terms, self.literals.columns, kept)
        return LabelValue(literals, StateBox(self.terms, self.box.values, self.box.columns, known))


@lru_cache(maxsize=100_000)
def _only_column(literal: Term) -> Term | None:
    names = variables([literal])
    return names[0] if len(names) == 1 else None


@lru_cache(maxsize=100_000)
def _holds(literal: Term, column: Term, value: int) -> bool:
    return Assignment({column.name: value}).holds(literal)
