"""Hunting races among the pairs that could not be justified.

Paper: K. Sen, Race Directed Random Testing of Concurrent Programs, PLDI 2008, algorithm 1. A thread that is about to
make a suspected access is held back there until another one is about to make an access that races with it.
Differs: every third run suspects all accesses, so that races are found that no pair names (there is none if the threads
could not be written out); inputs are drawn anew in every run, small ones more often; threads beyond
`CROWD` are only created when nobody else can move; limits of steps as in Luby, Sinclair, Zuckerman (IPL 1993).
Invariants: runs are those of the reference semantics. A schedule is returned only if in the state it leads to two
threads are about to race; what no run shows means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random

from threadproof.core.budget import Budget
from threadproof.core.schedule import Move, Schedule
from threadproof.core.source import SourceLoc
from threadproof.engines.lengths import length
from threadproof.ir.program import Program
from threadproof.semantics.choices import Answer, step_with
from threadproof.semantics.domains import program_constants, values_to_try
from threadproof.semantics.machine import Machine
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Access, Blocked, Choose, Moved, Outcome
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.violations import accesses, race_between
from threadproof.sync.facts import Act, does

Suspects = frozenset[SourceLoc]

SHORTEST = 250  # steps of a run
LONGEST = 1 << 16
CROWD = 4  # threads beyond which others move first
RELEASE = 0.02  # chance per step that one who is held back goes on: others may spin until it does
SMALL = (0, 1, 2, 3, 4, 5)


@dataclass(slots=True)
class _Walk:
    """One run on its way."""

    state: State
    moves: list[Move] = field(default_factory=list[Move])
    held: dict[int, list[Access]] = field(default_factory=dict[int, list[Access]])
    blocked: set[int] = field(default_factory=set[int])  # in this state
    last: set[int] = field(default_factory=set[int])  # threads that move in this state only if no other can

    def make(self, move: Move, state: State) -> None:
        self.moves.append(move)
        self.state = state
        self.blocked.clear()
        self.last.clear()


class _Turn(Enum):
    ANY = "any"
    RELEASED = "was held back"
    LAST = "nobody else can move"


class Hunt:
    def __init__(self, program: Program, suspects: Sequence[Suspects], seed: int) -> None:
        """`suspects`: each the lines of two accesses that may race."""
        self._machine = Machine(program)
        self._constants = program_constants(program)
        self._suspects = tuple(suspects)
        self._seed = seed
        self.runs = 0

    def find(self, budget: Budget) -> Schedule | None:
        """A schedule to a state with a race; None when the time is over."""
        while budget.exhausted() is None:
            chance = Random(f"{self._seed} {self.runs}")
            steps = length(self.runs, SHORTEST, LONGEST)
            found = self._run(chance, self._next_suspects(), steps, budget)
            self.runs += 1
            if found is not None:
                return found
        return None

    def _next_suspects(self) -> Suspects | None:
        """None: every access."""
        turn, rest = divmod(self.runs, 3)
        if not self._suspects or rest == 2:
            return None
        return self._suspects[(2 * turn + rest) % len(self._suspects)]

    # --- one run -----------------------------------------------------------------------------------------------------

    def _run(self, chance: Random, suspects: Suspects | None, steps: int, budget: Budget) -> Schedule | None:
        walk = _Walk(self._machine.initial())
        for _ in range(steps):
            picked = None if budget.left() <= 0 else _pick(walk, chance)
            if picked is None:
                return None
            number, turn = picked
            move, outcome = step_with(self._machine, walk.state, number, self._answer(chance))
            touched = [] if isinstance(outcome, Blocked) else accesses(outcome.effects)
            if isinstance(outcome, Blocked):
                walk.blocked.add(number)
            elif self._races(walk, number, touched):
                return tuple(walk.moves)
            elif turn is _Turn.ANY and _is_suspected(touched, suspects):
                walk.held[number] = touched
            elif turn is not _Turn.LAST and self._should_wait(walk.state, number, outcome):
                walk.last.add(number)
            elif not isinstance(outcome, Moved):
                return None
            else:
                walk.make(move, outcome.state)
        return None

    def _answer(self, chance: Random) -> Answer:
        def answer(choice: Choose) -> int:
            values, _ = values_to_try(choice, self._constants)
            small = tuple(value for value in values if value in SMALL)
            return chance.choice(small if small and chance.random() < 0.5 else values)

        return answer

    def _races(self, walk: _Walk, number: int, touched: list[Access]) -> bool:
        for other, theirs in walk.held.items():
            if race_between(touched, theirs) is not None and race_between(
                next_accesses(self._machine, walk.state, number, self._constants),
                next_accesses(self._machine, walk.state, other, self._constants),
            ):
                return True
        return False

    def _should_wait(self, state: State, number: int, outcome: Outcome) -> bool:
        """Whether others move first: the step ends the run, or adds to a crowd."""
        if not isinstance(outcome, Moved):
            return True
        if len(live_threads(state)) <= CROWD:
            return False
        following = self._machine.next_instr(state, number)
        return following is not None and does(following[1], Act.CREATE)


def _is_suspected(touched: list[Access], suspects: Suspects | None) -> bool:
    return any(suspects is None or access.loc in suspects for access in touched)


def _pick(walk: _Walk, chance: Random) -> tuple[int, _Turn] | None:
    """Who moves; None: nobody can."""
    away = walk.held.keys() | walk.blocked | walk.last
    free = [number for number in live_threads(walk.state) if number not in away]
    if walk.held and (not free or chance.random() < RELEASE):
        number = chance.choice(sorted(walk.held))
        del walk.held[number]
        return number, _Turn.RELEASED
    if free:
        return chance.choice(free), _Turn.ANY
    return (chance.choice(sorted(walk.last)), _Turn.LAST) if walk.last else None
