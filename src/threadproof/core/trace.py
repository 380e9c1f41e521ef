"""What an execution did, in the program's own words. Made by replaying a schedule, never by an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from threadproof.core.memory_model import MemoryModel
from threadproof.core.schedule import Schedule
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId


class EventKind(Enum):
    READ = "read"
    WRITE = "write"
    FLUSH = "flush"  # a buffered store reaches memory
    SYNC = "sync"  # a row of the sync table: lock, join, signal, ...
    CHOICE = "choice"  # a nondeterministic value was chosen
    NOTE = "note"  # something legal but suspicious, such as unlocking a free mutex
    END = "end"  # what ended the execution


class Bearing(Enum):
    """What an event has to do with the violation (`evidence/relevance.py`)."""

    UNKNOWN = "unknown"  # nobody has asked
    ASIDE = "aside"  # the violation happens without it, and it is about nothing that matters
    RELATED = "related"  # the violation happens without it, but it concerns a place that matters
    NEEDED = "needed"  # had others not noticed it, there would be no violation
    DECISIVE = "decisive"  # the story is about it


@dataclass(frozen=True, slots=True)
class About:
    """What an event concerns: bytes of memory by address and name, and the value read or written in words."""

    address: int
    size: int
    title: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One observable thing: `text` reads like `x = 3`, `reads x = 3`, `locks m`."""

    kind: EventKind
    text: str
    loc: SourceLoc
    role: Bearing = Bearing.UNKNOWN
    about: About | None = None


@dataclass(frozen=True, slots=True)
class TraceStep:
    thread: ThreadId
    loc: SourceLoc
    function: str
    events: tuple[Event, ...] = ()
    locks: tuple[str, ...] = ()  # held by the thread when the step begins


@dataclass(frozen=True, slots=True)
class CallStack:
    """Where a thread stands at the end: functions with lines of the program, the innermost first."""

    thread: ThreadId
    calls: tuple[tuple[str, SourceLoc], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    schedule: Schedule
    steps: tuple[TraceStep, ...]
    cause: str  # one sentence: what went wrong
    loc: SourceLoc  # where it went wrong
    details: tuple[str, ...] = field(default=())  # e.g. who waits for whom, both sides of a race
    model: MemoryModel = MemoryModel.SC
    stacks: tuple[CallStack, ...] = ()
    about: About | None = None  # what a data race is about
    rarity: str = ""  # how often random runs show the violation, in words; "" if nobody has tried
