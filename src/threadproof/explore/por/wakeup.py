"""Sleep sets and wakeup trees: what need not, and what must be explored from a state.

Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets, JACM 64(4), 2017, section 6.1 (wakeup trees);
P. Godefroid, LNCS 1032, 1996, chapter 5 (sleep sets).
Differs: a thread can have several ways to make its step, which exclude each other. That one of them is done (asleep,
or planned) and has nothing to do with a sequence says nothing about executions in which the thread goes another way
after the sequence: a thread covers a sequence it does not take part in only if all its ways do.
Invariants: asleep actions are next steps of their threads from which everything was explored; a sequence that is
covered leads to no execution that is not explored elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.lts import Action, LtsStep

AnyStep = LtsStep[Any]
Sleep = dict[Action, AnyStep]


def awake_after(sleep: Sleep, step: AnyStep, relation: StepDependence = BY_FOOTPRINTS) -> Sleep:
    """The actions still asleep after a step."""
    return {
        action: other
        for action, other in sleep.items()
        if action.thread != step.thread and relation.independent(other, step)
    }


def initial_in(step: AnyStep, sequence: Sequence[AnyStep], relation: StepDependence = BY_FOOTPRINTS) -> bool:
    """Whether the step is in the sequence, the first of its thread, and nothing before it there conflicts with it."""
    before: list[AnyStep] = []
    for other in sequence:
        if other.thread == step.thread:
            return other.action == step.action and not any(relation.dependent(e, other) for e in before)
        before.append(other)
    return False


def apart(
    steps: Iterable[AnyStep], sequence: Sequence[AnyStep], relation: StepDependence = BY_FOOTPRINTS
) -> list[AnyStep]:
    """Those of the steps whose thread takes no part in the sequence and conflicts with nothing there, in any way it
    can move."""
    free = [
        step
        for step in steps
        if all(step.thread != other.thread and relation.independent(step, other) for other in sequence)
    ]
    ways = [step.thread for step in free]
    return [step for step in free if ways.count(step.thread) == step.siblings]


def covered(sleep: Sleep, sequence: Sequence[AnyStep], relation: StepDependence = BY_FOOTPRINTS) -> bool:
    """Whether a sequence leads only to executions explored elsewhere."""
    asleep = list(sleep.values())
    return any(initial_in(step, sequence, relation) for step in asleep) or bool(apart(asleep, sequence, relation))


@dataclass(slots=True)
class Tree:
    """A wakeup tree: `branches` in the order they will be explored. A tree without branches is a leaf."""

    branches: list[WakeupBranch] = field(default_factory=list["WakeupBranch"])
    relation: StepDependence = BY_FOOTPRINTS

    def insert(self, sequence: Sequence[AnyStep], sleep: Sleep) -> None:
        """Definition 6.4: add what no branch leads to, to the right of everything else; the leftmost that does
        counts, since the others will find it asleep. `sleep`: what is done."""
        done = [*sleep.values(), *(b.step for b in self.branches)]
        beside = {step.thread for step in apart(done, sequence, self.relation)}
        for branch in self.branches:
            if initial_in(branch.step, sequence, self.relation):
                branch.continue_with(_without_first(branch.step.thread, sequence))
                return
            if branch.step.thread in beside:
                for way in self.branches:
                    if way.step.thread == branch.step.thread:
                        way.continue_with(sequence)
                return
        self._append(sequence)

    def _append(self, sequence: Sequence[AnyStep]) -> None:
        tree = self
        for step in sequence:
            branch = WakeupBranch(step, Tree(relation=self.relation))
            tree.branches.append(branch)
            tree = branch.below


@dataclass(slots=True)
class WakeupBranch:
    step: AnyStep
    below: Tree = field(default_factory=Tree)

    def continue_with(self, sequence: Sequence[AnyStep]) -> None:
        """A leaf already stands for everything from there on."""
        if sequence and self.below.branches:
            self.below.insert(sequence, {})


def _without_first(thread: int, sequence: Sequence[AnyStep]) -> list[AnyStep]:
    first = next(index for index, step in enumerate(sequence) if step.thread == thread)
    return [*sequence[:first], *sequence[first + 1 :]]
