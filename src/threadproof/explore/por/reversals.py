"""The races of an execution, and how it would go on if each had been decided the other way.

Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets, JACM 64(4), 2017, definitions 3.3 and 5.1 (races,
notdep); K. Jonsson, M. Lång, K. Sagonas, FMCAD 2022 (operations that wait).
Differs: the second step of a race is not assumed to be what it was: the execution is replayed without the first one
and what came after it, and the step is asked for again there. That gives its exact footprint and its choices in the
new place, says whether an operation that can wait is possible there, and so treats all operations alike. For the same
reason a pair need not be adjacent to be looked at (the release of a lock lies between two acquisitions). Threads that
wait at the end are asked in the same way. Where others would keep such a thread waiting although they have nothing to
do with the first step (another reader), the execution is also tried without them.
Invariants: every sequence yielded can be executed; `position` is where it branches off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from threadproof.explore.clocks import History, TraceEvent
from threadproof.explore.lts import LTS, Footprint, LtsStep
from threadproof.explore.traces import WrongDependence

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Reversal(Generic[S]):
    position: int  # of the event that comes later now
    first: TraceEvent[S]
    sequence: tuple[LtsStep[S], ...]  # what is done instead of it; the last step is the one it raced with


@dataclass(frozen=True, slots=True)
class Rival:
    """A thread whose step, made or waited for, conflicts with an earlier event it did not know of."""

    thread: int
    footprint: Footprint


def reversals(lts: LTS[S], history: History[S], states: list[S], last: S) -> Iterator[Reversal[S]]:
    """`states[i]` is the state before event i, `last` the one after all of them."""
    waiting = [Rival(t, lts.waits_for(last, t)) for t in lts.threads(last) if not lts.steps(last, t)]
    for position, event in enumerate(history.events):
        rivals = [Rival(e.thread, e.footprint) for e in history.events[position + 1 :] if position in e.conflicts]
        rivals += [rival for rival in waiting if _unknown_conflict(history, event, rival)]
        if rivals:
            yield from _of_event(lts, history, states, position, rivals)


def _unknown_conflict(history: History[S], event: TraceEvent[S], rival: Rival) -> bool:
    unknown = history.knows(rival.thread).get(event.thread, 0) < event.index
    return unknown and event.thread != rival.thread and history.relation.dependent(event, rival)


def _of_event(
    lts: LTS[S], history: History[S], states: list[S], position: int, rivals: list[Rival]
) -> Iterator[Reversal[S]]:
    event = history.events[position]
    others, reached = replayed(lts, states[position], history.notdep(position))
    for rival in rivals:
        steps, before = lts.steps(reached, rival.thread), others
        if not steps:
            before, there = replayed(lts, states[position], _without_rivals(history, position, rival))
            steps = lts.steps(there, rival.thread)
        for step in steps:
            yield Reversal(position, event, (*before, step))


def _without_rivals(history: History[S], position: int, rival: Rival) -> list[TraceEvent[S]]:
    """notdep, without what conflicts with the step, and what came after that."""
    knows = next((e.past for e in history.events if e.thread == rival.thread and position in e.conflicts), None)
    knows = history.knows(rival.thread) if knows is None else knows
    dropped: list[int] = [position]
    kept: list[TraceEvent[S]] = []
    for later in range(position + 1, len(history.events)):
        event = history.events[later]
        known = knows.get(event.thread, 0) >= event.index
        after = any(history.before(early, later) for early in dropped)
        if after or (not known and (event.thread == rival.thread or history.relation.dependent(event, rival))):
            dropped.append(later)
        else:
            kept.append(event)
    return kept


def replayed(lts: LTS[S], state: S, events: list[TraceEvent[S]]) -> tuple[list[LtsStep[S]], S]:
    """The same steps from another state: what they touch may have other names there (who is last at a barrier)."""
    steps: list[LtsStep[S]] = []
    for event in events:
        again = [step for step in lts.steps(state, event.thread) if step.action == event.step.action]
        if not again:
            raise WrongDependence(f"{event.step.action} is not possible without a step it does not depend on")
        steps.append(again[0])
        state = again[0].target
    return steps, state
