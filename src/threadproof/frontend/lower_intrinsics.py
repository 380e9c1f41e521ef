"""LLVM's intrinsic functions."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.builder import Builder
from threadproof.frontend.constants import offset_pointer, resized
from threadproof.frontend.llvm_module import CallInst, Number
from threadproof.frontend.llvm_types import FloatType, IntType, Type, VoidType
from threadproof.frontend.lower_bits import (
    count_leading,
    count_ones,
    count_trailing,
    float_class,
    funnel,
    reverse_bits,
    swap_bytes,
    two_floats,
)
from threadproof.frontend.lower_locals import lower_lifetime
from threadproof.frontend.lower_varargs import va_copy, va_start
from threadproof.frontend.scope import Unlowerable
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    Reg,
    Select,
    const,
)
from threadproof.ir.instr import Assign, Halt, HaltKind, StackRestore, StackSave, Volatility

_NOTHING = (
    "dbg", "assume", "invariant", "va_end", "donothing", "prefetch", "sideeffect", "clear_cache",
    "experimental.noalias.scope.decl", "var.annotation", "codeview.annotation",
)  # fmt: skip
_FIRST_ARGUMENT = (
    "expect", "threadlocal.address", "launder.invariant.group", "strip.invariant.group", "ptr.annotation",
    "annotation", "ssa.copy", "canonicalize", "arithmetic.fence", "freeze",
)  # fmt: skip
_FLOAT_UNARY = {
    "fabs": FloatUnaryOp.ABS,
    "sqrt": FloatUnaryOp.SQRT,
    "floor": FloatUnaryOp.FLOOR,
    "ceil": FloatUnaryOp.CEIL,
    "trunc": FloatUnaryOp.TRUNC,
}
_MIN_MAX = {
    "smax": (CompareOp.SLT, 1),
    "smin": (CompareOp.SLT, 0),
    "umax": (CompareOp.ULT, 1),
    "umin": (CompareOp.ULT, 0),
}


def lower_intrinsic(b: Builder, inst: CallInst, name: str) -> None:
    short = name.removeprefix("llvm.")
    if _is(short, _NOTHING):
        return
    if _is(short, ("memcpy", "memmove", "memset")):
        _lower_memory(b, inst, short.split(".")[0])
        return
    if ".with.overflow." in short:
        _lower_overflow(b, inst, short.split(".")[0])
        return
    statement = _STATEMENTS.get(short.split(".")[0])
    if statement is not None:
        statement(b, inst)
        return
    value = _value(b, inst, short)
    if not isinstance(inst.type.result, VoidType):
        b.emit(Assign(b.reg(inst.result, inst.type.result), value, loc=b.loc))


def lower_math(b: Builder, inst: CallInst, name: str) -> bool:
    """sqrt, fabs and the like of the C library, which differ from the intrinsics only in errno."""
    base = {64: name, 32: name.removesuffix("f")}.get(b.scope.bits(inst.type.result), "")
    if base not in _FLOAT_UNARY or len(inst.args) != 1 or inst.args[0].value.type != inst.type.result:
        return False
    value = FloatUnary(_FLOAT_UNARY[base], _arg(b, inst, 0))
    b.emit(Assign(b.reg(inst.result, inst.type.result), value, loc=b.loc))
    return True


def _is(short: str, names: tuple[str, ...]) -> bool:
    return any(short == name or short.startswith(f"{name}.") for name in names)


def _arg(b: Builder, inst: CallInst, index: int) -> Expr:
    return b.value(inst.args[index].value)


def _value(b: Builder, inst: CallInst, short: str) -> Expr:
    """Intrinsics that compute something."""
    base = short.split(".")[0]
    if _is(short, _FIRST_ARGUMENT):
        return _arg(b, inst, 0)
    if base in _FLOAT_UNARY:
        _require_float(inst.type.result, short)
        return FloatUnary(_FLOAT_UNARY[base], _arg(b, inst, 0))
    if base in ("fmuladd", "fma"):
        return _multiply_add(b, inst, base, short)
    if base in ("copysign", "maxnum", "minnum"):
        _require_float(inst.type.result, short)
        return two_floats(b, base, _arg(b, inst, 0), _arg(b, inst, 1))
    if isinstance(inst.type.result, IntType):
        return _integer(b, inst, base, short)
    if base == "ptrmask":
        pointer = b.assign(_arg(b, inst, 0))
        masked = Binary(BinaryOp.AND, pointer, resized(_arg(b, inst, 1), pointer.width, ConvertOp.SEXT))
        return offset_pointer(pointer, Binary(BinaryOp.SUB, masked, pointer))
    raise Unlowerable(f"the intrinsic function llvm.{short}")


def _multiply_add(b: Builder, inst: CallInst, base: str, short: str) -> Expr:
    """`fmuladd` leaves open whether the product is rounded; we round. `fma` must not: unsupported."""
    if base == "fma":
        raise Unlowerable("fma")
    _require_float(inst.type.result, short)
    product = FloatBinary(FloatOp.MUL, _arg(b, inst, 0), _arg(b, inst, 1))
    return FloatBinary(FloatOp.ADD, product, _arg(b, inst, 2))


def _integer(b: Builder, inst: CallInst, base: str, short: str) -> Expr:
    if base in _MIN_MAX:
        op, want_larger = _MIN_MAX[base]
        left, right = _arg(b, inst, 0), _arg(b, inst, 1)
        smaller = Compare(op, left, right)
        return Select(smaller, right, left) if want_larger else Select(smaller, left, right)
    first = _arg(b, inst, 0)
    width = b.scope.bits(inst.type.result)
    match base:
        case "abs":
            return Select(
                Compare(CompareOp.SLT, first, Const(0, width)),
                Binary(BinaryOp.SUB, Const(0, width), first),
                first,
            )
        case "objectsize":
            wants_min = inst.args[1].value
            least = isinstance(wants_min, Number) and wants_min.value == 1
            return Const(0, width) if least else const(-1, width)
        case "is" if short.startswith("is.constant"):
            return Const(0, 1)
        case "is" if short.startswith("is.fpclass") and isinstance(mask := inst.args[1].value, Number):
            _require_float(inst.args[0].value.type, short)
            return float_class(b, first, mask.value)
        case "bitreverse":
            return reverse_bits(b, first)
        case "bswap":
            return swap_bytes(b.assign(first))
        case "ctpop":
            return count_ones(b, first)
        case "ctlz":
            return count_leading(b, first)
        case "cttz":
            return count_trailing(b, first)
        case "fshl" | "fshr":
            return funnel(b, base, first, _arg(b, inst, 1), _arg(b, inst, 2))
        case _:
            raise Unlowerable(f"the intrinsic function llvm.{short}")


def _require_float(type_: Type, short: str) -> None:
    if not (isinstance(type_, FloatType) and type_.bits in (32, 64)):
        raise Unlowerable(f"the intrinsic function llvm.{short}")


# --- memory ---


def _lower_memory(b: Builder, inst: CallInst, what: str) -> None:
    target, second, length = (_arg(b, inst, index) for index in range(3))
    length = resized(length, b.scope.pointer_bits)
    flag = inst.args[3].value if len(inst.args) > 3 else None
    volatility = Volatility.VOLATILE if isinstance(flag, Number) and flag.value & 1 else Volatility.ORDINARY
    if what == "memcpy" and isinstance(length, Const):
        b.copy(target, second, length.value, volatility)
    elif what == "memset" and isinstance(length, Const) and isinstance(second, Const):
        b.fill(target, second.value, length.value, volatility)
    elif what == "memset":
        b.call_library("memset", (target, resized(second, 32), length))
    else:
        b.call_library(what, (target, second, length))


# --- checked arithmetic ---


def _lower_overflow(b: Builder, inst: CallInst, kind: str) -> None:
    """The result {iN, i1} stays two registers: it is nearly always taken apart at once."""
    left, right = _arg(b, inst, 0), _arg(b, inst, 1)
    op = {"add": BinaryOp.ADD, "sub": BinaryOp.SUB, "mul": BinaryOp.MUL}.get(kind[1:])
    if op is None or not isinstance(inst.args[0].value.type, IntType):
        raise Unlowerable(f"the intrinsic function llvm.{kind}.with.overflow")
    total = b.assign(Binary(op, left, right))
    flag = b.assign(_overflows(kind, left, right, total))
    b.pairs[inst.result] = (total, flag, b.scope.size(inst.args[0].value.type))


def _overflows(kind: str, left: Expr, right: Expr, total: Reg) -> Expr:
    width = total.width
    match kind:
        case "uadd":
            return Compare(CompareOp.ULT, total, left)
        case "usub":
            return Compare(CompareOp.ULT, left, right)
        case "sadd" | "ssub":
            # The result's sign differs from the left operand's although the right one pulls the other way.
            other = right if kind == "sadd" else Binary(BinaryOp.XOR, right, const(-1, width))
            changed = Binary(BinaryOp.AND, Binary(BinaryOp.XOR, total, left), Binary(BinaryOp.XOR, total, other))
            return Compare(CompareOp.SLT, changed, Const(0, width))
        case _:
            op = ConvertOp.ZEXT if kind == "umul" else ConvertOp.SEXT
            wide = Binary(BinaryOp.MUL, resized(left, 2 * width, op), resized(right, 2 * width, op))
            return Compare(CompareOp.NE, wide, Convert(op, total, 2 * width))


# --- statements ---


def _stack_save(b: Builder, inst: CallInst) -> None:
    b.emit(StackSave(b.reg(inst.result, inst.type.result), loc=b.loc))


def _stack_restore(b: Builder, inst: CallInst) -> None:
    b.emit(StackRestore(_arg(b, inst, 0), loc=b.loc))


def _trap(b: Builder, inst: CallInst) -> None:
    b.emit(Halt(HaltKind.ABORT, loc=b.loc))


_STATEMENTS: dict[str, Callable[[Builder, CallInst], None]] = {
    "stacksave": _stack_save,
    "stackrestore": _stack_restore,
    "lifetime": lambda b, inst: lower_lifetime(b, inst),
    "trap": _trap,
    "debugtrap": _trap,
    "ubsantrap": _trap,
    "va_start": lambda b, inst: va_start(b, _arg(b, inst, 0)),
    "va_copy": lambda b, inst: va_copy(b, _arg(b, inst, 0), _arg(b, inst, 1)),
}
