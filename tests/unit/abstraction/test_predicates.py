"""The unifier: what is equivalent is one predicate, implications are bit sets, contradictions are literally `false`."""

from __future__ import annotations

from random import Random

import pytest

from threadproof.abstraction.normal import normal
from threadproof.abstraction.predicates import CONTRADICTION, NOTHING, Predicates
from threadproof.abstraction.samples import COUNT, Samples
from threadproof.smt.backend import SolverVerdict
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Outcome, Undecided
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


@pytest.fixture
def terms() -> Terms:
    return Terms()


@pytest.fixture
def predicates(terms: Terms) -> Predicates:
    return Predicates(Context(terms))


def test_what_is_equivalent_is_one(terms: Terms, predicates: Predicates) -> None:
    x, y, five = terms.bv_var("x", 32), terms.bv_var("y", 32), terms.bv(5, 32)
    small = predicates.unify(terms.ult(x, five))
    assert predicates.unify(terms.ule(x, terms.bv(4, 32))) is small
    assert predicates.unify(terms.ult(y, five)) is not small
    assert predicates.unify(terms.eq(terms.sub(x, y), terms.bv(0, 32))) is predicates.unify(terms.eq(x, y))


def test_what_cannot_hold_is_false(terms: Terms, predicates: Predicates) -> None:
    """Searches compare with the constant: x < 0 and x > 0 is `false` at once, as a formula and as a conjunction."""
    x, zero = terms.bv_var("x", 32), terms.bv(0, 32)
    below, above = terms.slt(x, zero), terms.slt(zero, x)
    assert predicates.unify(terms.and_(below, above)) is predicates.false
    assert predicates.unify(terms.or_(terms.sle(zero, x), below)) is predicates.true
    assert predicates.conjunction([below, above]) == CONTRADICTION
    assert predicates.conjunction([terms.true]) == NOTHING
    three = [terms.slt(x, terms.bv_var("y", 32)), terms.slt(terms.bv_var("y", 32), terms.bv_var("z", 32))]
    assert predicates.conjunction([*three, terms.slt(terms.bv_var("z", 32), x)]) == CONTRADICTION


def test_implications_are_closed(terms: Terms, predicates: Predicates) -> None:
    x = terms.bv_var("x", 32)
    less = [predicates.unify(terms.ult(x, terms.bv(bound, 32))) for bound in (3, 5, 9)]
    large = predicates.unify(terms.ult(terms.bv(20, 32), x))
    assert predicates.implies(less[0], less[1]) is True
    assert predicates.contradict(less[2], large) is True
    assert predicates.implies(less[1], less[2]) is True
    assert less[0].implies & less[2].bit
    assert less[2].implied_by & less[0].bit
    assert less[0].contradicts & large.bit
    assert large.contradicts & less[0].bit
    assert predicates.implies(less[2], less[0]) is False
    assert predicates.normal(less[0].bit | large.bit) == CONTRADICTION


def test_conjunctions_entail(terms: Terms, predicates: Predicates) -> None:
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    chain = predicates.conjunction([terms.ult(x, y), terms.ult(y, z)])
    assert predicates.entails(chain, predicates.conjunction([terms.ult(x, z)])) is True
    assert predicates.entails(chain, predicates.conjunction([terms.ult(z, x)])) is False
    assert predicates.entails(CONTRADICTION, chain) is True
    assert predicates.entails(chain, NOTHING) is True
    assert predicates.entails(NOTHING, chain) is False


class GivesUp(Context):
    def check(self, formulas: object, seconds: float | None = None) -> Outcome:  # type: ignore[override]
        return Undecided(SolverVerdict.GAVE_UP)


def test_an_undecided_question_is_no_answer(terms: Terms) -> None:
    predicates = Predicates(GivesUp(terms))
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    never = terms.and_(terms.slt(x, terms.bv(0, 32)), terms.slt(terms.bv(0, 32), x))
    found = predicates.unify(never)
    assert found is not predicates.false
    assert found.intricate
    a, b = predicates.unify(terms.ult(x, y)), predicates.unify(terms.ule(x, y))
    assert predicates.implies(a, b) is None
    assert predicates.entails(a.bit, b.bit) is None
    assert not a.implies & b.bit


