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


@dataclass(frozen=True, slots=True)
class Event:
    """One observable thing: `text` reads like `x = 3`, `reads x = 3`, `locks m`."""

    kind: EventKind
    text: str
    loc: SourceLoc


@dataclass(frozen=True, slots=True)
class TraceStep:
    thread: ThreadId
    loc: SourceLoc
    function: str
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    schedule: Schedule
    steps: tuple[TraceStep, ...]
    cause: str  # one sentence: what went wrong
    loc: SourceLoc  # where it went wrong
    details: tuple[str, ...] = field(default=())  # e.g. who waits for whom, both sides of a race
    model: MemoryModel = MemoryModel.SC
