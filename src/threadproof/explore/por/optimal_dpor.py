"""Optimal dynamic partial-order reduction: exactly one execution per trace.

Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets: a foundation for optimal dynamic partial order
reduction, JACM 64(4), 2017, algorithm 2 (Optimal-DPOR with wakeup trees).
Differs: steps have choices. Two choices of one thread are different actions that exclude each other: sleep sets and
wakeup trees hold actions (`wakeup`), a thread picked freely is picked with all its choices, and a reversed step enters
the tree once per choice it has in its new place (`reversals`).
Invariants: no execution ends with all enabled steps asleep (`redundant` stays 0), and the number of maximal
executions is the number of traces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from threadproof.explore.clocks import History
from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.findings import Findings
from threadproof.explore.lts import LTS, Action, LtsStep, enabled
from threadproof.explore.por.reversals import reversals
from threadproof.explore.por.wakeup import Sleep, Tree, WakeupBranch, awake_after, covered
from threadproof.semantics.violations import race_between

S = TypeVar("S")

DEPTH = 400
"""Steps of one execution; longer ones are cut, and the answer is not `true`."""


@dataclass(slots=True)
class OptimalNode(Generic[S]):
    state: S
    sleep: Sleep
    wut: Tree


class OptimalDPOR(Generic[S]):
    def __init__(self, lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> None:
        self._lts = lts
        self._depth = depth
        self._relation = relation
        self._history: History[S] = History(relation)
        self._nodes: list[OptimalNode[S]] = []
        self.found = Findings()

    def run(self) -> Findings:
        self._explore(OptimalNode(self._lts.initial(), {}, Tree(relation=self._relation)))
        return self.found

    def _explore(self, node: OptimalNode[S]) -> None:
        steps = {step.action: step for step in enabled(self._lts, node.state)}
        if not steps:
            self.found.maximal(self._lts, node.state)
            self._plan(node.state)
            return
        if len(self._nodes) == self._depth:
            self.found.cut[f"an execution of more than {self._depth} steps"] = None
            self._plan(node.state)
            return
        if not node.wut.branches:
            self._choose(node, steps)
        self._nodes.append(node)
        while node.wut.branches:
            branch = node.wut.branches.pop(0)
            step = steps[branch.step.action]
            after = OptimalNode(step.target, awake_after(node.sleep, step, self._relation), branch.below)
            node.sleep[step.action] = step  # at once: whatever its executions ask for, it need not be made twice
            self._history.push(step)
            self._explore(after)
            self._history.pop()
        self._nodes.pop()

    def _choose(self, node: OptimalNode[S], steps: dict[Action, LtsStep[S]]) -> None:
        """Line 17: any thread that is awake, with all its choices that are."""
        awake = [step for action, step in steps.items() if action not in node.sleep]
        if not awake:
            self.found.redundant += 1
            return
        node.wut.branches = [
            WakeupBranch(step, Tree(relation=self._relation)) for step in awake if step.thread == awake[0].thread
        ]

    def _plan(self, last: S) -> None:
        """Lines 4 to 10: at the end of an execution, enter the reversals of its races."""
        states = [node.state for node in self._nodes]
        for reversal in reversals(self._lts, self._history, states, last):
            first, second = reversal.first.step, reversal.sequence[-1]
            self.found.race |= race_between(first.accesses, second.accesses) is not None
            node = self._nodes[reversal.position]
            if not covered(node.sleep, reversal.sequence, self._relation):
                node.wut.insert(reversal.sequence, node.sleep)


def explore(lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> Findings:
    return OptimalDPOR(lts, depth, relation).run()
