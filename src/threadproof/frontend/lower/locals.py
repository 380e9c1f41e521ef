"""Locals that live as long as their block: made where clang marks the beginning of their life, not on entry.

An object with one marked beginning is allocated there and dropped at each marked end; since blocks nest, that is the
same as restoring the stack to where the object began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from threadproof.frontend.llvm.module import AllocaInst, BasicBlock, CallInst, LlvmLocal, LlvmNumber, Symbol
from threadproof.frontend.llvm.types import PtrType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import resized, scaled
from threadproof.ir.expr import Const
from threadproof.ir.instr import Alloc, StackRestore, Storage

_START = "llvm.lifetime.start"


def scoped_locals(blocks: list[BasicBlock]) -> dict[str, AllocaInst]:
    """Allocas whose life begins at exactly one marked place.

    None in a function that calls alloca(): its memory outlives the block, and would be dropped with it.
    """
    if _calls_alloca(blocks):
        return {}
    starts = Counter(name for block in blocks for name in _marked(block, _START))
    return {
        instruction.result: instruction
        for instruction in blocks[0].instructions
        if isinstance(instruction, AllocaInst) and starts[instruction.result] == 1
    }


def _calls_alloca(blocks: list[BasicBlock]) -> bool:
    """Arrays of variable length are dynamic allocas too, but each comes with a stacksave."""
    dynamic = saved = 0
    for number, block in enumerate(blocks):
        for instruction in block.instructions:
            if isinstance(instruction, AllocaInst):
                dynamic += number > 0 or not (instruction.count is None or isinstance(instruction.count, LlvmNumber))
            elif isinstance(instruction, CallInst) and isinstance(instruction.callee, Symbol):
                saved += instruction.callee.name.startswith("llvm.stacksave")
    return dynamic > saved


def lower_alloca(b: Builder, inst: AllocaInst) -> None:
    """On entry, unless the object's block begins later."""
    if inst.result not in b.scoped:
        _emit(b, inst)


def lower_lifetime(b: Builder, inst: CallInst) -> None:
    alloca = b.scoped.get(_marked_local(inst) or "")
    if alloca is None:
        return
    if isinstance(inst.callee, Symbol) and inst.callee.name.startswith(_START):
        _emit(b, alloca)
    else:
        b.emit(StackRestore(b.reg(alloca.result, PtrType()), loc=b.loc))


def _emit(b: Builder, inst: AllocaInst) -> None:
    width = b.scope.pointer_bits
    element = Const(b.scope.size(inst.type), width)
    size = element if inst.count is None else scaled(resized(b.value(inst.count), width), element.value)
    dst = b.reg(inst.result, PtrType())
    name = b.alloc_names.get(inst.result, dst.name)
    b.emit(Alloc(dst, size, Storage.STACK, name=name, align=max(1, inst.align), loc=b.loc))


def _marked(block: BasicBlock, marker: str) -> Iterator[str]:
    for instruction in block.instructions:
        if not isinstance(instruction, CallInst) or not isinstance(instruction.callee, Symbol):
            continue
        local = _marked_local(instruction)
        if local is not None and instruction.callee.name.startswith(marker):
            yield local


def _marked_local(call: CallInst) -> str | None:
    """The alloca a marker is about: its last argument (older LLVM gives a size first)."""
    value = call.args[-1].value if call.args else None
    return value.name if isinstance(value, LlvmLocal) else None
