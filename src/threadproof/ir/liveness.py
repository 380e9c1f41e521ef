"""Which registers are still needed at each instruction: two states that differ only in dead registers are one."""

from __future__ import annotations

from threadproof.ir.expr import registers
from threadproof.ir.instr import Instr, defs, edges, uses
from threadproof.ir.program import Function

Live = frozenset[str]


def live_before(function: Function) -> dict[str, tuple[Live, ...]]:
    """For each block, the registers live before each of its instructions."""
    at_entry: dict[str, Live] = {block.label: frozenset() for block in function.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(function.blocks):
            live = _entry(block.instrs, at_entry)
            if live != at_entry[block.label]:
                at_entry[block.label] = live
                changed = True
    return {block.label: _inside(block.instrs, at_entry) for block in function.blocks}


def _entry(instrs: tuple[Instr, ...], at_entry: dict[str, Live]) -> Live:
    live: set[str] = set()
    for instr in reversed(instrs):
        _step_back(instr, live, at_entry)
    return frozenset(live)


def _inside(instrs: tuple[Instr, ...], at_entry: dict[str, Live]) -> tuple[Live, ...]:
    live: set[str] = set()
    points: list[Live] = []
    for instr in reversed(instrs):
        _step_back(instr, live, at_entry)
        points.append(frozenset(live))
    return tuple(reversed(points))


def _step_back(instr: Instr, live: set[str], at_entry: dict[str, Live]) -> None:
    for edge in edges(instr):
        moved = {dst.name for dst, _ in edge.moves}
        live |= at_entry[edge.target] - moved
        for _, value in edge.moves:
            live.update(registers(value))
    live.difference_update(reg.name for reg in defs(instr))
    for expr in uses(instr):
        live.update(registers(expr))
