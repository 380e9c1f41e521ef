"""Loads that a store in the own buffer covers only in part: they wait until that store is in memory.

What `semantics.store_buffer.newest` says, for events: the newest store of the thread that still is in the buffer and
shares a byte with the load must have all bytes of the load. Therefore a store that has only some of them is in memory
before the load, unless a later store with all of them is still in the buffer (the two share bytes, so it leaves last).
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.unwinding.events import UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term


def waits_for_stores(world: Unwound, order: EventOrder) -> Iterator[Term]:
    for thread in world.threads.values():
        for load in thread.events:
            if load.spans and not load.writes and not load.drains:
                yield from _waits(world, order, load, _stores(thread, order, load))


def _stores(thread: UnwoundThread, order: EventOrder, load: UnwoundEvent) -> list[UnwoundEvent]:
    """That may be in the buffer when the load happens and share a byte with it."""
    touched = {cell for _, cells in load.spans for cell in cells}
    return [
        event
        for event in thread.events[: load.index]
        if order.is_buffered(event) and any(not cells.isdisjoint(touched) for _, cells in event.spans)
    ]


def _waits(world: Unwound, order: EventOrder, load: UnwoundEvent, stores: list[UnwoundEvent]) -> Iterator[Term]:
    terms = world.terms
    for at, store in enumerate(stores):
        overlap = _where(world, store, load, covering=False)
        partly = terms.and_(overlap, terms.not_(_where(world, store, load, covering=True)))
        if partly is terms.false or order.known(store, load) is True:
            continue
        covered = [
            terms.all((*later.guard, _where(world, later, load, covering=True), terms.not_(order.before(later, load))))
            for later in stores[at + 1 :]
        ]
        both = terms.all((*store.guard, *load.guard, partly))
        yield terms.any((terms.not_(both), order.before(store, load), *covered))


def _where(world: Unwound, store: UnwoundEvent, load: UnwoundEvent, *, covering: bool) -> Term:
    """When the store has all bytes of the load, or else some of them."""
    return world.terms.any(
        world.terms.and_(stored, loaded)
        for stored, given in store.spans
        for loaded, taken in load.spans
        if (taken <= given if covering else not taken.isdisjoint(given))
    )
