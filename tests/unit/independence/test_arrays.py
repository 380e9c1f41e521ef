"""Arrays are the same where the elements that were written are, by z3, which reasons about whole arrays."""

from __future__ import annotations

from random import Random

import pytest

from threadproof.independence.arrays import same
from threadproof.smt.solver import SolverName, Unsat, open_solver
from threadproof.smt.term import Array, Op, Term, in_order
from threadproof.smt.terms import Terms

ARRAY = Array(4, 8)


def drawn(terms: Terms, rng: Random, depth: int) -> Term:
    bases = [terms.var("a", ARRAY), terms.var("a", ARRAY), terms.var("b", ARRAY), terms.fill(terms.bv(0, 8), 4)]
    indices = [terms.bv_var("i", 4), terms.bv_var("j", 4), terms.bv(3, 4)]
    array = rng.choice(bases)
    for _ in range(depth):
        changed = terms.store(array, rng.choice(indices), rng.choice([terms.bv_var("x", 8), terms.bv(1, 8)]))
        condition = terms.bool_var(rng.choice("pq"))
        array = rng.choice(
            [changed, terms.ite(condition, changed, array), terms.ite(condition, array, rng.choice(bases))]
        )
    return array


@pytest.mark.parametrize("seed", range(40))
def test_the_same_as_an_equation_of_arrays(seed: int) -> None:
    terms, rng = Terms(), Random(seed)
    a, b = drawn(terms, rng, 3), drawn(terms, rng, 3)
    solver = open_solver(SolverName.Z3)
    solver.add(terms.not_(terms.eq(same(terms, a, b), terms.eq(a, b))))
    assert isinstance(solver.check(), Unsat)


def test_made_from_one_array_no_equation_of_arrays_is_left() -> None:
    terms = Terms()
    zeros = terms.fill(terms.bv(0, 8), 4)
    start = terms.ite(terms.bool_var("p"), zeros, terms.var("a", ARRAY))
    i, j, x = terms.bv_var("i", 4), terms.bv_var("j", 4), terms.bv_var("x", 8)
    one = terms.store(terms.store(start, i, x), j, terms.bv(1, 8))
    other = terms.store(terms.store(start, j, terms.bv(1, 8)), i, x)
    asked = same(terms, one, other)
    assert not any(part.op is Op.EQ and isinstance(part.args[0].sort, Array) for part in in_order((asked,)))
