"""A function named `__VERIFIER_atomic_*` becomes an ordinary one whose body is an atomic block."""

from __future__ import annotations

from dataclasses import replace

from threadproof.ir.instr import Return, Sync
from threadproof.ir.program import Atomicity, Block, Function, Program
from threadproof.sync.operations import ATOMIC_BEGIN, ATOMIC_END


def bracket_atomic_functions(program: Program) -> Program:
    functions = {name: _bracket(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _bracket(function: Function) -> Function:
    if function.atomicity is Atomicity.ORDINARY:
        return function
    blocks = [_end_before_return(block) for block in function.blocks]
    begin = Sync(None, ATOMIC_BEGIN, (), loc=function.loc)
    blocks[0] = replace(blocks[0], instrs=(begin, *blocks[0].instrs))
    return replace(function, blocks=tuple(blocks), atomicity=Atomicity.ORDINARY)


def _end_before_return(block: Block) -> Block:
    last = block.instrs[-1]
    if not isinstance(last, Return):
        return block
    return replace(block, instrs=(*block.instrs[:-1], Sync(None, ATOMIC_END, (), loc=last.loc), last))
