"""`if (!c) abort();` as an assumption: whoever looks at letters need not look at the ends of programs.

An execution that comes to `abort` violates nothing any more, and nobody can tell it from one that is not looked at.
Invariants: all other executions are the same, with the same visible steps and choices.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.ir.expr import may_trap, negate
from threadproof.ir.instr import Assign, Assume, Branch, Halt, HaltKind, Instr, Jump
from threadproof.ir.program import Block, Function, Program


def assume_what_does_not_abort(program: Program) -> Program:
    return replace(program, functions={name: _of(function) for name, function in program.functions.items()})


def _of(function: Function) -> Function:
    aborting = {block.label for block in function.blocks if _aborts(block)}
    if not aborting:
        return function
    return replace(function, blocks=tuple(_with_assumption(block, aborting) for block in function.blocks))


def _with_assumption(block: Block, aborting: set[str]) -> Block:
    last = block.instrs[-1]
    if not isinstance(last, Branch) or (last.then.target in aborting) == (last.otherwise.target in aborting):
        return block
    on = last.otherwise if last.then.target in aborting else last.then
    condition = negate(last.condition) if last.then.target in aborting else last.condition
    return replace(block, instrs=(*block.instrs[:-1], Assume(condition, loc=last.loc), Jump(on, loc=last.loc)))


def _aborts(block: Block) -> bool:
    """Whether all that happens there is the end of the program."""
    *before, last = block.instrs
    return isinstance(last, Halt) and last.kind is HaltKind.ABORT and all(map(_is_silent, before))


def _is_silent(instr: Instr) -> bool:
    return isinstance(instr, Assign) and not may_trap(instr.value)
