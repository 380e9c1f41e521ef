"""The loops of a function: strongly connected components of its control flow, and those inside them.

A loop has a head, through which all of its cycles lead; without the edges back to the head, what remains of it is
taken apart in the same way.

Paper: F. Bourdoncle, Efficient Chaotic Iteration Strategies with Widenings, FMPA 1993: the nest of components.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.core.graph import components
from threadproof.ir.instr import edges
from threadproof.ir.program import Function

Graph = dict[str, tuple[str, ...]]


def block_graph(function: Function) -> Graph:
    """The blocks that can follow each block."""
    return {b.label: tuple(dict.fromkeys(e.target for e in edges(b.instrs[-1]))) for b in function.blocks}


def cycles(function: Function) -> dict[str, int]:
    """For every block on a cycle, the number of its component."""
    following = block_graph(function)
    found: dict[str, int] = {}
    for number, component in enumerate(components(following)):
        if is_cyclic(component, following):
            found.update((label, number) for label in component)
    return found


def is_cyclic(component: list[str], following: Graph) -> bool:
    return len(component) > 1 or component[0] in following[component[0]]


@dataclass(frozen=True, slots=True)
class Loop:
    head: str
    body: frozenset[str]  # the head included
    entered: tuple[str, ...]  # its blocks that edges from outside lead to; more than one: it is irreducible


@dataclass(frozen=True, slots=True)
class Nested:
    """Where a block stands: its position, behind those of the loops around it, in an order in which every block comes
    after its predecessors."""

    positions: tuple[int, ...]
    loops: tuple[str, ...]  # heads of the loops around it, outermost first; of a head, its own loop is the last


@dataclass(frozen=True, slots=True)
class LoopNest:
    loops: tuple[Loop, ...]  # outer ones first
    heads: frozenset[str]
    blocks: dict[str, Nested]


Choose = Callable[[frozenset[str], tuple[str, ...]], str]
"""The head of a loop, given its blocks and those of them that are entered from outside."""


def _smallest(body: frozenset[str], entered: tuple[str, ...]) -> str:
    return min(entered or body)


def loop_nest(function: Function, head: Choose = _smallest) -> LoopNest:
    graph = block_graph(function)
    entry = function.blocks[0].label
    loops, blocks = list[Loop](), dict[str, Nested]()

    def entered(body: frozenset[str]) -> tuple[str, ...]:
        into = [entry, *(target for label in graph if label not in body for target in graph[label])]
        return tuple(dict.fromkeys(target for target in into if target in body))

    def taken_apart(body: frozenset[str]) -> str:
        loop = Loop(head(body, entered(body)), body, entered(body))
        loops.append(loop)
        return loop.head

    _arrange(blocks, taken_apart, graph, (), ())
    return LoopNest(tuple(loops), frozenset(loop.head for loop in loops), blocks)


def _arrange(
    blocks: dict[str, Nested],
    head_of: Callable[[frozenset[str]], str],
    following: Graph,
    before: tuple[int, ...],
    around: tuple[str, ...],
) -> None:
    for position, component in enumerate(reversed(components(following))):
        here = (*before, position)
        if not is_cyclic(component, following):
            blocks[component[0]] = Nested(here, around)
            continue
        body = frozenset(component)
        head = head_of(body)
        inside = {label: tuple(t for t in following[label] if t in body and t != head) for label in component}
        _arrange(blocks, head_of, inside, here, (*around, head))
