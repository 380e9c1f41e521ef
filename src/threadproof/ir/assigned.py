"""Definite assignment: on every path, a register is written before it is read.

A forward data-flow over blocks; a set of registers is one number, a bit each, because functions of large
tasks have thousands of blocks. Blocks that no path reaches are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.ir.expr import registers
from threadproof.ir.instr import Edge, Instr, defs, edges, uses
from threadproof.ir.program import Block, Function
from threadproof.ir.show import show_instr


def unassigned(function: Function) -> Iterator[str]:
    """A sentence for each register that may be read before it is written, at its first place."""
    flow = _Flow(function)
    entering = flow.solve()
    told: set[str] = set()
    for block in function.blocks:
        if block.label not in entering:
            continue
        for name, instr in flow.read_too_early(block, entering[block.label]):
            if name not in told:
                told.add(name)
                yield f"{block.label}: {name} may be read before it is written, in `{show_instr(instr)}`"


class _Flow:
    def __init__(self, function: Function) -> None:
        self._function = function
        self._blocks = {block.label: block for block in function.blocks}
        self._bits: dict[str, int] = {}

    def solve(self) -> dict[str, int]:
        """For each reachable block the registers written on every path to it: the greatest solution."""
        entry = self._function.blocks[0].label
        entering = {entry: self._set(param.name for param in self._function.params)}
        pending = [entry]
        while pending:
            label = pending.pop()
            block = self._blocks[label]
            leaving = entering[label]
            for instr in block.instrs:
                leaving |= self._set(reg.name for reg in defs(instr))
            for edge in edges(block.instrs[-1]):
                arriving = leaving | self._moved(edge)
                known = entering.get(edge.target)
                joined = arriving if known is None else known & arriving
                if joined != known:
                    entering[edge.target] = joined
                    pending.append(edge.target)
        return entering

    def read_too_early(self, block: Block, written: int) -> Iterator[tuple[str, Instr]]:
        for instr in block.instrs:
            moves = (value for edge in edges(instr) for _, value in edge.moves)
            for expr in (*uses(instr), *moves):
                for name in registers(expr):
                    if not written & self._bit(name):
                        yield name, instr
            written |= self._set(reg.name for reg in defs(instr))

    def _moved(self, edge: Edge) -> int:
        return self._set(dst.name for dst, _ in edge.moves)

    def _set(self, names: Iterator[str]) -> int:
        result = 0
        for name in names:
            result |= self._bit(name)
        return result

    def _bit(self, name: str) -> int:
        return 1 << self._bits.setdefault(name, len(self._bits))
