"""From a memory order, as axioms tell it, to a schedule of steps and flushes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import ThreadId


class Kind(Enum):
    """When a thread's step takes effect for the others."""

    AT_ONCE = "at once"  # a load, a fence, a sync operation, a choice, ...
    BUFFERED = "buffered"  # a store that drains nothing


def in_memory_order(
    steps: Mapping[ThreadId, Sequence[tuple[Move, Kind]]], order: Iterable[tuple[ThreadId, int]]
) -> Schedule:
    """The schedule of an execution that is known by its memory order, as the axioms of TSO and PSO tell it.

    `steps` are the steps of each thread in program order, `order` says (thread, number of its step) in the order in
    which stores reach memory and everything else happens. A step is made as late as the order lets it: before a load
    that comes first in memory order, the stores that come before it in the program go into the buffer; a store that is
    next in memory order is made if it has not been yet, and then flushed. Under SC, with no step BUFFERED, this is the
    order itself. Steps are those of the reference machine: an access to an unshared object is part of the step before.
    """
    schedule: list[Move] = []
    made: Counter[ThreadId] = Counter()
    buffers: defaultdict[ThreadId, list[int]] = defaultdict(list)
    for thread, wanted in order:
        for step in range(made[thread], wanted + 1):
            move, kind = steps[thread][step]
            schedule.append(move)
            if kind is Kind.BUFFERED:
                buffers[thread].append(step)
        made[thread] = max(made[thread], wanted + 1)
        if wanted in buffers[thread]:
            schedule.append(Move(thread, flush=buffers[thread].index(wanted)))
            buffers[thread].remove(wanted)
    return tuple(schedule)
