"""Mutual exclusion: of two sections of one mutex, the first has ended when the second begins.

Also which events happen as one: atomic blocks, and sections with nothing inside that others could notice.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.unwinding.events import EventRole, UnwoundEvent
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term


def slots(world: Unwound) -> dict[tuple[int, int], int]:
    """For events that happen together with earlier ones of their thread, the index of the first of those."""
    found: dict[tuple[int, int], int] = {}
    for thread in world.threads.values():
        first: dict[int, int] = {}
        for event in thread.events:
            if event.block:
                found[thread.number, event.index] = first.setdefault(event.block, event.index)
            elif event.kind is EventRole.UNLOCK and event.index:
                before = thread.events[event.index - 1]
                locks = before.kind is EventRole.LOCK and before.mutex == event.mutex and not before.block
                if locks and set(event.guard).issuperset(before.guard):  # not the lock of another path
                    found[thread.number, event.index] = before.index
    return found


def exclusion(world: Unwound, order: EventOrder) -> Iterator[Term]:
    sections: dict[int, list[UnwoundEvent]] = {}
    for thread in world.threads.values():
        for event in thread.events:
            if event.kind in (EventRole.LOCK, EventRole.UNLOCK):
                sections.setdefault(event.mutex, []).append(event)
    for events in sections.values():
        locks = [event for event in events if event.kind is EventRole.LOCK]
        for a in locks:
            ends = section_ends(a, events)
            for b in locks:
                if a is not b:
                    clause = _clause(world, order, a, b, ends)
                    if clause is not world.terms.true:
                        yield clause


def section_ends(lock: UnwoundEvent, events: list[UnwoundEvent]) -> list[UnwoundEvent]:
    """Unlocks that may end the section, up to one that is reached whenever the next lock is."""
    found: list[UnwoundEvent] = []
    for event in events:
        if event.kind is EventRole.UNLOCK and event.thread == lock.thread and event.index > lock.index:
            found.append(event)
            if set(lock.guard).issuperset(event.guard):
                break
    return found


def _clause(world: Unwound, order: EventOrder, a: UnwoundEvent, b: UnwoundEvent, ends: list[UnwoundEvent]) -> Term:
    """If both were obtained, a before b, then a was released before b."""
    terms = world.terms
    if a.thread == b.thread and a.index > b.index:
        return terms.true
    both = (*a.guard, *b.guard)
    released = [
        terms.and_(terms.all(end.guard), order.before(end, b)) for end in ends if order.known(end, b) is not False
    ]
    first = order.before(a, b)
    if first is terms.false or any(r is first for r in released):
        return terms.true
    implied = set(both)
    for end in ends:
        if implied.issuperset(end.guard) and order.before(end, b) is first:
            return terms.true
    return terms.any((*(terms.not_(x) for x in dict.fromkeys(both)), terms.not_(first), *released))
