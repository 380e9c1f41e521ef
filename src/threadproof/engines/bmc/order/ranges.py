"""Which values reads can see, counted out before the solver is asked: section by section, or write by write.

A formula about n sections of one lock makes a solver prove by itself that a counter holds s after s of them, in every
order: that is exponential. Here the threads' steps are counted (`places.py`), and at each point every cell has a small
set of values or intervals (`spread.py`), joined over the ways to come there. What a read can see at last is a clause
beside those that say which write it sees; where it is one value, it replaces them.

The exact version is a lattice, one merged state for each combination of places. Here values are only bounded, so places
may be added up, and threads that change each other's variables have narrow numbers at least.

Invariants: an execution of the formula is, at each of its events, at a point whose values contain those of memory
(`places.py` has the argument). Sequential consistency only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from threadproof.domains.intervals import full
from threadproof.engines.bmc.order.cycles import Node
from threadproof.engines.bmc.order.effects import State, StateSlots, StepEffect, leaves, reads_of
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.places import PlaceMaker, Point, ThreadPlaces, ThreadStep, TooManyPlaces, within
from threadproof.engines.bmc.order.spread import NOTHING, Spread, joined
from threadproof.engines.bmc.unwinding.events import Cell, CellPart, UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Op, Term

EFFORT = 1_000_000
"""Values joined, at most."""


class TooMuch(Exception):
    pass


class ReadRanges:
    """Of all reads of some cells."""

    def __init__(self, world: Unwound, order: EventOrder, cells: Iterable[Cell], loose: set[tuple[int, int]]) -> None:
        self._world, self._order, self._loose = world, order, loose
        self.cells = frozenset(cells)
        self._seen: dict[Term, Spread] = {}
        try:
            self._look()
        except (TooManyPlaces, TooMuch):
            self._seen = {}

    def of(self, read: CellPart) -> Spread:
        """Empty: nothing is known."""
        return self._seen.get(read.value, NOTHING)

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self._seen)

    def allow(self, read: CellPart, value: int) -> bool:
        known = self.of(read)
        return not known or value in known

    # --- what there is -----------------------------------------------------------------------------------------------

    def _events(self) -> Iterable[UnwoundEvent]:
        return (event for thread in self._world.threads.values() for event in thread.events)

    def _look(self) -> None:
        last = {number: self._kept(thread) for number, thread in self._world.threads.items()}
        slots = self._slots(last)
        made = PlaceMaker(self._world, self._order, self._loose, self._is_step(last), self._writes)
        here = made.places()
        effects = {
            step: StepEffect(self._world.terms, step, slots, _last_used(step, steps, last, slots))
            for steps in here.steps.values()
            for step in steps
        }
        self._walk(here, slots, effects, self._watched(here, made))

    def _writes(self, event: UnwoundEvent) -> bool:
        return any(part.cell in self.cells for part in event.writes)

    def _is_step(self, kept: dict[int, dict[Term, int]]) -> Callable[[UnwoundEvent], bool]:
        nodes = {self._order.node(event) for event in self._events() if self._writes(event)}

        def decides(event: UnwoundEvent) -> bool:
            later = kept[event.thread]
            return self._order.node(event) in nodes or any(p.value in later for p in reads_of(event, self.cells))

        return decides

    def _kept(self, thread: UnwoundThread) -> dict[Term, int]:
        """Terms that a step uses after the one in which they are read or written: with the last event that does."""
        found: dict[Term, int] = {}
        made: dict[Term, Node] = {}
        for event in thread.events:
            node = self._order.node(event)
            made.update((part.value, node) for part in reads_of(event, self.cells))
            for part in event.writes:
                if part.cell in self.cells:
                    used = leaves((part.value, part.when), made)
                    found.update((term, event.index) for term in used if made[term] != node)
                    if part.value.op is not Op.VALUE:
                        made.setdefault(part.value, node)
        return found

    def _slots(self, last: dict[int, dict[Term, int]]) -> StateSlots:
        cells = {cell: index for index, cell in enumerate(sorted(self.cells))}
        widths = [self._world.initial[cell].width for cell in cells]
        kept: dict[int, dict[Term, int]] = {}
        for thread, used in last.items():
            kept[thread] = {term: len(widths) + index for index, term in enumerate(used)}
            widths.extend(term.width for term in used)
        return StateSlots(cells, kept, widths)

    def _watched(self, here: ThreadPlaces, made: PlaceMaker) -> list[tuple[CellPart, Point, Point]]:
        """Reads that are no part of a step, and the points at which they may happen."""
        found: list[tuple[CellPart, Point, Point]] = []
        within_steps = {id(event) for steps in here.steps.values() for step in steps for event in step.events}
        for event in self._events():
            parts = list(reads_of(event, self.cells)) if id(event) not in within_steps else []
            if parts:
                own = sum(step.passing.index < event.index for step in here.steps.get(event.thread, ()))
                least, most = made.bounds(event, own, event.thread)
                found.extend((part, least, most) for part in parts)
        return found

    # --- from point to point -----------------------------------------------------------------------------------------

    def _walk(
        self,
        here: ThreadPlaces,
        slots: StateSlots,
        effects: dict[ThreadStep, StepEffect],
        watched: list[tuple[CellPart, Point, Point]],
    ) -> None:
        spent = 0
        level = {here.begin(): self._begin(slots)}
        while level:
            above: dict[Point, State] = {}
            spent += len(level) * (1 + len(watched))
            for point, state in level.items():
                for part, least, most in watched:
                    if within(least, point, most):
                        self._note(part, state[slots.cells[part.cell]])
                for step, done, target in here.following(point):
                    spent += len(state)
                    after = self._after(effects[step], done, state)
                    if after is not None:
                        old = above.get(target)
                        above[target] = after if old is None else _both(old, after, slots.widths)
            if spent > EFFORT:
                raise TooMuch
            level = above

    def _begin(self, slots: StateSlots) -> State:
        initial = (self._world.initial[cell] for cell in slots.cells)
        state: State = [frozenset((t.value,)) if t.op is Op.VALUE else full(t.width) for t in initial]
        return state + [NOTHING] * (len(slots.widths) - len(state))

    def _after(self, effect: StepEffect, done: bool, state: State) -> State | None:
        if not done:
            return effect.left_out(state)
        for part, slot in effect.reads:
            self._note(part, state[slot] if effect.at_once else full(part.value.width))
        return effect.done(state)

    def _note(self, part: CellPart, values: Spread) -> None:
        old = self._seen.get(part.value, NOTHING)
        self._seen[part.value] = joined(old, values, part.value.width)


def _both(a: State, b: State, widths: list[int]) -> State:
    return [x if x is y else joined(x, y, width) for x, y, width in zip(a, b, widths, strict=True)]


def _last_used(
    step: ThreadStep, steps: list[ThreadStep], last: dict[int, dict[Term, int]], slots: StateSlots
) -> list[int]:
    """StateSlots of what this step uses and none after it does."""
    begin = steps[step.number - 1].events[-1].index if step.number else -1
    end = step.events[-1].index
    return [slots.kept[step.thread][term] for term, index in last[step.thread].items() if begin < index <= end]
