"""Sequence interpolants: what is handed out is checked here a second time, with the other solver."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from random_terms import build, recipe

from threadproof.smt.backend import SolverVerdict
from threadproof.smt.interpolate import Interpolants, sequence_interpolants
from threadproof.smt.solver import Sat, SolverName, Undecided, Unsat, open_solver
from threadproof.smt.term import BOOL, Op, Term, variables
from threadproof.smt.terms import Terms


def unsat(*formulas: Term) -> bool:
    solver = open_solver(SolverName.Z3)
    solver.add(*formulas)
    return isinstance(solver.check(), Unsat)


def prove(terms: Terms, formulas: Sequence[Term], between: Sequence[Term]) -> None:
    assert len(between) == len(formulas) - 1
    for (before, after), formula in zip(pairwise((terms.true, *between, terms.false)), formulas, strict=True):
        assert unsat(before, formula, terms.not_(after))
    for index, interpolant in enumerate(between, start=1):
        common = set(variables(formulas[:index])) & set(variables(formulas[index:]))
        assert set(variables([interpolant])) <= common


def path(terms: Terms, steps: int) -> list[Term]:
    """x := 0; y := 5; repeat: x := x + 1; y := y * x; assume x > steps + 2"""
    x = [terms.bv_var(f"x{i}", 16) for i in range(steps + 1)]
    y = [terms.bv_var(f"y{i}", 16) for i in range(steps + 1)]
    formulas = [terms.and_(terms.eq(x[0], terms.bv(0, 16)), terms.eq(y[0], terms.bv(5, 16)))]
    for i in range(steps):
        product = terms.make(Op.MUL, (y[i], x[i + 1]))
        formulas.append(terms.and_(terms.eq(x[i + 1], terms.add(x[i], terms.bv(1, 16))), terms.eq(y[i + 1], product)))
    return [*formulas, terms.ult(terms.bv(steps + 2, 16), x[steps])]


def test_the_steps_of_a_path() -> None:
    terms = Terms()
    formulas = path(terms, 5)
    found = sequence_interpolants(terms, formulas)
    assert isinstance(found, Interpolants)
    prove(terms, formulas, found.between)
    assert all(not v.name.startswith("y") for v in variables(found.between)), "the reason is x alone"


def test_random_formulas() -> None:
    found = refused = 0
    for seed in range(80):
        terms = Terms()
        formulas = [t for t in build(terms, recipe(Random(seed), length=60))[-50:] if t.sort is BOOL][:6]
        if len(formulas) < 2:
            continue
        outcome = sequence_interpolants(terms, formulas)
        if isinstance(outcome, Interpolants):
            prove(terms, formulas, outcome.between)
            found += 1
        elif isinstance(outcome, Undecided):
            refused += 1
    assert found > 20
    assert refused < 10, "equations between arrays, some of them"


def test_constants_and_repetitions() -> None:
    terms = Terms()
    p, q = terms.bool_var("p"), terms.bool_var("q")
    for formulas in (
        [terms.true, p, p, terms.implies(p, q), terms.true, terms.not_(q), p],
        [p, terms.false, q],
        [terms.and_(p, q), terms.not_(p)],
        [terms.false],
    ):
        found = sequence_interpolants(terms, formulas)
        assert isinstance(found, Interpolants)
        prove(terms, formulas, found.between)


def test_what_can_hold_has_a_model_instead() -> None:
    terms = Terms()
    p = terms.bool_var("p")
    found = sequence_interpolants(terms, [p, terms.bool_var("q")])
    assert isinstance(found, Sat)
    assert found.model.holds(p)


class Guess:
    def __init__(self, between: list[Term] | None) -> None:
        self._between = between

    def propose(self, formulas: Sequence[Term], seconds: float | None) -> list[Term] | None:
        return self._between


@pytest.mark.parametrize("guess", ["too strong", "too weak", "of strangers", "none"])
def test_wrong_proposals_are_not_believed(guess: str) -> None:
    terms = Terms()
    p, q = terms.bool_var("p"), terms.bool_var("q")
    between = {"too strong": [terms.false], "too weak": [terms.true], "of strangers": [terms.and_(p, q)], "none": None}
    source = Guess(between[guess])
    formulas = [terms.and_(p, q), terms.not_(p)]
    assert sequence_interpolants(terms, formulas, source=source) == Undecided(SolverVerdict.GAVE_UP)
    assert sequence_interpolants(terms, formulas, source=Guess([p])) == Interpolants((p,))
