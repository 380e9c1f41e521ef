"""What is known at a point of a thread's code, whenever and by whichever of its threads it is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, NamedTuple

from threadproof.analysis.points_to.objects import Place
from threadproof.analysis.values.symbolic import Sum
from threadproof.ir.expr import Reg
from threadproof.sync.facts import LockMode

MOST_VALUES = 16  # that a variable is followed with


class HeldLock(NamedTuple):
    """A lock that is surely held: one concrete object's, or one named by the thread's own registers."""

    address: Place | Sum
    mode: LockMode
    sum: Sum | None  # the address in terms of registers, as long as they have the values they had


class Together(NamedTuple):
    """At some time since it took the lock `held`, which it still has, the thread also had `other`."""

    held: Place
    other: Place


class PendingLock(NamedTuple):
    """A lock that is held if the operation's result says so."""

    result: str  # the register
    failures: tuple[int, ...]  # its values when the lock was not taken
    lock: HeldLock
    bits: int = 32


class Alive(Enum):
    ONE = "one"
    MANY = "many"


class Holder(NamedTuple):
    """Where a handle is: in the memory at an address, or the value itself."""

    what: Literal["memory", "value"]
    sum: Sum


class Role(Enum):
    """Why a variable is watched."""

    FLAG = "flag"  # never gets its first value back (`analysis.lock_proofs.flags`)
    WORD = "lock word"  # a lock made by hand (`analysis.lock_proofs.word_locks`)
    COUNTER = "counter"  # numbers are drawn from it (`analysis.lock_proofs.tickets`)
    LIMITED = "limited"  # main compares it with a number before there are threads (`analysis.lock_proofs.limits`)


@dataclass(frozen=True, slots=True)
class Watched:
    """A part of a global variable that is only written as a whole."""

    role: Role
    place: Place
    size: int
    first: int
    later: frozenset[int]  # the other values it is given
    guards: frozenset[Place]  # locks under which every write is made
    only: str | None  # the one thread that writes it


class Ticket(NamedTuple):
    """A register with a number that this thread drew, and those up to `step` more. Registers with the same `draw` got
    their number from the same one."""

    register: str
    counter: Place
    step: int
    draw: str


class Bound(NamedTuple):
    """A register is at most `limit`."""

    register: str
    limit: int


class GuardedCell(NamedTuple):
    """A variable that is only written by who holds the lock."""

    cell: Place
    lock: Place


@dataclass(frozen=True, slots=True)
class Invariant:
    """The values a guarded variable has whenever nobody holds its lock (`analysis.lock_proofs.invariants`)."""

    size: int
    values: frozenset[int]


class Content(NamedTuple):
    """The values a guarded variable may have now; its lock is held."""

    guarded: GuardedCell
    values: frozenset[int]


class Number(NamedTuple):
    """The values a register may have, loaded from a guarded variable."""

    register: str
    guarded: GuardedCell
    values: frozenset[int]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a first analysis of all threads found out."""

    watched: Mapping[Place, Watched] = field(default_factory=dict[Place, Watched])
    stable: Mapping[str, Mapping[str, Reg]] = field(default_factory=dict[str, Mapping[str, Reg]])
    invariants: Mapping[GuardedCell, Invariant] = field(default_factory=dict[GuardedCell, Invariant])
    limits: Mapping[str, int] = field(default_factory=dict[str, int])  # of what stable symbols stand for


class FlagValue(Enum):
    FIRST = "has its first value"
    CHANGED = "was changed"


class KnownFlag(NamedTuple):
    """What is known about a flag now, and as long as `under` (a lock, or the atomic block) is not left."""

    flag: Place
    value: FlagValue
    under: Place | Literal["atomic"] | None = None


class Current(NamedTuple):
    """A register that has the flag's value, as long as `under` is not left."""

    register: str
    flag: Place
    under: Place | Literal["atomic"] | None


Running = tuple[tuple[str, Alive], ...]
"""Descendants of the thread that may be running, by name of the abstract thread."""


