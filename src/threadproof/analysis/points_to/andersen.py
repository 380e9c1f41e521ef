"""Inclusion-based points-to analysis.

Paper: L. O. Andersen, Program Analysis and Specialization for the C Programming Language, PhD thesis, DIKU 1994,
chapter 4; used for partial-order reduction as in B. Sisák,
Native pointer support in abstraction-based model checking of concurrent systems, BME 2023 (2.3.1).
Differs: field-sensitive by byte offset: a pointer is an object and a set of offsets `start + k * stride`, and an
object's content is told apart by where and how wide it was stored. Function pointers and thread creations are resolved
while solving. At most MOST offset sets per node and object, then they are joined, so solving ends.
Invariants: `_points[n]` only grows (as a set of concrete pointers); every change of it is on the work list once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from threadproof.analysis.points_to.constraints import Constraints, Invocation
from threadproof.analysis.points_to.objects import (
    ANY_OFFSET,
    ANYTHING,
    ZERO,
    ObjectKind,
    Offsets,
    Place,
    Root,
    may_overlap,
)
from threadproof.analysis.points_to.result import PointsTo
from threadproof.ir.expr import Expr

MOST = 8

Apart = Mapping[tuple[str, Expr], Root]


class Andersen(PointsTo):
    def __init__(self, constraints: Constraints, apart: Apart | None = None) -> None:
        """`apart`: accesses through these addresses are known not to be to that object."""
        super().__init__(constraints)
        self._apart = {constraints.value(*where): root for where, root in (apart or {}).items()}
        self._points: list[dict[Root, set[Offsets]]] = []
        self._copies: list[set[tuple[int, Offsets]]] = []
        self._loads: list[list[tuple[int, int]]] = []  # (receiver, size)
        self._stores: list[list[tuple[int, int]]] = []
        self._calls: list[list[Invocation]] = []
        self._joins: list[list[int]] = []
        self._cells: dict[Root, dict[tuple[Offsets, int], int]] = {}
        self._readers: dict[Root, set[tuple[Offsets, int, int]]] = {}
        self._work: deque[tuple[int, Root, Offsets]] = deque()
        self._grow(len(constraints.nodes))
        self._enter()
        self._solve()
        self._wild = self._wild or self._forges()

    def of_node(self, node: int) -> frozenset[Place]:
        if node >= len(self._points):
            return frozenset()
        return frozenset(Place(root, at) for root, places in self._points[node].items() for at in places)

    def content(self, root: Root) -> frozenset[Place]:
        return frozenset(place for node in self._cells.get(root, {}).values() for place in self.of_node(node))

    # --- setting up --------------------------------------------------------------------------------------------------

    def _grow(self, count: int) -> None:
        while len(self._points) < count:
            self._points.append({})
            self._copies.append(set())
            self._loads.append([])
            self._stores.append([])
            self._calls.append([])
            self._joins.append([])

    def _enter(self) -> None:
        c = self.constraints
        for load in c.loads:
            self._loads[load.address].append((load.value, load.size))
        for store in c.stores:
            self._stores[store.address].append((store.value, store.size))
        for call in c.calls:
            self._calls[call.callee].append(call)
        for join in c.joins:
            self._joins[join.handle].append(join.result)
            self._copy(c.node("exits"), join.result, ZERO)
        self._grow(len(c.nodes))
        for copy in c.copies:
            self._copy(*copy)
        for node, place in c.bases:
            self._add(node, place.root, place.offsets)

    # --- solving -----------------------------------------------------------------------------------------------------

    def _add(self, node: int, root: Root, at: Offsets) -> None:
        known = self._points[node].setdefault(root, set())
        if at in known or any(one.includes(at) for one in known):
            return
        if len(known) >= MOST:
            for one in known:
                at = at.joined(one)
            known.clear()
        known.add(at)
        self._work.append((node, root, at))

    def _copy(self, source: int, target: int, shift: Offsets) -> None:
        self._grow(max(source, target) + 1)
        if (target, shift) in self._copies[source] or (source == target and shift == ZERO):
            return
        self._copies[source].add((target, shift))
        for root, places in list(self._points[source].items()):
            for at in list(places):
                self._add(target, root, at.shifted(shift))

    def _solve(self) -> None:
        while self._work:
            node, root, at = self._work.popleft()
            for target, shift in list(self._copies[node]):
                self._add(target, root, at.shifted(shift))
            if self._apart.get(node) != root:
                for receiver, size in self._loads[node]:
                    self._read(root, at, size, receiver)
                for giver, size in self._stores[node]:
                    self._write(root, at, size, giver)
            if root.kind is ObjectKind.FUNCTION:
                for call in self._calls[node]:
                    self._invoke(root.name, call)
            if root.kind is ObjectKind.THREAD and root.site is not None:
                for receiver in self._joins[node]:
                    self._copy(self.constraints.node(("thread result", root.site)), receiver, ZERO)

    def _read(self, root: Root, at: Offsets, size: int, receiver: int) -> None:
        if root.kind is ObjectKind.ANYTHING:
            self._add(receiver, ANYTHING, ZERO)
            return
        readers = self._readers.setdefault(root, set())
        if (at, size, receiver) in readers:
            return
        readers.add((at, size, receiver))
        for (stored_at, stored_size), cell in list(self._cells.get(root, {}).items()):
            if may_overlap(at, size, stored_at, stored_size):
                self._copy(cell, receiver, self._kept(size))

    def _kept(self, size: int) -> Offsets:
        """A part of a pointer, put together with parts of others, may come to lie anywhere in the object."""
        return ANY_OFFSET if size < self.constraints.program.data_model.pointer_bytes else ZERO

    def _write(self, root: Root, at: Offsets, size: int, giver: int) -> None:
        if root.kind is ObjectKind.ANYTHING:
            self._wild = True
            return
        cells = self._cells.setdefault(root, {})
        cell = cells.get((at, size))
        if cell is None:
            cell = self.constraints.node(("cell", root, at, size))
            cells[(at, size)] = cell
            self._grow(cell + 1)
            for read_at, read_size, receiver in list(self._readers.get(root, ())):
                if may_overlap(read_at, read_size, at, size):
                    self._copy(cell, receiver, self._kept(read_size))
        self._copy(giver, cell, ZERO)

    def _invoke(self, name: str, call: Invocation) -> None:
        function = self.constraints.program.functions[name]
        for param, argument in zip(function.params, call.arguments, strict=False):
            self._copy(argument, self.constraints.register(name, param.name), ZERO)
        if call.result is not None:
            self._copy(self.constraints.result(name), call.result, ZERO)
