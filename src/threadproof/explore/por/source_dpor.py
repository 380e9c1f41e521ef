"""Source-DPOR: source sets computed from the races of the executions explored.

Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets, JACM 64(4), 2017, algorithm 1; as the trace
generator of a verifier: M. Pigram, Skink, 2016, algorithm 1.
Differs: races are looked for at the end of an execution (also of one given up with everything asleep), and their
second step is asked for again where it would come first (`reversals`). A thread in a backtrack set stands for all its
choices; sleep sets hold actions.
Invariants: the backtrack set of a node, with what sleeps there, is a source set when the node is left. Some executions
are given up with everything asleep (`redundant`); the others are one per trace.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from threadproof.explore.clocks import History
from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.findings import Findings
from threadproof.explore.lts import LTS, LtsStep, enabled
from threadproof.explore.por.reversals import reversals
from threadproof.explore.por.wakeup import Sleep, awake_after, initial_in
from threadproof.semantics.violations import race_between

S = TypeVar("S")

DEPTH = 400
"""Steps of one execution; longer ones are cut, and the answer is not `true`."""


@dataclass(slots=True)
class SourceNode(Generic[S]):
    state: S
    sleep: Sleep
    backtrack: list[int] = field(default_factory=list[int])  # threads, in the order they were added


class SourceDPOR(Generic[S]):
    def __init__(self, lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> None:
        self._lts = lts
        self._depth = depth
        self._relation = relation
        self._history: History[S] = History(relation)
        self._nodes: list[SourceNode[S]] = []
        self.found = Findings()

    def run(self) -> Findings:
        self._explore(SourceNode(self._lts.initial(), {}))
        return self.found

    def _explore(self, node: SourceNode[S]) -> None:
        steps = enabled(self._lts, node.state)
        awake = [step for step in steps if step.action not in node.sleep]
        if not steps:
            self.found.maximal(self._lts, node.state)
        elif len(self._nodes) == self._depth:
            self.found.cut[f"an execution of more than {self._depth} steps"] = None
        elif awake:
            self._branch(node, steps, awake[0].thread)
            return
        else:
            self.found.redundant += 1
        self._plan(node.state)

    def _branch(self, node: SourceNode[S], steps: tuple[LtsStep[S], ...], first: int) -> None:
        node.backtrack.append(first)
        self._nodes.append(node)
        while due := [s for s in steps if s.thread in node.backtrack and s.action not in node.sleep]:
            after = SourceNode(due[0].target, awake_after(node.sleep, due[0], self._relation))
            node.sleep[due[0].action] = due[0]
            self._history.push(due[0])
            self._explore(after)
            self._history.pop()
        self._nodes.pop()

    def _plan(self, last: S) -> None:
        """Lines 6 to 9, for all steps of the execution at once."""
        states = [node.state for node in self._nodes]
        for reversal in reversals(self._lts, self._history, states, last):
            first, second = reversal.first.step, reversal.sequence[-1]
            self.found.race |= race_between(first.accesses, second.accesses) is not None
            node = self._nodes[reversal.position]
            sequence = reversal.sequence
            initials = [step.thread for step in sequence if initial_in(step, sequence, self._relation)]
            if not set(initials) & set(node.backtrack):
                node.backtrack.append(initials[0])


def explore(lts: LTS[S], depth: int = DEPTH, relation: StepDependence = BY_FOOTPRINTS) -> Findings:
    return SourceDPOR(lts, depth, relation).run()
