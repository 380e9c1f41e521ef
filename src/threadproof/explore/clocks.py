"""Happens-before along one execution, by vector clocks.

Paper: C. Fidge, Timestamps in message-passing systems, ACSC 1988; F. Mattern, Virtual time, 1989; used for partial
orders of executions as in P. A. Abdulla et al., Source sets, JACM 64(4), 2017, section 5.
Differs: clocks are maps, because threads come to be on the way. Creation orders the creator's step before all steps
of the new thread; everything else is in the footprints.
Invariants: `events[i]` happens before `events[j]` exactly if the clock of j knows as many steps of i's thread as i is
the last of. Two executions are equivalent exactly if they have the same set of labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.lts import Action, Footprint, LtsStep

S = TypeVar("S")

Clock = dict[int, int]
"""Per thread, how many of its steps are known."""

Label = tuple[Action, int, frozenset[tuple[int, int]]]
"""All that an equivalence class knows of an event: the action, its place in its thread, its clock."""


@dataclass(frozen=True, slots=True)
class TraceEvent(Generic[S]):
    """A step that was made: the `index`-th of its thread, counted from 1."""

    step: LtsStep[S]
    index: int
    past: Clock  # what the thread knew before it
    clock: Clock
    conflicts: tuple[int, ...]  # earlier events, unknown to the thread before, that it must stay behind
    label: int  # the number of its label

    @property
    def thread(self) -> int:
        return self.step.thread

    @property
    def footprint(self) -> Footprint:
        return self.step.footprint


class History(Generic[S]):
    """An execution that grows and shrinks at its end."""

    def __init__(self, relation: StepDependence = BY_FOOTPRINTS) -> None:
        self.relation = relation
        self.events: list[TraceEvent[S]] = []
        self._latest: dict[int, list[Clock]] = {}  # per thread, what it knew after each of its steps; first: at birth
        self._labels: dict[Label, int] = {}

    def push(self, step: LtsStep[S]) -> None:
        known = self._latest.setdefault(step.thread, [{}])
        past = known[-1]
        clock = dict(past)
        conflicts = [
            position
            for position, event in enumerate(self.events)
            if event.thread != step.thread
            and past.get(event.thread, 0) < event.index
            and self.relation.dependent(event, step)
        ]
        for position in conflicts:
            _join(clock, self.events[position].clock)
        index = clock[step.thread] = past.get(step.thread, 0) + 1
        known.append(clock)
        for child in step.creates:
            self._latest[child] = [clock]
        label = (step.action, index, frozenset(clock.items()))
        number = self._labels.setdefault(label, len(self._labels))
        self.events.append(TraceEvent(step, index, past, clock, tuple(conflicts), number))

    def pop(self) -> None:
        event = self.events.pop()
        self._latest[event.thread].pop()
        for child in event.step.creates:
            del self._latest[child]

    def knows(self, thread: int) -> Clock:
        """What the thread knows now."""
        return self._latest.get(thread, [{}])[-1]

    def before(self, first: int, second: int) -> bool:
        """Whether an event happens before a later one."""
        event = self.events[first]
        return self.events[second].clock.get(event.thread, 0) >= event.index

    def notdep(self, position: int) -> list[TraceEvent[S]]:
        """The later events that do not happen after this one."""
        return [
            event for later, event in enumerate(self.events) if later > position and not self.before(position, later)
        ]

    def trace(self) -> frozenset[int]:
        """The equivalence class of the execution: the numbers of its labels."""
        return frozenset(event.label for event in self.events)


def _join(clock: Clock, other: Clock) -> None:
    for thread, count in other.items():
        if clock.get(thread, 0) < count:
            clock[thread] = count
