"""The words in which facts about synchronisation operations are said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from threadproof.sync.operations import Field


class Act(Enum):
    """What an operation does, whatever the object and whether it waits, tries or gives up in time."""

    LOCK = "lock"
    UNLOCK = "unlock"
    INIT = "initialise"
    DESTROY = "destroy"
    SET = "set an attribute"
    GET = "tell a value"
    ARRIVE = "arrive at a barrier"
    PASS = "pass a barrier"
    ENTER = "enter a routine that runs once"
    LEAVE = "leave a routine that runs once"
    ENQUEUE = "begin to wait on a condition variable"  # and release the mutex
    WAKE = "wake from a condition variable"  # and take the mutex again
    SIGNAL = "wake one waiter"
    BROADCAST = "wake all waiters"
    CREATE = "create a thread"
    JOIN = "wait for the end of a thread"
    DETACH = "detach a thread"
    EXIT = "end the running thread"
    CANCEL = "cancel a thread"
    CANCEL_POINT = "be a cancellation point"
    CANCEL_STATE = "allow or forbid cancellation"
    SELF = "tell the running thread"
    EQUAL = "compare two threads"
    KEY_CREATE = "create a key"
    KEY_DELETE = "delete a key"
    KEY_SET = "set the value of a key"
    KEY_GET = "tell the value of a key"
    BEGIN = "begin an atomic block"
    END = "end an atomic block"
    LOOK = "look whether an object is there"


class Family(Enum):
    """What the operation is about: the kind of object that its first argument points to or names."""

    MUTEX = "mutex"
    RWLOCK = "read-write lock"
    SPIN = "spin lock"
    SEMAPHORE = "semaphore"
    BARRIER = "barrier"
    ONCE = "once"
    CONDITION = "condition"
    ATTRIBUTES = "attributes"
    THREAD = "thread"
    KEY = "key"
    BLOCK = "atomic block"
    ANY = "any object"


HAS_HOLDER = frozenset((Family.MUTEX, Family.RWLOCK, Family.SPIN))
"""Locks whose words say which thread holds them (exclusively)."""


class Blocks(Enum):
    """When the operation has to wait for another thread."""

    NEVER = "never"
    HELD = "as long as another thread's handle is in the first word of its object"
    GUARD = "as long as none of its cases applies"
    END = "until a thread has ended"
    SIGNAL = "until it is woken and the mutex is free"


class Attempt(Enum):
    """Whether the operation may give up instead of waiting."""

    NO = "no"
    TRY = "at once"
    TIMED = "at any time while it waits"


class Seen(Enum):
    """Who can notice the operation."""

    BY_OTHERS = "other threads"
    BY_NOBODY = "the running thread alone"


class Touches(Enum):
    """Whether what the operation touches, and that it can be executed, follows from its arguments."""

    FIXED = "from the arguments"
    BY_STATE = "from the arguments and the state of its object"


class LockMode(Enum):
    EXCLUSIVE = "exclusive"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Locks:
    """The lock that an operation takes. A semaphore is one as long as it has at most one permit."""

    arg: int
    sharing: LockMode
    failures: tuple[int, ...]
    """Results that say that it was not taken. With all others the running thread holds it, also if it did before."""
    holder: Field | None
    """The word that says which thread holds the lock exclusively (0: none); None if no word does."""


@dataclass(frozen=True, slots=True)
class WordUse:
    """Bytes of a synchronisation object that the operation reads, or reads and writes: no access of the program's."""

    arg: int
    size: int
    writes: bool


class PointerSize(Enum):
    """Where a size is that of a pointer."""

    SIZE = "the size of a pointer"


@dataclass(frozen=True, slots=True)
class Stores:
    """A result stored through a pointer argument: an access of the program's like any other. Null: nothing is."""

    arg: int
    size: int | PointerSize

    def bytes(self, pointer_bytes: int) -> int:
        return pointer_bytes if isinstance(self.size, PointerSize) else self.size


@dataclass(frozen=True, slots=True)
class SyncFacts:
    act: Act
    family: Family
    blocks: Blocks
    attempt: Attempt
    locks: Locks | None
    releases: int | None
    """The argument whose lock it gives back, if it holds it."""
    names: tuple[int, ...]
    """Arguments that are handles of threads."""
    seen: Seen
    touches: Touches
    keeps: tuple[int, ...]
    """Arguments whose value lives on after the call: in an object, in another thread, in a key."""
    uses: tuple[WordUse, ...]
    stores: tuple[Stores, ...]

    @property
    def may_block(self) -> bool:
        return self.blocks is not Blocks.NEVER

    @property
    def waits_for_lock(self) -> Locks | None:
        """The lock it takes, if it waits as long as another thread holds that exclusively, whoever that is."""
        known = self.locks is not None and self.locks.holder is not None
        return self.locks if known and self.may_block else None
