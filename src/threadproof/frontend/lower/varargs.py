"""Variadic functions.

The caller lays the extra arguments out in an object on its stack, as the ABI does for arguments that have no
register left, and passes its address as one more, hidden, parameter; `va_start` sets a `va_list` up so that
the code clang generates for `va_arg` finds everything there.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.frontend.llvm.module import Argument
from threadproof.frontend.lower.builder import Builder
from threadproof.ir.expr import Const, Expr, Reg
from threadproof.ir.instr import Alloc, StackSave, Storage
from threadproof.ir.layout import align_up
from threadproof.ir.program import VARARGS

# Offsets behind the last register of each kind (System V ABI, AMD64, 3.5.7): nothing is taken from registers.
_GP_END, _FP_END = 48, 176


def pass_varargs(b: Builder, extra: Sequence[Argument]) -> tuple[Reg, Reg]:
    """Lays out the arguments; gives the stack to return to after the call, and the address of the area."""
    slot = b.scope.types.pointer_bytes
    places: list[tuple[int, Argument]] = []
    cursor = 0
    for arg in extra:
        type_ = arg.value.type if arg.byval is None else arg.byval
        align = max(slot, b.scope.types.align(type_)) if slot == 8 else slot
        cursor = align_up(cursor, align)
        places.append((cursor, arg))
        cursor += align_up(b.scope.size(type_), slot)
    saved, area = b.temp(b.scope.pointer_bits), b.temp(b.scope.pointer_bits)
    b.emit(StackSave(saved, loc=b.loc))
    size = Const(cursor, b.scope.pointer_bits)
    b.emit(Alloc(area, size, Storage.STACK, name="arguments", align=16, loc=b.loc))
    for offset, arg in places:
        _put(b, b.moved(area, offset), arg)
    return saved, area


def _put(b: Builder, place: Expr, arg: Argument) -> None:
    value = b.value(arg.value)
    if arg.byval is None:
        b.store(place, value, (value.width + 7) // 8)
    else:
        b.copy(place, value, b.scope.size(arg.byval))


def va_start(b: Builder, va_list: Expr) -> None:
    area = Reg(VARARGS, b.scope.pointer_bits)
    if b.scope.types.pointer_bytes == 4:
        b.store(va_list, area, 4)
        return
    b.store(va_list, Const(_GP_END, 32), 4)
    b.store(b.moved(va_list, 4), Const(_FP_END, 32), 4)
    b.store(b.moved(va_list, 8), area, 8)
    b.store(b.moved(va_list, 16), Const(0, 64), 8)


def va_copy(b: Builder, target: Expr, source: Expr) -> None:
    b.copy(target, source, 4 if b.scope.types.pointer_bytes == 4 else 24)
