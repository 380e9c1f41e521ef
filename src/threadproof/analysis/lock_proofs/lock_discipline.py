"""Which locks exclude: one that may be released by a thread that does not hold it, or set up anew while others may hold
it, excludes nobody.

The reference semantics lets any thread release a normal mutex, as glibc does. So a lock only protects if every release
that may concern it is made by a thread that surely holds it, and if nothing overwrites its state in use. A semaphore
that has at most one permit and is only posted by threads that took it is such a lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.analysis.abstract_threads.flow import Flow, Point
from threadproof.analysis.abstract_threads.memory_map import LOCK_BYTES
from threadproof.analysis.abstract_threads.parallel import surely_absent
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import HeldLock
from threadproof.analysis.points_to import ObjectKind, Place, may_meet
from threadproof.analysis.values.symbolic import Sum
from threadproof.ir.expr import Const, Reg, TlsRef, walk
from threadproof.ir.instr import CompareExchange, Instr, Rmw, Store, Sync
from threadproof.sync.facts import Act, Family, does, sync_facts

STATE_BYTES = 8  # owner and count, readers and writer


@dataclass(frozen=True, slots=True)
class _Event:
    thread: str
    running: frozenset[str]
    places: frozenset[Place]
    size: int


class LockDiscipline:
    def __init__(self, facts: ThreadFacts) -> None:
        self._facts = facts
        self._taken = [event for flow, point in _all(facts) for event in self._taking(flow, point)]
        self._broken: list[tuple[Place, int]] = []
        for flow, point in _all(facts):
            self._look(flow, point)

    def excludes(self, thread: str, lock: HeldLock) -> bool:
        """Whether only the thread that holds the lock can release it (mutual exclusion)."""
        places = self._facts.memory.address_places(thread, lock.address)
        return (
            bool(places)
            and all(self._starts_free(place) for place in places)
            and not any(may_meet(places, LOCK_BYTES, (bad,), size) for bad, size in self._broken)
        )

    def _starts_free(self, place: Place) -> bool:
        """Static objects begin as zeros, or at most with one permit."""
        variable = self._facts.tree.program.globals.get(place.root.name)
        if place.root.kind is not ObjectKind.GLOBAL or variable is None or not any(variable.image):
            return True
        start = place.offsets.start
        return not place.offsets.stride and int.from_bytes(variable.image[start : start + LOCK_BYTES], "little") <= 1

    def _taking(self, flow: Flow, point: Point) -> Iterator[_Event]:
        instr = point.instr
        locks = sync_facts(instr).locks if isinstance(instr, Sync) else None
        if isinstance(instr, Sync) and locks is not None:
            yield self._event(flow, point, self._facts.memory.places(flow.name, instr.args[locks.arg]), LOCK_BYTES)

    def _event(self, flow: Flow, point: Point, places: frozenset[Place], size: int) -> _Event:
        return _Event(flow.name, frozenset(name for name, _ in point.before.running), places, size)

    def _look(self, flow: Flow, point: Point) -> None:
        instr = point.instr
        if isinstance(instr, Sync):
            self._look_at_operation(flow, point, instr)
        for places, size in self._overwritten(flow, point, instr):
            event = self._event(flow, point, places, size)
            for taken in self._taken:
                if _touches(event, taken) and not surely_absent(self._facts, event, taken):
                    self._break(places, size)
                    break

    def _look_at_operation(self, flow: Flow, point: Point, instr: Sync) -> None:
        facts = sync_facts(instr)
        if facts.releases is not None:
            held = {lock.address for lock in point.before.locks}
            released = instr.args[facts.releases]
            if flow.lock_address(released) not in held:
                self._break(self._facts.memory.places(flow.name, released), LOCK_BYTES)
        permits = facts.act is Act.INIT and facts.family is Family.SEMAPHORE
        if permits and instr.args[1] != Const(1, instr.args[1].width):
            self._break(self._facts.memory.places(flow.name, instr.args[0]), LOCK_BYTES)

    def _break(self, places: frozenset[Place], size: int) -> None:
        self._broken.extend((place, size) for place in places)

    def _overwritten(self, flow: Flow, point: Point, instr: Instr) -> Iterator[tuple[frozenset[Place], int]]:
        match instr:
            case Sync() if does(instr, Act.INIT):
                address, size = instr.args[0], STATE_BYTES
            case Store() | Rmw() | CompareExchange():
                address, size = instr.address, instr.size
            case _:
                return
        total = flow.symbols.sum(address)
        if not any(isinstance(s, Reg) and s.name in point.before.fresh for s, times in total.terms if times == 1):
            yield self._facts.memory.places(flow.name, address), size


def _all(facts: ThreadFacts) -> Iterator[tuple[Flow, Point]]:
    for name, points in facts.points.items():
        for point in points:
            yield facts.flows[name], point


def _touches(event: _Event, taken: _Event) -> bool:
    return may_meet(event.places, event.size, taken.places, STATE_BYTES)


def relative(lock: HeldLock, address: Sum) -> tuple[Sum, Sum] | None:
    """How a lock's address follows from that of an access: equal answers at equal addresses mean equal locks.

    Either the distance of the two does not depend on any register, or both follow from one number: `m[i]` and `a[i]`.
    Thread-local `m` is another array for each thread, whatever the number.
    """
    if lock.sum is None:
        return None
    apart = lock.sum.minus(address)
    if not apart.terms:
        return apart, Sum((), 0)
    if any(isinstance(part, TlsRef) for symbol, _ in lock.sum.terms for part in walk(symbol)):
        return None
    mentioned = [symbol for symbol, _ in address.terms if _has_register(symbol)]
    others = [symbol for symbol, _ in lock.sum.terms if _has_register(symbol)]
    if len(mentioned) != 1 or others != mentioned:
        return None
    return _with_hole(lock.sum, mentioned[0]), _with_hole(address, mentioned[0])


def _has_register(symbol: object) -> bool:
    return bool(Sum(((symbol, 1),), 0).mentions())  # type: ignore[arg-type]


def _with_hole(total: Sum, symbol: object) -> Sum:
    hole = Reg("?", 64)
    return Sum(tuple((hole if one == symbol else one, times) for one, times in total.terms), total.constant)
