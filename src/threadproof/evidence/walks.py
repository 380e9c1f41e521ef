"""Random walks through the reference semantics: who moves next is drawn by several strategies in turn.

Paper: Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding
Bugs, ASPLOS 2010 (PCT).
Differs: neither the depth of the bug nor the length of runs is known, so depths go round and the length is that of the
walks before. Under weak memory a buffered store moves by itself, with a priority of its own. Who spins yields.
Invariants: a walk is a function of the seed, its number and the walks before it; its moves are a schedule that replays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from threadproof.core.schedule import Move
from threadproof.semantics.choices import AnsweredStep, at_random, step_with
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Moved, Outcome
from threadproof.semantics.state import State, live_threads
from threadproof.semantics.weak import flushes

DEPTHS = 4  # of PCT, in turn
STAYS = (2, 8, 32)  # steps before a switch of threads, on average, in turn
SLOW = 0.5  # of the addresses get their stores late,
DELAYS = (0.95, 0.8, 0.99)  # this often, in turn
SPIN = 64  # steps after which a thread that was never interrupted is taken to wait for others
SHORTEST, LONGEST = 250, 4_000  # steps of a walk
DOUBLED = 12  # walks until they may be twice as long


class Mover(NamedTuple):
    """A thread that makes a step, or its store to an address, which reaches memory."""

    thread: int
    address: int | None = None


class WalkStrategy(Protocol):
    def ranked(self, movers: list[Mover]) -> list[Mover]:
        """The first that is not blocked will move."""
        ...

    def moved(self, mover: Mover) -> None: ...


class StayingStrategy:
    """Whoever moved last goes on, except once in `steps`; uniform if that is 1.

    Every second store is slow: as often as `delay` says, it waits as long as others can move."""

    def __init__(self, chance: random.Random, steps: int, delay: float) -> None:
        self._chance = chance
        self._leave = 1 / steps
        self._delay = delay
        self._slow: dict[Mover, bool] = {}
        self._last: Mover | None = None

    def ranked(self, movers: list[Mover]) -> list[Mover]:
        self._chance.shuffle(movers)
        if self._chance.random() >= self._leave:
            movers.sort(key=lambda mover: mover != self._last)
        if self._chance.random() < self._delay:
            movers.sort(key=self._is_slow)
        return movers

    def _is_slow(self, mover: Mover) -> bool:
        if mover not in self._slow:
            self._slow[mover] = mover.address is not None and self._chance.random() < SLOW
        return self._slow[mover]

    def moved(self, mover: Mover) -> None:
        self._last = mover


class Priorities:
    """PCT: everyone has a priority; at `depth - 1` random moments whoever moved falls behind all others."""

    def __init__(self, chance: random.Random, depth: int, length: int) -> None:
        self._chance = chance
        self._changes = {chance.randrange(max(1, length)) for _ in range(depth - 1)}
        self._priority: dict[Mover, float] = {}
        self._made = 0
        self._in_a_row = 0
        self._last: Mover | None = None

    def ranked(self, movers: list[Mover]) -> list[Mover]:
        for mover in movers:
            if mover not in self._priority:
                waits = mover.address is not None and self._chance.random() < SLOW
                self._priority[mover] = self._chance.random() - waits
        return sorted(movers, key=self._priority.__getitem__, reverse=True)

    def moved(self, mover: Mover) -> None:
        self._in_a_row = self._in_a_row + 1 if mover == self._last else 1
        self._last = mover
        if self._made in self._changes or self._in_a_row % SPIN == 0:
            self._priority[mover] = -1.0 - self._made
        self._made += 1


@dataclass(frozen=True, slots=True)
class Made:
    """One move of a walk."""

    before: State
    move: Move
    outcome: Outcome


class Walks:
    def __init__(self, machine: Machine, seed: int) -> None:
        self._machine = machine
        self._seed = seed
        self._constants = program_constants(machine.program)
        self._walks = 0
        self._length = SHORTEST  # of the last walk
        self.differ = False  # whether there was anything to draw

    def next(self) -> Iterator[Made]:
        """The moves of one more walk: until the execution has ended, nobody can move, or it was long enough."""
        number, self._walks = self._walks, self._walks + 1
        chance = random.Random(f"{self._seed} {number}")
        strategy = self._strategy(number, chance)
        state = self._machine.initial()
        for step in range(min(LONGEST, SHORTEST << number // DOUBLED)):
            made = self._move(state, strategy, chance)
            if made is None:
                return
            self._length = step + 1
            yield made
            if not isinstance(made.outcome, Moved):
                return
            state = made.outcome.state

    def step(self, state: State, thread: int, chance: random.Random) -> AnsweredStep:
        """A step of the thread with random choices."""
        step = step_with(self._machine, state, thread, at_random(chance, self._constants))
        self.differ |= bool(step.move.choices)
        return step

    def _strategy(self, number: int, chance: random.Random) -> WalkStrategy:
        turn, kind = divmod(number, 3)
        if kind == 0:
            return Priorities(chance, 1 + turn % DEPTHS, self._length)
        return StayingStrategy(chance, 1 if kind == 1 else STAYS[turn % len(STAYS)], DELAYS[turn % len(DELAYS)])

    def _move(self, state: State, strategy: WalkStrategy, chance: random.Random) -> Made | None:
        """None if nobody can move."""
        movers = self._movers(state)
        self.differ |= len(movers) > 1
        for mover in strategy.ranked(movers):
            id = state.threads[mover.thread].id
            if mover.address is not None:
                place = next(place for place, address in self._flushes(state, mover.thread) if address == mover.address)
                move, outcome = Move(id, flush=place), self._machine.flush(state, mover.thread, place)
            else:
                move, outcome = self.step(state, mover.thread, chance)
            if not isinstance(outcome, Blocked):
                strategy.moved(mover)
                return Made(state, move, outcome)
        return None

    def _movers(self, state: State) -> list[Mover]:
        stepping = [Mover(thread) for thread in live_threads(state)]
        buffered = [number for number, thread in state.threads.items() if thread.buffer]
        return stepping + [Mover(number, address) for number in buffered for _, address in self._flushes(state, number)]

    def _flushes(self, state: State, number: int) -> list[tuple[int, int]]:
        """The stores of the thread that may reach memory now, by their place in its buffer, and their addresses."""
        buffer = state.threads[number].buffer
        return [(place, buffer[place].address) for place in flushes(self._machine, state, number)]
