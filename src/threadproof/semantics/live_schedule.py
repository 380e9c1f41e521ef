"""A schedule made with `Solo.EVER`, told for the usual machine.

The usual machine runs a thread on while no other thread lives; a schedule that stops it at every visible operation
has moves too many then. Both machines are led along: a move of the one is dropped while the other is ahead.
"""

from __future__ import annotations

from typing import Any

from threadproof.core.schedule import Schedule
from threadproof.ir.program import Program
from threadproof.semantics.guide import Guide, played
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Moved
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import Pending, State


def for_live(program: Program, spurious: Spurious, schedule: Schedule) -> Schedule:
    stopping = Machine(program, Granularity.VISIBLE, spurious, Solo.EVER)
    running = Guide(Machine(program, Granularity.VISIBLE, spurious, Solo.LIVE))
    ahead = False
    for _, move, outcome in played(stopping, schedule):
        if not ahead and not isinstance(running.take(move), Moved):
            break  # the end of the execution: a violation, or it does not replay
        if not isinstance(outcome, Moved):
            break
        ahead = _standing(outcome.state) != _standing(running.state)
    return running.schedule


def _standing(state: State) -> tuple[Any, ...]:
    """The state, whatever made the machines stop there: one before a visible operation, the other before a choice."""
    threads = {number: thread._replace(pending=Pending.VISIBLE) for number, thread in state.threads.items()}
    return state.memory, threads, state.keys, state.atomic
