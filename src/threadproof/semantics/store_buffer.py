"""Store buffers as values: what a load finds in its own thread's, and which entries may reach memory next.

Papers: P. Sewell et al., x86-TSO, CACM 53(7), 2010; SPARC Architecture Manual V8, appendix K (TSO and PSO).
Differs: one list per thread for both models. PSO's queues, one per address, are the order in which entries of that list
may leave: entries that share a byte leave in their order, so accesses of several sizes stay coherent. Entries are
whole: a store is never torn.
"""

from __future__ import annotations

from enum import Enum

from threadproof.core.memory_model import MemoryModel
from threadproof.ir.instr import Order
from threadproof.semantics.state import Buffered

Buffer = tuple[Buffered, ...]


class Partly(Enum):
    """The newest store that a load meets has only some of its bytes: the load waits until that store is in memory."""

    PARTLY = "partly"


def may_reach_memory(model: MemoryModel, buffer: Buffer) -> tuple[int, ...]:
    """The places of the entries that may leave the buffer now."""
    if model is MemoryModel.TSO:
        return (0,) if buffer else ()
    found: list[int] = []
    for place, entry in enumerate(buffer):
        earlier = buffer[:place]
        if not earlier or (entry.order is not Order.RELEASE and not any(_overlap(e, entry) for e in earlier)):
            found.append(place)
        if entry.fence_after:
            break
    return tuple(found)


def without(buffer: Buffer, place: int) -> Buffer:
    """The buffer without this entry; a fence after it stays where it is as long as something is before it."""
    earlier = buffer[:place]
    return (*(fenced(earlier) if buffer[place].fence_after else earlier), *buffer[place + 1 :])


def fenced(buffer: Buffer) -> Buffer:
    """After a release fence. Under TSO stores keep their order without."""
    return (*buffer[:-1], buffer[-1]._replace(fence_after=True)) if buffer else ()


def newest(buffer: Buffer, address: int, size: int) -> Buffered | Partly | None:
    """The youngest entry with all the bytes of this range; None if all of them are in memory."""
    for entry in reversed(buffer):
        start, end = entry.address, entry.address + len(entry.data)
        if start <= address and address + size <= end:
            return entry
        if start < address + size and address < end:
            return Partly.PARTLY
    return None


def _overlap(a: Buffered, b: Buffered) -> bool:
    return a.address < b.address + len(b.data) and b.address < a.address + len(a.data)
