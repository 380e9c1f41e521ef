"""The operands of one assembly statement: what clang's constraints say about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from threadproof.frontend.llvm.module import Asm, CallInst
from threadproof.frontend.llvm.types import StructType, Type, VoidType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.ir.expr import Expr

_WHERE = re.compile(r"\{(@cc)?(\w+)\}|(\d+)|([rqQRlgimneoVsIJKLMNOZ%]+)")
_NAMES = {"ax": "a", "bx": "b", "cx": "c", "dx": "d"}


class Early(Enum):
    """Whether an output may be written before the last input is read (`&`)."""

    YES = "&"
    NO = ""


@dataclass(frozen=True, slots=True)
class BoundOperand:
    """One operand. `register` names the register it lives in, or is the condition of a flag output."""

    width: int
    register: str  # "" if in memory
    value: Expr | None  # of inputs; of operands in memory their address
    written: bool  # an output
    early: Early = Early.NO
    condition: str = ""  # `=@ccz`: the flag is the output


@dataclass(frozen=True, slots=True)
class Output:
    """A direct output: bytes of the statement's result."""

    number: int
    offset: int
    width: int


@dataclass(frozen=True, slots=True)
class Operands:
    bound: tuple[BoundOperand, ...]
    outputs: tuple[Output, ...]


def read_operands(b: Builder, inst: CallInst, asm: Asm) -> Operands:
    parts = [part for part in asm.constraints.split(",") if part and not part.startswith("~")]
    args = iter(inst.args)
    results = iter(_results(b, inst.type.result))
    bound: list[BoundOperand] = []
    outputs: list[Output] = []
    for number, part in enumerate(parts):
        written, early, indirect, where = _read(part)
        if indirect:
            address = b.value(next(args).value)
            bound.append(BoundOperand(0, "", address, written))
            continue
        register, condition = _register(where, number, bound)
        if written:
            offset, type_ = next(results)
            width = b.scope.bits(type_)
            outputs.append(Output(number, offset, width))
            bound.append(BoundOperand(width, register, None, written, early, condition))
        else:
            value = b.value(next(args).value)
            bound.append(BoundOperand(value.width, register, value, written))
    return Operands(tuple(bound), tuple(outputs))


def _read(part: str) -> tuple[bool, Early, bool, re.Match[str]]:
    rest = part
    written = rest.startswith("=")
    early = Early.YES if "&" in rest else Early.NO
    indirect = "*" in rest
    rest = rest.lstrip("=").replace("&", "").replace("*", "")
    where = _WHERE.fullmatch(rest)
    if where is None:
        raise Unlowerable(f"the constraint {part}")
    return written, early, indirect, where


def _register(where: re.Match[str], number: int, bound: list[BoundOperand]) -> tuple[str, str]:
    """The register of an operand: a named one, that of the output it is tied to, or one of its own."""
    if where[1]:
        return f"operand {number}", where[2]
    if where[2]:
        return _NAMES.get(where[2], where[2]), ""
    if where[3]:
        tied = bound[int(where[3])]
        if not tied.register or tied.condition:
            raise Unlowerable(f"the constraint {where[0]}")
        return tied.register, ""
    return f"operand {number}", ""


def _results(b: Builder, type_: Type) -> list[tuple[int, Type]]:
    """(offset, type) of every direct output."""
    if isinstance(type_, VoidType):
        return []
    if not b.scope.is_struct(type_):
        return [(0, type_)]
    struct = b.scope.types.resolve(type_)
    assert isinstance(struct, StructType)
    return [b.scope.element(struct, index) for index in range(len(struct.fields))]
