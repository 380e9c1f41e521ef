"""What threads write, learnt while a round goes on: threads that are unwound later in it see it at once.

Such a round relied on different facts at different times, so it is never the last one; but far fewer rounds are needed.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.engines.bmc.unwinding.events import Cell, UnwoundThread, WriteFact, Writes
from threadproof.engines.bmc.unwinding.values import Numbers
from threadproof.engines.bmc.unwinding.world import Unwound


def learn(world: Unwound, thread: UnwoundThread) -> None:
    """The writes of a thread so far, in place of those of the round before."""
    if world.boundaries.come_late:
        return
    number, done, writes = thread.number, len(thread.events), world.facts.writes
    found = written(world, thread)
    changed: Writes = {}
    for cell in {*found, *(cell for cell, old in writes.items() if any(w.thread == number for w in old))}:
        old = writes.get(cell, ())
        now = [*found.get(cell, ()), *(w for w in old if w.thread == number and w.index >= done and thread.end is None)]
        if now != [w for w in old if w.thread == number]:
            changed[cell] = (*(w for w in old if w.thread != number), *now)
    if changed:
        world.facts = replace(world.facts, writes={**writes, **changed})


def written(world: Unwound, thread: UnwoundThread) -> dict[Cell, list[WriteFact]]:
    found: dict[Cell, list[WriteFact]] = {}
    for event in thread.events:
        path = frozenset(event.guard)
        for part in event.writes:
            numbers: Numbers = None if part.cell in world.unknown else world.values.of(part.value)
            guard = path if part.when is world.terms.true else path | {part.when}
            fact = WriteFact(thread.number, event.index, part.order, guard, event.clock, numbers)
            found.setdefault(part.cell, []).append(fact)
    return found
