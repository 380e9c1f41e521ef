"""Calls: of the program's functions, of library functions by the sync table, through pointers."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.link import Definition
from threadproof.frontend.llvm.module import Asm, CallInst, LlvmFunction, Symbol, Zero
from threadproof.frontend.llvm.types import Arity, FloatType, VoidType
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.cleanup import lower_cleanup
from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.effect import lower_effect, lower_external
from threadproof.frontend.lower.formats import constant_text, lower_put
from threadproof.frontend.lower.intrinsics import ERROR_OF, VALUE_OF, lower_intrinsic, lower_math, lower_math_call
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.lower.varargs import pass_varargs
from threadproof.ir.expr import Const, Expr, Reg
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Call,
    Error,
    ErrorKind,
    Halt,
    HaltKind,
    ObjectSize,
    Purpose,
    StackRestore,
    Storage,
    Undefined,
    UndefinedKind,
    Volatility,
)
from threadproof.sync.families.system import NUMBERS
from threadproof.sync.rows import GivesAny, InRuntime, Row
from threadproof.sync.table import lookup

_ALWAYS_TABLE = frozenset((
    "reach_error", "__VERIFIER_error", "__VERIFIER_assume",
    "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end",
))  # fmt: skip
LATEST = 0x1FFFFFFFF  # in seconds since 1970, as in runtime/time.c
_OVERFLOWS = {
    "add": "addition",
    "sub": "subtraction",
    "mul": "multiplication",
    "negate": "negation",
    "divrem": "division",
    "shift": "left shift",
}


def table_wins(name: str) -> bool:
    """Whether the sync table's meaning counts even if the program brings a body of its own.

    Only for what is said to a verifier: there the body is for compilers. Everything else is the program's business.
    """
    return name in _ALWAYS_TABLE


def lower_call(b: Builder, inst: CallInst) -> None:
    if isinstance(inst.callee, Asm):
        from threadproof.frontend.lower.asm import lower_asm  # a machine of its own, which few programs need

        lower_asm(b, inst, inst.callee)
    elif isinstance(inst.callee, Symbol):
        _lower_named(b, inst, inst.callee.name)
    else:
        _lower_indirect(b, inst, b.value(inst.callee))


def result_register(b: Builder, inst: CallInst) -> Reg | None:
    if isinstance(inst.type.result, VoidType):
        return None
    return b.reg(inst.result, inst.type.result) if inst.result else b.temp(b.scope.bits(inst.type.result))


def _lower_named(b: Builder, inst: CallInst, name: str) -> None:
    if name.startswith("llvm."):
        lower_intrinsic(b, inst, name)
        return
    if name.startswith("__ubsan_handle_"):
        kind = name.removeprefix("__ubsan_handle_").split("_")[0]
        message = f"signed overflow in {_OVERFLOWS.get(kind, kind)}"
        b.end(Error(ErrorKind.OVERFLOW, message, loc=b.loc))
        return
    if name.startswith((VALUE_OF, ERROR_OF)):
        lower_math_call(b, inst, name)
        return
    if name in _MOVES:
        lower, size = _MOVES[name]
        lower(b, b.value(inst.args[0].value), size or b.scope.types.pointer_bytes)
        return
    if name == "__threadproof_unsupported":
        raise Unlowerable((constant_text(b, inst.args[0].value) or b"").decode())
    if name == "__threadproof_bad_call":
        b.end(Undefined(UndefinedKind.BAD_CALL, loc=b.loc))
        return
    if name == "__threadproof_object_size":
        dst = result_register(b, inst)
        assert dst is not None
        b.emit(ObjectSize(dst, b.value(inst.args[0].value), loc=b.loc))
        return
    found = None if table_wins(name) else b.scope.find(name)
    if found is not None:
        _lower_defined(b, inst, found)
    else:
        _lower_library(b, inst, name)


def _lower_arbitrary(b: Builder, target: Expr, size: int) -> None:
    """What was never initialised moves there: bytes of unknown content, chosen when they are first read."""
    fresh = b.temp(b.scope.pointer_bits)
    b.emit(Alloc(fresh, Const(size, b.scope.pointer_bits), Storage.STACK, name="unknown content", loc=b.loc))
    b.store(target, b.load(fresh, size, purpose=Purpose.MOVE), size)


def _lower_look_at(b: Builder, source: Expr, size: int) -> None:
    """An access whose value makes no difference. The local is too large to become a register."""
    local = b.temp(b.scope.pointer_bits)
    b.emit(Alloc(local, Const(2 * size, b.scope.pointer_bits), Storage.STACK, name="looked at", loc=b.loc))
    b.store(local, b.load(source, size, Volatility.VOLATILE, Purpose.MOVE), size)


_MOVES: dict[str, tuple[Callable[[Builder, Expr, int], None], int]] = {  # with the size in bytes; 0: a word
    "__threadproof_arbitrary_byte": (_lower_arbitrary, 1),
    "__threadproof_arbitrary_word": (_lower_arbitrary, 0),
    "__threadproof_look_at_byte": (_lower_look_at, 1),
    "__threadproof_look_at_word": (_lower_look_at, 0),
}


# Which argument of functions that print or scan is the stream.
_STREAM: dict[str, int] = {
    "fprintf": 0, "vfprintf": 0, "__fprintf_chk": 0, "__vfprintf_chk": 0, "fscanf": 0, "__isoc99_fscanf": 0,
    "__isoc23_fscanf": 0, "fputs": 1, "putc": 1, "fputc": 1,
}  # fmt: skip


def _lower_library(b: Builder, inst: CallInst, name: str) -> None:
    stream = _STREAM.get(name)
    if stream is not None and stream < len(inst.args):
        b.call_library("__threadproof_use_stream", (b.value(inst.args[stream].value),))
    row = lookup(name)
    if row is not None:
        b.scope.demand.uses.library[name] = None
    if name == "assert":
        b.scope.demand.uses.note("assert is called without <assert.h>: taken as an assertion")
    if lower_put(b, inst, name) or lower_cleanup(b, inst, name):
        return
    if name in NUMBERS and not b.is_used(inst.result):
        return  # nor is it then a choice
    if name == "time" and len(inst.args) == 1 and isinstance(inst.args[0].value, Zero):
        row = Row("time", GivesAny(0, LATEST), "any time")  # directly: the usual srand(time(NULL)) then has no choice
    if name in ("exit", "quick_exit") and not b.scope.demand.handlers:
        b.emit(Halt(HaltKind.EXIT, loc=b.loc))
        return
    if row is None or isinstance(row.effect, InRuntime) or b.scope.demand.mentions(row.runtime_if):
        found = b.scope.in_library(name)
        if found is not None:
            _lower_defined(b, inst, found)
        elif not lower_math(b, inst, name):
            lower_external(b, inst, name, result_register(b, inst))
        return
    lower_effect(b, inst, row, result_register(b, inst))


def _lower_defined(b: Builder, inst: CallInst, found: Definition) -> None:
    """A direct call. The definition decides what is passed: the call may be one without a prototype."""
    function = found.item
    if not isinstance(function, LlvmFunction):
        raise Unlowerable(f"a call of the variable {found.name}")
    fixed = len(function.params)
    if len(inst.args) < fixed:  # more than there are parameters: nobody looks at them (a call without a prototype)
        raise Unlowerable(f"a call of {found.name} with {len(inst.args)} arguments instead of {fixed}")
    args = [b.value(arg.value) for arg in inst.args[:fixed]]
    widths = [found.unit.module.types.bits(param.type) for param in function.params]
    floats = [isinstance(arg.value.type, FloatType) for arg in inst.args[:fixed]]  # they travel in other registers
    if [arg.width for arg in args] != widths or floats != [isinstance(p.type, FloatType) for p in function.params]:
        raise Unlowerable(f"a call of {found.name} with arguments of other types")
    b.scope.demand.ask(found)
    saved: Reg | None = None
    if function.arity is Arity.VARIADIC:
        saved, area = pass_varargs(b, inst.args[fixed:])
        args.append(area)
    _emit_call(b, inst, found, tuple(args))
    if saved is not None:
        b.emit(StackRestore(saved, loc=b.loc))


def _emit_call(b: Builder, inst: CallInst, found: Definition, args: tuple[Expr, ...]) -> None:
    """Callers without a prototype expect an int from whatever the function returns."""
    assert isinstance(found.item, LlvmFunction)
    dst = result_register(b, inst)
    given = found.unit.module.types.bits(found.item.result)
    if dst is not None and isinstance(inst.type.result, FloatType) != isinstance(found.item.result, FloatType):
        raise Unlowerable(f"a call of {found.name} with a result of another type")
    if dst is None or dst.width == given:
        b.emit(Call(dst, found.name, args, loc=b.loc))
        return
    if given > dst.width:
        wide = b.temp(given)
        b.emit(Call(wide, found.name, args, loc=b.loc))
        b.emit(Assign(dst, resized(wide, dst.width), loc=b.loc))
        return
    if given:
        raise Unlowerable(f"a call of {found.name} with a result of another type")
    b.emit(Call(None, found.name, args, loc=b.loc))
    b.emit(Assign(dst, b.any_value(dst.width, f"result of {found.name}, which returns nothing"), loc=b.loc))


def _lower_indirect(b: Builder, inst: CallInst, callee: Expr) -> None:
    """A variadic callee gets the area of its extra arguments. `...` may also say that there is no prototype."""
    fixed = len(inst.type.params)
    saved: Reg | None = None
    if inst.type.arity is Arity.VARIADIC and not _lacks_prototype(b, inst):
        args = [b.value(arg.value) for arg in inst.args[:fixed]]
        saved, area = pass_varargs(b, inst.args[fixed:])
        args.append(area)
    else:
        args = [b.value(arg.value) for arg in inst.args]
    b.emit(Call(result_register(b, inst), callee, tuple(args), loc=b.loc))
    if saved is not None:
        b.emit(StackRestore(saved, loc=b.loc))


def _lacks_prototype(b: Builder, inst: CallInst) -> bool:
    """LLVM writes a call without a prototype as one of a variadic function with as many parameters as arguments.

    C has no variadic function without parameters; otherwise it is one if the program knows no such variadic function.
    """
    fixed = len(inst.type.params)
    return fixed == 0 or (len(inst.args) == fixed and not b.scope.demand.linker.knows_variadic(fixed))
