"""Accesses to volatile objects as relaxed atomic ones, where the user says so.

Those of the runtime library are not meant: there `volatile` says that an access is not to be dropped.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.frontend.library import RUNTIME_FILE
from threadproof.ir.instr import Instr, Load, Order, Store, Volatility
from threadproof.ir.program import Function, Program


def volatile_is_atomic(program: Program) -> Program:
    return replace(program, functions={name: _in_function(f) for name, f in program.functions.items()})


def _in_function(function: Function) -> Function:
    blocks = tuple(replace(block, instrs=tuple(map(_relaxed, block.instrs))) for block in function.blocks)
    return replace(function, blocks=blocks)


def _relaxed(instr: Instr) -> Instr:
    if not isinstance(instr, Load | Store) or instr.volatility is not Volatility.VOLATILE:
        return instr
    if instr.loc.file == RUNTIME_FILE:
        return instr
    return replace(instr, order=Order.RELAXED) if instr.order is Order.PLAIN else instr
