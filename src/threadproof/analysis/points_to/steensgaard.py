"""Unification-based points-to analysis.

Paper: B. Steensgaard, Points-to Analysis in Almost Linear Time, POPL 1996; used for partial-order reduction as in
B. Sisák, Native pointer support in abstraction-based model checking of concurrent systems, BME 2023 (2.3.2).
Differs: no conditional joins (values that are never pointers are unified too), offsets are not told apart, and calls
through pointers are resolved by solving again until no new callee appears.
Invariants: every class has at most one class it points to; joining two classes joins those.
"""

from __future__ import annotations

from threadproof.analysis.points_to.constraints import Constraints
from threadproof.analysis.points_to.objects import ANY_OFFSET, ANYTHING, ObjectKind, Place, Root
from threadproof.analysis.points_to.result import PointsTo


class Steensgaard(PointsTo):
    def __init__(self, constraints: Constraints) -> None:
        super().__init__(constraints)
        self._parent: list[int] = []
        self._pointee: dict[int, int] = {}
        self._of_node: dict[int, int] = {}
        self._of_root: dict[Root, int] = {}
        self._join(self._target(self._root(ANYTHING)), self._root(ANYTHING))
        self._enter()
        while self._resolve():
            pass
        self._members: dict[int, list[Root]] = {}
        for root, cls in self._of_root.items():
            self._members.setdefault(self._find(cls), []).append(root)
        self._wild = any(ANYTHING in self._roots(self._node(s.address)) for s in constraints.stores)
        self._wild = self._wild or self._forges()

    def of_node(self, node: int) -> frozenset[Place]:
        return frozenset(Place(root, ANY_OFFSET) for root in self._roots(self._node(node)))

    def content(self, root: Root) -> frozenset[Place]:
        return frozenset(Place(one, ANY_OFFSET) for one in self._roots(self._root(root)))

    def _roots(self, cls: int) -> list[Root]:
        pointee = self._pointee.get(self._find(cls))
        return [] if pointee is None else self._members.get(self._find(pointee), [])

    # --- classes -----------------------------------------------------------------------------------------------------

    def _fresh(self) -> int:
        self._parent.append(len(self._parent))
        return len(self._parent) - 1

    def _node(self, node: int) -> int:
        if node not in self._of_node:
            self._of_node[node] = self._fresh()
        return self._find(self._of_node[node])

    def _root(self, root: Root) -> int:
        if root not in self._of_root:
            self._of_root[root] = self._fresh()
        return self._find(self._of_root[root])

    def _find(self, cls: int) -> int:
        while self._parent[cls] != cls:
            self._parent[cls] = self._parent[self._parent[cls]]
            cls = self._parent[cls]
        return cls

    def _target(self, cls: int) -> int:
        """The class that `cls` points to, made if there is none."""
        cls = self._find(cls)
        if cls not in self._pointee:
            self._pointee[cls] = self._fresh()
        return self._find(self._pointee[cls])

    def _join(self, a: int, b: int) -> None:
        todo = [(a, b)]
        while todo:
            a, b = (self._find(one) for one in todo.pop())
            if a == b:
                continue
            mine, theirs = self._pointee.pop(a, None), self._pointee.pop(b, None)
            self._parent[b] = a
            if mine is None or theirs is None:
                left = theirs if mine is None else mine
                if left is not None:
                    self._pointee[a] = left
            else:
                self._pointee[a] = mine
                todo.append((mine, theirs))

    # --- constraints -------------------------------------------------------------------------------------------------

    def _enter(self) -> None:
        c = self.constraints
        for node, place in c.bases:
            self._join(self._target(self._node(node)), self._root(place.root))
        for copy in c.copies:
            self._same(copy.target, copy.source)
        for through in (*c.loads, *c.stores):
            content = self._target(self._target(self._node(through.address)))
            self._join(content, self._target(self._node(through.value)))
        for join in c.joins:
            self._same(join.result, c.node("exits"))

    def _same(self, target: int, source: int) -> None:
        self._join(self._target(self._node(target)), self._target(self._node(source)))

    def _resolve(self) -> bool:
        """Bind calls and joins to what their pointers point to now; whether that joined anything."""
        before = sum(1 for index, parent in enumerate(self._parent) if index == parent) - len(self._parent)
        self._members = {}
        for root, cls in self._of_root.items():
            self._members.setdefault(self._find(cls), []).append(root)
        c = self.constraints
        for call in c.calls:
            for root in list(self._roots(self._node(call.callee))):
                if root.kind is ObjectKind.FUNCTION:
                    self._bind(root.name, call.arguments, call.result)
        for join in c.joins:
            for root in list(self._roots(self._node(join.handle))):
                if root.kind is ObjectKind.THREAD and root.site is not None:
                    self._same(join.result, c.node(("thread result", root.site)))
        return before != sum(1 for index, parent in enumerate(self._parent) if index == parent) - len(self._parent)

    def _bind(self, name: str, arguments: tuple[int, ...], result: int | None) -> None:
        c = self.constraints
        for param, argument in zip(c.program.functions[name].params, arguments, strict=False):
            self._same(c.register(name, param.name), argument)
        if result is not None:
            self._same(result, c.result(name))
