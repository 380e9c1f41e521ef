"""Compound assignments to `_Atomic _Bool`, which clang compiles wrongly: it stores the low byte of the new number.

    %old = phi i8 [...]; %wide = add i32 ..., 2; %new = trunc i32 %wide to i8; cmpxchg ptr %b, i8 %old, i8 %new

C converts to `_Bool`: 1 for every number but 0. A compare-exchange in a loop over bytes that came from single bits
(`zext i1`) is what no other C becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from threadproof.frontend.llvm.module import (
    BasicBlock,
    CastInst,
    CmpXchgInst,
    CompareInst,
    Instruction,
    LlvmLocal,
    LlvmNumber,
    PhiInst,
    Value,
)
from threadproof.frontend.llvm.types import IntType

_BIT, _BYTE = IntType(1), IntType(8)
_NOT_ZERO = {"trunc": ("icmp", "ne"), "fptoui": ("fcmp", "une"), "fptosi": ("fcmp", "une")}


def convert_to_bool(blocks: Sequence[BasicBlock]) -> list[BasicBlock]:
    """The same blocks, with the conversions that C asks for."""
    made = {i.result: i for block in blocks for i in block.instructions if i.result}
    bools = {
        i.desired.name
        for i in made.values()
        if isinstance(i, CmpXchgInst) and isinstance(i.desired, LlvmLocal) and _is_bool(i.expected, made)
    }
    if not bools:
        return list(blocks)
    return [replace(block, instructions=tuple(_converted(block.instructions, bools))) for block in blocks]


def _is_bool(value: Value, made: dict[str, Instruction]) -> bool:
    phi = made.get(value.name) if isinstance(value, LlvmLocal) else None
    return isinstance(phi, PhiInst) and phi.type == _BYTE and all(_was_bit(one, made) for _, one in phi.incoming)


def _was_bit(value: Value, made: dict[str, Instruction]) -> bool:
    cast = made.get(value.name) if isinstance(value, LlvmLocal) else None
    return isinstance(cast, CastInst) and cast.opcode == "zext" and cast.value.type == _BIT


def _converted(instructions: Sequence[Instruction], bools: set[str]) -> list[Instruction]:
    found: list[Instruction] = []
    for inst in instructions:
        if inst.result in bools and isinstance(inst, CastInst) and inst.opcode in _NOT_ZERO:
            bit, zero = f"{inst.result}.bit", LlvmNumber(inst.value.type, 0)
            found.append(CompareInst(*_NOT_ZERO[inst.opcode], inst.value, zero, result=bit, debug=inst.debug))
            found.append(CastInst("zext", LlvmLocal(_BIT, bit), _BYTE, result=inst.result, debug=inst.debug))
        else:
            found.append(inst)
    return found
