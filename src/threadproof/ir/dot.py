"""The control flow of a function for graphviz: locations, and transitions labelled with what happens on them.

A location is the start of a block, or the point in it (`b3'`) where it has done its work and decides where to
go on; `end` is behind every return. Threads, with the calls they make, are drawn by `automaton`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from threadproof.ir.ctypes import signed
from threadproof.ir.expr import opposite
from threadproof.ir.instr import Branch, Edge, Instr, Jump, Switch
from threadproof.ir.program import Block, Function
from threadproof.ir.show import show_expr, show_instr, show_moves

END = "end"


@dataclass(frozen=True, slots=True)
class BlockTransition:
    source: str
    target: str
    does: tuple[str, ...]  # guards in brackets, then instructions, then moves


def transitions(function: Function) -> list[BlockTransition]:
    return [transition for block in function.blocks for transition in _of_block(block)]


def locations(function: Function) -> list[str]:
    """In the order of the blocks."""
    found = dict.fromkeys(block.label for block in function.blocks)
    for transition in transitions(function):
        found.setdefault(transition.source)
        found.setdefault(transition.target)
    return list(found)


def guarded_edges(last: Instr) -> Iterator[tuple[str, Edge]]:
    """The ways on from a block with the condition of each, empty for a jump."""
    match last:
        case Jump():
            yield "", last.edge
        case Branch():
            yield show_expr(last.condition), last.then
            yield show_expr(opposite(last.condition)), last.otherwise
        case Switch():
            value = show_expr(last.value)
            for constant, edge in last.cases:
                yield f"{value} == {signed(constant, last.value.width)}", edge
            yield f"{value} is none of the cases", last.default
        case _:
            pass


def to_dot(functions: Iterable[Function]) -> str:
    """One graph, each function a cluster."""
    lines = [
        "digraph program {",
        "  node [shape=circle, fontname=monospace, fontsize=11, margin=0.04];",
        "  edge [fontname=monospace, fontsize=10];",
    ]
    for index, function in enumerate(functions):
        lines.extend(_cluster(index, function))
    return "\n".join([*lines, "}"]) + "\n"


def _of_block(block: Block) -> Iterator[BlockTransition]:
    *body, last = block.instrs
    does = tuple(show_instr(instr) for instr in body)
    ways = list(guarded_edges(last))
    if not ways:
        yield BlockTransition(block.label, END, (*does, show_instr(last)))
        return
    if isinstance(last, Jump):
        yield BlockTransition(block.label, last.edge.target, (*does, *_moves(last.edge)))
        return
    decides = f"{block.label}'" if body else block.label
    if body:
        yield BlockTransition(block.label, decides, does)
    for guard, edge in ways:
        yield BlockTransition(decides, edge.target, (f"[{guard}]", *_moves(edge)))


def _moves(edge: Edge) -> tuple[str, ...]:
    return (show_moves(edge),) if edge.moves else ()


def _cluster(index: int, function: Function) -> Iterator[str]:
    def node(location: str) -> str:
        return quoted(f"{function.name}:{location}")

    yield f"  subgraph cluster_{index} {{"
    yield f"    label={quoted(function.name)}; fontname=monospace; style=rounded; color=gray70;"
    entry = function.blocks[0].label if function.blocks else ""
    for location in locations(function):
        shape = ", shape=doublecircle" if location == END else ", style=bold" if location == entry else ""
        yield f"    {node(location)} [label={quoted(location)}{shape}];"
    for step in transitions(function):
        label = "".join(f"{_escaped(line)}\\l" for line in step.does)
        yield f'    {node(step.source)} -> {node(step.target)} [label="{label}"];'
    yield "  }"


def quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
