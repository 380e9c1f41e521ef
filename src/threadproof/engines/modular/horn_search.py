"""Labels that Spacer finds where those of the fixpoint are not enough, each try within its share of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from threadproof.automaton import Location
from threadproof.core.budget import Budget
from threadproof.encoding.transitions import TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.horn import HornLabels
from threadproof.smt.horn import HornClause, NoSolution, Settings, solve
from threadproof.smt.integers import Signedness
from threadproof.smt.integers_as_bits import NoBits
from threadproof.smt.term import Term
from threadproof.thread_modular.fixpoint import ModularFixpoint

_MOST_CLAUSES = 3_000
_MOST_SECONDS = 300.0  # of one try, where nobody said how long it may take
_TRIES: tuple[tuple[Signedness, Settings], ...] = (
    (Signedness.SIGNED, {}),
    (Signedness.UNSIGNED, {}),
    (Signedness.SIGNED, {"spacer.global": True}),
    (Signedness.UNSIGNED, {"spacer.global": True}),
)
"""None is better than the others on all programs."""


@dataclass(slots=True)
class HornSearch:
    any_number: AnyNumber
    forbids: Callable[[TransitionTrap], bool]
    fixpoint: ModularFixpoint
    clauses: int = 0

    def labels(self, budget: Budget) -> Mapping[Location, Term] | None:
        """To be added to those of the fixpoint."""
        if not self.fixpoint.is_inductive:
            self.fixpoint.go_on(budget.part(1 / 2).exhausted)
        for sign, settings in _TRIES:
            found = self._tried(sign, settings, budget.part(1 / 2))
            if found is NoSolution.NONE or budget.exhausted() is not None:
                return None
            if not isinstance(found, NoSolution):
                return found
        return None

    def _tried(self, sign: Signedness, settings: Settings, budget: Budget) -> Mapping[Location, Term] | NoSolution:
        labels = HornLabels(self.any_number, self.forbids, self.fixpoint, sign)
        clauses: list[HornClause] = []
        for clause in labels.clauses():
            clauses.append(clause)
            if budget.exhausted() is not None or len(clauses) > _MOST_CLAUSES:
                return NoSolution.LIMIT
        self.clauses = len(clauses)
        found = solve(self.any_number.terms, clauses, min(budget.left(), _MOST_SECONDS), settings=settings)
        if isinstance(found, NoSolution):
            return found
        try:
            return labels.said(found)
        except NoBits:
            return NoSolution.LIMIT
