"""Locals whose address never leaves their function: nobody else, another thread included, can access them."""

from __future__ import annotations

from threadproof.ir.expr import Reg, registers
from threadproof.ir.instr import Alloc, Load, StackRestore, Storage, Store, all_uses
from threadproof.ir.program import Function


def private_locals(function: Function) -> set[str]:
    """The pointers to stack objects that are used for nothing but loads, stores and the end of the object's life."""
    found = {i.dst.name for i in function.instrs() if isinstance(i, Alloc) and i.storage is Storage.STACK}
    for instr in function.instrs():
        own = instr.address if isinstance(instr, Load | Store | StackRestore) else None
        for expr in all_uses(instr):
            if not (expr is own and isinstance(expr, Reg)):
                found.difference_update(registers(expr))
    return found
