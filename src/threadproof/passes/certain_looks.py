"""A library function that looks whether its object is there need not do so at a variable that always is."""

from __future__ import annotations

from dataclasses import replace

from threadproof.ir.expr import Binary, BinaryOp, Const, Expr, GlobalRef, PtrAdd
from threadproof.ir.instr import Instr, Sync
from threadproof.ir.program import Program
from threadproof.sync.operations import LOOK

_WORD = 4


def drop_certain_looks(program: Program) -> Program:
    def kept(instr: Instr) -> bool:
        if not isinstance(instr, Sync) or instr.op != LOOK:
            return True
        return not all(_is_there(program, address) for address in instr.args)

    functions = {
        name: replace(
            function,
            blocks=tuple(replace(block, instrs=tuple(filter(kept, block.instrs))) for block in function.blocks),
        )
        for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _is_there(program: Program, address: Expr) -> bool:
    """Whether a word of a variable lies at the address."""
    place = _place(address)
    variable = None if place is None else program.globals.get(place[0])
    return place is not None and variable is not None and 0 <= place[1] <= variable.size - _WORD


def _place(address: Expr) -> tuple[str, int] | None:
    """The variable and the offset, if they are known without running the program."""
    match address:
        case GlobalRef():
            return address.name, 0
        case PtrAdd(offset=Const(value=offset)):
            base = _place(address.base)
        case Binary(op=BinaryOp.ADD, right=Const(value=offset)):
            base = _place(address.left)
        case _:
            return None
    return None if base is None else (base[0], base[1] + offset)
