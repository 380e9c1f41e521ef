"""Brute force: every state, or every execution, and how many of them are not equivalent.

Paper: A. Mazurkiewicz, Trace theory, LNCS 255, 1986 (equivalence by commuting neighbours).
Differs: prefixes are told apart by their happens-before (a set of labels), so that each class of prefixes is continued
once; executions are still counted one by one (`interleavings`).
Invariants: `all_states` knows nothing of dependence. `all_traces` believes the footprints, and checks them: equivalent
prefixes must lead to the same state.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from threadproof.explore.clocks import History
from threadproof.explore.findings import Findings, races_among
from threadproof.explore.lts import LTS, LtsStep, enabled

S = TypeVar("S")

LONGEST = 400
"""Steps of an execution: longer ones may have no end."""


class TooManyStates(Exception):
    """More states or prefixes than asked for."""


class WrongDependence(Exception):
    """Two executions that differ only in the order of independent steps lead to different states."""


def all_states(lts: LTS[S], limit: int = 100_000) -> Findings:
    """Every reachable state once. Counts nothing."""
    found = Findings()
    start = lts.initial()
    seen: set[Hashable] = {lts.key(start)}
    todo = [start]
    while todo:
        state = todo.pop()
        steps = enabled(lts, state)
        found.visited(lts, state, steps)
        for step in steps:
            key = lts.key(step.target)
            if key not in seen:
                seen.add(key)
                todo.append(step.target)
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")
    return found


def all_traces(lts: LTS[S], limit: int = 100_000) -> Findings:
    """Every class of executions once."""
    return _Traces(lts, limit).run()


class _Traces(Generic[S]):
    def __init__(self, lts: LTS[S], limit: int) -> None:
        self._lts = lts
        self._limit = limit
        self._history: History[S] = History()
        self._seen: dict[frozenset[int], tuple[Hashable, int]] = {}
        self._steps: dict[Hashable, tuple[LtsStep[S], ...]] = {}  # many prefixes lead to the same state
        self._found = Findings()

    def run(self) -> Findings:
        self._found.interleavings = self._continue(self._lts.initial())
        return self._found

    def _continue(self, state: S) -> int:
        """The number of ways to go on from here to the end."""
        trace, shown = self._history.trace(), self._lts.shown(state)
        known = self._seen.get(trace)
        if known is not None:
            if known[0] != shown:
                raise WrongDependence(str(self._history.events[-2:]))
            return known[1]
        if len(self._seen) > self._limit or len(self._history.events) > LONGEST:
            raise TooManyStates(f"more than {self._limit} prefixes, or {LONGEST} steps")
        steps = self._enabled(state)
        ways = 0 if steps else 1
        if not steps:
            self._found.maximal(self._lts, state)
        for step in steps:
            self._history.push(step)
            ways += self._continue(step.target)
            self._history.pop()
        self._seen[trace] = (shown, ways)
        return ways

    def _enabled(self, state: S) -> tuple[LtsStep[S], ...]:
        key = self._lts.key(state)
        steps = self._steps.get(key)
        if steps is None:
            steps = self._steps[key] = enabled(self._lts, state)
            self._found.race |= races_among(steps)
        return steps
