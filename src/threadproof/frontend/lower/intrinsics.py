"""LLVM's intrinsic functions."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.llvm.module import CallInst, LlvmNumber
from threadproof.frontend.llvm.types import ARITHMETIC, FloatType, IntType, Type, VoidType
from threadproof.frontend.lower.bits import (
    count_leading,
    count_ones,
    count_trailing,
    float_class,
    funnel,
    reverse_bits,
    saturated,
    swap_bytes,
    two_floats,
)
from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import BINARY_OPS, offset_pointer, resized
from threadproof.frontend.lower.locals import lower_lifetime
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.lower.varargs import va_copy, va_start
from threadproof.frontend.lower.vectors import call_by_lanes, is_vector, lanes
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
    MathCall,
    Reg,
    Select,
    const,
)
from threadproof.ir.instr import (
    Assign,
    Branch,
    Edge,
    Fence,
    Halt,
    HaltKind,
    Order,
    StackRestore,
    StackSave,
    Undefined,
    UndefinedKind,
    Volatility,
)
from threadproof.ir.maths import MATH, is_here

_NOTHING = (
    "dbg", "invariant", "va_end", "donothing", "prefetch", "sideeffect", "clear_cache",
    "experimental.noalias.scope.decl", "var.annotation", "codeview.annotation", "x86.sse2.pause", "x86.sse2.lfence",
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


_IN_LIBRARY = frozenset((
    "round", "rint", "nearbyint", "roundeven", "lround", "llround", "lrint", "llrint", "ldexp", "fma",
))  # fmt: skip
_SUFFIX = {"float": "f", "double": "", "x86_fp80": "l"}  # of names in the C library
_COUNTERS = frozenset(("readcyclecounter", "readsteadycounter", "x86.rdtsc"))
_FENCES = {"x86.sse2.mfence": Order.SEQ_CST, "x86.sse.sfence": Order.RELEASE}


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
    if short in _FENCES:
        b.emit(Fence(_FENCES[short], loc=b.loc))
        return
    statement = _STATEMENTS.get(short.split(".")[0])
    if statement is not None:
        statement(b, inst)
        return
    if short.startswith("vector.reduce."):
        value = _reduced(b, inst, short.split(".")[2])
    elif any(is_vector(arg.value) for arg in inst.args):
        value = call_by_lanes(b, inst, lambda lane: _value(b, lane, short))
    else:
        value = _value(b, inst, short)
    if not isinstance(inst.type.result, VoidType):
        b.emit(Assign(b.reg(inst.result, inst.type.result), value, loc=b.loc))


def lower_math(b: Builder, inst: CallInst, name: str) -> bool:
    """sqrt, fabs and the like of the C library without their errors: they differ from the intrinsics only in errno."""
    base = {64: name, 32: name.removesuffix("f"), 80: name.removesuffix("l")}.get(b.scope.bits(inst.type.result), "")
    if any(arg.value.type != inst.type.result for arg in inst.args):
        return False
    if base in _FLOAT_UNARY and len(inst.args) == 1:
        value: Expr = FloatUnary(_FLOAT_UNARY[base], _arg(b, inst, 0))
    elif base == "fmod" and len(inst.args) == 2:
        value = FloatBinary(FloatOp.REM, _arg(b, inst, 0), _arg(b, inst, 1))
    else:
        return False
    b.emit(Assign(b.reg(inst.result, inst.type.result), value, loc=b.loc))
    return True


VALUE_OF, ERROR_OF = "__threadproof_value_of_", "__threadproof_error_of_"  # in the runtime library


def lower_math_call(b: Builder, inst: CallInst, name: str) -> None:
    """A function that the C library computes in its own way, or the error that it leaves."""
    plain = name.removeprefix(VALUE_OF).removeprefix(ERROR_OF)
    if lower_math(b, inst, plain):
        return
    value = _math_call(b, inst, plain, name.startswith(ERROR_OF))
    b.emit(Assign(b.reg(inst.result, inst.type.result), value, loc=b.loc))


def _math_call(b: Builder, inst: CallInst, name: str, errno: bool = False) -> Expr:
    shape = MATH[name]
    args = tuple(_arg(b, inst, index) for index in range(len(inst.args)))
    if [arg.width for arg in args] != [shape.width] * shape.arity or not is_here(name):
        raise Unlowerable(f"the function {name}, which the C library of this machine does not have")
    b.scope.demand.uses.library[name] = None
    return MathCall(name, args, errno)


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
        _require_arithmetic(inst.type.result, short)
        return FloatUnary(_FLOAT_UNARY[base], _arg(b, inst, 0))
    named = base + _SUFFIX.get(inst.type.result.name, "?") if isinstance(inst.type.result, FloatType) else ""
    if named in MATH:
        return _math_call(b, inst, named)
    if base in _IN_LIBRARY:
        return _library(b, inst, base, short)
    if short in _COUNTERS:
        return b.any_value(b.scope.bits(inst.type.result), f"llvm.{short}")
    if short == "get.rounding":
        return Const(1, b.scope.bits(inst.type.result))  # to nearest: what changes the mode is unsupported
    if base == "fmuladd":
        return _multiply_add(b, inst, short)
    if base in ("copysign", "maxnum", "minnum"):
        _require_arithmetic(inst.type.result, short)
        return two_floats(b, base, _arg(b, inst, 0), _arg(b, inst, 1))
    if isinstance(inst.type.result, IntType):
        return _integer(b, inst, base, short)
    if base == "ptrmask":
        pointer = b.assign(_arg(b, inst, 0))
        masked = Binary(BinaryOp.AND, pointer, resized(_arg(b, inst, 1), pointer.width, ConvertOp.SEXT))
        return offset_pointer(pointer, Binary(BinaryOp.SUB, masked, pointer))
    raise Unlowerable(f"the intrinsic function llvm.{short}")


def _multiply_add(b: Builder, inst: CallInst, short: str) -> Expr:
    """It leaves open whether the product is rounded; we round, as processors do that have no better instruction."""
    _require_arithmetic(inst.type.result, short)
    product = FloatBinary(FloatOp.MUL, _arg(b, inst, 0), _arg(b, inst, 1))
    return FloatBinary(FloatOp.ADD, product, _arg(b, inst, 2))


def _integer(b: Builder, inst: CallInst, base: str, short: str) -> Expr:
    if base in _MIN_MAX:
        return _extreme(base, _arg(b, inst, 0), _arg(b, inst, 1))
    if not inst.args:
        raise Unlowerable(f"the intrinsic function llvm.{short}")
    first = _arg(b, inst, 0)
    width = b.scope.bits(inst.type.result)
    match base:
        case "sadd" | "ssub" | "uadd" | "usub" if ".sat." in short:
            return saturated(b, base, first, _arg(b, inst, 1))
        case "abs":
            return Select(
                Compare(CompareOp.SLT, first, Const(0, width)),
                Binary(BinaryOp.SUB, Const(0, width), first),
                first,
            )
        case "objectsize":
            wants_min = inst.args[1].value
            least = isinstance(wants_min, LlvmNumber) and wants_min.value == 1
            return Const(0, width) if least else const(-1, width)
        case "is" if short.startswith("is.constant"):
            return Const(0, 1)
        case "is" if short.startswith("is.fpclass") and isinstance(mask := inst.args[1].value, LlvmNumber):
            _require_arithmetic(inst.args[0].value.type, short)
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


def _library(b: Builder, inst: CallInst, base: str, short: str) -> Expr:
    """The function of the same name of the C library."""
    argument = inst.args[0].value.type
    suffix = _SUFFIX.get(argument.name if isinstance(argument, FloatType) else "")
    if suffix is None:
        raise Unlowerable(f"the intrinsic function llvm.{short}")
    dst = b.temp(b.scope.bits(inst.type.result))
    name = base + suffix
    b.call_library(name, tuple(b.value(arg.value) for arg in inst.args), dst)
    return dst


def _frexp(b: Builder, inst: CallInst) -> None:
    """{fraction, power}, two registers."""
    type_ = inst.args[0].value.type
    suffix = _SUFFIX.get(type_.name) if isinstance(type_, FloatType) else None
    if suffix is None:
        raise Unlowerable("the intrinsic function llvm.frexp")
    argument, fraction, power = b.assign(_arg(b, inst, 0)), b.temp(b.scope.bits(type_)), b.temp(32)
    b.call_library(f"__threadproof_fraction{suffix}", (argument,), fraction)
    b.call_library(f"__threadproof_power{suffix}", (argument,), power)
    b.pairs[inst.result] = (fraction, power, b.scope.size(type_))


def _reduced(b: Builder, inst: CallInst, kind: str) -> Expr:
    """One lane after the other; integers only."""
    parts = [b.value(lane) for lane in lanes(b, inst.args[0].value)]
    if not isinstance(inst.type.result, IntType) or not (kind in BINARY_OPS or kind in _MIN_MAX):
        raise Unlowerable(f"the intrinsic function llvm.vector.reduce.{kind}")
    total: Expr = b.assign(parts[0])
    for part in parts[1:]:
        if kind in BINARY_OPS:
            total = b.assign(Binary(BINARY_OPS[kind], total, part))
        else:
            total = b.assign(_extreme(kind, total, b.assign(part)))
    return total


def _extreme(kind: str, left: Expr, right: Expr) -> Expr:
    op, want_larger = _MIN_MAX[kind]
    smaller = Compare(op, left, right)
    return Select(smaller, right, left) if want_larger else Select(smaller, left, right)


def _require_arithmetic(type_: Type, short: str) -> None:
    if not (isinstance(type_, FloatType) and type_.name in ARITHMETIC):
        raise Unlowerable(f"the intrinsic function llvm.{short}")


# --- memory ---


def _lower_memory(b: Builder, inst: CallInst, what: str) -> None:
    target, second, length = (_arg(b, inst, index) for index in range(3))
    length = resized(length, b.scope.pointer_bits)
    flag = inst.args[3].value if len(inst.args) > 3 else None
    volatility = Volatility.VOLATILE if isinstance(flag, LlvmNumber) and flag.value & 1 else Volatility.ORDINARY
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


def _assume(b: Builder, inst: CallInst) -> None:
    """__builtin_assume: an execution in which it is false is undefined."""
    holds, broken = b.label("holds"), b.label("broken")
    b.emit(Branch(_arg(b, inst, 0), Edge(holds), Edge(broken), loc=b.loc))
    b.go_on(broken)
    b.end(Undefined(UndefinedKind.UNREACHABLE, loc=b.loc))
    b.go_on(holds)


_STATEMENTS: dict[str, Callable[[Builder, CallInst], None]] = {
    "assume": _assume,
    "stacksave": _stack_save,
    "stackrestore": _stack_restore,
    "lifetime": lambda b, inst: lower_lifetime(b, inst),
    "trap": _trap,
    "frexp": _frexp,
    "debugtrap": _trap,
    "ubsantrap": _trap,
    "va_start": lambda b, inst: va_start(b, _arg(b, inst, 0)),
    "va_copy": lambda b, inst: va_copy(b, _arg(b, inst, 0), _arg(b, inst, 1)),
}
