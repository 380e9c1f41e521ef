"""The vocabulary of the sync table: what a row says about one C library function."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.ir.instr import ErrorKind, Fill, HaltKind, Owner


class Fidelity(Enum):
    EXACT = "exact"
    MORE = "approximated: more behaviours than the real function"
    FEWER = "approximated: fewer behaviours than the real function"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Use:
    """One synchronisation operation with the positions of the C arguments it takes."""

    op: str  # a key of operations.OPERATIONS
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Does:
    """The call becomes these operations, in order; the last one gives the result."""

    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Gives:
    """No effect; the result is this constant."""

    value: int = 0


@dataclass(frozen=True, slots=True)
class GivesAny:
    """No effect; any value of the result's type between the bounds (None: the type's own)."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Assumes:
    arg: int = 0


@dataclass(frozen=True, slots=True)
class Asserts:
    """An error if the argument is zero."""

    arg: int = 0


@dataclass(frozen=True, slots=True)
class Fails:
    kind: ErrorKind


@dataclass(frozen=True, slots=True)
class Halts:
    kind: HaltKind


@dataclass(frozen=True, slots=True)
class Allocates:
    """Heap block; the size is the product of these arguments."""

    size_args: tuple[int, ...]
    fill: Fill
    of: Owner = Owner.PROGRAM


@dataclass(frozen=True, slots=True)
class Frees:
    arg: int = 0


@dataclass(frozen=True, slots=True)
class InRuntime:
    """Written in C in `frontend/runtime/`, compiled and linked when used."""


class Extra(Enum):
    """How a function with a format gets what the format asks for."""

    ARGUMENTS = "further arguments"
    LIST = "a va_list"


@dataclass(frozen=True, slots=True)
class Prints:
    """printf and its kin: reads format and strings; where the result is looked at, it is the runtime library's."""

    format_arg: int
    extra: Extra = Extra.ARGUMENTS


@dataclass(frozen=True, slots=True)
class Scans:
    """scanf and its kin: stores arbitrary values of the directives' types."""

    format_arg: int


@dataclass(frozen=True, slots=True)
class Computes:
    """A function of `ir.maths` of numbers; errno is left alone."""


@dataclass(frozen=True, slots=True)
class Jumps:
    """setjmp, longjmp and their kin: in C in the runtime library, with control flow that a pass puts in."""


@dataclass(frozen=True, slots=True)
class NoMeaning:
    """Unsupported: fails when reached, and only then."""


Effect = (
    Does
    | Gives
    | GivesAny
    | Assumes
    | Asserts
    | Fails
    | Halts
    | Allocates
    | Frees
    | InRuntime
    | Prints
    | Scans
    | Jumps
    | Computes
    | NoMeaning
)


@dataclass(frozen=True, slots=True)
class Look:
    """The object of this C type that the argument points to must be there; `optional`: the pointer may be null."""

    arg: int
    type_name: str  # a key of objects.SIZES
    optional: bool = False


class Results(Enum):
    """How a function says what went wrong."""

    POSIX = "error numbers"
    C11 = "thrd_success, thrd_busy, thrd_timedout, thrd_error"


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    effect: Effect
    says: str  # what it does, in words
    blocks: str = ""  # when it blocks
    misuse: str = ""  # what misuse does
    fidelity: Fidelity = Fidelity.EXACT
    looks: tuple[Look, ...] = ()  # at these objects, before anything else
    time_arg: int | None = None  # the argument with the time at which LATE comes
    clock_arg: int | None = None  # the argument with the clock: EINVAL unless CLOCK_REALTIME or CLOCK_MONOTONIC
    runtime_if: tuple[str, ...] = ()  # written in C for programs that use one of these functions
    results: Results = Results.POSIX
