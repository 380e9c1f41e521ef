"""Asking whether something can happen in an unwound program."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from threadproof.core.budget import Budget
from threadproof.encoding.formula import Formula
from threadproof.encoding.world import World
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, Solver, Undecided, Unsat, open_solver
from threadproof.smt.term import Term


class OutOfBudget(Exception):
    """The solver was not done in time, or in memory."""


@dataclass(slots=True)
class Effort:
    """What was spent, for the report."""

    encoding_s: float = 0.0
    solving_s: float = 0.0
    queries: int = 0
    cuts: int = 0
    rounds: int = 0
    figures: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(slots=True)
class Answer:
    model: Assignment
    formula: Formula


class Asking:
    def __init__(self, world: World, budget: Budget, effort: Effort) -> None:
        self._world = world
        self._budget = budget
        self._effort = effort
        self.formula = Formula(world)

    def possible(self, question: Term) -> bool:
        """Whether it can happen: what does not bear on it is left out."""
        return self._ask(question, ()) is not None

    def execution(self, question: Term) -> Answer | None:
        """A whole execution in which it happens."""
        return self._ask(question, self._everything())

    def _everything(self) -> Iterable[Term]:
        for thread in self._world.threads.values():
            for event in thread.events:
                yield from event.guard
                for part in (*event.reads, *event.writes):
                    yield part.value
                    yield part.when
        for end in self._world.ends:
            yield from end.guard
        for stop in self._world.stops:
            yield from stop.end.guard

    def _ask(self, question: Term, besides: Iterable[Term]) -> Answer | None:
        if question is self._world.terms.false:
            return None
        self._effort.queries += 1
        formula = self.formula.again()
        solver = open_solver()
        start = time.perf_counter()
        solver.add(question)
        solver.add(*formula.needed((question, *besides)))
        self._effort.encoding_s += time.perf_counter() - start
        self._effort.figures["order"] = max(self._effort.figures.get("order", 0), formula.order.size())
        while True:
            model = self._solve(solver)
            if model is None:
                return None
            start = time.perf_counter()
            cuts = formula.order.cuts(model)
            solver.add(*cuts)
            self._effort.encoding_s += time.perf_counter() - start
            self._effort.cuts += len(cuts)
            self._effort.rounds += 1
            if not cuts:
                return Answer(model, formula)

    def _solve(self, solver: Solver) -> Assignment | None:
        left = self._budget.left()
        if self._budget.exhausted():
            raise OutOfBudget(self._budget.exhausted() or "time")
        start = time.perf_counter()
        outcome = solver.check((), None if left == float("inf") else left)
        self._effort.solving_s += time.perf_counter() - start
        match outcome:
            case Sat(model):
                return model
            case Unsat():
                return None
            case Undecided(reason):
                raise OutOfBudget(reason.value)
