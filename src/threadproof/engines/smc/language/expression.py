"""What a query asks of a state, with every name resolved. Read by the evaluator and by the printer of C text.

Numbers are signed 64-bit integers that wrap, or doubles as soon as a floating-point operand takes part; a comparison
is 0 or 1. Total: division by zero, a dead local and a bad pointer give 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.engines.smc.language.syntax import Quantifier
from threadproof.ir.ctypes import Encoding

Sites = dict[str, frozenset[int]]
"""Program points: by function, positions in the sequence of its blocks' instructions."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The thread with this number (`core.thread_id.number`)."""

    number: int


@dataclass(frozen=True, slots=True)
class BoundProcess:
    """The thread a quantifier stands for; 0 is the outermost quantifier."""

    index: int


Proc = Fixed | BoundProcess


@dataclass(frozen=True, slots=True)
class Num:
    value: int | float


@dataclass(frozen=True, slots=True)
class Un:
    op: str
    operand: Term


@dataclass(frozen=True, slots=True)
class Bin:
    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class If:
    condition: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Stands:
    """Whether the process (None: some thread) stands at one of the points."""

    process: Proc | None
    sites: Sites


@dataclass(frozen=True, slots=True)
class Quant:
    """Over the threads that have not finished."""

    quantifier: Quantifier
    index: int
    body: Term


@dataclass(frozen=True, slots=True)
class RegValue:
    """A register of the process's topmost frame of the function; 0 before it is assigned and without such a frame."""

    process: Proc
    function: str
    register: str
    bits: int
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class StaticBase:
    """A global variable, by its name in the program."""

    name: str


@dataclass(frozen=True, slots=True)
class LocalBase:
    """A variable of the topmost frame of the function, in the process (None: in the first thread that has one)."""

    process: Proc | None
    function: str
    variable: str


@dataclass(frozen=True, slots=True)
class ThreadBase:
    """The process's own instance of a thread-local variable."""

    process: Proc
    name: str


@dataclass(frozen=True, slots=True)
class PointerBase:
    pointer: Term


Base = StaticBase | LocalBase | ThreadBase | PointerBase


@dataclass(frozen=True, slots=True)
class Mem:
    """`bits` bits at `offset` bytes and `shift` bits behind the base. Arbitrary bytes read as 0."""

    base: Base
    offset: Term
    shift: int
    bits: int
    encoding: Encoding


Term = Num | Un | Bin | If | Stands | Quant | RegValue | Mem


def is_float(term: Term) -> bool:
    match term:
        case Num():
            return isinstance(term.value, float)
        case Un():
            return term.op in ("-", "+") and is_float(term.operand)
        case Bin():
            return term.op in ("+", "-", "*", "/") and (is_float(term.left) or is_float(term.right))
        case If():
            return is_float(term.then) or is_float(term.otherwise)
        case RegValue() | Mem():
            return term.encoding is Encoding.FLOAT
        case Stands() | Quant():
            return False


def children(term: Term) -> tuple[Term, ...]:
    match term:
        case Num() | Stands() | RegValue():
            return ()
        case Un():
            return (term.operand,)
        case Bin():
            return (term.left, term.right)
        case If():
            return (term.condition, term.then, term.otherwise)
        case Quant():
            return (term.body,)
        case Mem():
            inside = (term.base.pointer,) if isinstance(term.base, PointerBase) else ()
            return (*inside, term.offset)


def walk(term: Term) -> list[Term]:
    found = [term]
    for child in children(term):
        found.extend(walk(child))
    return found
