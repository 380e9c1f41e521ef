"""Inline assembly of x86: carried out while lowering (`x86`). What has no meaning for us fails when reached."""

from __future__ import annotations

from threadproof.frontend.llvm.module import Asm, CallInst
from threadproof.frontend.llvm.types import VoidType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.instructions import carry_out
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.operands import Output, read_operands
from threadproof.frontend.x86.text import instructions
from threadproof.ir.expr import Binary, BinaryOp, Const, Expr
from threadproof.ir.instr import Assign

_SHOWN = 60  # characters of a template in a message


def lower_asm(b: Builder, inst: CallInst, asm: Asm) -> None:
    try:
        _lower(b, inst, asm)
    except Unlowerable as reason:
        text = " ".join(asm.template.split())[:_SHOWN]
        raise Unlowerable(f'inline assembly "{text}" ({reason})') from None


def _lower(b: Builder, inst: CallInst, asm: Asm) -> None:
    if asm.dialect:
        raise Unlowerable("not in AT&T syntax")
    code = instructions(asm.template)
    machine = X86Machine(b, read_operands(b, inst, asm))
    for instruction in code:
        carry_out(machine, instruction)
    if not isinstance(inst.type.result, VoidType):
        dst = b.reg(inst.result, inst.type.result)
        b.emit(Assign(dst, _result(machine, dst.width), loc=b.loc))


def _result(machine: X86Machine, width: int) -> Expr:
    """The outputs side by side."""
    whole: Expr = Const(0, width)
    for output in machine.operands.outputs:
        part = resized(_output(machine, output), width)
        if output.offset:
            part = Binary(BinaryOp.SHL, part, Const(8 * output.offset, width))
        whole = part if isinstance(whole, Const) else Binary(BinaryOp.OR, whole, part)
    return whole


def _output(machine: X86Machine, output: Output) -> Expr:
    bound = machine.operands.bound[output.number]
    if bound.condition:
        return resized(machine.condition(bound.condition), output.width)
    found = machine.known(bound.register, output.width)
    return machine.b.any_value(output.width, "register that inline assembly leaves alone") if found is None else found
