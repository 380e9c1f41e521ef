"""Values handed on from write to read to write, without unwinding the program again.

Once a round finds the same writes as the one before and only their values differ, the next rounds would follow these
values through the same terms, one write further each. That is done here at once. What comes out is a guess like any
other facts: the next round relies on it and must find it again.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.engines.bmc.unwinding.events import Cell, CellPart, RoundFacts, WriteFact, Writes
from threadproof.engines.bmc.unwinding.memory import possible
from threadproof.engines.bmc.unwinding.values import ValueSets
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Op

STEPS = 64


def spread(world: Unwound, before: RoundFacts, found: RoundFacts) -> RoundFacts:
    """The facts with all values that follow from them, if only values are new."""
    if not _same_but_values(before.writes, found.writes) or replace(found, writes=before.writes) != before:
        return found
    reads = [p for t in world.threads.values() for e in t.events for p in e.reads if p.value.op is Op.VAR]
    parts = [p for t in world.threads.values() for e in t.events for p in e.writes]
    writes, values = found.writes, world.values
    changed = {cell for cell, now in writes.items() if now != before.writes[cell]}
    for _ in range(STEPS):
        values = values.declared_again(
            {r.value: possible(world, writes, r.event, r.cell, r.order) for r in reads if r.cell in changed}
        )
        after = _written(values, parts, writes, world.unknown)
        changed = {cell for cell, now in after.items() if now != writes[cell]}
        writes = after
        if not changed:
            break
    return replace(found, writes=writes)


def _same_but_values(a: Writes, b: Writes) -> bool:
    return a.keys() == b.keys() and all(
        len(a[cell]) == len(b[cell])
        and all(
            (x.thread, x.index, x.order, x.guard, x.clock) == (y.thread, y.index, y.order, y.guard, y.clock)
            for x, y in zip(a[cell], b[cell], strict=True)
        )
        for cell in a
    )


def _written(values: ValueSets, parts: list[CellPart], before: Writes, unknown: set[Cell]) -> Writes:
    """`before` with what the same writes can write now."""
    found: dict[Cell, list[WriteFact]] = {}
    for part in parts:
        facts = found.setdefault(part.cell, [])
        old = before[part.cell][len(facts)]
        numbers = None if part.cell in unknown else values.of(part.value)
        facts.append(old if numbers == old.numbers else replace(old, numbers=numbers))
    return {cell: tuple(facts) for cell, facts in found.items()}
