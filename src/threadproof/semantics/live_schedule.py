"""A schedule made with `Solo.EVER`, told for the usual machine.

The usual machine runs a thread on while no other thread lives; a schedule that stops it at every visible operation
has moves too many then. Both machines are led along: a move of the one is dropped while the other is ahead.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import number as number_of
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Moved
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import State


def for_live(program: Program, spurious: Spurious, schedule: Schedule) -> Schedule:
    stopping = Machine(program, Granularity.VISIBLE, spurious, Solo.EVER)
    running = Machine(program, Granularity.VISIBLE, spurious, Solo.LIVE)
    here, there = stopping.initial(), running.initial()
    told: list[Move] = []
    ahead = False
    for index, move in enumerate(schedule):
        number = number_of(move.thread)
        if not ahead:
            told.append(_with_choices(running, there, schedule[index:]))
            outcome = running.step(there, number, told[-1].choices)
            if not isinstance(outcome, Moved):
                return tuple(told)  # the end of the execution: a violation, or it does not replay
            there = outcome.state
        outcome = stopping.step(here, number, move.choices)
        if not isinstance(outcome, Moved):
            return tuple(told)
        here = outcome.state
        ahead = here != there
    return tuple(told)


def _with_choices(running: Machine, there: State, moves: Schedule) -> Move:
    """The first move, with what the thread chooses in the next ones if it runs on so far."""
    first, choices = moves[0], moves[0].choices
    for later in moves[1:]:
        goes_on = isinstance(running.step(there, number_of(first.thread), choices), Choose)
        if not goes_on or later.thread != first.thread:
            break
        choices += later.choices
    return replace(first, choices=choices)
