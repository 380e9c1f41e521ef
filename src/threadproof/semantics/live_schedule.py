"""A schedule made with `Solo.EVER`, told for the usual machine.

The usual machine runs a thread on while no other thread lives; a schedule that stops it at every visible operation
has moves too many then. Both machines are led along: a move of the one is dropped while the other is ahead.
"""

from __future__ import annotations

from typing import Any

from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import number as number_of
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Moved
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import Pending, State


def for_live(program: Program, spurious: Spurious, schedule: Schedule) -> Schedule:
    stopping = Machine(program, Granularity.VISIBLE, spurious, Solo.EVER)
    running = Machine(program, Granularity.VISIBLE, spurious, Solo.LIVE)
    here, there = stopping.initial(), running.initial()
    told: list[Move] = []
    ahead = False
    for move in schedule:
        number = number_of(move.thread)
        if not ahead:
            told.append(move)
            outcome = running.step(there, number, move.choices)
            if not isinstance(outcome, Moved):
                return tuple(told)  # the end of the execution: a violation, or it does not replay
            there = outcome.state
        outcome = stopping.step(here, number, move.choices)
        if not isinstance(outcome, Moved):
            return tuple(told)
        here = outcome.state
        ahead = _standing(here) != _standing(there)
    return tuple(told)


def _standing(state: State) -> tuple[Any, ...]:
    """The state, whatever made the machines stop there: one before a visible operation, the other before a choice."""
    threads = {number: thread._replace(pending=Pending.VISIBLE) for number, thread in state.threads.items()}
    return state.memory, threads, state.keys, state.atomic
