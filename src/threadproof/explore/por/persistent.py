"""Persistent sets: threads whose next steps nobody else can interfere with before they move.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996, chapter 4
(conflicting transitions, algorithm 1), with the proviso of D. Peled, All from one, one for all, CAV 1993.
Differs: sets of threads instead of transitions; conflicts between what a thread does next (exactly, in this state) and
what another may do some day (statically, `futures`). A waiting thread in the set brings along whoever may let it go
on. The end of a thread goes first, alone: it only lets others go on.
Invariants: as long as only threads outside the set move, no step of theirs touches what a step of the set touches,
and no waiting thread of the set is let go on. On every cycle some state is expanded fully (its successor was seen
before), so nobody is postponed for ever. Ends, deadlocks and stopped threads are found; two accesses that race need
not be seen side by side, so no absence of races is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence, TouchedTogether
from threadproof.explore.findings import Findings, Races
from threadproof.explore.futures import StateFutures
from threadproof.explore.lts import LTS, Footprint, LtsStep, enabled
from threadproof.explore.traces import TooManyStates
from threadproof.sync.footprint import Mode, Touch, thread_place

S = TypeVar("S")

Chooser = Callable[[S], tuple[int, ...]]
"""Threads whose steps suffice in a state."""


class Situation:
    """What each thread of a state does next, and may do some day."""

    def __init__(
        self, lts: LTS[S], futures: StateFutures[S], state: S, relation: StepDependence = BY_FOOTPRINTS
    ) -> None:
        self._relation = relation
        self.threads = lts.threads(state)
        steps = {thread: lts.steps(state, thread) for thread in self.threads}
        self.movable = [thread for thread in self.threads if steps[thread]]
        self._ending = {thread for thread in self.threads if any(map(_is_end, steps[thread]))}
        self._next = {t: TouchedTogether(_touched(steps[t]) or lts.waits_for(state, t)) for t in self.threads}
        self._future = {thread: TouchedTogether(futures.future(state, thread)) for thread in self.threads}

    def conflicts(self, thread: int, other: int) -> bool:
        """Whether the next step of a thread conflicts with something another may do from here on."""
        if thread == other or thread in self._ending:
            return False
        return not self._relation.independent(self._next[thread], self._future[other])


def persistent(
    lts: LTS[S], futures: StateFutures[S], state: S, relation: StepDependence = BY_FOOTPRINTS
) -> tuple[int, ...]:
    """A smallest set that closing one thread under conflicts gives."""
    now = Situation(lts, futures, state, relation)
    sets = [_closed(now, thread) for thread in now.movable]
    return tuple(sorted(min(sets, key=len))) if sets else ()


def _closed(now: Situation, thread: int) -> set[int]:
    closed, todo = {thread}, [thread]
    while todo:
        mine = todo.pop()
        for other in now.threads:
            if other not in closed and now.conflicts(mine, other):
                closed.add(other)
                todo.append(other)
    return closed


def _is_end(step: LtsStep[S]) -> bool:
    """Whether the step is its thread's end and nothing else: who joins it waits for that."""
    return not step.creates and step.footprint == (Touch(thread_place(step.thread + 1), 1, Mode.WRITE),)


def _touched(steps: tuple[LtsStep[S], ...]) -> Footprint:
    return tuple(dict.fromkeys(touch for step in steps for touch in step.footprint))


def search(lts: LTS[S], choose: Chooser[S], limit: int = 100_000) -> Findings:
    """The states reached by moving only the chosen threads, with the proviso."""
    found = Findings(races=Races.IF_SEEN)
    start = lts.initial()
    seen: set[Hashable] = {lts.key(start)}
    todo = [start]
    while todo:
        state = todo.pop()
        every = enabled(lts, state)
        found.visited(lts, state, every)
        chosen = set(choose(state))
        steps = [(step, lts.key(step.target)) for step in every if step.thread in chosen]
        if any(key in seen for _, key in steps):
            steps = [(step, lts.key(step.target)) for step in every]
        fresh = {key: step.target for step, key in steps if key not in seen}
        seen.update(fresh)
        todo.extend(fresh.values())
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")
    return found


def explore(
    lts: LTS[S], futures: StateFutures[S], limit: int = 100_000, relation: StepDependence = BY_FOOTPRINTS
) -> Findings:
    return search(lts, lambda state: persistent(lts, futures, state, relation), limit)
