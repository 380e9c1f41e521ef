"""Leading the reference machine: along a schedule, or from goal to goal (guided replay).

Whoever knows something about an execution (a model of a formula, a run of another program, a schedule for another
machine) makes a schedule of it by moving the reference machine there.

Invariants: a guide's `schedule` replays: it leads from the initial state to `state`, or ends with `outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import ThreadId, number
from threadproof.semantics.choices import Answer, step_with
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Answered, Blocked, Choose, Moved, Outcome
from threadproof.semantics.state import Pending, Phase, State, Thread

MOST_MOVES = 20_000
"""Of one thread on its way to a goal."""


class Astray(Exception):
    """The machine does not get where it is led."""


class Later(Exception):
    """Raised instead of an answer: the thread stays where it is, and goes on with its next goal."""


class Played(NamedTuple):
    """One move of a schedule: the state before it, and what it came to."""

    before: State
    move: Move
    outcome: Outcome


def played(machine: Machine, schedule: Iterable[Move]) -> Iterator[Played]:
    """The schedule's moves up to the first that does not lead to another state, which is given too."""
    state = machine.initial()
    for move in schedule:
        outcome = machine.move(state, move)
        yield Played(state, move, outcome)
        if not isinstance(outcome, Moved):
            return
        state = outcome.state


@dataclass(frozen=True, slots=True)
class Goal:
    """The thread moves until it has arrived, or to the end of the execution. It makes at least one step."""

    thread: ThreadId
    arrived: Callable[[Thread], bool]


Answers = Callable[[ThreadId], Answer]
"""Asked before every step of the thread: who answers the choices of this step."""


class Guide:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state: State = machine.initial()
        self.outcome: Answered | None = None  # of the last move
        self.moves: list[Move] = []

    @property
    def schedule(self) -> Schedule:
        return tuple(self.moves)

    @property
    def goes_on(self) -> bool:
        return self.outcome is None or isinstance(self.outcome, Moved)

    def step(self, thread: int, answer: Answer) -> Answered:
        """One step of the thread. One that is blocked does not move."""
        self._thread(thread)
        move, outcome = step_with(self.machine, self.state, thread, answer)
        self._enter(move, outcome)
        return outcome

    def take(self, move: Move) -> Outcome:
        """A move of a schedule, with its own answers. Nothing moves if one is missing."""
        outcome = self.machine.move(self.state, move)
        self._enter(move, outcome)
        return outcome

    def reach(self, goal: Goal, answers: Answers) -> None:
        """Where the thread begins with a step that others cannot notice, it has not arrived after that. A thread that
        is alone makes no such steps: it goes on to the next visible one."""
        thread = number(goal.thread)
        private = len(self.state.threads) > 1 and self._thread(thread).pending is Pending.LOCAL
        for _ in range(MOST_MOVES):
            if self._thread(thread).phase is Phase.FINISHED:
                return
            try:
                outcome = self.step(thread, answers(goal.thread))
            except Later:
                return
            if isinstance(outcome, Blocked):
                raise Astray(f"{outcome.operation} blocks")
            if not self.goes_on or (not private and goal.arrived(self._thread(thread))):
                return
            private = False
        raise Astray("too far")

    def _thread(self, thread: int) -> Thread:
        if thread not in self.state.threads:
            raise Astray("a thread that does not exist")
        return self.state.threads[thread]

    def _enter(self, move: Move, outcome: Outcome) -> None:
        if not isinstance(outcome, Blocked | Choose):
            self.moves.append(move)
            self.outcome = outcome
            self.state = outcome.state if isinstance(outcome, Moved) else self.state


def lead(machine: Machine, goals: Iterable[Goal], answers: Answers) -> Guide:
    """The machine at the last goal, or where the execution ended; goals are asked for one by one."""
    guide = Guide(machine)
    for goal in goals:
        guide.reach(goal, answers)
        if not guide.goes_on:
            break
    return guide
