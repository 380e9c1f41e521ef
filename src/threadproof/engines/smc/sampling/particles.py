"""Runs that start anywhere and stop at a level: what importance splitting is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from threadproof.core.errors import InputError
from threadproof.core.schedule import Move, Schedule
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.evaluate import compile_term, holds
from threadproof.engines.smc.language.goal import PathFormula, QueryGoal, terms
from threadproof.engines.smc.language.score import DEAD, GOAL, Score, ScoreObserver, score_terms
from threadproof.engines.smc.language.syntax import PathKind
from threadproof.engines.smc.sampling.generator import RunRandom
from threadproof.engines.smc.sampling.reference import instruction_machine
from threadproof.engines.smc.sampling.sampler import Ending
from threadproof.engines.smc.sampling.walk import RandomWalker, RunEnd, UniformWalker
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.state import State

if TYPE_CHECKING:
    from threadproof.codegen.device.choice import Device

_Point = tuple[Any, int, int, Any]
"""Of a flock: state, steps, stage, past."""


@dataclass(frozen=True, slots=True)
class Flock:
    """Points of runs from which other runs can start, in columns: there may be many thousands."""

    states: NDArray[Any]  # by row: bytes of the native machine, or objects
    steps: NDArray[np.int64]
    stages: NDArray[np.uint32]  # of the observer, as it was before it looked at this state
    pasts: NDArray[np.object_]  # how each was reached, in the words of whoever ran it

    def __len__(self) -> int:
        return len(self.steps)

    def take(self, places: Any) -> Flock:
        """Those at these places, in this order, and as often."""
        return Flock(self.states[places], self.steps[places], self.stages[places], self.pasts[places])

    def put(self, places: Any, others: Flock) -> None:
        """Others take the places of some."""
        for own, given in zip(self._columns, others._columns, strict=True):
            own[places] = given

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.states, self.steps, self.stages, self.pasts


def flock_of(points: Sequence[_Point]) -> Flock:
    """From states that are objects, with their steps, stages and pasts."""
    states, steps, stages, pasts = zip(*points, strict=True) if points else ((), (), (), ())
    return Flock(objects(states), np.array(steps, np.int64), np.array(stages, np.uint32), objects(pasts))


def objects(items: Sequence[Any]) -> NDArray[np.object_]:
    """Not what numpy would make of tuples."""
    return np.fromiter(items, np.object_, len(items))


@dataclass(frozen=True, slots=True)
class Flights:
    """Where runs got to: their best score, their own steps, the first state at the level of those that reached it."""

    best: NDArray[np.float64]
    steps: int
    at: NDArray[np.intp]  # which runs reached it, in order
    reached: Flock
    undecided: int = 0  # runs that met something unsupported: nobody knows where they would have got to


class Particles(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def place(self) -> Device | None:
        """Where runs are made, if that is not simply here."""
        ...

    def initial(self) -> Flock:
        """The beginning, once."""
        ...

    def fly(self, starts: Flock, keys: NDArray[np.uint64], level: float) -> Flights:
        """One run from each start, with the random numbers of its key, until its score is at least `level`."""
        ...

    def schedule(self, past: Any) -> Schedule:
        """How a state with this past was reached from the beginning."""
        ...


class Regrown(Exception):
    """A run outgrew the machine, which has more room now: its states no longer fit, the repetition begins anew."""


def require_reachability(goal: QueryGoal) -> PathFormula:
    if not isinstance(goal.question, PathFormula) or goal.question.kind is PathKind.GLOBALLY:
        raise InputError("importance splitting needs a query of the form Pr[<=N] (<> b) or Pr[<=N] (a U b)")
    return goal.question


class ReferenceParticles:
    """On the reference semantics."""

    def __init__(
        self,
        program: Program,
        goal: QueryGoal,
        score: Score,
        seed: int,
        walker: Callable[[Machine], RandomWalker] = UniformWalker,
    ) -> None:
        formula = require_reachability(goal)
        machine = instruction_machine(program, [*terms(formula), *score_terms(score)])
        self._walker = walker(machine)
        self._steps = goal.steps
        self._seed = seed
        self._look = _score_function(machine, formula, score)
        self._undecided = 0  # of one flight
        self._start = score.start if isinstance(score, ScoreObserver) else 0

    @property
    def name(self) -> str:
        return "reference"

    @property
    def place(self) -> None:
        return None

    def initial(self) -> Flock:
        return flock_of([(self._walker.initial(), 0, self._start, None)])

    def fly(self, starts: Flock, keys: NDArray[np.uint64], level: float) -> Flights:
        best, steps = np.zeros(len(starts)), 0
        arrived: dict[int, _Point] = {}
        self._undecided = 0
        columns = starts.states, starts.steps.tolist(), starts.stages.tolist(), starts.pasts
        points: Iterator[_Point] = zip(*columns, strict=True)
        for index, (start, key) in enumerate(zip(points, keys.tolist(), strict=True)):
            best[index], end, point = self._one(start, key, level)
            steps += end - start[1]
            if point is not None:
                arrived[index] = point
        return Flights(best, steps, np.array([*arrived], np.intp), flock_of([*arrived.values()]), self._undecided)

    def schedule(self, past: Any) -> Schedule:
        moves: list[Move] = []
        while past is not None:
            past, move = past
            moves.append(move)
        return tuple(reversed(moves))

    def _one(self, start: _Point, key: int, level: float) -> tuple[float, int, _Point | None]:
        rng = RunRandom(self._seed, key)
        state, done, stage, past = start
        best = DEAD
        self._walker.begin(state)
        while True:
            score, following = self._look(state, stage)
            best = max(best, score)
            if score >= level:
                return best, done, (state, done, stage, past)
            if score == DEAD or done >= self._steps:
                return best, done, None
            try:
                state = self._walker.advance(state, rng)
            except RunEnd as end:
                self._undecided += end.ending is Ending.UNSUPPORTED
                return best, done + end.steps, None
            stage, done = following, done + 1
            past = (past, self._walker.last)  # linked from the end: points share what they have in common


Look = Callable[[State, int], tuple[float, int]]


def _score_function(machine: Machine, formula: PathFormula, score: Score) -> Look:
    goal = holds(machine, formula.goal)
    keep = None if formula.keep is None else holds(machine, formula.keep)
    inner = _observe(machine, score) if isinstance(score, ScoreObserver) else _plain(machine, score)

    def look(state: State, stage: int) -> tuple[float, int]:
        value, following, accepts = inner(state, stage)
        if accepts and goal(state):
            return GOAL, following
        if keep is not None and not keep(state):
            return DEAD, following
        return value, following

    return look


def _plain(machine: Machine, term: e.Term) -> Callable[[State, int], tuple[float, int, bool]]:
    value = compile_term(machine, term)
    return lambda state, stage: (float(value(state, ())), 0, True)


def _observe(machine: Machine, observer: ScoreObserver) -> Callable[[State, int], tuple[float, int, bool]]:
    scores = [compile_term(machine, stage.score) for stage in observer.stages]
    edges = [[(holds(machine, edge.when), edge.to) for edge in stage.edges] for stage in observer.stages]
    ends = any(stage.accepts for stage in observer.stages)
    accepts = [stage.accepts or not ends for stage in observer.stages]

    def look(state: State, stage: int) -> tuple[float, int, bool]:
        for guard, to in edges[stage]:
            if guard(state):
                stage = to
                break
        if observer.stages[stage].fails:
            return DEAD, stage, False
        return float(scores[stage](state, ())), stage, accepts[stage]

    return look
