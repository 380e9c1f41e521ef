"""Asking solvers. A model is checked before anyone sees it, a limit is never an answer, every query can be kept.

The time a check may take is given to the solver; who needs a hard limit runs it in a process of its own, as solvers
look at the clock when it suits them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from threadproof.core.errors import InternalError
from threadproof.smt.backend import Backend, Cores, SolverVerdict
from threadproof.smt.evaluate import Assignment
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term, variables


@dataclass(frozen=True, slots=True)
class Sat:
    model: Assignment


@dataclass(frozen=True, slots=True)
class Unsat:
    core: tuple[Term, ...]  # of the assumptions: with the assertions, these are enough for a contradiction


@dataclass(frozen=True, slots=True)
class Undecided:
    reason: SolverVerdict  # one of the three that are no answer


Outcome = Sat | Unsat | Undecided


class SolverName(Enum):
    BITWUZLA = "bitwuzla"
    Z3 = "z3"


class Solver:
    def __init__(self, backend: Backend, dump: Path | None = None) -> None:
        """`dump` is a folder: every query is written there before it is asked."""
        self._backend = backend
        self._dump = dump
        self._levels: list[list[Term]] = [[]]
        self.checks = 0  # queries so far

    @property
    def assertions(self) -> list[Term]:
        return [formula for level in self._levels for formula in level]

    def add(self, *formulas: Term) -> None:
        for formula in formulas:
            self._levels[-1].append(formula)
            self._backend.add(formula)

    def push(self) -> None:
        self._levels.append([])
        self._backend.push()

    def pop(self) -> None:
        if len(self._levels) == 1:
            raise InternalError("more levels popped than pushed")
        self._levels.pop()
        self._backend.pop()

    @contextmanager
    def scope(self) -> Generator[None]:
        """What is asserted inside is gone afterwards."""
        self.push()
        try:
            yield
        finally:
            self.pop()

    def check(self, assumptions: Sequence[Term] = (), seconds: float | None = None) -> Outcome:
        """Whether the assertions can hold under the assumptions, decided within `seconds`."""
        self.checks += 1
        if self._dump is not None:
            name = f"{self.checks:05}.smt2"
            (self._dump / name).write_text(script(self.assertions, assumptions), encoding="utf-8")
        verdict = self._backend.check(assumptions, seconds)
        match verdict:
            case SolverVerdict.SAT:
                return Sat(self._model(assumptions))
            case SolverVerdict.UNSAT:
                return Unsat(tuple(self._backend.core()))
            case _:
                return Undecided(verdict)

    def _model(self, assumptions: Sequence[Term]) -> Assignment:
        formulas = [*self.assertions, *assumptions]
        model = Assignment(self._backend.values(variables(formulas)))
        for formula in formulas:
            if not model.holds(formula):
                raise InternalError(f"the solver's model does not satisfy {formula!r}; the query: {script(formulas)}")
        return model


def open_solver(
    name: SolverName = SolverName.BITWUZLA,
    *,
    cores: Cores = Cores.NONE,
    megabytes: int | None = None,
    dump: Path | None = None,
) -> Solver:
    """`megabytes` bounds what the process (bitwuzla) or the solver (z3) uses while it solves."""
    return Solver(_backend(name, cores, megabytes), dump)


def _backend(name: SolverName, cores: Cores, megabytes: int | None) -> Backend:
    """Solvers are loaded when they are asked for."""
    match name:
        case SolverName.BITWUZLA:
            from threadproof.smt.bitwuzla_backend import Bitwuzla

            return Bitwuzla(cores, megabytes)
        case SolverName.Z3:
            from threadproof.smt.z3_backend import Z3

            return Z3(cores, megabytes)
