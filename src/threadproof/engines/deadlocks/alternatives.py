"""What may hold where a thread stands: alternatives that differ in the locks that it may have, and how they are joined.

Differs: from a set of paths (trace partitioning, Mauborgne and Rival, ESOP 2005) in that alternatives are told apart by
what they hold alone; of formulas, those are kept that both sides imply, also orders between addresses of locks that
neither says in these words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from threadproof.core.lock_words import address_variable
from threadproof.core.proofs import LocksAtLocation
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Solver, Unsat, open_solver
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms

MOST = 6
"""Alternatives at a location; then they are joined to one."""
QUESTION_S = 1.0
Placed = tuple[tuple[str, Term], ...]


class Implications:
    """Which formulas follow from others; what is not decided does not."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._solver: Solver | None = None
        self._known: dict[tuple[frozenset[Term], Term], bool] = {}

    def holds(self, given: frozenset[Term], formula: Term) -> bool:
        if formula is self.terms.true or formula in given:
            return True
        near = _near(given, formula)
        if not near and formula is not self.terms.false:
            return self._asked(near, formula) if variables([formula]) else False
        return self._asked(near, formula)

    def _asked(self, given: frozenset[Term], formula: Term) -> bool:
        known = self._known.get((given, formula))
        if known is None:
            self._solver = self._solver or open_solver()
            with self._solver.scope():
                self._solver.add(*given, self.terms.not_(formula))
                known = isinstance(self._solver.check(seconds=QUESTION_S), Unsat)
            self._known[given, formula] = known
        return known


def _near(given: frozenset[Term], formula: Term) -> frozenset[Term]:
    """What shares variables with the formula, also by way of others; everything, where it is `false`."""
    names = set(variables([formula]))
    if not names:
        return given
    near: set[Term] = set()
    while True:
        found = {one for one in given - near if not names.isdisjoint(variables([one]))}
        if not found:
            return frozenset(near)
        near |= found
        names |= set(variables(found))


@dataclass(frozen=True, slots=True)
class Alternative:
    maybe: frozenset[str]
    surely: frozenset[str]
    alone: bool
    placed: Placed = ()
    facts: frozenset[Term] = frozenset()
    done: frozenset[str] = frozenset()

    def told(self, terms: Terms, template: str, location: int) -> LocksAtLocation:
        """As the proof says it."""
        variables_of = (
            terms.eq(terms.bv_var(address_variable(number), address.width), address)
            for number, (_, address) in enumerate(self.placed)
        )
        formulas = [*variables_of, *sorted(self.facts, key=lambda fact: fact.id)]
        return LocksAtLocation(
            template, location, tuple(sorted(self.maybe)), tuple(sorted(self.surely)), self.alone,
            tuple(name for name, _ in self.placed), script(formulas) if formulas else "", tuple(sorted(self.done)),
        )  # fmt: skip


@dataclass(slots=True)
class AtLocation:
    """All alternatives of a location."""

    implications: Implications
    orders: tuple[Term, ...]  # between addresses of locks: worth asking whether they hold
    found: list[Alternative] = field(default_factory=list[Alternative])
    full: bool = False

    def add(self, new: Alternative) -> bool:
        """Whether that says anything new."""
        like = next((n for n, one in enumerate(self.found) if self._alike(one, new)), None)
        if like is None:
            self.found.append(new)
            if len(self.found) > MOST:
                self.full = True
                joined = self.found[0]
                for other in self.found[1:]:
                    joined = self._joined(joined, other)
                self.found = [joined]
            return True
        joined = self._joined(self.found[like], new)
        changed = joined != self.found[like]
        self.found[like] = joined
        return changed

    def _alike(self, one: Alternative, new: Alternative) -> bool:
        return self.full or (one.maybe, one.placed) == (new.maybe, new.placed)

    def _joined(self, one: Alternative, new: Alternative) -> Alternative:
        placed = tuple(entry for entry in one.placed if entry in new.placed)
        lost = {name for name, _ in set(one.placed) ^ set(new.placed)}
        facts = self._common(one.facts, new.facts)
        return Alternative(
            one.maybe | new.maybe | lost, one.surely & new.surely, one.alone and new.alone, placed, facts,
            one.done & new.done,
        )  # fmt: skip

    def _common(self, one: frozenset[Term], new: frozenset[Term]) -> frozenset[Term]:
        if one == new or not one:
            return one
        either: Iterable[Term] = one if not new else (*one, *self.orders)
        return frozenset(
            fact for fact in either if self.implications.holds(one, fact) and self.implications.holds(new, fact)
        )
