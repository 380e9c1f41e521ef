"""Runs that the native machine cannot finish are carried on by the reference semantics, with uniform choices; and runs
in which all threads wait but those that are dormant: these are let go on, and may come to wait, too."""

from __future__ import annotations

from random import Random

from threadproof.core.budget import Budget
from threadproof.core.property import Property
from threadproof.core.schedule import Schedule
from threadproof.semantics.choices import at_random
from threadproof.semantics.domains import program_constants
from threadproof.semantics.guide import Guide
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Answered, Blocked, Moved
from threadproof.semantics.state import live_threads
from threadproof.semantics.violations import of_outcome

STEPS = 1_000


class Onward:
    def __init__(self, machine: Machine, prop: Property) -> None:
        self._machine = machine
        self._property = prop
        self._constants = program_constants(machine.program)

    def run(self, begun: Schedule, random: Random) -> Schedule | None:
        """Make the moves of `begun` and go on; a schedule if that ends in a violation."""
        guide = Guide(self._machine)
        for move in begun:
            if not isinstance(guide.take(move), Moved):
                return None
        for _ in range(STEPS):
            made = self._step(guide, random)
            if made is not None and of_outcome(self._property, made) is not None:
                return guide.schedule
            if not isinstance(made, Moved):
                return None
        return None

    def until_all_wait(self, begun: Schedule, random: Random, budget: Budget) -> Schedule | None:
        """Make the moves of `begun`, and let every thread go on until it waits or ends; a schedule if all wait then."""
        guide = Guide(self._machine)
        for move in begun:
            if budget.left() <= 0 or not isinstance(guide.take(move), Moved):
                return None
        waiting: list[int] = []
        while budget.left() > 0:
            threads = live_threads(guide.state)
            if threads and threads == waiting:
                return guide.schedule
            waiting = [thread for thread in threads if self._waits(guide, thread, random, budget)]
            if not guide.goes_on:
                return None
        return None

    def _waits(self, guide: Guide, thread: int, random: Random, budget: Budget) -> bool:
        """Let the thread go on; whether it could not make a single step."""
        moves = len(guide.moves)
        while guide.goes_on and budget.left() > 0 and guide.state.threads[thread].frames:
            if isinstance(guide.step(thread, at_random(random, self._constants)), Blocked):
                return len(guide.moves) == moves
        return False

    def _step(self, guide: Guide, random: Random) -> Answered | None:
        """What a step of a thread that can move came to, None if there is none."""
        threads = live_threads(guide.state)
        random.shuffle(threads)
        for thread in threads:
            outcome = guide.step(thread, at_random(random, self._constants))
            if not isinstance(outcome, Blocked):
                return outcome
        return None