class ThreadState(NamedTuple):
    atomic: bool  # surely inside an atomic block
    locks: frozenset[HeldLock]  # surely held
    pending: frozenset[PendingLock]
    running: Running
    handles: tuple[tuple[Holder, str], ...]  # surely the handle of the latest such thread
    fresh: frozenset[str]  # registers whose allocated object nobody else can know yet
    known: frozenset[KnownFlag] = frozenset()
    current: frozenset[Current] = frozenset()
    later: frozenset[KnownFlag] = frozenset()  # learnt inside an atomic block: true of the states after it
    maybe_atomic: bool = False
    tickets: frozenset[Ticket] = frozenset()
    bounds: frozenset[Bound] = frozenset()
    together: frozenset[Together] = frozenset()  # of locks that are concrete and held exclusively
    contents: frozenset[Content] = frozenset()
    numbers: frozenset[Number] = frozenset()


START = ThreadState(False, frozenset(), frozenset(), (), (), frozenset())


def meet(a: ThreadState, b: ThreadState) -> ThreadState:
    """What is known where two paths meet."""
    if a == b:
        return a
    theirs = dict(b.handles)
    return ThreadState(
        a.atomic and b.atomic,
        _common(a.locks, b.locks),
        a.pending & b.pending,
        merge_running(a.running, b.running),
        tuple(item for item in a.handles if theirs.get(item[0]) == item[1]),
        a.fresh & b.fresh,
        a.known & b.known,
        a.current & b.current,
        a.later & b.later,
        a.maybe_atomic or b.maybe_atomic,
        a.tickets & b.tickets,
        a.bounds & b.bounds,
        a.together & b.together,
        _either(a.contents, b.contents),
        a.numbers & b.numbers,
    )


def _either(a: frozenset[Content], b: frozenset[Content]) -> frozenset[Content]:
    theirs = {content.guarded: content.values for content in b}
    both = [Content(c.guarded, c.values | theirs[c.guarded]) for c in a if c.guarded in theirs]
    return frozenset(c for c in both if len(c.values) <= MOST_VALUES)


def _common(a: frozenset[HeldLock], b: frozenset[HeldLock]) -> frozenset[HeldLock]:
    """Held on both paths, in the weaker of the two modes."""
    others = {lock.address: lock for lock in b}
    return frozenset(
        HeldLock(
            lock.address,
            LockMode.SHARED if LockMode.SHARED in (lock.mode, others[lock.address].mode) else LockMode.EXCLUSIVE,
            lock.sum if lock.sum == others[lock.address].sum else None,
        )
        for lock in a
        if lock.address in others
    )


def merge_running(a: Running, b: Running) -> Running:
    found = dict(a)
    for name, alive in b:
        found[name] = Alive.MANY if Alive.MANY in (alive, found.get(name)) else alive
    return tuple(sorted(found.items()))


def without_register(state: ThreadState, names: frozenset[str]) -> ThreadState:
    """Registers get new values: what was said in terms of the old ones is forgotten."""
    locks = frozenset(_forgetting(lock, names) for lock in state.locks if not _mentions(lock.address, names))
    pending = frozenset(p for p in state.pending if p.result not in names and not _mentions(p.lock.address, names))
    handles = tuple(item for item in state.handles if not item[0].sum.mentions() & names)
    return state._replace(
        locks=locks,
        pending=pending,
        handles=handles,
        fresh=state.fresh - names,
        current=frozenset(one for one in state.current if one.register not in names),
        tickets=frozenset(one for one in state.tickets if one.register not in names),
        bounds=frozenset(one for one in state.bounds if one.register not in names),
        numbers=frozenset(one for one in state.numbers if one.register not in names),
    )


def _forgetting(lock: HeldLock, names: frozenset[str]) -> HeldLock:
    return lock._replace(sum=None) if lock.sum is not None and lock.sum.mentions() & names else lock


def _mentions(address: Place | Sum, names: frozenset[str]) -> bool:
    return isinstance(address, Sum) and bool(address.mentions() & names)
