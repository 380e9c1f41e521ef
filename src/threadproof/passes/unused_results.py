"""A result that nobody looks at is 0.

A function that ends without `return` gives an arbitrary value; C lets it as long as the value is not used. Thread
functions often end so, and their value is one of 2^64 although no `pthread_join` asks for it.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.control.call_graph import address_taken
from threadproof.ir.expr import Const, Reg, registers
from threadproof.ir.instr import Alloc, Call, Instr, Load, Order, Return, Sync, all_uses
from threadproof.ir.program import Function, Program
from threadproof.passes.private_locals import private_locals
from threadproof.sync.facts import Act, does


def forget_unused_results(program: Program) -> Program:
    used = _used(program)
    functions = {name: f if name in used else _without(f) for name, f in program.functions.items()}
    return replace(program, functions=functions)


def _used(program: Program) -> set[str]:
    """Functions whose result somebody may look at."""
    used = {program.entry}
    indirectly = False
    for function in program.functions.values():
        read = _read(function)
        for instr in function.instrs():
            if isinstance(instr, Call) and instr.dst is not None and instr.dst.name in read:
                if isinstance(instr.callee, str):
                    used.add(instr.callee)
                else:
                    indirectly = True
            if isinstance(instr, Sync) and does(instr, Act.JOIN):
                indirectly |= not (isinstance(instr.args[1], Const) and instr.args[1].value == 0)
    return used | address_taken(program) if indirectly else used


def _read(function: Function) -> set[str]:
    return {name for instr in function.instrs() for expr in all_uses(instr) for name in registers(expr)}


def _without(function: Function) -> Function:
    """All its results 0, and what was loaded only to be returned not loaded."""
    blocks = tuple(
        replace(block, instrs=tuple(_zero(instr) if isinstance(instr, Return) else instr for instr in block.instrs))
        for block in function.blocks
    )
    function = replace(function, blocks=blocks)
    read, own = _read(function), _own(function)
    blocks = tuple(
        replace(block, instrs=tuple(instr for instr in block.instrs if not _is_idle(instr, read, own)))
        for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _zero(instr: Return) -> Return:
    return instr if instr.value is None else replace(instr, value=Const(0, instr.value.width))


def _own(function: Function) -> dict[str, int]:
    """Pointers to the function's own objects, with the size of the object; only those defined once. An object whose
    address leaves is not its own: reading it may be a race."""
    sizes: dict[str, int] = {}
    private = private_locals(function)
    for instr in function.instrs():
        if isinstance(instr, Alloc) and instr.dst.name in private and isinstance(instr.size, Const):
            sizes[instr.dst.name] = 0 if instr.dst.name in sizes else instr.size.value
    return sizes


def _is_idle(instr: Instr, read: set[str], own: dict[str, int]) -> bool:
    """A load that cannot go wrong and whose value nobody reads."""
    if not isinstance(instr, Load) or instr.order is not Order.PLAIN or instr.dst.name in read:
        return False
    return isinstance(instr.address, Reg) and 0 < instr.size <= own.get(instr.address.name, 0)
