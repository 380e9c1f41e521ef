"""Which blocks of a function lie on a cycle: strongly connected components of the control flow.

Paper: R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1972. Differs: without recursion.
"""

from __future__ import annotations

from threadproof.ir.instr import edges
from threadproof.ir.program import Function


def cycles(function: Function) -> dict[str, int]:
    """For every block on a cycle, the number of its component."""
    following = {b.label: tuple(dict.fromkeys(e.target for e in edges(b.instrs[-1]))) for b in function.blocks}
    found: dict[str, int] = {}
    for number, component in enumerate(components(following)):
        if len(component) > 1 or component[0] in following[component[0]]:
            found.update((label, number) for label in component)
    return found


def components(following: dict[str, tuple[str, ...]]) -> list[list[str]]:
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[list[str]] = []
    for root in following:
        if root in index:
            continue
        work = [(root, iter(following[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            label, rest = work[-1]
            successor = next(rest, None)
            if successor is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[label])
                if low[label] == index[label]:
                    found.append(_pop(stack, waiting, label))
            elif successor not in index:
                index[successor] = low[successor] = len(index)
                stack.append(successor)
                waiting.add(successor)
                work.append((successor, iter(following[successor])))
            elif successor in waiting:
                low[label] = min(low[label], index[successor])
    return found


def _pop(stack: list[str], waiting: set[str], until: str) -> list[str]:
    component: list[str] = []
    while True:
        label = stack.pop()
        waiting.discard(label)
        component.append(label)
        if label == until:
            return component
