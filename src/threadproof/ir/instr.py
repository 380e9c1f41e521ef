"""Instructions: small, typed, frozen. One LLVM instruction becomes one of these before any pass runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir.expr import Expr, Reg


class Order(Enum):
    """Memory order of an access. Under interleaving semantics every atomic order means the same."""

    PLAIN = "plain"
    RELAXED = "relaxed"
    CONSUME = "consume"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SEQ_CST = "seq_cst"


class Volatility(Enum):
    ORDINARY = "ordinary"
    VOLATILE = "volatile"


class Purpose(Enum):
    """What a load is for. A copied value is stored once and never looked at: arbitrary bytes stay arbitrary, but can no
    longer be chosen alone. A moved one is not read again where it was: the bytes can be chosen in their new place."""

    VALUE = "value"
    COPY = "copy"
    MOVE = "move"


class Storage(Enum):
    STACK = "stack"
    HEAP = "heap"


class Fill(Enum):
    ARBITRARY = "arbitrary"  # bytes are choices, made when first read
    ZERO = "zero"


class Owner(Enum):
    """Who has to free a heap block. The name of a block tells: states keep no more."""

    PROGRAM = ""
    SYSTEM = "<system>"  # mappings, the environment: no property asks for it


class RmwOp(Enum):
    XCHG = "xchg"
    ADD = "add"
    SUB = "sub"
    AND = "and"
    NAND = "nand"
    OR = "or"
    XOR = "xor"
    MAX = "max"
    MIN = "min"
    UMAX = "umax"
    UMIN = "umin"


class ErrorKind(Enum):
    REACH_ERROR = "reach_error"  # reach_error() or __VERIFIER_error() was called
    ASSERTION = "assertion"  # assert() and its kin failed
    OVERFLOW = "overflow"  # a handler of the overflow checks was reached


class HaltKind(Enum):
    RETURN = "return"  # main returned
    EXIT = "exit"
    ABORT = "abort"


class UndefinedKind(Enum):
    """Undefined behaviour by name. Under which property each is a violation: docs/soundness.md."""

    NULL_DEREFERENCE = "null dereference"
    WILD_DEREFERENCE = "wild dereference"
    OUT_OF_BOUNDS = "out-of-bounds access"
    USE_AFTER_FREE = "use after free"
    DEAD_LOCAL = "access to a local of a finished function"
    WRITE_TO_CONSTANT = "write to a constant"
    DOUBLE_FREE = "double free"
    INVALID_FREE = "free of something malloc did not give"
    DIVISION_BY_ZERO = "division by zero"
    OVERSIZED_SHIFT = "shift by a negative amount, or by the width or more"
    SIGNED_OVERFLOW = "signed overflow"
    UNLOCK_NOT_LOCKED = "unlock of something not locked"
    UNREACHABLE = "end of a function that must return a value, or code marked unreachable"
    WILD_CALL = "call through a pointer to no function"
    BAD_CALL = "call with the wrong arguments"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Base:
    loc: SourceLoc = NOWHERE


@dataclass(frozen=True, slots=True)
class Assign(_Base):
    dst: Reg
    value: Expr


@dataclass(frozen=True, slots=True)
class Load(_Base):
    """Read `size` bytes, little endian; `dst` is the low `dst.width` bits."""

    dst: Reg
    address: Expr
    size: int
    order: Order = Order.PLAIN
    volatility: Volatility = Volatility.ORDINARY
    purpose: Purpose = Purpose.VALUE


@dataclass(frozen=True, slots=True)
class Store(_Base):
    """Write `value`, zero-extended to `size` bytes."""

    address: Expr
    value: Expr
    size: int
    order: Order = Order.PLAIN
    volatility: Volatility = Volatility.ORDINARY


@dataclass(frozen=True, slots=True)
class Alloc(_Base):
    """A fresh memory object. Stack objects die with their frame. `name` is a key of `Function.variables`, or a site."""

    dst: Reg
    size: Expr
    storage: Storage
    fill: Fill = Fill.ARBITRARY
    name: str = ""
    align: int = 16


@dataclass(frozen=True, slots=True)
class Free(_Base):
    address: Expr


@dataclass(frozen=True, slots=True)
class ObjectSize(_Base):
    """Size in bytes of the live heap block that starts at `address` (used by the runtime's realloc)."""

    dst: Reg
    address: Expr


@dataclass(frozen=True, slots=True)
class StackSave(_Base):
    dst: Reg


@dataclass(frozen=True, slots=True)
class StackRestore(_Base):
    address: Expr


@dataclass(frozen=True, slots=True)
class Rmw(_Base):
    """Atomic read-modify-write; `dst` gets the old value."""

    dst: Reg
    op: RmwOp
    address: Expr
    value: Expr
    size: int
    order: Order = Order.SEQ_CST


@dataclass(frozen=True, slots=True)
class CompareExchange(_Base):
    """Atomic; a weak one may also fail spuriously, which no verdict depends on and which is not modelled."""

    old: Reg
    success: Reg  # width 1
    address: Expr
    expected: Expr
    desired: Expr
    size: int
    order: Order = Order.SEQ_CST


@dataclass(frozen=True, slots=True)
class Fence(_Base):
    order: Order = Order.SEQ_CST


@dataclass(frozen=True, slots=True)
class Call(_Base):
    """Call of a function of the program, by name or through a pointer. Pointer values are function addresses."""

    dst: Reg | None
    callee: str | Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Sync(_Base):
    """One operation of the sync table (`threadproof.sync`), named by its row."""

    dst: Reg | None
    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Nondet(_Base):
    """Any value of the register's width, between `low` and `high` (as signed numbers if `low` < 0)."""

    dst: Reg
    source: str  # the function called, e.g. __VERIFIER_nondet_int
    low: int
    high: int
    values: tuple[int, ...] = ()  # if given: values among which every behaviour of the whole range is found


@dataclass(frozen=True, slots=True)
class Assume(_Base):
    """Ends the execution, without a verdict, unless `condition` (width 1) holds."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Error(_Base):
    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class Halt(_Base):
    """Ends all threads."""

    kind: HaltKind


@dataclass(frozen=True, slots=True)
class Undefined(_Base):
    """Reaching this is undefined behaviour."""

    kind: UndefinedKind


@dataclass(frozen=True, slots=True)
class Unsupported(_Base):
    """Something Threadproof has no meaning for. Reaching it makes the verdict `unknown`."""

    construct: str


def without_body(name: str) -> str:
    """The construct of a call that nobody knows the meaning of."""
    return f"the function {name}, which has no body"


@dataclass(frozen=True, slots=True)
class Edge:
    """A way to another block; `moves` happen in parallel on the way (they are LLVM's phi nodes)."""

    target: str
    moves: tuple[tuple[Reg, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Jump(_Base):
    edge: Edge


@dataclass(frozen=True, slots=True)
class Branch(_Base):
    condition: Expr  # width 1
    then: Edge
    otherwise: Edge


@dataclass(frozen=True, slots=True)
class Switch(_Base):
    value: Expr
    cases: tuple[tuple[int, Edge], ...]
    default: Edge


@dataclass(frozen=True, slots=True)
class Return(_Base):
    value: Expr | None = field(default=None)


Terminator = Jump | Branch | Switch | Return | Halt | Undefined | Unsupported | Error
Instr = (
    Assign
    | Load
    | Store
    | Alloc
    | Free
    | ObjectSize
    | StackSave
    | StackRestore
    | Rmw
    | CompareExchange
    | Fence
    | Call
    | Sync
    | Nondet
    | Assume
    | Terminator
)

ENDS_BLOCK = (Jump, Branch, Switch, Return, Halt, Undefined, Unsupported, Error)


def uses(instr: Instr) -> tuple[Expr, ...]:
    """The expressions an instruction evaluates, moves on edges excluded."""
    match instr:
        case Assign():
            return (instr.value,)
        case Load() | Free() | ObjectSize() | StackRestore():
            return (instr.address,)
        case Store() | Rmw():
            return (instr.address, instr.value)
        case CompareExchange():
            return (instr.address, instr.expected, instr.desired)
        case Alloc():
            return (instr.size,)
        case Call():
            return instr.args if isinstance(instr.callee, str) else (instr.callee, *instr.args)
        case Sync():
            return instr.args
        case Assume() | Branch():
            return (instr.condition,)
        case Switch():
            return (instr.value,)
        case Return():
            return () if instr.value is None else (instr.value,)
        case StackSave() | Fence() | Nondet() | Error() | Halt() | Undefined() | Unsupported() | Jump():
            return ()


def defs(instr: Instr) -> tuple[Reg, ...]:
    """The registers an instruction writes, moves on edges excluded."""
    match instr:
        case Assign() | Load() | Alloc() | ObjectSize() | StackSave() | Rmw() | Nondet():
            return (instr.dst,)
        case CompareExchange():
            return (instr.old, instr.success)
        case Call() | Sync():
            return () if instr.dst is None else (instr.dst,)
        case _:
            return ()


def edges(instr: Instr) -> tuple[Edge, ...]:
    match instr:
        case Jump():
            return (instr.edge,)
        case Branch():
            return (instr.then, instr.otherwise)
        case Switch():
            return (*(edge for _, edge in instr.cases), instr.default)
        case _:
            return ()


def all_uses(instr: Instr) -> Iterator[Expr]:
    yield from uses(instr)
    for edge in edges(instr):
        for _, value in edge.moves:
            yield value
