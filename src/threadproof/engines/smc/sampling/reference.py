"""Runs on the reference semantics: slow, right, and the oracle of every faster sampler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language.evaluate import compile_term, holds
from threadproof.engines.smc.language.goal import CountStates, PathFormula, QueryGoal, Question, WatchedTerm, terms
from threadproof.engines.smc.language.syntax import Measure, PathKind
from threadproof.engines.smc.sampling.generator import RunRandom
from threadproof.engines.smc.sampling.sampler import Ending, RunAnswer, RunBatch, RunSums, sums_of
from threadproof.engines.smc.sampling.walk import RandomWalker, RunEnd, UniformWalker
from threadproof.ir.program import Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.state import State

Look = Callable[[State], RunAnswer | None]


def instruction_machine(program: Program, watched: list[e.Term]) -> Machine:
    """A machine for single instructions. Functions whose registers a query reads keep all of them."""
    machine = Machine(program, Granularity.INSTRUCTION, Spurious.OFF)
    for term in watched:
        if isinstance(term, e.RegValue):
            code = machine.static.codes[term.function]
            for forgetful in ("kept_at", "kept_over_call"):
                setattr(code, forgetful, _keep_all)
    return machine


def _keep_all(regs: list[Any], pc: int) -> tuple[Any, ...]:
    return tuple(regs)


class ReferenceSampler:
    def __init__(
        self, program: Program, goal: QueryGoal, seed: int, walker: Callable[[Machine], RandomWalker] = UniformWalker
    ) -> None:
        self.machine = instruction_machine(program, terms(goal.question))
        self._walker = walker(self.machine)
        self._goal = goal
        self._seed = seed

    @property
    def name(self) -> str:
        return "reference"

    @property
    def chunk(self) -> int:
        return max(1, min(500, 20_000 // (self._goal.steps + 1)))

    @property
    def place(self) -> None:
        return None

    @property
    def least(self) -> int:
        return 64

    def sums(self, first: int, runs: int) -> RunSums:
        return sums_of(self.batch(first, runs))

    def batch(self, first: int, runs: int) -> RunBatch:
        answer, ending = np.zeros(runs, np.int8), np.zeros(runs, np.int8)
        steps, value = np.zeros(runs, np.int64), np.zeros(runs)
        states: set[int] = set()
        causes: dict[str, None] = {}
        for index in range(runs):
            watcher = _watcher(self.machine, self._goal.question, self._walker.key, states)
            done, how, cause = self._run(watcher, first + index)
            answer[index] = watcher.final() if how is not Ending.DECIDED else watcher.answer
            if how is Ending.UNSUPPORTED:
                answer[index] = RunAnswer.UNDECIDED
                causes[cause] = None
            steps[index], ending[index], value[index] = done, how, watcher.value()
        return RunBatch(first, answer, ending, steps, value, np.array(sorted(states), np.uint64), tuple(causes))

    def _run(self, watcher: Watcher, run: int) -> tuple[int, Ending, str]:
        rng, state = RunRandom(self._seed, run), self._walker.initial()
        self._walker.begin(state)
        for done in range(self._goal.steps + 1):
            if watcher.look(state):
                return done, Ending.DECIDED, ""
            if done == self._goal.steps:
                break
            try:
                state = self._walker.advance(state, rng)
            except RunEnd as end:
                return done + end.steps, end.ending, end.cause
        return self._goal.steps, Ending.BOUND, ""


class Watcher:
    """Sees the states of one run. `look` tells whether the answer is known."""

    answer = RunAnswer.NO

    def look(self, state: State) -> bool:
        raise NotImplementedError

    def final(self) -> RunAnswer:
        """The answer when the run ended without one."""
        return RunAnswer.NO

    def value(self) -> float:
        return 0.0


class FormulaWatcher(Watcher):
    def __init__(self, kind: PathKind, goal: Callable[[State], bool], keep: Callable[[State], bool] | None) -> None:
        self._kind, self._goal, self._keep = kind, goal, keep

    def look(self, state: State) -> bool:
        if self._kind is PathKind.GLOBALLY:
            return not self._goal(state)
        if self._goal(state):
            self.answer = RunAnswer.YES
            return True
        return self._keep is not None and not self._keep(state)

    def final(self) -> RunAnswer:
        return RunAnswer.YES if self._kind is PathKind.GLOBALLY else RunAnswer.NO


class MeasureWatcher(Watcher):
    def __init__(self, measure: Measure, term: Callable[[State], float]) -> None:
        self._measure, self._term = measure, term
        self._value, self._count = 0.0, 0

    def look(self, state: State) -> bool:
        value = self._term(state)
        self._count += 1
        if self._count == 1:
            self._value = value
        elif self._measure is Measure.MAX:
            self._value = max(self._value, value)
        elif self._measure is Measure.MIN:
            self._value = min(self._value, value)
        else:
            self._value += value
        return False

    def value(self) -> float:
        return self._value / self._count if self._measure is Measure.AVG else float(self._value)


class StateWatcher(Watcher):
    def __init__(self, key: Callable[[State], Any], seen: set[int]) -> None:
        self._key, self._seen = key, seen

    def look(self, state: State) -> bool:
        self._seen.add(hash(self._key(state)) % (1 << 64))
        return False


def _watcher(machine: Machine, question: Question, key: Callable[[State], Any], seen: set[int]) -> Watcher:
    match question:
        case PathFormula():
            keep = None if question.keep is None else holds(machine, question.keep)
            return FormulaWatcher(question.kind, holds(machine, question.goal), keep)
        case WatchedTerm():
            value = compile_term(machine, question.term)
            return MeasureWatcher(question.measure, lambda state: value(state, ()))
        case CountStates():
            return StateWatcher(key, seen)
