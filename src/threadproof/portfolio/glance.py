"""A first look before processes for engines are started: programs of a few hundred states are decided by then.

It is the beginning of what `explicit` does by itself, in the process that has read the program: nobody waits for a
process, for the native machine or for a library. What it finds is judged as everywhere. What it does not decide, and
whatever it meets that has no meaning, is left to the engines, who begin again.
"""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.result import Answer, Result, Safe, Unsafe
from threadproof.engines.explicit.reference import ReferenceSearch
from threadproof.engines.task import Task
from threadproof.portfolio.judge import judge
from threadproof.portfolio.messages import ProofRefuted
from threadproof.portfolio.plan import Plan

ENGINE = "explicit"
PATIENCE_S = 0.08
"""Of the processor: on a busy machine programs are decided by the same engine as on an idle one."""
EXPLAINING = frozenset(("races", "deadlocks"))
"""Their proofs say which locks protect what: where they are asked, a proof is left to them."""
LARGEST = 3_000  # instructions: of larger programs, even the first state takes long


class _TooLong(Exception):
    pass


def glance(task: Task, entrants: Plan, budget: Budget) -> Answer | None:
    """None: not decided. Only where the engine is among those that are asked."""
    asked = any(turn.engine == ENGINE for turn in entrants.turns)
    if not asked or next(islice(task.program.instrs(), LARGEST, None), None) is not None:
        return None
    result = _look(task, budget)
    explained = any(turn.engine in EXPLAINING for turn in entrants.quick)
    if not isinstance(result, Unsafe) and (explained or not isinstance(result, Safe)):
        return None
    try:
        return judge(task.program, task.property, ENGINE, result, budget, task.memory_model, task.seed)
    except ProofRefuted as refuted:
        if refuted.found is None or len(entrants.turns) == 1:
            raise
        return replace(refuted.found, notes=(str(refuted),))


def _look(task: Task, budget: Budget) -> Result | None:
    try:
        with _alarm(min(PATIENCE_S, max(0.001, budget.left()))):
            return ReferenceSearch(task, budget, Silent()).run()
    except _TooLong:
        return None


@contextmanager
def _alarm(seconds: float) -> Generator[None]:
    """Not by looks at the clock: one step may be an atomic block of a million instructions."""

    def ring(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
