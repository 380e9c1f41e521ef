"""Layers that look at the formulas of letters: their variables, then what a solver says of them."""

from __future__ import annotations

from threadproof.independence.answers import Always, Inclusion, LayerName, Never, SwapAnswer
from threadproof.independence.inclusions import Given, Inclusions
from threadproof.independence.pairs import InstanceLetter, Keeps, SwapViolations


class PartitionLayer:
    """By the partition of memory into variables: neither letter writes what the other reads or writes. Without a
    formula of both nobody further down can say anything."""

    def __init__(self, violations: SwapViolations) -> None:
        self._violations = violations

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        first, second = self._violations.transition(a), self._violations.transition(b)
        if first is None or second is None:
            return Never(LayerName.PARTITION)
        apart = first.writes.isdisjoint(second.reads | second.writes) and second.writes.isdisjoint(first.reads)
        return Always(LayerName.PARTITION) if apart else None


class SolverLayer:
    """Both inclusions hold in every state."""

    def __init__(self, inclusions: Inclusions) -> None:
        self._inclusions = inclusions

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        nothing: Given = frozenset()
        both = self._inclusions.holds(a, b, nothing) and self._inclusions.holds(b, a, nothing)
        return Always(LayerName.SMT) if both else None


class AssertionLayer:
    """Both inclusions hold where the assertion does."""

    def __init__(self, inclusions: Inclusions) -> None:
        self._inclusions = inclusions

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        both = given and self._inclusions.holds(a, b, given) and self._inclusions.holds(b, a, given)
        return Always(LayerName.SMT_GIVEN) if both else None


class SemiLayer:
    """The inclusion in the direction that was asked for holds. Not for those who need deadlocks: what is left out may
    have been the only way to one."""

    def __init__(self, inclusions: Inclusions, keeps: Keeps) -> None:
        self._inclusions = inclusions
        self._keeps = keeps

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        if self._keeps is Keeps.DEADLOCKS or not self._inclusions.holds(a, b, given):
            return None
        return Inclusion(LayerName.SEMI)
