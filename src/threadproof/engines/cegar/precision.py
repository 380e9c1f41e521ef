"""What abstract states may speak of: variables whose values are tracked, and predicates, everywhere or at some places.

Invariants: it only grows, but for variables that turn out to have many values: those are never tracked again. `version`
changes with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.abstraction.liveness import Liveness
from threadproof.abstraction.predicates import CONTRADICTION, NOTHING, Predicates
from threadproof.automaton import Places
from threadproof.engines.cegar.configuration import PrecisionScope
from threadproof.smt.term import Term


class Precision:
    def __init__(self, predicates: Predicates, liveness: Liveness, scope: PrecisionScope) -> None:
        self.tracked: set[Term] = set()
        self.never: frozenset[Term] = frozenset()  # not to be tracked, nor spoken of
        self.counting: set[Term] = set()  # not to be tracked any more
        self.mentioned: frozenset[Term] = frozenset()  # variables of predicates
        self.version = 0
        self._predicates = predicates
        self._liveness = liveness
        self._scope = scope
        self._everywhere = NOTHING
        self._at: dict[Places, int] = {}
        self._pools: dict[Places, int] = {}
        self._dead: dict[Places, frozenset[Term]] = {}

    def track(self, variables: Iterable[Term]) -> bool:
        """Whether that is new."""
        before = len(self.tracked)
        self.tracked.update(one for one in variables if one not in self.never and one not in self.counting)
        return self._changed(len(self.tracked) > before)

    def untrack(self, variable: Term) -> None:
        self.tracked.discard(variable)
        self.counting.add(variable)
        self._changed(True)

    def add(self, places: Places, formulas: Iterable[Term]) -> bool:
        """Predicates that are needed where the threads stand so. Whether that is new."""
        new = NOTHING
        for formula in formulas:
            one = self._predicates.unify(formula)
            if self.never.isdisjoint(one.variables):
                new |= one.bit
        new = self._predicates.normal(new & ~CONTRADICTION)
        known = self._everywhere if self._scope is PrecisionScope.GLOBAL else self._at.get(places, NOTHING)
        if not new & ~known:
            return False
        if self._scope is PrecisionScope.GLOBAL:
            self._everywhere |= new
        else:
            self._at[places] = known | new
        self.mentioned = self.mentioned.union(*(one.variables for one in self._predicates.members(new)))
        return self._changed(True)

    def begin(self, formulas: Iterable[Term]) -> None:
        """With these, everywhere."""
        for formula in formulas:
            one = self._predicates.unify(formula)
            if self.never.isdisjoint(one.variables) and not one.bit & CONTRADICTION:
                self._everywhere |= self._predicates.normal(one.bit)
                self.mentioned |= one.variables
        self._changed(True)

    def _changed(self, new: bool) -> bool:
        if new:
            self.version += 1
            self._pools.clear()
        return new

    def pool(self, places: Places) -> int:
        """Predicates to ask about there: those about registers that nobody reads any more are left out."""
        found = self._pools.get(places)
        if found is None:
            dead, found = self.dead(places), NOTHING
            for one in self._predicates.members(self._everywhere | self._at.get(places, NOTHING)):
                if dead.isdisjoint(one.variables):
                    found |= one.bit
            self._pools[places] = found
        return found

    def dead(self, places: Places) -> frozenset[Term]:
        if places not in self._dead:
            self._dead[places] = self._liveness.dead(places)
        return self._dead[places]

    @property
    def predicates(self) -> int:
        return self._everywhere.bit_count() + sum(one.bit_count() for one in self._at.values())

    @property
    def size(self) -> int:
        return len(self.tracked) + self.predicates
