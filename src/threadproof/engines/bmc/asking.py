"""Asking whether something can happen in an unwound program."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from threadproof.core.budget import Budget
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Sat, Solver, Undecided, Unsat
from threadproof.smt.term import Term


class OutOfBudget(Exception):
    """The solver was not done in time, or in memory."""


@dataclass(slots=True)
class SolvingEffort:
    """What was spent, for the report."""

    encoding_s: float = 0.0
    solving_s: float = 0.0
    queries: int = 0
    cuts: int = 0
    rounds: int = 0
    figures: dict[str, int] = field(default_factory=dict[str, int])
    formulas: list[str] | None = None  # those without a model, as SMT-LIB, if somebody wants them


@dataclass(slots=True)
class FoundExecution:
    model: Assignment
    formula: Formula


class Asking:
    def __init__(self, world: Unwound, budget: Budget, effort: SolvingEffort) -> None:
        self._world = world
        self._budget = budget
        self._effort = effort
        self.formula = Formula(world)
        self._context = Context(world.terms)  # questions about one bound share most of their terms

    def possible(self, question: Term) -> Assignment | None:
        """How it can happen, if it can: what does not bear on it is left out."""
        found = self._ask(question, whole=False)
        return None if found is None else found.model

    def execution(self, question: Term) -> FoundExecution | None:
        """A whole execution in which it happens: first without what does not bear on it, then with."""
        return self._ask(question, whole=True)

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
            yield from stop.guard

    def _ask(self, question: Term, *, whole: bool) -> FoundExecution | None:
        if question is self._world.terms.false:
            return None
        self._effort.queries += 1
        formula = self.formula.again()
        if self._out_of_range(formula, question):
            return None
        solver = self._context.solver()
        solver.add(question)
        self._add(solver, formula.needed((question,)))
        self._effort.figures["order"] = max(self._effort.figures.get("order", 0), formula.order.size())
        while True:
            model = self._solve(solver)
            if model is None:
                self._unsatisfiable(solver)
                return None
            cuts = self._add(solver, formula.order.cuts(model))
            self._effort.cuts += cuts
            self._effort.rounds += 1
            if cuts:
                continue
            if not whole or not self._add(solver, formula.needed(self._everything())):
                return FoundExecution(model, formula)
            whole = False

    def _out_of_range(self, formula: Formula, question: Term) -> bool:
        """Whether what is known of single reads excludes it, whatever write each of them sees."""
        clauses = formula.known((question,))
        if formula.ranges.refuted:
            self._effort.figures["refuted"] = 1  # a mistake of ours, without which the answer was found
        if not clauses:
            return False
        solver = self._context.solver()
        solver.add(question)
        self._add(solver, clauses)
        if self._solve(solver) is not None:
            return False
        self._unsatisfiable(solver)
        return True

    def _unsatisfiable(self, solver: Solver) -> None:
        if self._effort.formulas is not None:
            self._effort.formulas.append(script(solver.assertions))

    def _add(self, solver: Solver, clauses: Iterable[Term]) -> int:
        start = time.perf_counter()
        made: list[Term] = []
        for clause in clauses:
            made.append(clause)
            if len(made) % 2048 == 0 and self._budget.exhausted():
                raise OutOfBudget(self._budget.exhausted() or "time")
        solver.add(*made)
        self._effort.encoding_s += time.perf_counter() - start
        return len(made)

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
