"""Without pthread_cancel nothing is ever cancelled: sleeping and testing for it are no operations."""

from __future__ import annotations

from dataclasses import replace

from threadproof.ir.expr import Const
from threadproof.ir.instr import Assign, Instr, Sync
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does


def drop_cancel_points(program: Program) -> Program:
    if any(does(instr, Act.CANCEL) for instr in program.instrs()):
        return program
    functions = {
        name: replace(
            function,
            blocks=tuple(
                replace(block, instrs=tuple(new for i in block.instrs if (new := _without(i)) is not None))
                for block in function.blocks
            ),
        )
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _without(instr: Instr) -> Instr | None:
    if not isinstance(instr, Sync) or not does(instr, Act.CANCEL_POINT):
        return instr
    return None if instr.dst is None else Assign(instr.dst, Const(0, instr.dst.width), loc=instr.loc)
