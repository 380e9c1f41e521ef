"""A state of the whole program: memory, objects, threads. Immutable; equal states have equal keys."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum
from typing import Any, NamedTuple

from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.ir.instr import Order

Far = tuple[int, int]
"""A pointer that left its object by more than the red zone: (address of the object, offset). Its only uses are
further pointer arithmetic, comparison for equality, and a dereference, which is out of bounds. Anything else raises
TypeError and becomes `unsupported`."""

Value = Any  # int, or Far; `Any` because the expression compiler works on both
Chunk = bytes | tuple[bytes, bytes]
"""Content of up to CHUNK bytes of an object: plain bytes, or (bytes, mask) while some are still arbitrary."""

CHUNK = 128
KNOWN, ARBITRARY, COPIED = 0, 1, 2
"""Mask of a byte: COPIED is an arbitrary byte of which a copy exists, so that it can no longer be chosen alone."""


class Life(IntEnum):
    ALIVE = 0
    FREED = 1
    DEAD = 2  # a local of a finished call that something still points to


class Sharing(IntEnum):
    SHARED = 0
    UNSHARED = 1


class Obj(NamedTuple):
    """A memory object. `start` comes first so that tuples of objects can be bisected."""

    start: int
    size: int
    name: str
    sharing: Sharing
    life: Life
    zeroed: bool
    constant: bool = False


class Frame(NamedTuple):
    function: str
    pc: int
    regs: tuple[Value, ...]  # by slot; dead registers are None
    stack_mark: int  # stack objects of the thread below this frame
    cursor: int  # where the stack ended when the frame was made


class Phase(Enum):
    RUNNING = "running"
    ENDING = "ending"  # its result is set; destructors of thread-specific data run
    RETURNED = "returned"  # as ENDING, after its start routine has returned: it may still be cancelled (as with glibc)
    FINISHED = "finished"


class Pending(IntEnum):
    """What the thread's next step begins with."""

    VISIBLE = 0
    LOCAL = 1  # nothing another thread can notice: it may as well go first
    END = 2  # the thread's own end, which only enables others: it may as well go first


class Wake(IntEnum):
    """What has come to a thread that waits on a condition variable. The last two are for programs that cancel threads:
    who is cancelled must not keep a signal from another thread that waited when it was given."""

    NOT_YET = 1
    DOOMED = 2  # not yet; it was cancelled before it began to wait
    WOKEN = 3  # a signal chose it, and nobody else could have the signal instead
    HEIRS = 4  # a signal chose it; others that waited then still do
    UNSURE = 5  # as HEIRS, but some of those that wait came later


class Waiting(NamedTuple):
    """On a condition variable."""

    condition: int
    wake: Wake

    @property
    def woken(self) -> bool:
        return self.wake >= Wake.WOKEN


class Buffered(NamedTuple):
    """A store that has not reached memory."""

    address: int
    data: bytes
    mask: bytes | None
    order: Order
    loc: SourceLoc
    fence_after: bool = False  # a release fence: later stores do not pass this one nor those before it


class Thread(NamedTuple):
    id: ThreadId
    frames: tuple[Frame, ...]
    phase: Phase
    pending: Pending
    stack: tuple[Obj, ...]
    cursor: int  # where the next stack object goes
    heap: tuple[Obj, ...]
    heap_cursor: int
    children: int = 0
    result: Value = 0
    waiting: Waiting | None = None
    atomic_depth: int = 0
    cancelled: bool = False
    cancel_disabled: bool = False
    detached: bool = False
    round: int = 0  # ending: how often all destructors have run, and the key to look at next
    next_key: int = 0
    specifics: tuple[tuple[int, Value], ...] = ()  # thread-specific data: (key, non-null value)
    buffer: tuple[Buffered, ...] = ()  # its stores on their way to memory, oldest first; none under SC


class State(NamedTuple):
    memory: dict[int, Chunk]  # by address of the chunk; absent: the object's initial content. Never mutated.
    threads: Mapping[int, Thread]  # by number; never mutated: `thread_map.with_thread` makes a new one
    keys: tuple[int, ...] = ()  # destructor of each thread-specific key
    atomic: int | None = None  # the thread inside an atomic block (instruction granularity only)

    def key(self) -> tuple[Any, ...]:
        """Hashable, and equal exactly for equal states."""
        return (
            frozenset(self.memory.items()),
            frozenset(self.threads.items()),
            self.keys,
            self.atomic,
        )


CANCELLABLE = (Phase.RUNNING, Phase.RETURNED)


def live_threads(state: State) -> list[int]:
    """Numbers of the threads that have not finished, in order."""
    return sorted(number for number, thread in state.threads.items() if thread.phase is not Phase.FINISHED)
