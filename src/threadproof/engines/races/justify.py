"""Why two accesses do not race: the first reason that holds, or none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import gcd

from threadproof.analysis.abstract_threads.accesses import AccessAction, AccessAtomicity, ThreadAccess
from threadproof.analysis.abstract_threads.instances import DistinctInstances, is_common
from threadproof.analysis.abstract_threads.parallel import may_happen_in_parallel
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import FlagValue, HeldLock, Together
from threadproof.analysis.lock_proofs.lock_discipline import LockDiscipline, relative
from threadproof.analysis.lock_proofs.tickets import drawn_apart
from threadproof.analysis.points_to import Place, may_overlap
from threadproof.analysis.values.ranges import is_empty, runs_below
from threadproof.analysis.values.symbolic import Sum
from threadproof.sync.facts import LockMode


class Reason(Enum):
    READ_ONLY = "only read"
    ATOMIC = "atomic"
    APART = "apart"  # different memory
    ORDERED = "ordered by creation and join"
    LOCK = "a common lock"
    TURNS = "two locks taken together"
    FLAG = "a flag"
    OWN = "different arguments"
    DRAWN = "different numbers drawn"
    PARTS = "different parts of an array"


@dataclass(frozen=True, slots=True)
class Justified:
    reason: Reason
    lock: HeldLock | None = None
    flag: Place | None = None


class Justifier:
    def __init__(self, facts: ThreadFacts) -> None:
        self._facts = facts
        self._discipline = LockDiscipline(facts)
        self._instances = DistinctInstances(facts)

    def why(self, a: ThreadAccess, b: ThreadAccess) -> Justified | None:
        if a.action is AccessAction.READ and b.action is AccessAction.READ:
            return Justified(Reason.READ_ONLY)
        if a.atomicity is AccessAtomicity.ATOMIC and b.atomicity is AccessAtomicity.ATOMIC:
            return Justified(Reason.ATOMIC)
        if not overlapping(a, b):
            return Justified(Reason.APART)
        if not may_happen_in_parallel(self._facts, a, b):
            return Justified(Reason.ORDERED)
        lock = self._common_lock(a, b)
        if lock is not None:
            return Justified(Reason.LOCK, lock)
        if self._in_turns(a, b):
            return Justified(Reason.TURNS)
        flag = _telling_apart(a, b)
        if flag is not None:
            return Justified(Reason.FLAG, flag=flag)
        if self._instances.apart(a, b):
            return Justified(Reason.OWN)
        if drawn_apart(a, b):
            return Justified(Reason.DRAWN)
        return Justified(Reason.PARTS) if _parts(a, b) else None

    def _common_lock(self, a: ThreadAccess, b: ThreadAccess) -> HeldLock | None:
        for mine in sorted(a.locks, key=repr):
            if not self._discipline.excludes(a.thread, mine):
                continue
            for other in b.locks:
                if LockMode.EXCLUSIVE not in (mine.mode, other.mode) or not self._discipline.excludes(b.thread, other):
                    continue
                if mine.address == other.address and _is_same_for_all(mine.address):
                    return mine
                if self._same_by_address(a, mine, b, other):
                    return mine
        return None

    def _in_turns(self, a: ThreadAccess, b: ThreadAccess) -> bool:
        """One holds A and had D with it, the other holds D and had A with it, whatever both have released since.

        Whoever had both first still holds one of them: the other thread cannot have had both since.
        """
        for mine in sorted(a.together, key=repr):
            if Together(mine.other, mine.held) in b.together:
                needed = (HeldLock(mine.held, LockMode.EXCLUSIVE, None), HeldLock(mine.other, LockMode.EXCLUSIVE, None))
                if all(self._discipline.excludes(a.thread, lock) for lock in needed):
                    return True
        return False

    def _same_by_address(self, a: ThreadAccess, mine: HeldLock, b: ThreadAccess, other: HeldLock) -> bool:
        """Whether the locks are the same one whenever the accesses are at the same address, or in the same list."""
        way = relative(mine, a.address)
        if way is not None and way == relative(other, b.address) and _only_whole(a, b):
            return True
        if a.region is None or b.region is None or a.region.roots != b.region.roots:
            return False
        way = relative(mine, a.region.element)
        roots = {place.root for place, _ in overlapping(a, b)}
        return way is not None and way == relative(other, b.region.element) and roots <= a.region.roots


def _parts(a: ThreadAccess, b: ThreadAccess) -> bool:
    if any(one.span is not None and is_empty(one.span) for one in (a, b)):
        return True
    if a.span is None or b.span is None:
        return False
    return runs_below(a.span, b.span, a.size) or runs_below(b.span, a.span, b.size)


def _is_same_for_all(address: Place | Sum) -> bool:
    return isinstance(address, Place) or all(is_common(symbol) for symbol, _ in address.terms)


def _telling_apart(a: ThreadAccess, b: ThreadAccess) -> Place | None:
    """A flag that has its first value at one access and was changed at the other."""
    theirs = {(known.flag, known.value) for known in b.known}
    for known in sorted(a.known, key=repr):
        other = FlagValue.CHANGED if known.value is FlagValue.FIRST else FlagValue.FIRST
        if (known.flag, other) in theirs:
            return known.flag
    return None


def overlapping(a: ThreadAccess, b: ThreadAccess) -> list[tuple[Place, Place]]:
    return [
        (mine, other)
        for mine in a.places
        for other in b.places
        if mine.root == other.root and may_overlap(mine.offsets, a.size, other.offsets, b.size)
    ]


def _only_whole(a: ThreadAccess, b: ThreadAccess) -> bool:
    """Whether accesses that overlap begin at the same address."""
    for mine, other in overlapping(a, b):
        step = gcd(mine.offsets.stride, other.offsets.stride)
        apart = other.offsets.start - mine.offsets.start
        if step:
            if apart % step or max(a.size, b.size) > step:
                return False
        elif apart:
            return False
    return True
