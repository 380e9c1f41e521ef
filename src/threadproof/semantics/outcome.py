"""What one step can come to. Every outcome has a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from threadproof.core.source import SourceLoc
from threadproof.ir.instr import ErrorKind, HaltKind, UndefinedKind
from threadproof.semantics.state import Obj, State, Value
from threadproof.sync.footprint import Mode, Touch


class AccessKind(Enum):
    READ = "read"
    WRITE = "write"
    UPDATE = "update"  # atomic read-modify-write
    FREE = "free"  # of the whole block: nobody may access it meanwhile


class Access(NamedTuple):
    """One access to memory that other threads can reach."""

    address: int
    size: int
    kind: AccessKind
    atomic: bool
    loc: SourceLoc
    value: Value  # read or written (UPDATE: written)
    old: Value = 0  # UPDATE: read
    adds: bool = False  # UPDATE: an addition whose result nobody uses

    @property
    def touch(self) -> Touch:
        mode = Mode.READ if self.kind is AccessKind.READ else Mode.ADD if self.adds else Mode.WRITE
        return Touch(self.address, self.size, mode)


class Telling(Enum):
    """What a happening tells of."""

    SYNC = "a synchronisation operation, or what the library does with memory"
    CHOICE = "a choice"
    NOTE = "a remark"
    FLUSH = "a store that reaches memory"


class Happening(NamedTuple):
    """Anything else worth telling."""

    kind: Telling
    text: str  # operation or source
    loc: SourceLoc
    address: int = 0  # of the synchronisation object
    value: Value = 0
    bits: int = 32


Effect = Access | Happening | Touch
"""A `Touch` is of a synchronisation object or of a place beyond memory; accesses are touches themselves."""


def footprint(effects: Iterable[Effect]) -> tuple[Touch, ...]:
    """All that a step touched."""
    touched = (e.touch if isinstance(e, Access) else e for e in effects if not isinstance(e, Happening))
    return tuple(dict.fromkeys(touched))


@dataclass(frozen=True, slots=True)
class Moved:
    """The thread made its step and the program goes on."""

    state: State
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The program ended: main returned, exit, abort, or the last thread ended."""

    kind: HaltKind
    state: State
    effects: tuple[Effect, ...]
    loc: SourceLoc


@dataclass(frozen=True, slots=True)
class Failed:
    """`reach_error` was called, an assertion failed, an overflow handler was reached."""

    kind: ErrorKind
    message: str
    loc: SourceLoc
    effects: tuple[Effect, ...] = ()
    state: State | None = None  # where it ended, before the instruction that ended it


@dataclass(frozen=True, slots=True)
class UndefinedBehaviour:
    kind: UndefinedKind
    detail: str
    loc: SourceLoc
    effects: tuple[Effect, ...] = ()
    state: State | None = None
    about: Obj | None = field(default=None, compare=False)  # the object that `detail` names, for people


@dataclass(frozen=True, slots=True)
class AssumptionFailed:
    loc: SourceLoc
    effects: tuple[Effect, ...] = ()
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """The thread cannot move now."""

    operation: str
    address: int  # what it waits for: a sync object, or the handle of a thread (thread_join)
    loc: SourceLoc


@dataclass(frozen=True, slots=True)
class Stuck:
    """Blocked, or looping for ever, inside an atomic block: the path ends, and it is no deadlock."""

    loc: SourceLoc
    effects: tuple[Effect, ...] = ()
    state: State | None = None


@dataclass(frozen=True, slots=True)
class NotSupported:
    construct: str
    loc: SourceLoc
    effects: tuple[Effect, ...] = ()


class OwnChoice(Enum):
    """What the machine itself chooses. All other choices are the program's, or bytes that nobody has written."""

    BLOCK = "which memory malloc returns"  # fresh (0), or a freed block of the same size
    TIMEOUT = "whether the wait times out"
    WAITER = "which waiter the signal wakes"
    CANCELLED = "whether the cancelled thread ends (0) or goes on, since its wait was over before (1)"


def own_choice(source: str) -> OwnChoice | None:
    return _OWN.get(source)


_OWN = {choice.value: choice for choice in OwnChoice}


@dataclass(frozen=True, slots=True)
class Choose:
    """The step needs one more choice: any of `low` .. `high` (signed numbers). `source` says of what, for people."""

    source: str
    low: int
    high: int
    bits: int
    loc: SourceLoc
    values: tuple[int, ...] = ()  # if given: values among which every behaviour of the range is found

    @property
    def own(self) -> OwnChoice | None:
        return own_choice(self.source)


Answered = Moved | Finished | Failed | UndefinedBehaviour | AssumptionFailed | Blocked | Stuck | NotSupported
"""What a step comes to once all its choices are answered."""
Outcome = Answered | Choose


class Trap(Exception):
    """Inside a step: undefined behaviour was met before anything was changed."""

    def __init__(self, kind: UndefinedKind, detail: str = "", about: Obj | None = None) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail
        self.about = about


class NeedChoice(Exception):
    """Inside a step: the choices given were used up."""

    def __init__(self, source: str, low: int, high: int, bits: int, values: tuple[int, ...]) -> None:
        super().__init__(source, low, high, bits)
        self.source, self.low, self.high, self.bits, self.values = source, low, high, bits, values


class Unsupportable(Exception):
    """Inside a step: something the semantics has no meaning for."""
