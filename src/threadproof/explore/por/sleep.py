"""Sleep sets: never make a step whose executions were all explored from an equivalent place.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996, chapter 5.
Differs: sets hold actions, that is steps with their choices. Stateless: one complete execution per trace, and besides
it executions given up with everything asleep (`redundant`). Stateful: a state is kept with the actions that were
asleep when it was last visited; coming back with fewer asleep, only the others are made (figure 5.2).
Invariants: every reachable state is visited; the stateful search needs no proviso on cycles, because an action sleeps
only where its successor is reached by commuting steps.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.findings import Findings, races_among
from threadproof.explore.lts import LTS, Action, enabled
from threadproof.explore.por.wakeup import Sleep, awake_after
from threadproof.explore.traces import TooManyStates

S = TypeVar("S")

DEPTH = 400
"""Steps of one execution; longer ones are cut, and the answer is not `true`."""


class SleepSets(Generic[S]):
    """The stateless search."""

    def __init__(self, lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> None:
        self._lts = lts
        self._relation = relation
        self._depth = depth
        self.found = Findings()

    def run(self) -> Findings:
        self._explore(self._lts.initial(), {}, 0)
        return self.found

    def _explore(self, state: S, sleep: Sleep, made: int) -> None:
        steps = enabled(self._lts, state)
        self.found.race |= races_among(steps)
        if not steps:
            self.found.maximal(self._lts, state)
            return
        if made == self._depth:
            self.found.cut[f"an execution of more than {self._depth} steps"] = None
            return
        awake = [step for step in steps if step.action not in sleep]
        self.found.redundant += not awake
        for step in awake:
            self._explore(step.target, awake_after(sleep, step, self._relation), made + 1)
            sleep = {**sleep, step.action: step}


def explore(lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> Findings:
    return SleepSets(lts, depth, relation).run()


def states(lts: LTS[S], limit: int = 100_000, relation: StepDependence = BY_FOOTPRINTS) -> Findings:
    """Every reachable state, along fewer transitions."""
    found = Findings()
    asleep_at: dict[Hashable, frozenset[Action]] = {}
    todo: list[tuple[S, Sleep]] = [(lts.initial(), {})]
    while todo:
        state, sleep = todo.pop()
        key = lts.key(state)
        steps = enabled(lts, state)
        stored = asleep_at.get(key)
        if stored is None:
            due = [step for step in steps if step.action not in sleep]
            asleep_at[key] = frozenset(sleep)
            found.visited(lts, state, steps)
        else:
            due = [step for step in steps if step.action in stored and step.action not in sleep]
            asleep_at[key] = stored & frozenset(sleep)
            sleep = {action: step for action, step in sleep.items() if action in stored}
        for step in due:
            todo.append((step.target, awake_after(sleep, step, relation)))
            sleep = {**sleep, step.action: step}
        if len(asleep_at) > limit:
            raise TooManyStates(f"more than {limit} states")
    return found
