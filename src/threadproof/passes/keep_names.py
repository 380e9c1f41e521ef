"""What is read into a variable is read under its name: `%4 := load p; seen := %4` becomes `seen := load p`.

Only where the temporary has no other use and nothing in between mentions the variable. People see more of their names,
and there are fewer registers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from threadproof.ir.expr import Reg, registers
from threadproof.ir.instr import Assign, Call, Instr, Load, Nondet, Rmw, Sync, all_uses, defs, edges
from threadproof.ir.program import Block, Function, Program

Reading = Load | Call | Nondet | Rmw | Sync


def keep_names(program: Program) -> Program:
    return replace(program, functions={name: _keep(f) for name, f in program.functions.items()})


def _keep(function: Function) -> Function:
    uses = Counter(n for instr in function.instrs() for expr in all_uses(instr) for n in registers(expr))
    written = Counter(reg.name for instr in function.instrs() for reg in defs(instr))
    written.update(dst.name for instr in function.instrs() for edge in edges(instr) for dst, _ in edge.moves)
    once = {name for name, count in uses.items() if count == 1 and written[name] == 1}
    once -= function.variables.keys()
    blocks = tuple(_renamed(block, once, frozenset(function.variables)) for block in function.blocks)
    return replace(function, blocks=blocks)


def _renamed(block: Block, once: set[str], variables: frozenset[str]) -> Block:
    kept: list[Instr] = []
    readings: dict[str, int] = {}  # temporary -> where it is read
    for instr in block.instrs:
        if isinstance(instr, Assign) and isinstance(instr.value, Reg) and instr.dst.name in variables:
            at = readings.pop(instr.value.name, None)
            if at is not None and not any(_mentions(other, instr.dst.name) for other in kept[at:]):
                reading = kept[at]
                assert isinstance(reading, Reading)
                kept[at] = replace(reading, dst=instr.dst)
                continue
        if isinstance(instr, Reading) and instr.dst is not None and instr.dst.name in once:
            readings[instr.dst.name] = len(kept)
        kept.append(instr)
    return replace(block, instrs=tuple(kept))


def _mentions(instr: Instr, name: str) -> bool:
    return any(reg.name == name for reg in defs(instr)) or any(name in registers(expr) for expr in all_uses(instr))
