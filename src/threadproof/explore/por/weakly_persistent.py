"""Weakly persistent sets from the strongly connected components of the conflict graph.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022; as
given in N. König, Modular Partial Order Reduction in Software Verification, LMU München 2025, figure 3.1.
Differs: no order on steps of different threads besides conflicts. Threads are nodes whether they can move or wait; a
topologically maximal component in which nobody can move is one that nobody outside will ever let go on, so it is left
out and the next one is asked for. "Weakly": only executions to an end count, and such threads have come to theirs.
Invariants: the component returned is closed under conflicts among the threads that may still move, and can move.
Cycles: the proviso of `persistent.search`.
"""

from __future__ import annotations

from typing import TypeVar

from threadproof.core.graph import components
from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.findings import Findings
from threadproof.explore.futures import StateFutures
from threadproof.explore.lts import LTS
from threadproof.explore.por.persistent import Situation, search

S = TypeVar("S")

Graph = dict[int, list[int]]


def weakly_persistent(
    lts: LTS[S], futures: StateFutures[S], state: S, relation: StepDependence = BY_FOOTPRINTS
) -> tuple[int, ...]:
    """Figure 3.1: the threads of a topologically maximal component, the smallest that can move."""
    now = Situation(lts, futures, state, relation)
    active = list(now.threads)
    while active:
        conflicts: Graph = {i: [j for j in active if now.conflicts(i, j)] for i in active}
        last = [c for c in components(conflicts) if all(j in c for i in c for j in conflicts[i])]
        movable = [c for c in last if any(thread in now.movable for thread in c)]
        if movable:
            return tuple(sorted(min(movable, key=lambda c: (len(c), min(c)))))
        active = [thread for thread in active if not any(thread in c for c in last)]
    return ()


def explore(
    lts: LTS[S], futures: StateFutures[S], limit: int = 100_000, relation: StepDependence = BY_FOOTPRINTS
) -> Findings:
    return search(lts, lambda state: weakly_persistent(lts, futures, state, relation), limit)
