"""Runs that the native machine cannot finish are carried on by the reference semantics, with uniform choices."""

from __future__ import annotations

from random import Random

from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import number
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose, Moved, Outcome
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import of_outcome

STEPS = 1_000


class Onward:
    def __init__(self, machine: Machine, prop: Property) -> None:
        self._machine = machine
        self._property = prop
        self._constants = program_constants(machine.program)

    def run(self, begun: Schedule, random: Random) -> Schedule | None:
        """Make the moves of `begun` and go on; a schedule if that ends in a violation."""
        state = self._machine.initial()
        for move in begun:
            outcome = self._machine.step(state, number(move.thread), move.choices)
            if not isinstance(outcome, Moved):
                return None
            state = outcome.state
        moves = list(begun)
        for _ in range(STEPS):
            made = self._step(state, random)
            if made is None:
                return None
            move, outcome = made
            moves.append(move)
            if of_outcome(self._property, outcome) is not None:
                return tuple(moves)
            if not isinstance(outcome, Moved):
                return None
            state = outcome.state
        return None

    def _step(self, state: State, random: Random) -> tuple[Move, Outcome] | None:
        """One step of a thread that can move, None if there is none."""
        threads = live_threads(state)
        random.shuffle(threads)
        for thread in threads:
            choices: tuple[int, ...] = ()
            while isinstance(outcome := self._machine.step(state, thread, choices), Choose):
                values, complete = values_to_try(outcome, self._constants)
                telling = complete or random.random() < 0.75
                chosen = random.choice(values) if telling else random.randint(outcome.low, outcome.high)
                choices = (*choices, chosen)
            if not isinstance(outcome, Blocked):
                return Move(state.threads[thread].id, choices), outcome
        return None
