"""Which cells the objects are made of in one round: cut where accesses begin and end.

A cut through no cell that anybody used yet is made at once. One through a cell in use comes too late for this round:
the round then only teaches where to cut in the next.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container
from itertools import pairwise

from threadproof.engines.bmc.unwinding.events import Cell


class CellBoundaries:
    def __init__(self, known: dict[int, frozenset[int]], before: Container[Cell], now: Container[Cell]) -> None:
        """`known` by start of the object; cells in use: of earlier rounds, and of this one."""
        self._known = known
        self._used = (before, now)
        self._points: dict[int, list[int]] = {}
        self._late: defaultdict[int, set[int]] = defaultdict(set)
        self._cells: defaultdict[int, dict[tuple[int, int], list[Cell]]] = defaultdict(dict)

    @property
    def come_late(self) -> bool:
        return bool(self._late)

    def cells(self, start: int, offset: int, size: int) -> list[Cell]:
        """The cells of an access."""
        found = self._cells[start].get((offset, size))
        if found is None:
            in_time = [self._cut(start, point) for point in (offset, offset + size)]
            if not all(in_time):
                return [(start + offset, size)]
            points = self._points[start]
            inside = points[bisect_left(points, offset) : bisect_left(points, offset + size) + 1]
            found = self._cells[start][offset, size] = [(start + a, b - a) for a, b in pairwise(inside)]
        return found

    def _cut(self, start: int, point: int) -> bool:
        """Whether the cut could be made."""
        points = self._points.get(start)
        if points is None:
            points = self._points[start] = sorted(self._known.get(start, ()))
        at = bisect_left(points, point)
        if at < len(points) and points[at] == point:
            return True
        if 0 < at < len(points):
            cell = (start + points[at - 1], points[at] - points[at - 1])
            if any(cell in used for used in self._used):
                self._late[start].add(point)
                return False
        points.insert(at, point)
        self._cells[start].clear()  # what goes on over the new cut consists of more cells than before
        return True

    def found(self) -> dict[int, frozenset[int]]:
        """For the next round."""
        result = dict(self._known)
        for start, points in self._points.items():
            old = result.get(start, frozenset())
            late = self._late.get(start, set())
            if late or len(points) != len(old):
                result[start] = frozenset((*points, *late))
        return result
