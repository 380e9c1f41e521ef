"""The relation that reductions are written against: whether two steps of different threads must keep their order.

Whoever reasons about something else than footprints (letters and their formulas, say) gives another relation. It is
asked about anything that touches something: steps, events of an execution, what a thread waits for or may still do.
Its answer may depend on the footprints and on the actions of steps.

Paper: A. Mazurkiewicz, Trace theory, LNCS 255, 1986 (dependence as a parameter of traces).
Invariants: two neighbouring steps of different threads that are independent lead to the same state in either order, and
neither makes the other possible or impossible. `traces.all_traces` checks a relation by brute force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from threadproof.explore.lts import Footprint, dependent


class Touching(Protocol):
    @property
    def footprint(self) -> Footprint: ...


@dataclass(frozen=True, slots=True)
class TouchedTogether:
    """What several steps touch together."""

    footprint: Footprint


class StepDependence(Protocol):
    def dependent(self, first: Touching, second: Touching) -> bool:
        """Whether two steps of different threads, in this order, must stay in this order."""
        ...

    def independent(self, first: Touching, second: Touching) -> bool:
        """Whether they commute in either order."""
        ...


class ByFootprints:
    """By what the steps touch, and how."""

    def dependent(self, first: Touching, second: Touching) -> bool:
        return dependent(first.footprint, second.footprint)

    def independent(self, first: Touching, second: Touching) -> bool:
        return not self.dependent(first, second) and not self.dependent(second, first)


BY_FOOTPRINTS: StepDependence = ByFootprints()
