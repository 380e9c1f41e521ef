"""The order of a model as a graph: its cycles, as clauses that exclude them, and a sequence that respects it.

Of every edge on a cycle a cycle with as few literals as possible is cut: short clauses exclude more.
"""

from __future__ import annotations

from collections import deque

from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

Chain = tuple[int, int]
"""Thread and, for weak memory, which of its chains: 0 loads and what drains, else stores."""
Node = tuple[Chain, int]
"""A place in a chain: all events of one slot are one node."""
Following = dict[Node, list[tuple[Node, Term | None]]]
"""What comes after each node, and the literal that says so if it was chosen."""
CUTS = 300
"""Cycles cut at once."""


def cuts(terms: Terms, following: Following) -> list[Term]:
    """Clauses that the cycles violate; none: it is an order."""
    cyclic = _cyclic(following)
    found: dict[Term, None] = {}
    for a in sorted(cyclic):
        for b, literal in following[a]:
            if literal is not None and b in cyclic:
                path = _path(following, b, a, cyclic)
                if path is not None:
                    clause = terms.any(terms.not_(x) for x in (literal, *path))
                    found[clause] = None
            if len(found) >= CUTS:
                return list(found)
    return list(found)


def in_order(following: Following) -> list[Node]:
    """The nodes one after the other, staying with a thread as long as possible; those on cycles are left out."""
    count = dict.fromkeys(following, 0)
    for targets in following.values():
        for target, _ in targets:
            count[target] += 1
    ready = {node for node, n in count.items() if not n}
    result: list[Node] = []
    last = 0
    while ready:
        node = min(ready, key=lambda n: (n[0][0] != last, n))
        ready.discard(node)
        last = node[0][0]
        result.append(node)
        for target, _ in following[node]:
            count[target] -= 1
            if not count[target]:
                ready.add(target)
    return result


def _cyclic(following: Following) -> set[Node]:
    """Nodes on cycles or between them: peel off what has no predecessor, then what has no successor."""
    count = dict.fromkeys(following, 0)
    before: dict[Node, list[Node]] = {node: [] for node in following}
    for node, targets in following.items():
        for target, _ in targets:
            count[target] += 1
            before[target].append(node)
    ready = [node for node, n in count.items() if not n]
    left = set(following)
    while ready:
        node = ready.pop()
        left.discard(node)
        for target, _ in following[node]:
            count[target] -= 1
            if not count[target]:
                ready.append(target)
    after = {node: sum(1 for target, _ in following[node] if target in left) for node in left}
    ready = [node for node, n in after.items() if not n]
    while ready:
        node = ready.pop()
        left.discard(node)
        for source in before[node]:
            if source in left:
                after[source] -= 1
                if not after[source]:
                    ready.append(source)
    return left


def _path(following: Following, start: Node, goal: Node, within: set[Node]) -> list[Term] | None:
    """The literals of a path with as few of them as possible."""
    came: dict[Node, tuple[Node, Term | None]] = {}
    cost = {start: 0}
    work = deque([start])
    while work:
        node = work.popleft()
        if node == goal:
            break
        for target, literal in following[node]:
            price = cost[node] + (literal is not None)
            if target in within and price < cost.get(target, 1 << 30):
                cost[target] = price
                came[target] = (node, literal)
                (work.appendleft if literal is None else work.append)(target)
    if goal not in cost:
        return None
    path: list[Term] = []
    node = goal
    while node != start:
        node, literal = came[node]
        if literal is not None:
            path.append(literal)
    return path
