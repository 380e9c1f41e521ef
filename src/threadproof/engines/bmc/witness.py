"""The schedule of a violation, from a model of it."""

from __future__ import annotations

from enum import Enum

from threadproof.core.property import Property
from threadproof.core.schedule import Schedule
from threadproof.engines.bmc.asking import FoundExecution
from threadproof.engines.bmc.questions import Question
from threadproof.engines.bmc.schedule import Leading
from threadproof.engines.bmc.unwinding.events import UnwoundAccess, UnwoundEvent
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.ir.program import Program
from threadproof.semantics.domains import program_constants
from threadproof.semantics.guide import Astray
from threadproof.semantics.leaks import lost_at_end
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import UndefinedBehaviour
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import live_threads
from threadproof.semantics.violations import first_race, of_outcome, spurious_for
from threadproof.semantics.weak import machine_under


class WitnessEnd(Enum):
    """What the end of a path is to be."""

    VIOLATION = "a violation"
    UNDEFINED = "undefined behaviour"


class Witness:
    def __init__(self, program: Program, prop: Property, world: Unwound, answer: FoundExecution) -> None:
        self._property = prop
        self._world = world
        self._answer = answer
        self._machine = machine_under(world.model, program, Granularity.VISIBLE, spurious_for(prop, program))
        self.reason = ""

    def schedule(self, question: Question, sought: WitnessEnd = WitnessEnd.VIOLATION) -> Schedule | None:
        try:
            if question.end is not None:
                return self._to_the_end(question.end.thread, question.end.index, sought)
            if question.stop is not None:
                return self._to_the_end(question.stop.thread, question.stop.index)
            if question.race is not None:
                return self._to_the_race(*question.race)
            return self._to_the_deadlock()
        except Astray as astray:
            self.reason = str(astray)
        return None

    def happening(self) -> list[UnwoundEvent]:
        """All that happens in the model, in an order it allows."""
        model, formula = self._answer.model, self._answer.formula
        happening: list[UnwoundEvent] = []
        for thread in self._world.threads.values():
            for event in thread.events:
                if all(model.holds(literal) for literal in event.guard):
                    happening.append(event)
                    formula.order.node(event)
        rank = {id(event): index for index, event in enumerate(formula.order.sorted(model))}
        if any(id(formula.order.first(event)) not in rank for event in happening):
            raise Astray("a cycle in the order")
        return sorted(happening, key=lambda e: (rank[id(formula.order.first(e))], e.thread, e.index))

    def _to_the_end(self, thread: int, index: int, sought: WitnessEnd = WitnessEnd.VIOLATION) -> Schedule | None:
        leading = Leading(self._machine, self._world, self._answer.model)
        events = self.happening()
        own = [e for e in events if e.thread == thread and e.index < index]
        last = max(own, key=lambda e: e.index, default=None)
        needed = self._before(events, last) if last is not None else []
        fork = self._world.threads[thread].fork
        if last is None and fork is not None:
            needed = events[: next(i for i, e in enumerate(events) if e is fork) + 1]
        for event in needed:
            leading.perform(event, flush=self._answer.formula.order.is_buffered(event))
        leading.finish(thread)
        assert leading.outcome is not None
        if sought is WitnessEnd.UNDEFINED:
            return leading.schedule if isinstance(leading.outcome, UndefinedBehaviour) else None
        lost = self._property is Property.VALID_MEMSAFETY and lost_at_end(self._machine, leading.outcome) is not None
        if of_outcome(self._property, leading.outcome) is None and not lost:
            self.reason = f"it ends with {type(leading.outcome).__name__}"
            return None
        return leading.schedule

    def _to_the_deadlock(self) -> Schedule | None:
        """All that happens, then every thread goes on until it waits or ends."""
        leading = Leading(self._machine, self._world, self._answer.model)
        for event in self.happening():
            leading.perform(event, flush=False)
        if not leading.settle():
            self.reason = "somebody can go on"
            return None
        return leading.schedule

    def _before(self, events: list[UnwoundEvent], last: UnwoundEvent) -> list[UnwoundEvent]:
        """What comes up to the last event that happens at once; stores still in the buffer need not have left it."""
        own = [e for e in events if e.thread == last.thread and e.index <= last.index]
        direct = [e for e in own if not self._answer.formula.order.is_buffered(e)]
        fork = self._world.threads[last.thread].fork
        final = max(direct, key=lambda e: e.index) if direct else fork
        return events[: events.index(final) + 1] if final is not None else []

    def _to_the_race(self, a: UnwoundAccess, b: UnwoundAccess) -> Schedule | None:
        """All that comes before both accesses, then both threads stand at them."""
        leading = Leading(self._machine, self._world, self._answer.model)
        order = self._answer.formula.order
        events = self.happening()
        ends = [order.first(touch.event) for touch in (a, b) if touch.event is not None]
        stop = min(index for index, event in enumerate(events) if order.first(event) in ends)
        for event in events[:stop]:
            leading.perform(event, flush=False)
        for touch in (a, b):
            leading.approach(touch.thread, self._entry(touch))
        footprints = {
            n: found
            for n in live_threads(leading.state)
            if (found := next_accesses(self._machine, leading.state, n, program_constants(self._machine.program)))
        }
        if first_race(footprints) is None:
            self.reason = "the two accesses do not meet"
            return None
        return leading.schedule

    def _entry(self, touch: UnwoundAccess) -> int:
        """An atomic block is one step: its thread stands at the beginning."""
        if touch.event is None or not touch.event.block:
            return touch.entry
        entries = self._world.threads[touch.thread].entries
        return next(index for index, entry in enumerate(entries) if touch.event in entry.events)
