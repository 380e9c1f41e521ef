"""The functions that a call, the creation of a thread, or the creation of a key (its destructor) may start."""

from __future__ import annotations

from threadproof.analysis.control.call_graph import address_taken
from threadproof.analysis.points_to import ObjectKind, PointsTo
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Const, Expr, GlobalRef
from threadproof.ir.instr import Call, Sync
from threadproof.ir.program import Program


class Callees:
    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._taken = address_taken(program)
        self._known: dict[Site, tuple[str, ...]] = {}

    def of(self, site: Site, instr: Call | Sync) -> tuple[str, ...]:
        """By name, those alone that the arguments fit. Of a pointer that may point anywhere: see `certain`."""
        pointer = _pointer(instr)
        if isinstance(pointer, str):
            return (pointer,)
        found = self._known.get(site)
        if found is None:
            found = self._known[site] = tuple(n for n in sorted(self._names(site, pointer)) if self._fits(n, instr))
        return found

    def certain(self, site: Site, instr: Call | Sync) -> bool:
        """Whether nothing else can be started there."""
        pointer = _pointer(instr)
        if isinstance(pointer, str | GlobalRef | Const):
            return True
        places = self._points_to.expression(site.function, pointer)
        return all(place.root.kind is not ObjectKind.ANYTHING for place in places)

    def _names(self, site: Site, pointer: Expr) -> frozenset[str]:
        if isinstance(pointer, GlobalRef):
            return frozenset({pointer.name})
        if self._points_to.wild:
            return self._taken
        places = self._points_to.expression(site.function, pointer)
        return frozenset(place.root.name for place in places if place.root.kind is ObjectKind.FUNCTION)

    def _fits(self, name: str, instr: Call | Sync) -> bool:
        function = self._program.functions.get(name)
        if function is None:
            return False
        return function.takes(len(instr.args)) if isinstance(instr, Call) else len(function.params) <= 1


def _pointer(instr: Call | Sync) -> str | Expr:
    return instr.callee if isinstance(instr, Call) else instr.args[1]
