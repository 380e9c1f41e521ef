"""The few algorithms on directed graphs that many need, over nodes of any kind.

Paper: R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1972 (`components`).
Differs: without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)
E = TypeVar("E")


def reached(first: Iterable[N], following: Callable[[N], Iterable[N]]) -> dict[N, None]:
    """All nodes that paths from the first ones lead to, those themselves too, in the order met (depth first)."""
    found: dict[N, None] = {}
    todo = list(first)
    while todo:
        node = todo.pop()
        if node not in found:
            found[node] = None
            todo.extend(following(node))
    return found


def compatible_circle(
    edges: Iterable[E], ends: Callable[[E], tuple[N, N]], fit: Callable[[E, E], bool], most: int
) -> tuple[E, ...] | None:
    """A circle of edges of which every two fit together, through different nodes; None if there is none. Raises
    OverflowError after `most` steps."""
    leaving: dict[N, list[E]] = {}
    for edge in edges:
        leaving.setdefault(ends(edge)[0], []).append(edge)
    rank = {node: number for number, node in enumerate(leaving)}
    for first in leaving:
        paths: list[tuple[E, ...]] = [(edge,) for edge in leaving[first]]
        while paths:
            most -= 1
            if most < 0:
                raise OverflowError("too many paths")
            path = paths.pop()
            at = ends(path[-1])[1]
            if at == first:
                return path
            if rank.get(at, -1) <= rank[first] or any(ends(edge)[0] == at for edge in path):
                continue
            paths += [(*path, edge) for edge in leaving[at] if all(fit(edge, other) for other in path)]
    return None


def components(graph: Mapping[N, Iterable[N]]) -> list[list[N]]:
    """The strongly connected components; one that leads to another comes after it."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: dict[N, None] = {}
    found: list[list[N]] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[N, Iterator[N]]] = []
        _enter(root, graph, index, low, stack, work)
        while work:
            node, rest = work[-1]
            for successor in rest:
                if successor not in index:
                    _enter(successor, graph, index, low, stack, work)
                    break
                if successor in stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_pop(stack, node))
    return found


def _enter(
    node: N,
    graph: Mapping[N, Iterable[N]],
    index: dict[N, int],
    low: dict[N, int],
    stack: dict[N, None],
    work: list[tuple[N, Iterator[N]]],
) -> None:
    index[node] = low[node] = len(index)
    stack[node] = None
    work.append((node, iter(graph[node])))


def _pop(stack: dict[N, None], until: N) -> list[N]:
    component: list[N] = []
    while not component or component[-1] != until:
        component.append(stack.popitem()[0])
    return component
