"""An instruction with other registers: those it reads, those it writes, those its edges move to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from threadproof.ir.expr import Expr, Reg
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Call,
    CompareExchange,
    Edge,
    Instr,
    Load,
    Nondet,
    ObjectSize,
    Rmw,
    StackSave,
    Sync,
)
from threadproof.passes.rewrite import map_expressions


def renamed(
    instr: Instr,
    read: Callable[[Expr], Expr],
    write: Callable[[Reg], Reg],
    on_edge: Callable[[Edge], Edge],
) -> Instr:
    return with_targets(map_expressions(instr, read, on_edge), write)


def with_targets(instr: Instr, write: Callable[[Reg], Reg]) -> Instr:
    """The instruction writing to other registers."""
    match instr:
        case Assign() | Load() | Alloc() | ObjectSize() | StackSave() | Rmw() | Nondet():
            return replace(instr, dst=write(instr.dst))
        case CompareExchange():
            return replace(instr, old=write(instr.old), success=write(instr.success))
        case Call() | Sync():
            return instr if instr.dst is None else replace(instr, dst=write(instr.dst))
        case _:
            return instr
