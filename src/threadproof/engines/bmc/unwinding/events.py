"""What an unwound program consists of: threads, their events in program order, and the ends of paths.

An event is something other threads take part in: accesses to cells that several threads use, operations on locks, the
creation and the joining of threads. It happens if its guard holds. A thread may always stop: what can go on after an
event does not have to, so blocking and failing assumptions need no treatment of their own, they end the guard.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from threadproof.encoding.encoded import NotEncoded
from threadproof.engines.bmc.unwinding.guards import Guard
from threadproof.engines.bmc.unwinding.values import Numbers
from threadproof.ir.instr import ErrorKind, Instr, UndefinedKind
from threadproof.smt.term import Term

Cell = tuple[int, int]
"""Address and size; size 0: whether the object there still lives."""
Clock = dict[int, int]
"""For every thread, how many of its events are certainly over."""


class EventRole(Enum):
    ACCESS = "access"
    LOCK = "lock"
    UNLOCK = "unlock"
    FORK = "fork"
    JOIN = "join"
    FENCE = "fence"
    END = "end"


class Atomic(Enum):
    """For races: two accesses that are both atomic never race."""

    PLAIN = "plain"
    ATOMIC = "atomic"
    NO_ACCESS = "no access"  # a lock's own words, the life of an object


@dataclass(slots=True, eq=False)
class CellPart:
    """One cell that an event reads or writes, if `when` holds besides the event's guard."""

    event: UnwoundEvent
    cell: Cell
    when: Term
    value: Term  # read: a variable; written: what it becomes
    order: int  # in program order among all parts of the thread


@dataclass(slots=True, eq=False)
class UnwoundEvent:
    thread: int
    index: int
    kind: EventRole
    guard: Guard
    clock: Clock
    instr: Instr
    function: str
    held: frozenset[int] = frozenset()  # plain mutexes certainly held
    block: int = 0  # atomic block it belongs to, 0: none
    atomic: Atomic = Atomic.NO_ACCESS
    drains: bool = True  # stores before it are over (weak memory)
    arrives: Guard | None = None  # of an operation that may block: when it is reached
    releases: bool = False  # a store that stays behind earlier ones, a fence that keeps stores apart (PSO)
    mutex: int = 0
    acquired: Term | None = None  # of a lock: whether it was obtained
    reads: list[CellPart] = field(default_factory=list[CellPart])
    writes: list[CellPart] = field(default_factory=list[CellPart])
    spans: list[tuple[Term, frozenset[Cell]]] = field(default_factory=list["tuple[Term, frozenset[Cell]]"])
    """Weak memory: all cells of a store, or of a load of several, for each place where it may be."""

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.thread}.{self.index} line {self.instr.loc.line}>"


@dataclass(slots=True, eq=False)
class UnwoundAccess:
    """An access as races see it, and what shows which lock protects a cell. It happens at its event."""

    event: UnwoundEvent | None  # None: nobody else can notice
    thread: int
    index: int
    clock: Clock
    held: frozenset[int]
    cell: Cell
    writes: bool
    atomic: Atomic
    guard: Guard
    when: Term
    instr: Instr
    entry: int  # which of the thread's entries


class Why(Enum):
    LOOP = "loop"
    RECURSION = "recursion"
    THREADS = "threads"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Limit:
    """The unwinding ends here; `place` names the loop or function."""

    why: Why
    place: tuple[str, str] = ("", "")


What = UndefinedKind | ErrorKind | NotEncoded | Limit


@dataclass(slots=True, eq=False)
class PathEnd:
    """A path that ends in something that must be told: an error, undefined behaviour, a limit."""

    thread: int
    index: int  # the thread's events before it
    guard: Guard
    what: What
    instr: Instr
    entries: int  # the thread's entries before it


@dataclass(slots=True, eq=False)
class Entry:
    """An instruction that the reference semantics may make a step of, or that asks for a choice."""

    instr: Instr
    function: str
    guard: Guard
    visible: bool
    choice: Term | None = None
    events: list[UnwoundEvent] = field(default_factory=list[UnwoundEvent])


@dataclass(slots=True)
class UnwoundThread:
    number: int
    name: str
    handle: int
    tls: int
    fork: UnwoundEvent | None
    begin: Guard = ()
    begin_clock: Clock = field(default_factory=dict[int, int])
    events: list[UnwoundEvent] = field(default_factory=list[UnwoundEvent])
    entries: list[Entry] = field(default_factory=list[Entry])
    parts: int = 0
    end: Guard | None = None  # when it finishes; None: never
    end_clock: Clock = field(default_factory=dict[int, int])
    result: Term | None = None


@dataclass(frozen=True, slots=True)
class WriteFact:
    """A write as the next round of unwinding knows it."""

    thread: int
    index: int
    order: int
    guard: frozenset[Term]
    clock: Clock
    numbers: Numbers


Writes = dict[Cell, tuple[WriteFact, ...]]


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """What one round of unwinding relies on; a round that finds exactly these again was right to."""

    boundaries: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    users: dict[Cell, frozenset[int]] = field(default_factory=dict[Cell, frozenset[int]])
    writes: dict[Cell, tuple[WriteFact, ...]] = field(default_factory=dict[Cell, "tuple[WriteFact, ...]"])
    ended: frozenset[int] = frozenset()  # objects whose life ends while others might look
    protected: dict[Cell, frozenset[int]] = field(default_factory=dict[Cell, frozenset[int]])  # mutexes always held
    handles: frozenset[int] = frozenset()  # of all threads, also those that are unwound later
    detached: frozenset[int] = frozenset()  # handles of threads that nobody may join
    odd: frozenset[int] = frozenset()  # mutexes that are more than locked and unlocked in turn; -1: any may be
