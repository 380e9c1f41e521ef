"""Expressions: a small bit-vector algebra with exact C widths. Pure: no memory, no choice, no trap but division.

Every value is a bit-vector. Floats are carried as their IEEE bit patterns; an aggregate that LLVM keeps in a
register is the concatenation of its bytes; a pointer is an address of the fixed layout (`ir.layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum


class BinaryOp(Enum):
    ADD = "+"
    SUB = "-"
    MUL = "*"
    UDIV = "/u"  # division and remainder by zero are undefined behaviour, noticed by whoever evaluates
    SDIV = "/s"
    UREM = "%u"
    SREM = "%s"
    SHL = "<<"
    LSHR = ">>u"
    ASHR = ">>s"
    AND = "&"
    OR = "|"
    XOR = "^"


class CompareOp(Enum):
    EQ = "=="
    NE = "!="
    ULT = "<u"
    ULE = "<=u"
    SLT = "<s"
    SLE = "<=s"


class ConvertOp(Enum):
    ZEXT = "zext"
    SEXT = "sext"
    TRUNC = "trunc"


class FloatOp(Enum):
    ADD = "f+"
    SUB = "f-"
    MUL = "f*"
    DIV = "f/"
    REM = "f%"


class FloatUnaryOp(Enum):
    NEG = "fneg"
    ABS = "fabs"
    SQRT = "sqrt"
    FLOOR = "floor"
    CEIL = "ceil"
    TRUNC = "ftrunc"


class FloatConvertOp(Enum):
    FLOAT_TO_FLOAT = "fpcast"
    FLOAT_TO_SIGNED = "fptosi"
    FLOAT_TO_UNSIGNED = "fptoui"
    SIGNED_TO_FLOAT = "sitofp"
    UNSIGNED_TO_FLOAT = "uitofp"


@dataclass(frozen=True, slots=True)
class Const:
    value: int  # 0 <= value < 2**width
    width: int


@dataclass(frozen=True, slots=True)
class Reg:
    """A register of the running function."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class GlobalRef:
    """The address of a global variable or function."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class TlsRef:
    """The address of the running thread's instance of a thread-local variable."""

    name: str
    width: int


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr

    @property
    def width(self) -> int:
        return self.left.width


