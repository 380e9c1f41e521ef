"""Inline assembly: barriers and hints have a meaning, anything else fails when reached."""

from __future__ import annotations

import re

from threadproof.frontend.builder import Builder
from threadproof.frontend.llvm_module import Asm, CallInst
from threadproof.frontend.llvm_types import VoidType
from threadproof.frontend.scope import Unlowerable
from threadproof.ir.instr import Assign, Fence, Halt, HaltKind

_SEPARATOR = re.compile(r"[;\n]")
# On x86 under TSO, lfence and sfence order nothing that ordinary loads and stores could show.
_NOTHING = frozenset(("", "nop", "pause", "rep nop", "rep", "yield", "lfence", "sfence"))
_FENCE = re.compile(r"mfence|lock (?:add|or)[lq] \$\$(?:0x)?0, ?-?\d*\(%[er]sp\)")
_TRAP = frozenset(("ud2", "int3"))


def lower_asm(b: Builder, inst: CallInst, asm: Asm) -> None:
    if not isinstance(inst.type.result, VoidType):
        _lower_with_result(b, inst, asm)
        return
    for piece in _pieces(asm.template):
        if piece in _NOTHING:
            continue
        if _FENCE.fullmatch(piece):
            b.emit(Fence(loc=b.loc))
        elif piece in _TRAP:
            b.emit(Halt(HaltKind.ABORT, loc=b.loc))
        else:
            raise Unlowerable(f"inline assembly {_shown(asm)}")


def _lower_with_result(b: Builder, inst: CallInst, asm: Asm) -> None:
    """An empty template whose only output is tied to its first input hides a value from the optimiser."""
    constraints = [c for c in asm.constraints.split(",") if not c.startswith("~")]
    tied = len(constraints) == 2 and constraints[0].startswith("=") and constraints[1] == "0"
    if asm.template.strip() or not tied or len(inst.args) != 1:
        raise Unlowerable(f"inline assembly {_shown(asm)}")
    b.emit(Assign(b.reg(inst.result, inst.type.result), b.value(inst.args[0].value), loc=b.loc))


def _pieces(template: str) -> list[str]:
    """The instructions, one space between words; a `lock` or `rep` prefix joined with what follows."""
    pieces: list[str] = []
    for part in _SEPARATOR.split(template):
        words = " ".join(part.split()).lower()
        if pieces and pieces[-1] in ("lock", "rep"):
            pieces[-1] = f"{pieces[-1]} {words}"
        else:
            pieces.append(words)
    return pieces


def _shown(asm: Asm) -> str:
    return '"' + " ".join(asm.template.split())[:60] + '"'
