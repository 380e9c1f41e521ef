"""A schedule made with `Solo.EVER`, told for the usual machine.

The usual machine runs a thread on while no other thread lives; a schedule that stops it at every visible operation
has moves too many then. Both machines are led along: a move of the one is dropped while the other is ahead. Two that
are in the same state and not alone make the same step, so that states are compared only where a thread is alone.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from threadproof.core.schedule import Schedule
from threadproof.ir.program import Program
from threadproof.semantics.guide import Guide, played
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Moved
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import Pending, Phase, State


def for_live(program: Program, spurious: Spurious, schedule: Schedule) -> Schedule:
    stopping = Machine(program, Granularity.VISIBLE, spurious, Solo.EVER)
    running = Guide(Machine(program, Granularity.VISIBLE, spurious, Solo.LIVE))
    ahead = same = False
    for _, move, outcome in played(stopping, schedule):
        same = same and not _is_alone(running.state)
        if not ahead and not isinstance(running.take(move), Moved):
            break  # the end of the execution: a violation, or it does not replay
        if not isinstance(outcome, Moved):
            break
        if not same:
            ahead = _standing(outcome.state) != _standing(running.state)
            same = not ahead and _pending(outcome.state) == _pending(running.state)
    return running.schedule


def _is_alone(state: State) -> bool:
    living = (number for number, thread in state.threads.items() if thread.phase is not Phase.FINISHED)
    return next(islice(living, 1, None), None) is None


def _standing(state: State) -> tuple[Any, ...]:
    """The state, whatever made the machines stop there: one before a visible operation, the other before a choice."""
    threads = {number: thread._replace(pending=Pending.VISIBLE) for number, thread in state.threads.items()}
    return state.memory, threads, state.keys, state.atomic


def _pending(state: State) -> list[Pending]:
    return [thread.pending for thread in state.threads.values()]
