"""What a step of a thread does to the values of cells, computed from what it may read. Equal inputs give the result of
before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from threadproof.domains.intervals import full
from threadproof.engines.bmc.order.places import ThreadStep
from threadproof.engines.bmc.order.spread import NOTHING, Computation, Spread, joined
from threadproof.engines.bmc.unwinding.events import Cell, CellPart, UnwoundEvent
from threadproof.smt.term import Op, Term, in_order, variables
from threadproof.smt.terms import Terms

State = list[Spread]


@dataclass(slots=True)
class StateSlots:
    """Where a state keeps the values of cells, and of terms that later steps of a thread use."""

    cells: dict[Cell, int]
    kept: dict[int, dict[Term, int]]  # of each thread
    widths: list[int]


class StepEffect:
    def __init__(self, terms: Terms, step: ThreadStep, slots: StateSlots, last_use: Collection[int]) -> None:
        """`last_use`: slots of what no later step uses."""
        self._terms, self._slots, self._last_use, self._events = terms, slots, last_use, step.events
        kept = slots.kept[step.thread]
        self.reads = [(part, slots.cells[part.cell]) for event in step.events for part in reads_of(event, slots.cells)]
        self._own = {part.value: slot for part, slot in self.reads}
        writing = [event for event in step.events if _writes_of(event, slots)]
        later = step.events[step.events.index(step.passing) + 1 :]
        self.at_once = len(writing) <= 1 and not any(reads_of(event, slots.cells) for event in later)
        self._writes = [part for event in writing for part in _writes_of(event, slots)]
        self._skipped = [terms.not_(part.when) for part in self._writes]
        self._kept = [(term, kept[term]) for term in kept_by(step.events, kept)]
        mine = {term for term, _ in self._kept}
        self._stops = {**{term: slot for term, slot in kept.items() if term not in mine}, **self._own}
        asked = [*(part.value for part in self._writes), *self._skipped, *(term for term, _ in self._kept)]
        conditions = [c for c in step.passing.guard if self._own.keys() >= set(variables((c,)))]
        inputs = leaves((*asked, *conditions), self._stops)
        self._inputs = [self._stops[leaf] for leaf in inputs]
        self._computation = Computation(terms, inputs, conditions, asked)

    def done(self, state: State) -> State | None:
        """The state after it; None: it cannot happen."""
        if not self.at_once:
            return self._one_by_one(state)
        results = self._computation.of(tuple(state[slot] for slot in self._inputs))
        if results is None:
            return None
        after, count = list(state), len(self._writes)
        for part, value, skipped in zip(self._writes, results, results[count:], strict=False):
            slot = self._slots.cells[part.cell]
            after[slot] = joined(after[slot], value, self._slots.widths[slot]) if 1 in skipped else value
        for (_, slot), value in zip(self._kept, results[2 * count :], strict=True):
            after[slot] = value
        return self._forgotten(after)

    def left_out(self, state: State) -> State:
        """What it would have read or written may be anything for later steps."""
        after = list(state)
        for _, slot in self._kept:
            after[slot] = full(self._slots.widths[slot])
        return self._forgotten(after)

    def _forgotten(self, after: State) -> State:
        for slot in self._last_use:
            after[slot] = NOTHING
        return after

    def _one_by_one(self, state: State) -> State:
        """Events between which the thread may stop: others see what was written so far. Nothing is kept."""
        now, after, widths = list(state), list(state), self._slots.widths
        seen: dict[Term, Spread] = {}
        for event in self._events:
            for part in reads_of(event, self._slots.cells):
                seen[part.value] = joined(
                    seen.get(part.value, NOTHING), now[self._slots.cells[part.cell]], part.value.width
                )
            for part in _writes_of(event, self._slots):
                inputs = leaves((part.value,), self._stops)
                given = tuple(seen.get(leaf, NOTHING) for leaf in inputs)
                [value] = Computation(self._terms, inputs, (), (part.value,)).of(given) or [full(part.value.width)]
                slot = self._slots.cells[part.cell]
                now[slot] = joined(now[slot], value, widths[slot])
            after = [joined(a, b, width) for a, b, width in zip(after, now, widths, strict=True)]
        return self.left_out(after)


def reads_of(event: UnwoundEvent, cells: Collection[Cell]) -> Iterator[CellPart]:
    return (part for part in event.reads if part.cell in cells and part.value.op is Op.VAR)


def _writes_of(event: UnwoundEvent, slots: StateSlots) -> list[CellPart]:
    return [part for part in event.writes if part.cell in slots.cells]


def kept_by(events: list[UnwoundEvent], kept: Collection[Term]) -> list[Term]:
    """What later steps use of what these events read and write."""
    made = dict.fromkeys(part.value for event in events for part in (*event.reads, *event.writes))
    return [term for term in made if term in kept]


def leaves(roots: tuple[Term, ...], stops: Collection[Term]) -> list[Term]:
    """Where a walk from the roots to what they are made of ends."""
    met = dict.fromkeys(root for root in roots if root in stops)
    met.update((arg, None) for part in in_order(roots, stops) for arg in part.args if arg in stops)
    return list(met)
