"""Which events of a counterexample matter for the violation: what lanes show, and what they may leave out.

A step is *needed* if the violation goes away when nobody but its own thread notices it: the schedule is replayed, and
after the step all memory and all other threads are put back to what they were before, while its thread goes on. In the
steps before any thread is created, which are one long step, this is done with each write by itself.

A place *matters* if a needed step changes it, if the thread that fails reads it last, or if it is raced for. Events
that concern such a place are shown, too: in a lost update nobody needs the update that is lost.

Invariant: an event with the role `ASIDE` is no part of a needed step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from threadproof.core.budget import Budget
from threadproof.core.property import Property
from threadproof.core.schedule import Schedule
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import number
from threadproof.core.trace import About, Bearing, Event, EventKind, Trace, TraceStep
from threadproof.evidence.replay import Sought, machine_for, violates
from threadproof.ir.program import Program
from threadproof.semantics.guide import Played, played
from threadproof.semantics.leaks import lost_block
from threadproof.semantics.machine import Machine
from threadproof.semantics.memory import MemoryView
from threadproof.semantics.outcome import Moved, Outcome, Trap, Unsupportable
from threadproof.semantics.state import CHUNK, Obj, State
from threadproof.semantics.thread_map import with_thread

LAST_READS = 4
"""Reads of the thread that fails, counted from the end, whose places matter."""


def with_roles(
    program: Program, prop: Property, trace: Trace, budget: Budget, sought: Sought = Sought.VIOLATION
) -> Trace:
    """The trace with a role for every event. What there was no time to try counts as needed."""
    if not trace.steps:
        return trace
    check = Counterfactuals(machine_for(program, prop, trace.model), prop, trace.schedule, trace.loc, sought)
    first = _first_creation(trace.steps)
    needed: set[tuple[int, int]] = set()
    for index, step in enumerate(trace.steps):
        for event in _asked(step, index, first):
            if budget.left() <= 0 or check.needs(index, None if event < 0 else step.events[event].about):
                needed |= {(index, event)} if event >= 0 else {(index, place) for place in range(len(step.events))}
    return replace(trace, steps=tuple(_labelled(trace, needed)))


def _asked(step: TraceStep, index: int, first: int) -> Iterable[int]:
    """What to try: single writes of the steps before there is a second thread (-1: the whole step)."""
    if index > first:
        return (-1,)
    return [at for at, event in enumerate(step.events) if event.kind is EventKind.WRITE and event.about is not None]


def _first_creation(steps: tuple[TraceStep, ...]) -> int:
    return next((i for i, step in enumerate(steps) if any(is_creation(event) for event in step.events)), len(steps))


def is_creation(event: Event) -> bool:
    return event.kind is EventKind.SYNC and event.text.startswith("creates ")


# --- labels ----------------------------------------------------------------------------------------------------------


def _labelled(trace: Trace, needed: set[tuple[int, int]]) -> Iterable[TraceStep]:
    matters = [about for about in _places(trace, needed) if about.address]
    for index, step in enumerate(trace.steps):
        events = [_label(event, (index, at) in needed, matters) for at, event in enumerate(step.events)]
        yield replace(step, events=tuple(events))


def _label(event: Event, needed: bool, matters: list[About]) -> Event:
    if needed or is_creation(event):
        return replace(event, role=Bearing.NEEDED)
    if event.kind in (EventKind.END, EventKind.CHOICE, EventKind.NOTE):
        return replace(event, role=Bearing.RELATED)
    about = event.about
    related = about is not None and any(_overlap(about, other) for other in matters)
    return replace(event, role=Bearing.RELATED if related else Bearing.ASIDE)


def _places(trace: Trace, needed: set[tuple[int, int]]) -> Iterable[About]:
    if trace.about is not None:
        yield trace.about
    for index, at in needed:
        event = trace.steps[index].events[at]
        if event.about is not None and event.kind is not EventKind.READ:
            yield event.about
    if trace.details:
        return  # no thread fails
    failing, reads = trace.steps[-1].thread, 0
    for step in reversed(trace.steps):
        for event in reversed(step.events) if step.thread == failing else ():
            if event.kind is EventKind.READ and event.about is not None and reads < LAST_READS:
                reads += 1
                yield event.about


def _overlap(a: About, b: About) -> bool:
    return a.address < b.address + b.size and b.address < a.address + a.size


# --- what if it had not been -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Counterfactuals:
    """Replays of one schedule in which the others do not notice one of its steps."""

    machine: Machine
    property: Property
    schedule: Schedule
    loc: SourceLoc
    sought: Sought = Sought.VIOLATION
    path: list[Played] | None = None

    def needs(self, index: int, only: About | None = None) -> bool:
        """Whether the violation goes away without the step, or without one write of it."""
        path = self.path = self.path or list(played(self.machine, self.schedule))
        made = path[index]
        if not isinstance(made.outcome, Moved):
            return True  # the violation itself
        if only is None and not self._noticed(made.before, made.outcome.state, number(made.move.thread)):
            return False
        if only is None:
            state = self._undone(made.before, made.outcome.state, number(made.move.thread))
        else:
            state = self._unwritten(made.before, made.outcome.state, only)
        return not self._violated(state, index + 1, path)

    def _violated(self, state: State, index: int, path: list[Played]) -> bool:
        outcome: Outcome = Moved(state, ())
        for at in range(index, len(path)):
            outcome = self.machine.move(state, self.schedule[at])
            if not isinstance(outcome, Moved):
                break
            state = outcome.state
            if at < len(path) - 1 and state == getattr(path[at].outcome, "state", None):
                return True  # from here on it is the same execution
        if self._loses(path) is not None and isinstance(outcome, Moved):
            return lost_block(self.machine, outcome.state) == self._loses(path)
        return violates(self.machine, self.property, self.sought, state, outcome, self.loc)

    def _loses(self, path: list[Played]) -> Obj | None:
        """The block that is lost at the end: without a step another one may be."""
        outcome = path[-1].outcome
        if self.property is not Property.VALID_MEMSAFETY or not isinstance(outcome, Moved):
            return None
        return lost_block(self.machine, outcome.state)

    def _noticed(self, before: State, after: State, mover: int) -> bool:
        """Whether the step changed anything besides its own thread."""
        return before.memory is not after.memory or any(
            after.threads.get(n) is not thread for n, thread in before.threads.items() if n != mover
        )

    def _undone(self, before: State, after: State, mover: int) -> State:
        """As before the step, but its thread goes on: with what only it can reach."""
        memory = dict(before.memory)
        was, own = before.threads[mover], after.threads[mover]
        old = {obj.start: obj for obj in (*was.heap, *was.stack)}
        fresh = [obj for obj in (*own.heap, *own.stack) if obj.start not in old or obj.sharing]
        for obj in fresh:
            for key in range(obj.start, obj.start + max(1, obj.size), CHUNK):
                if key in after.memory:
                    memory[key] = after.memory[key]
        own = own._replace(heap=tuple(old.get(obj.start, obj) for obj in own.heap))  # what it freed is there again
        return before._replace(memory=memory, threads=with_thread(before.threads, mover, own), keys=after.keys)

    def _unwritten(self, before: State, after: State, about: About) -> State:
        view = MemoryView(self.machine.static.image, after)
        try:
            old, _ = _bytes(MemoryView(self.machine.static.image, before), about)
        except (Trap, Unsupportable):
            old = bytes(about.size)
        try:
            view.write_raw(view.find(about.address), about.address, old, None)
        except (Trap, Unsupportable):  # the step has freed it: nobody reads what it wrote
            return after
        return after._replace(memory=view.memory)


def _bytes(view: MemoryView, about: About) -> tuple[bytes, bytes | None]:
    return view.raw(view.find(about.address), about.address, about.size)
