"""Where the atomic blocks are: how many of them each instruction lies in.

Invariants: all ways to an instruction agree, and a function ends as deep as it began; what does not is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.codegen.sequential.refusal import Refused
from threadproof.ir.instr import Return, edges
from threadproof.ir.program import Function
from threadproof.sync.facts import Act, does


@dataclass(frozen=True, slots=True)
class Depths:
    before: dict[str, tuple[int, ...]]  # by block: before each instruction; blocks that nothing leads to are missing

    def at(self, block: str, number: int) -> int:
        found = self.before.get(block)
        return 0 if found is None else found[number]


def depths(function: Function, first: int) -> Depths:
    blocks = {block.label: block for block in function.blocks}
    before: dict[str, tuple[int, ...]] = {}
    todo = [(function.blocks[0].label, first)]
    while todo:
        label, depth = todo.pop()
        if label in before:
            if before[label][0] != depth:
                raise Refused(f"an atomic block in {function.name} that begins or ends on one of two ways only")
            continue
        inside: list[int] = []
        for instr in blocks[label].instrs:
            inside.append(depth)
            if does(instr, Act.BEGIN):
                depth += 1
            elif does(instr, Act.END):
                depth = max(depth - 1, 0)
            elif isinstance(instr, Return) and depth != first:
                raise Refused(f"an atomic block that {function.name} begins or ends for its caller")
        before[label] = tuple(inside)
        todo += [(edge.target, depth) for edge in edges(blocks[label].instrs[-1])]
    return Depths(before)
