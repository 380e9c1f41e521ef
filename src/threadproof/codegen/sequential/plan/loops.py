"""Loops that end: a counter runs up to a bound that does not change. All other loops let the other threads in.

A thread that never gives up its turn would hide what the others can do, so every cycle that may run forever has a
place where threads may change. Cycles that certainly end need none.

Invariants: in a loop that `ends`, every cycle through its header increments the counter, nothing else in the loop
writes it, and the header leaves when it has reached a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.control.loops import Graph, block_graph, is_cyclic, loop_nest
from threadproof.core.graph import components
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, Reg
from threadproof.ir.instr import Assign, Branch, defs, edges
from threadproof.ir.program import Block, Function


@dataclass(frozen=True, slots=True)
class Loops:
    bodies: dict[str, frozenset[str]]  # loops that may run forever, by head: every such cycle leads through its head
    rounds: dict[str, int]  # for blocks in loops with known first value and bound: how often they run at most
    cyclic: frozenset[str]  # all blocks on cycles
    graph: Graph

    def cyclic_without(self, head: str, blocks: frozenset[str]) -> bool:
        """Whether a cycle leads through `head` and otherwise only through `blocks`."""
        return any(head in cycle for cycle in _cycles(self.graph, blocks | {head}))


def loops(function: Function) -> Loops:
    blocks = {block.label: block for block in function.blocks}
    graph = block_graph(function)
    counted: dict[frozenset[str], tuple[str, int | None]] = {}  # by body

    def head(body: frozenset[str], entered: tuple[str, ...]) -> str:
        found = _counted(function, blocks, graph, body)
        if found is None:
            return entered[0] if entered else next(label for label in graph if label in body)
        counted[body] = found
        return found[0]

    nest = loop_nest(function, head)
    rounds: dict[str, int] = {}
    for loop in nest.loops:
        times = counted[loop.body][1] if loop.body in counted else None
        for label in loop.body:
            known = rounds.get(label, 1)
            often = None if times is None else times + (label == loop.head or loop.entered != (loop.head,))
            rounds[label] = 0 if often is None or known == 0 else known * often
    bodies = {loop.head: loop.body for loop in nest.loops if loop.body not in counted}
    cyclic = frozenset(label for loop in nest.loops for label in loop.body)
    return Loops(bodies, {label: n for label, n in rounds.items() if n}, cyclic, graph)


def _cycles(graph: Graph, inside: frozenset[str]) -> list[frozenset[str]]:
    part = {label: tuple(t for t in graph[label] if t in inside) for label in graph if label in inside}
    return [frozenset(c) for c in components(part) if is_cyclic(c, part)]


def _counted(
    function: Function, blocks: dict[str, Block], graph: Graph, component: frozenset[str]
) -> tuple[str, int | None] | None:
    """The block that tests the counter, and how often it lets the loop go on."""
    for label in sorted(component):
        test = blocks[label].instrs[-1]
        if not isinstance(test, Branch) or test.then.target not in component or test.otherwise.target in component:
            continue
        match test.condition:
            case Compare(op=CompareOp.SLT | CompareOp.ULT, left=Reg() as counter, right=Const() as bound):
                pass
            case _:
                continue
        steps = _increments(blocks, component, counter)
        if steps is None or len(steps) != 1:
            continue
        (at,) = steps
        if at != label and any(label in cycle for cycle in _cycles(graph, component - {at})):
            continue
        return label, _times(function, component, counter, bound)
    return None


def _increments(blocks: dict[str, Block], component: frozenset[str], counter: Reg) -> list[str] | None:
    """The blocks that add one to the counter; None if the loop writes it otherwise."""
    found: list[str] = []
    for label in sorted(component):
        for instr in blocks[label].instrs:
            if any(dst == counter for edge in edges(instr) for dst, _ in edge.moves):
                return None
            if counter not in defs(instr):
                continue
            if not (isinstance(instr, Assign) and _is_next(instr.value, counter)):
                return None
            found.append(label)
    return found


def _is_next(value: Expr, counter: Reg) -> bool:
    match value:
        case Binary(op=BinaryOp.ADD, left=left, right=Const(value=1)):
            return left == counter
        case _:
            return False


def _times(function: Function, component: frozenset[str], counter: Reg, bound: Const) -> int | None:
    """How often the loop runs at most, if all first values are constants."""
    firsts: list[int] = []
    for block in function.blocks:
        for instr in block.instrs if block.label not in component else ():
            if counter not in defs(instr):
                continue
            if not (isinstance(instr, Assign) and isinstance(instr.value, Const)):
                return None
            firsts.append(instr.value.value)
    if not firsts or counter in function.params or any(first > bound.value for first in firsts):
        return None
    return bound.value - min(firsts)
