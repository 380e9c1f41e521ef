"""Sequence interpolants: for formulas F1 ... Fn that contradict each other, what holds in between and why.

I1 follows from F1, each I(k+1) from Ik and F(k+1), In-1 contradicts Fn, and Ik speaks only of variables that occur both
before and after it. For the steps of a path these are the assertions of a proof.

Differs: bitwuzla's interpolants are made from bits and are called experimental by their authors, so nothing is
believed: each implication is asked of a solver anew before anyone sees the sequence. One that fails is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from threadproof.smt.backend import SolverVerdict
from threadproof.smt.solver import Outcome, Sat, Undecided, Unsat, open_solver
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms


@dataclass(frozen=True, slots=True)
class Interpolants:
    between: tuple[Term, ...]  # one less than formulas


class Source(Protocol):
    """Who proposes interpolants; what is proposed is checked."""

    def propose(self, formulas: Sequence[Term], seconds: float | None) -> list[Term] | None:
        """For at least two different formulas, none of them a constant, that contradict each other."""
        ...


def sequence_interpolants(
    terms: Terms, formulas: Sequence[Term], seconds: float | None = None, source: Source | None = None
) -> Interpolants | Sat | Undecided:
    """Of formulas that cannot hold together; `seconds` is for each question on the way."""
    outcome = _ask(formulas, seconds)
    if not isinstance(outcome, Unsat):
        return outcome
    between = _propose(terms, formulas, seconds, source or _bitwuzla(terms))
    if between is None or not _speak_of_common_variables(formulas, between):
        return Undecided(SolverVerdict.GAVE_UP)
    for (before, after), formula in zip(pairwise((terms.true, *between, terms.false)), formulas, strict=True):
        step = _ask([before, formula, terms.not_(after)], seconds)
        if not isinstance(step, Unsat):
            return step if isinstance(step, Undecided) else Undecided(SolverVerdict.GAVE_UP)
    return Interpolants(tuple(between))


def _ask(formulas: Sequence[Term], seconds: float | None) -> Outcome:
    solver = open_solver()
    solver.add(*formulas)
    return solver.check(seconds=seconds)


def _bitwuzla(terms: Terms) -> Source:
    from threadproof.smt.bitwuzla_interpolants import BitwuzlaInterpolants

    return BitwuzlaInterpolants(terms)


def _propose(terms: Terms, formulas: Sequence[Term], seconds: float | None, source: Source) -> list[Term] | None:
    """Sources take a set of formulas: what comes again, or says nothing, changes nothing where it stands."""
    if terms.false in formulas:
        first = formulas.index(terms.false)
        return [terms.bool(index < first) for index in range(len(formulas) - 1)]
    different = [formula for formula in dict.fromkeys(formulas) if formula is not terms.true]
    proposed = source.propose(different, seconds) if len(different) > 1 else []
    if proposed is None:
        return None
    known = [terms.true, *proposed, terms.false]
    seen = [len(set(formulas[: index + 1]) - {terms.true}) for index in range(len(formulas) - 1)]
    return [known[count] for count in seen]


def _speak_of_common_variables(formulas: Sequence[Term], between: Sequence[Term]) -> bool:
    return all(
        set(variables([interpolant])) <= set(variables(formulas[:index])) & set(variables(formulas[index:]))
        for index, interpolant in enumerate(between, start=1)
    )
