"""How far the threads have come: points, each a number for every group of threads, and which steps lead on from them.

A thread's steps are its nodes (events that happen as one) that write cells of interest or read what it writes later.
The point says how many steps of each group are passed. Groups are single threads where that gives few points, else
all threads of a routine, else all threads: fewer points, each standing for more.

Invariants: a step is passed when its passing event happens, the first that writes (the last one, if none does). One
that may be left out though its thread goes on is passed, then, just before the next event of its thread. So at each
moment of an execution one point holds, and one step at a time leads to the next. What is known of the order of two
events holds if both happen: so a step bounds others by what happens whenever it does (`least`), and by steps that are
never left out and come after it (`most`); one of several events, which need not all happen, by what bounds any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod

from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.unwinding.events import UnwoundEvent
from threadproof.engines.bmc.unwinding.world import Unwound

POINTS = 4_000
COMPARED = 400_000
"""Pairs of an event and a step whose order is looked up."""
Point = tuple[int, ...]
Of = Callable[[UnwoundEvent], bool]


@dataclass(slots=True, eq=False)
class ThreadStep:
    thread: int
    number: int  # among the steps of its thread
    events: list[UnwoundEvent]
    passing: UnwoundEvent
    may_be_left_out: bool
    least: Point = ()  # of each group, before it
    most: Point = ()
    free_least: Point = ()  # the same if it is left out
    free_most: Point = ()


class TooManyPlaces(Exception):
    pass


@dataclass(slots=True)
class ThreadPlaces:
    steps: dict[int, list[ThreadStep]]
    group: dict[int, int]  # of each thread that has steps
    sizes: Point
    at: list[list[list[ThreadStep]]] = field(default_factory=list[list[list[ThreadStep]]])
    """Of each group and number: steps that may come next there."""

    def begin(self) -> Point:
        return (0,) * len(self.sizes)

    def following(self, point: Point) -> Iterator[tuple[ThreadStep, bool, Point]]:
        """Steps that may come next, each done or left out."""
        for group, number in enumerate(point):
            if number < self.sizes[group]:
                after = (*point[:group], number + 1, *point[group + 1 :])
                for step in self.at[group][number]:
                    if within(step.least, point, step.most):
                        yield step, True, after
                    if step.may_be_left_out and within(step.free_least, point, step.free_most):
                        yield step, False, after


def within(least: Point, point: Point, most: Point) -> bool:
    return all(low <= here <= high for low, here, high in zip(least, point, most, strict=True))


class PlaceMaker:
    """Makes them, for events of interest."""

    def __init__(
        self, world: Unwound, order: EventOrder, loose: set[tuple[int, int]], of_interest: Of, writes: Of
    ) -> None:
        self._world, self._order, self._loose = world, order, loose
        self._writes = writes
        self.steps: dict[int, list[ThreadStep]] = {}
        for number, thread in world.threads.items():
            found = self._steps(number, [event for event in thread.events if of_interest(event)])
            if found:
                self.steps[number] = found
        events = sum(len(thread.events) for thread in world.threads.values())
        if events * sum(map(len, self.steps.values())) > COMPARED:
            raise TooManyPlaces
        self.group = self._grouped()

    def _steps(self, thread: int, events: list[UnwoundEvent]) -> list[ThreadStep]:
        nodes: dict[int, list[UnwoundEvent]] = {}
        for event in events:
            nodes.setdefault(self._order.node(event)[1], []).append(event)
        result: list[ThreadStep] = []
        for number, members in enumerate(nodes.values()):
            passing = next((event for event in members if self._writes(event)), members[-1])
            loose = any((thread, event.index) in self._loose for event in members)
            result.append(ThreadStep(thread, number, members, passing, loose))
        return result

    def _grouped(self) -> dict[int, int]:
        routines = {thread: self._world.threads[thread].events[-1].function for thread in self.steps}
        for kinds in (dict(zip(self.steps, self.steps, strict=True)), routines, dict.fromkeys(self.steps)):
            names: dict[int | str | None, int] = {}
            group = {thread: names.setdefault(kind, len(names)) for thread, kind in kinds.items()}
            sizes = self._sizes(group)
            if prod(size + 1 for size in sizes) <= POINTS:
                return group
        raise TooManyPlaces

    def _sizes(self, group: dict[int, int]) -> Point:
        sizes = [0] * len(set(group.values()))
        for thread, steps in self.steps.items():
            sizes[group[thread]] += len(steps)
        return tuple(sizes)

    def places(self) -> ThreadPlaces:
        found = ThreadPlaces(self.steps, self.group, self._sizes(self.group))
        found.at.extend([[] for _ in range(size)] for size in found.sizes)
        for thread, steps in self.steps.items():
            group = self.group[thread]
            for step in steps:
                step.least, step.most = self._bounds_of(step)
                step.free_least, step.free_most = step.least, step.most
                if step.may_be_left_out:
                    step.free_least, step.free_most = self._unbounded(thread, step.number)
                for number in range(step.free_least[group], min(step.free_most[group] + 1, found.sizes[group])):
                    found.at[group][number].append(step)
        return found

    def _bounds_of(self, step: ThreadStep) -> tuple[Point, Point]:
        """Of whichever of its events happen: the first may stand on one path only, after a join there."""
        found = [self.bounds(event, step.number, step.thread) for event in step.events]
        least, most = zip(*found, strict=True)
        return tuple(map(min, zip(*least, strict=True))), tuple(map(max, zip(*most, strict=True)))

    def _unbounded(self, thread: int, number: int) -> tuple[Point, Point]:
        least, most = [0] * len(set(self.group.values())), list(self._sizes(self.group))
        own = self.group[thread]
        least[own] += number
        most[own] -= len(self.steps[thread]) - number
        return tuple(least), tuple(most)

    def bounds(self, event: UnwoundEvent, number: int | None, thread: int) -> tuple[Point, Point]:
        """How many steps of each group are passed when an event happens, at least and at most; `number` are of its
        own thread."""
        groups = len(set(self.group.values()))
        least, most = [0] * groups, [0] * groups
        happens = set(event.guard if event.arrives is None else event.arrives)
        for other, steps in self.steps.items():
            group = self.group[other]
            low, high = 0, len(steps)
            if other == thread and number is not None:
                low = high = number
            else:
                for step in steps:
                    if self._before(step.passing, event) and happens.issuperset(step.passing.guard):
                        low = step.number + 1
                    if high == len(steps) and not step.may_be_left_out and self._before(event, step.passing):
                        high = step.number
            least[group] += low
            most[group] += high
        return tuple(least), tuple(most)

    def _before(self, a: UnwoundEvent, b: UnwoundEvent) -> bool:
        return self._order.known(a, b) is True
