"""Lost memory in an unwound program: blocks that are not freed where it ends and that no pointer leads to.

A block that is lost is never freed, so it is enough to look where the program ends; executions that do not end are
left to `Unwound.may_wait`. What holds a block: a global, a thread-local of the thread that ends the
program, or another block that is held. To keep two blocks
that point to each other from holding each other up, only older blocks hold newer ones, or only newer ones older ones;
either of the two shows that nothing is lost. Pointers in locals are not counted, so a question may be asked for
nothing: the replay decides.
"""

from __future__ import annotations

from enum import Enum

from threadproof.engines.bmc.unwinding.objects import ObjectStorage
from threadproof.engines.bmc.unwinding.world import HeapBlock, ProgramEnd, Unwound
from threadproof.smt.term import Term


class Holds(Enum):
    OLDER = "older blocks hold newer ones"
    NEWER = "newer blocks hold older ones"


def losses(world: Unwound, holds: Holds) -> list[tuple[Term, ProgramEnd]]:
    """For each end of the program, when a block is not freed and not held there."""
    found: list[tuple[Term, ProgramEnd]] = []
    for stop in world.stops:
        here = world.terms.all(stop.guard)
        lost = world.terms.any(_lost(world, stop, block, holds) for block in world.heap.values())
        term = world.terms.and_(here, lost)
        if term is not world.terms.false:
            found.append((term, stop))
    return found


def _lost(world: Unwound, stop: ProgramEnd, block: HeapBlock, holds: Holds) -> Term:
    terms = world.terms
    allocated = terms.all(block.guard)
    return terms.and_(allocated, terms.not_(_freed(world, stop, block)), terms.not_(_held(world, stop, block, holds)))


def _freed(world: Unwound, stop: ProgramEnd, block: HeapBlock) -> Term:
    """Certainly before the end."""
    return world.terms.any(
        freeing.happens
        for freeing in world.frees[block.owner.start]
        if freeing.thread == stop.thread or stop.clock.get(freeing.thread, 0) > freeing.index
    )


def _held(world: Unwound, stop: ProgramEnd, block: HeapBlock, holds: Holds) -> Term:
    terms, low, high = world.terms, block.owner.start, block.owner.start + max(block.owner.size, 1)
    keepers: list[Term] = []
    for cell, value in stop.pointers.items():
        holder = world.objects.near(cell[0])
        assert holder is not None
        in_heap = holder.storage is ObjectStorage.HEAP
        own = world.objects.thread_local_objects(world.threads[stop.thread].tls)
        if holder.storage is ObjectStorage.THREAD_LOCAL and holder not in own:
            continue  # its thread may have ended
        if (in_heap and (holder.start < low) != (holds is Holds.OLDER)) or holder is block.owner:
            continue
        inside = terms.and_(terms.ule(terms.bv(low, value.width), value), terms.ule(value, terms.bv(high, value.width)))
        if in_heap and holder.start in world.heap:
            inside = terms.and_(inside, terms.not_(_freed(world, stop, world.heap[holder.start])))
        keepers.append(world.values.folded(inside))
    return terms.any(keepers)