@dataclass(frozen=True, slots=True)
class Compare:
    op: CompareOp
    left: Expr
    right: Expr

    @property
    def width(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Convert:
    op: ConvertOp
    operand: Expr
    width: int


@dataclass(frozen=True, slots=True)
class Select:
    condition: Expr  # width 1
    then: Expr
    otherwise: Expr

    @property
    def width(self) -> int:
        return self.then.width


OFFSET_BITS = 64


@dataclass(frozen=True, slots=True)
class PtrAdd:
    """Pointer arithmetic: stays with the object that `base` points to, however far `offset` goes.

    `offset` is a signed number of OFFSET_BITS bits whatever a pointer's width, so that an index too large for the
    address space is still too large after it was scaled.
    """

    base: Expr
    offset: Expr

    @property
    def width(self) -> int:
        return self.base.width


@dataclass(frozen=True, slots=True)
class FloatBinary:
    op: FloatOp
    left: Expr
    right: Expr

    @property
    def width(self) -> int:
        return self.left.width


@dataclass(frozen=True, slots=True)
class FloatUnary:
    op: FloatUnaryOp
    operand: Expr

    @property
    def width(self) -> int:
        return self.operand.width


@dataclass(frozen=True, slots=True)
class FloatCompare:
    """`predicate` is LLVM's: oeq, olt, une, uno, ... (o: false if a NaN is involved, u: true)."""

    predicate: str
    left: Expr
    right: Expr

    @property
    def width(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class FloatConvert:
    op: FloatConvertOp
    operand: Expr
    width: int


@dataclass(frozen=True, slots=True)
class MathCall:
    """A function of `ir.maths` of numbers; `errno` asks for the error number it leaves instead (an int, 0 if none)."""

    name: str
    args: tuple[Expr, ...]
    errno: bool = False

    @property
    def width(self) -> int:
        return 32 if self.errno else self.args[0].width


Expr = (
    Const
    | Reg
    | GlobalRef
    | TlsRef
    | Binary
    | Compare
    | Convert
    | Select
    | PtrAdd
    | FloatBinary
    | FloatUnary
    | FloatCompare
    | FloatConvert
    | MathCall
)


def children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Const() | Reg() | GlobalRef() | TlsRef():
            return ()
        case Binary() | Compare() | FloatBinary() | FloatCompare():
            return (expr.left, expr.right)
        case Convert() | FloatConvert() | FloatUnary():
            return (expr.operand,)
        case Select():
            return (expr.condition, expr.then, expr.otherwise)
        case PtrAdd():
            return (expr.base, expr.offset)
        case MathCall():
            return expr.args


_LEAVES = (Const, Reg, GlobalRef, TlsRef)


def walk(expr: Expr) -> Iterator[Expr]:
    yield expr
    if not isinstance(expr, _LEAVES):  # most are: this is where large programs spend their time
        for child in children(expr):
            yield from walk(child)


def registers(expr: Expr) -> Iterator[str]:
    """Names of the registers read, with repetitions."""
    if isinstance(expr, Reg):
        yield expr.name
    elif not isinstance(expr, _LEAVES):
        for child in children(expr):
            yield from registers(child)


_DIVISION = (BinaryOp.UDIV, BinaryOp.SDIV, BinaryOp.UREM, BinaryOp.SREM)
_SHIFT = (BinaryOp.SHL, BinaryOp.LSHR, BinaryOp.ASHR)
_TO_INTEGER = (FloatConvertOp.FLOAT_TO_SIGNED, FloatConvertOp.FLOAT_TO_UNSIGNED)


def may_trap(expr: Expr) -> bool:
    """Whether evaluation can be undefined or unsupported: division by zero, an oversized shift, a number too large
    for an integer."""
    return any(_traps(part) for part in walk(expr))


def _traps(part: Expr) -> bool:
    match part:
        case Binary() if part.op in _DIVISION:
            return not (isinstance(part.right, Const) and part.right.value)
        case Binary() if part.op in _SHIFT:
            return not (isinstance(part.right, Const) and part.right.value < part.width)
        case FloatConvert():
            return part.op in _TO_INTEGER
        case _:
            return False


def rebuild(expr: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """The same operation on `f` of its operands."""
    match expr:
        case Const() | Reg() | GlobalRef() | TlsRef():
            return expr
        case Binary():
            return Binary(expr.op, f(expr.left), f(expr.right))
        case Compare():
            return Compare(expr.op, f(expr.left), f(expr.right))
        case Convert():
            return Convert(expr.op, f(expr.operand), expr.width)
        case Select():
            return Select(f(expr.condition), f(expr.then), f(expr.otherwise))
        case PtrAdd():
            return PtrAdd(f(expr.base), f(expr.offset))
        case FloatBinary():
            return FloatBinary(expr.op, f(expr.left), f(expr.right))
        case FloatUnary():
            return FloatUnary(expr.op, f(expr.operand))
        case FloatCompare():
            return FloatCompare(expr.predicate, f(expr.left), f(expr.right))
        case FloatConvert():
            return FloatConvert(expr.op, f(expr.operand), expr.width)
        case MathCall():
            return MathCall(expr.name, tuple(map(f, expr.args)), expr.errno)


def true() -> Const:
    return Const(1, 1)


def negate(condition: Expr) -> Expr:
    """The opposite of a width-1 expression."""
    return Binary(BinaryOp.XOR, condition, Const(1, 1))


_EQUALITY = {CompareOp.EQ: CompareOp.NE, CompareOp.NE: CompareOp.EQ}
_ORDER = {
    CompareOp.ULT: CompareOp.ULE,
    CompareOp.ULE: CompareOp.ULT,
    CompareOp.SLT: CompareOp.SLE,
    CompareOp.SLE: CompareOp.SLT,
}


def opposite(condition: Expr) -> Expr:
    """As `negate`, but a comparison stays one, and a negation goes."""
    match condition:
        case Compare() if condition.op in _EQUALITY:
            return Compare(_EQUALITY[condition.op], condition.left, condition.right)
        case Compare():
            return Compare(_ORDER[condition.op], condition.right, condition.left)
        case Binary(op=BinaryOp.XOR, left=inner, right=Const(value=1, width=1)):
            return inner
        case _:
            return negate(condition)


def const(value: int, width: int) -> Const:
    return Const(value & ((1 << width) - 1), width)
