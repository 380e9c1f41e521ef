"""A bound on preemptions: few context switches first, and never a proof.

Paper: M. Musuvathi, S. Qadeer, Iterative context bounding for systematic testing of multithreaded programs, PLDI 2007;
K. Coons, M. Musuvathi, K. McKinley, Bounded partial-order reduction, OOPSLA 2013 (what goes wrong with reductions).
Differs: no sleep sets: a subtree cut by the bound is not explored, so nothing may sleep on its account.
Invariants: a preemption is leaving a thread that could have moved on. States are told apart by the thread that moved
last and the preemptions left. Whenever the bound forbade a step, `cut` says so: the answer is `false` or `unknown`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from threadproof.explore.findings import Findings
from threadproof.explore.lts import LTS, enabled
from threadproof.explore.traces import TooManyStates

S = TypeVar("S")


def explore(lts: LTS[S], preemptions: int, limit: int = 100_000) -> Findings:
    found = Findings()
    seen: set[Hashable] = set()
    todo: list[tuple[S, int | None, int]] = [(lts.initial(), None, preemptions)]
    while todo:
        state, last, left = todo.pop()
        key = (lts.key(state), last, left)
        if key in seen:
            continue
        seen.add(key)
        steps = enabled(lts, state)
        found.visited(lts, state, steps)
        could_go_on = any(step.thread == last for step in steps)
        for step in steps:
            cost = int(could_go_on and step.thread != last)
            if cost > left:
                found.cut[f"more than {preemptions} preemptions"] = None
            else:
                todo.append((step.target, step.thread, left - cost))
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")
    return found
