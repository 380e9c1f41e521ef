"""What both analyses answer."""

from __future__ import annotations

from abc import ABC, abstractmethod

from threadproof.analysis.points_to.constraints import Constraints
from threadproof.analysis.points_to.objects import ANYTHING, ObjectKind, Offsets, Place, Root
from threadproof.ir.constant import constant
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Expr
from threadproof.ir.instr import Call, CompareExchange, Free, Load, Rmw, Store, Sync

_ACCESS = (Load, Store, Rmw, CompareExchange, Free)


class PointsTo(ABC):
    """May-points-to sets. A set that contains `anything` is no bound at all."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self._wild = False

    @abstractmethod
    def of_node(self, node: int) -> frozenset[Place]:
        """What the value of a node may point to."""

    @abstractmethod
    def content(self, root: Root) -> frozenset[Place]:
        """What pointers stored in an object may point to."""

    @property
    def wild(self) -> bool:
        """Whether something is accessed through a pointer that may point anywhere: then nothing is known."""
        return self._wild

    def _forges(self) -> bool:
        """Whether an address comes from nowhere: put together bit by bit, it was not followed."""
        return any(
            constant(instr.address) is None and not self.expression(name, instr.address)
            for name in sorted(self._called())
            for instr in self.constraints.program.functions[name].instrs()
            if isinstance(instr, _ACCESS)
        )

    def _called(self) -> set[str]:
        """Functions that may run."""
        program = self.constraints.program
        calls: dict[str, list[int]] = {}
        for call in self.constraints.calls:
            calls.setdefault(call.site.function, []).append(call.callee)
        found, todo = set[str](), [program.entry]
        while todo:
            name = todo.pop()
            if name in found or name not in program.functions:
                continue
            found.add(name)
            todo += [
                i.callee for i in program.functions[name].instrs() if isinstance(i, Call) and isinstance(i.callee, str)
            ]
            given = [arg for i in program.functions[name].instrs() if isinstance(i, Sync) for arg in i.args]
            places = [p for node in calls.get(name, ()) for p in self.of_node(node)]
            places += [p for arg in given for p in self.expression(name, arg)]
            todo += [place.root.name for place in places if place.root.kind is ObjectKind.FUNCTION]
        return found

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
        return frozenset(place.root.name for place in self.of_node(node) if place.root.kind is ObjectKind.FUNCTION)
