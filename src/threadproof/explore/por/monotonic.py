"""Monotonic paths: of two neighbouring independent steps, the thread with the smaller number goes first.

Paper: C. Wang, Z. Yang, V. Kahlon, A. Gupta, Peephole partial order reduction, TACAS 2008; B. Wachter, D. Kroening,
J. Ouaknine, Verifying multi-threaded software with Impact, FMCAD 2013, definition 4.3 and SKIP of algorithm 2.
Differs: states are concrete and kept together with the step that led to them, so nothing is covered by a state that
was entered differently, and neither Impact's cover expansions nor its exemption of loops are needed.
Invariants: every finite trace has a monotonic representative (its smallest one by thread numbers), and every prefix
of a monotonic path is monotonic: every reachable state is visited, cycles or not.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from threadproof.explore.dependence import BY_FOOTPRINTS, StepDependence
from threadproof.explore.findings import Findings
from threadproof.explore.lts import LTS, LtsStep, enabled
from threadproof.explore.traces import TooManyStates

S = TypeVar("S")


def skip(last: LtsStep[S] | None, step: LtsStep[S], relation: StepDependence = BY_FOOTPRINTS) -> bool:
    """Whether the step, coming after `last`, makes a path that is not monotonic. A step that became possible only
    through `last` touches what `last` touched, so it is not skipped."""
    return last is not None and step.thread < last.thread and relation.independent(last, step)


def explore(lts: LTS[S], limit: int = 100_000, relation: StepDependence = BY_FOOTPRINTS) -> Findings:
    found = Findings()
    seen: set[Hashable] = set()
    visited: set[Hashable] = set()
    todo: list[tuple[S, LtsStep[S] | None]] = [(lts.initial(), None)]
    while todo:
        state, last = todo.pop()
        key = lts.key(state)
        came = (key, None if last is None else (last.action, last.footprint))
        if came in seen:
            continue
        seen.add(came)
        steps = enabled(lts, state)
        if key not in visited:
            visited.add(key)
            found.visited(lts, state, steps)
        todo.extend((step.target, step) for step in steps if not skip(last, step, relation))
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states with the steps that led to them")
    return found
