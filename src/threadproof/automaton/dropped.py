"""Assumptions left out: what is shown of the program without them holds with them.

Why: an execution of the program passes its assumptions, and with these steps left out it is an execution of the result,
which meets the same errors and traps. So a `true` of the result is one of the program, whichever assumptions are left
out; a schedule of the result need not replay on the program.

Invariants: only pure assumptions are left out (`Assume`, or the call of a function that does nothing else), whose
conditions cannot trap. Everything else of the program is as it was, in its order; the checks for overflows that clang
puts before the evaluation of a condition are instructions of their own, and stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from threadproof.ir.expr import Binary, BinaryOp, Expr, may_trap, true
from threadproof.ir.instr import Assign, Assume, Call, Instr, Jump, Return
from threadproof.ir.program import Function, Program
from threadproof.ir.simplify import substitute


def pure_assumptions(program: Program) -> Iterator[tuple[Function, Instr, Expr]]:
    """What is assumed, over registers of the function where that happens."""
    assuming = {name: _assumed_by(function) for name, function in program.functions.items()}
    for function in program.functions.values():
        for instr in function.instrs():
            condition = _assumed(instr, program, assuming)
            if condition is not None:
                yield function, instr, condition


def without_assumptions(program: Program, lines: Set[str]) -> Program:
    """Without the pure assumptions on these lines of the source."""
    if not lines:
        return program
    gone = {id(instr) for _, instr, _ in pure_assumptions(program) if instr.loc.line and str(instr.loc) in lines}
    return replace(program, functions={name: _without(one, gone) for name, one in program.functions.items()})


def _without(function: Function, gone: set[int]) -> Function:
    blocks = (
        replace(block, instrs=tuple(instr for instr in block.instrs if id(instr) not in gone))
        for block in function.blocks
    )
    return replace(function, blocks=tuple(blocks))


def _assumed(instr: Instr, program: Program, assuming: dict[str, Expr | None]) -> Expr | None:
    match instr:
        case Assume():
            return None if may_trap(instr.condition) else instr.condition
        case Call(dst=None, callee=str() as name):
            condition = assuming.get(name)
            if condition is None or any(map(may_trap, instr.args)):
                return None
            params = program.functions[name].params
            if [reg.width for reg in params] != [arg.width for arg in instr.args]:
                return None
            return substitute(condition, {reg.name: arg for reg, arg in zip(params, instr.args, strict=True)})
        case _:
            return None


def _assumed_by(function: Function) -> Expr | None:
    """What a function assumes of its parameters that does nothing else: one way through it, without a result."""
    if not function.blocks:
        return None
    blocks = {block.label: block for block in function.blocks}
    values: dict[str, Expr] = {reg.name: reg for reg in function.params}
    assumed, block, seen = true(), function.blocks[0], set[str]()
    while block.label not in seen:
        seen.add(block.label)
        for instr in block.instrs[:-1]:
            match instr:
                case Assign() if not may_trap(instr.value):
                    values[instr.dst.name] = substitute(instr.value, values)
                case Assume() if not may_trap(instr.condition):
                    assumed = Binary(BinaryOp.AND, assumed, substitute(instr.condition, values))
                case _:
                    return None
        match block.instrs[-1]:
            case Return(value=None):
                return assumed
            case Jump(edge=edge) if not any(may_trap(value) for _, value in edge.moves):
                values.update({dst.name: substitute(value, values) for dst, value in edge.moves})
                block = blocks[edge.target]
            case _:
                return None
    return None
