"""What both analyses answer."""

from __future__ import annotations

from abc import ABC, abstractmethod

from threadproof.analysis.points_to.constraints import Constraints
from threadproof.analysis.points_to.objects import ANYTHING, Kind, Offsets, Place, Root, Site
from threadproof.ir.expr import Expr


class PointsTo(ABC):
    """May-points-to sets. A set that contains `anything` is no bound at all."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints

    @abstractmethod
    def of_node(self, node: int) -> frozenset[Place]:
        """What the value of a node may point to."""

    @abstractmethod
    def content(self, root: Root) -> frozenset[Place]:
        """What pointers stored in an object may point to."""

    @property
    @abstractmethod
    def wild(self) -> bool:
        """Whether something was stored through a pointer that may point anywhere: then nothing is known."""

    def expression(self, function: str, expr: Expr) -> frozenset[Place]:
        """What the value of an expression, evaluated in `function`, may point to."""
        if self.wild:
            return frozenset({Place(ANYTHING, Offsets(0, 1))})
        found: set[Place] = set()
        for source, shift in self.constraints.sources(function, expr):
            if isinstance(source, Root):
                found.add(Place(source, shift))
            else:
                found |= {Place(root, at.shifted(shift)) for root, at in self.of_node(source)}
        return frozenset(found)

    def targets(self, site: Site) -> frozenset[str]:
        """The functions a call, or the creation of a thread, at that instruction may start."""
        node = next(call.callee for call in self.constraints.calls if call.site == site)
        return frozenset(place.root.name for place in self.of_node(node) if place.root.kind is Kind.FUNCTION)
