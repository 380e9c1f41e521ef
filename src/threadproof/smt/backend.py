"""What a solver must offer to stand behind `solver.Solver`: the narrow side of the door."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Protocol

from threadproof.core.errors import InternalError
from threadproof.smt.meaning import Value
from threadproof.smt.term import Op, Term, in_order


class SolverVerdict(Enum):
    SAT = "sat"
    UNSAT = "unsat"
    OUT_OF_TIME = "time"
    OUT_OF_MEMORY = "memory"
    GAVE_UP = "the solver gave up"


class Cores(Enum):
    """Whether UNSAT says which assumptions it took. bitwuzla pays for that with its preprocessing: some 60 % on the
    first formulas of bounded model checking."""

    NONE = "none"
    WANTED = "wanted"


class WrongSolver(InternalError):
    """A formula that this solver has no theory for was given to it."""


class Backend(Protocol):
    def add(self, formula: Term) -> None: ...

    def push(self) -> None: ...

    def pop(self) -> None: ...

    def check(self, assumptions: Sequence[Term], seconds: float | None) -> SolverVerdict:
        """Only a solver that said so was satisfied, or not: every limit has its own verdict."""
        ...

    def values(self, variables: Sequence[Term]) -> dict[str, Value]:
        """After SAT."""
        ...

    def core(self) -> list[Term]:
        """After UNSAT: assumptions that contradict the assertions; all of them if cores are not wanted."""
        ...


class Translation:
    """Terms in a solver's own form, each made once; `native` is the solver's part of it."""

    def __init__(self) -> None:
        self._done: dict[Term, Any] = {}

    def __len__(self) -> int:
        return len(self._done)

    def translate(self, term: Term) -> Any:
        if term in self._done:
            return self._done[term]
        for part in in_order((term,), self._done):
            self._done[part] = self.native(part, [self._done[arg] for arg in part.args])
        return self._done[term]

    def native(self, term: Term, args: list[Any]) -> Any:
        """The solver's form of a term, given those of its operands."""
        raise NotImplementedError

    def forget(self) -> None:
        """What is asked for again is made again; but a variable made twice would be two variables."""
        self._done = {term: native for term, native in self._done.items() if term.op is Op.VAR}
