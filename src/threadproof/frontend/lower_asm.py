"""Inline assembly: barriers, hints and locked instructions have a meaning, the rest fails when reached."""

from __future__ import annotations

import re

from threadproof.frontend.builder import Builder
from threadproof.frontend.constants import resized
from threadproof.frontend.llvm_module import Asm, CallInst
from threadproof.frontend.llvm_types import VoidType
from threadproof.frontend.scope import Unlowerable
from threadproof.ir.expr import Const
from threadproof.ir.instr import Assign, Fence, Halt, HaltKind, Rmw, RmwOp

_SEPARATOR = re.compile(r"[;\n]")
_LABEL = re.compile(r"\d+:\s*")
# On x86 under TSO, lfence and sfence order nothing that ordinary loads and stores could show.
_NOTHING = frozenset(("nop", "pause", "rep nop", "rep", "yield", "lfence", "sfence"))
_FENCE = re.compile(r"mfence|lock (?:add|or)[lq] \$\$(?:0x)?0, ?-?\d*\(%[er]sp\)")
_TRAP = frozenset(("ud2", "int3"))
_STEP = re.compile(r"lock (inc|dec)([bwlq]) \$0")
_UPDATE = re.compile(r"lock (add|sub|and|or|xor)([bwlq]) \$1, ?\$0")
_EXCHANGE = re.compile(r"(xchg|lock xadd)([bwlq]) (?:\$0|\$\{0:\w\}), ?\$1")

_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
_OPS = {
    "inc": RmwOp.ADD,
    "dec": RmwOp.SUB,
    "add": RmwOp.ADD,
    "sub": RmwOp.SUB,
    "and": RmwOp.AND,
    "or": RmwOp.OR,
    "xor": RmwOp.XOR,
    "xchg": RmwOp.XCHG,
    "lock xadd": RmwOp.ADD,
}


def lower_asm(b: Builder, inst: CallInst, asm: Asm) -> None:
    pieces = _pieces(asm.template)
    constraints = [c for c in asm.constraints.split(",") if not c.startswith("~")]
    if not isinstance(inst.type.result, VoidType):
        _lower_with_result(b, inst, asm, pieces, constraints)
        return
    for piece in pieces:
        if piece in _NOTHING:
            continue
        if _FENCE.fullmatch(piece):
            b.emit(Fence(loc=b.loc))
        elif piece in _TRAP:
            b.emit(Halt(HaltKind.ABORT, loc=b.loc))
        elif (step := _STEP.fullmatch(piece)) and constraints == ["=*m", "*m"]:
            _update(b, inst, step, None)
        elif (update := _UPDATE.fullmatch(piece)) and constraints[:1] == ["=*m"] and constraints[2:] == ["*m"]:
            _update(b, inst, update, 1)
        else:
            raise Unlowerable(f"inline assembly {_shown(asm)}")


def _update(b: Builder, inst: CallInst, found: re.Match[str], operand: int | None) -> None:
    """A locked instruction on the memory operand that the first argument points to."""
    size = _SIZES[found[2]]
    value = Const(1, 8 * size) if operand is None else resized(b.value(inst.args[operand].value), 8 * size)
    b.emit(Rmw(b.temp(8 * size), _OPS[found[1]], b.value(inst.args[0].value), value, size, loc=b.loc))


def _lower_with_result(b: Builder, inst: CallInst, asm: Asm, pieces: list[str], constraints: list[str]) -> None:
    dst = b.reg(inst.result, inst.type.result)
    tied = len(constraints) == 2 and constraints[0].startswith("=") and constraints[1] == "0"
    if not pieces and tied and len(inst.args) == 1:  # hides a value from the optimiser, no more
        b.emit(Assign(dst, b.value(inst.args[0].value), loc=b.loc))
        return
    found = _EXCHANGE.fullmatch(pieces[0]) if len(pieces) == 1 else None
    if found is None or constraints[1:] != ["=*m", "0", "*m"] or dst.width != 8 * _SIZES[found[2]]:
        raise Unlowerable(f"inline assembly {_shown(asm)}")
    address, value = b.value(inst.args[0].value), b.value(inst.args[1].value)
    b.emit(Rmw(dst, _OPS[found[1]], address, value, _SIZES[found[2]], loc=b.loc))


def _pieces(template: str) -> list[str]:
    """The instructions without labels and directives; a `lock` or `rep` prefix joined with what follows."""
    pieces: list[str] = []
    for part in _SEPARATOR.split(template):
        words = " ".join(_LABEL.sub("", part, count=1).split()).lower()
        if not words or words.startswith("."):
            continue
        if pieces and pieces[-1] in ("lock", "rep"):
            pieces[-1] = f"{pieces[-1]} {words}"
        else:
            pieces.append(words)
    return pieces


def _shown(asm: Asm) -> str:
    return '"' + " ".join(asm.template.split())[:60] + '"'