def test_random_pairs_against_samples_and_solver(terms: Terms, predicates: Predicates) -> None:
    """Over two bits everything can be tried."""
    rng, names = Random(3), [terms.bv_var(name, 2) for name in "xyz"]

    def atom() -> Term:
        left, right = rng.choice(names), rng.choice([*names, terms.bv(rng.randrange(4), 2)])
        left = terms.add(left, terms.bv(rng.randrange(3), 2))
        return terms.make(rng.choice((Op.EQ, Op.ULT, Op.SLT)), (left, right))

    def truths(term: Term) -> list[bool]:
        every = ({"x": n % 4, "y": n // 4 % 4, "z": n // 16} for n in range(64))
        return [Assignment(dict(values)).holds(term) for values in every]

    known: list[tuple[Term, list[bool]]] = []
    for _ in range(40):
        term = terms.or_(atom(), terms.and_(atom(), atom()))
        known.append((term, truths(term)))
    for term, table in known:
        for other, others in known[:6]:
            a, b = predicates.unify(term), predicates.unify(other)
            assert (a is b) == (table == others)
            assert predicates.implies(a, b) == all(right or not left for left, right in zip(table, others, strict=True))
            together = any(left and right for left, right in zip(table, others, strict=True))
            assert predicates.consistent(a.bit | b.bit) == together


def test_normal_forms_keep_the_value(terms: Terms) -> None:
    """Over two bits, all values."""
    rng, names = Random(5), [terms.bv_var(name, 2) for name in "xyz"]

    def number(depth: int) -> Term:
        if not depth or rng.random() < 0.3:
            return rng.choice([*names, terms.bv(rng.randrange(4), 2)])
        op = rng.choice((Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.BVNOT))
        return terms.make(op, tuple(number(depth - 1) for _ in range(1 if op in (Op.NEG, Op.BVNOT) else 2)))

    for _ in range(120):
        formula = terms.make(rng.choice((Op.EQ, Op.EQ, Op.ULT, Op.SLT)), (number(3), number(2)))
        formula = rng.choice((formula, terms.not_(formula)))
        found = normal(terms, formula)
        assert normal(terms, found) is found
        for n in range(64):
            state = Assignment({"x": n & 3, "y": n >> 2 & 3, "z": n >> 4})
            assert state.holds(found) == state.holds(formula)


def test_linear_facts_need_no_solver(terms: Terms) -> None:
    """Sums in another order, moved to the other side, scaled; bounds written in another way."""
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    five, one = terms.bv(5, 32), terms.bv(1, 32)
    pairs = [
        (terms.eq(terms.add(x, terms.add(y, z)), five), terms.eq(terms.sub(five, z), terms.add(y, x))),
        (terms.eq(terms.sub(x, y), one), terms.eq(terms.add(y, one), x)),
        (terms.eq(terms.make(Op.MUL, (x, terms.bv(3, 32))), terms.make(Op.MUL, (y, terms.bv(3, 32)))), terms.eq(x, y)),
        (terms.ult(five, x), terms.ule(terms.bv(6, 32), x)),
        (terms.slt(terms.bv(-1, 32), x), terms.sle(terms.bv(0, 32), x)),
        (terms.ult(x, one), terms.eq(x, terms.bv(0, 32))),
    ]
    predicates = Predicates(GivesUp(terms))
    for left, right in pairs:
        assert predicates.unify(left) is predicates.unify(right)


def test_samples_are_values_of_terms(terms: Terms) -> None:
    samples, x, y = Samples(), terms.bv_var("x", 32), terms.bv_var("y", 32)
    array = terms.var("a", terms.store(terms.fill(terms.bv(0, 8), 32), x, terms.bv(0, 8)).sort)
    read = terms.select(terms.store(array, x, terms.bv(7, 8)), y)
    formula = terms.and_(terms.ult(terms.add(x, y), terms.bv(9, 32)), terms.ne(read, terms.bv(7, 8)))
    signature = samples.signature(formula)
    assert 0 < signature.bit_count() < COUNT
    for index in range(COUNT):
        state = Assignment(samples.state([x, y, array], index))
        assert state.holds(formula) == bool(signature >> index & 1)
