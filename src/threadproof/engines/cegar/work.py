"""Nodes that wait to be expanded, in the order of a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from threadproof.engines.cegar.configuration import SearchOrder
from threadproof.engines.cegar.graph import ArgNode


@dataclass(slots=True)
class WaitingNodes:
    order: SearchOrder
    distance: Callable[[ArgNode], int]  # to an error
    _heap: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    _nodes: dict[int, ArgNode] = field(default_factory=dict[int, ArgNode])
    _added: int = 0

    def add(self, node: ArgNode) -> None:
        self._added += 1
        match self.order:
            case SearchOrder.BFS:
                key = (0, self._added)
            case SearchOrder.DFS:
                key = (0, -self._added)
            case SearchOrder.ERR:  # of those as near, the last one: it is deepest
                key = (self.distance(node), -self._added)
        heappush(self._heap, key)
        self._nodes[key[1]] = node

    def next(self) -> ArgNode | None:
        return self._nodes.pop(heappop(self._heap)[1]) if self._heap else None

    def clear(self) -> None:
        self._heap.clear()
        self._nodes.clear()
