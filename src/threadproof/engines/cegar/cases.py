"""All values that some terms may have where formulas hold, if there are few: abstract states are split by them."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.smt.context import Context
from threadproof.smt.solver import Sat, Unsat
from threadproof.smt.term import BOOL, Term


def cases(
    context: Context, formulas: Sequence[Term], asked: Sequence[Term], most: int
) -> list[tuple[Term, ...]] | None:
    """None: there are more, or the solver did not tell."""
    terms, found, excluded = context.terms, list[tuple[Term, ...]](), list[Term]()
    while True:
        outcome = context.check([*formulas, *excluded])
        if isinstance(outcome, Unsat):
            return found
        if not isinstance(outcome, Sat) or len(found) == most:
            return None
        numbers = [outcome.model.number(one) for one in asked]
        values = tuple(
            terms.bool(bool(number)) if one.sort is BOOL else terms.bv(number, one.width)
            for one, number in zip(asked, numbers, strict=True)
        )
        found.append(values)
        excluded.append(terms.any(terms.ne(one, value) for one, value in zip(asked, values, strict=True)))
