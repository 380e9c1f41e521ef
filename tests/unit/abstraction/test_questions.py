"""Formulas together: contradictions that are plain to see, states that are mended, groups and their shapes."""

from __future__ import annotations

from random import Random

import pytest

from threadproof.abstraction.clashes import plain_clash
from threadproof.abstraction.questions import Clash, Questions
from threadproof.abstraction.repair import repaired
from threadproof.abstraction.samples import Samples
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Unsat, open_solver
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


@pytest.fixture
def terms() -> Terms:
    return Terms()


class Literals:
    """Random ones over few variables of two bits, so that all values can be tried."""

    def __init__(self, terms: Terms, seed: int) -> None:
        self.terms = terms
        self.rng = Random(seed)
        self.names = [terms.bv_var(name, 2) for name in "xyz"]

    def number(self) -> Term:
        rng, terms = self.rng, self.terms
        leaf = rng.choice([*self.names, terms.bv(rng.randrange(4), 2)])
        op = rng.choice((Op.ADD, Op.SUB, Op.BVXOR))
        return rng.choice((leaf, leaf, terms.make(op, (leaf, rng.choice(self.names)))))

    def literal(self) -> Term:
        atom = self.terms.make(self.rng.choice((Op.EQ, Op.ULT, Op.SLT)), (self.number(), self.number()))
        return self.rng.choice((atom, self.terms.not_(atom), self.terms.or_(atom, self.terms.bool_var("b"))))

    def possible(self, formulas: list[Term]) -> bool:
        every = ({"x": n & 3, "y": n >> 2 & 3, "z": n >> 4 & 3, "b": n >> 6} for n in range(128))
        return any(all(state.holds(one) for one in formulas) for state in (Assignment(dict(v)) for v in every))


def test_plain_clashes_are_contradictions(terms: Terms) -> None:
    literals, found = Literals(terms, 1), 0
    for _ in range(400):
        formulas = [literals.literal() for _ in range(3)]
        core = plain_clash(formulas)
        if core is not None:
            found += 1
            assert set(core) <= set(formulas)
            assert not literals.possible(list(core))
    assert found > 20


def test_clashes_by_unit_propagation(terms: Terms) -> None:
    a, b, c = (terms.bool_var(name) for name in "abc")
    deep = terms.and_(terms.bool_var("d"), terms.and_(b, terms.not_(c)))
    assert plain_clash([a, deep, c]) == (deep, c)
    either = terms.not_(terms.and_(a, terms.and_(b, c)))
    assert plain_clash([a, terms.bool_var("e"), b, either, c]) == (a, b, either, c)
    chain = [terms.or_(terms.not_(a), b), terms.or_(terms.not_(b), c), terms.or_(terms.not_(c), terms.not_(a)), a]
    assert plain_clash(chain) == tuple(chain)
    assert plain_clash(chain[:3]) is None
    assert plain_clash([terms.true, terms.not_(terms.and_(a, b)), a]) is None
    assert plain_clash([a, terms.false]) == (terms.false,)


def test_plain_clashes_of_nested_formulas_are_contradictions(terms: Terms) -> None:
    literals, found = Literals(terms, 5), 0
    rng = literals.rng

    def nested(depth: int) -> Term:
        if not depth:
            return literals.literal()
        made = rng.choice((terms.and_, terms.or_))(nested(depth - 1), nested(depth - 1))
        return rng.choice((made, terms.not_(made)))

    for _ in range(300):
        formulas = [nested(rng.randrange(3)) for _ in range(5)]
        core = plain_clash(formulas)
        if core is not None:
            found += 1
            assert not literals.possible(list(core))
    assert found > 20


def test_bounds_clash(terms: Terms) -> None:
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    low, high = terms.slt(terms.bv(3, 32), terms.add(x, y)), terms.slt(terms.add(x, y), terms.bv(4, 32))
    assert set(plain_clash([terms.ult(x, y), low, high]) or ()) == {low, high}
    assert plain_clash([low, terms.slt(terms.add(x, y), terms.bv(5, 32))]) is None
    assert plain_clash([terms.slt(x, terms.bv(0, 32)), terms.ult(terms.bv(9, 32), x)]) is None  # -1 is large


def test_what_is_mended_holds(terms: Terms) -> None:
    literals, found = Literals(terms, 2), 0
    for _ in range(200):
        formulas = [literals.literal() for _ in range(3)]
        state = repaired(formulas, {"x": 0, "y": 1, "z": 2})
        if state is not None:
            found += 1
            assert all(Assignment(state).holds(one) for one in formulas)
    assert found > 60


def test_answers_are_right(terms: Terms) -> None:
    """Against all values; a core is a contradiction by itself."""
    literals = Literals(terms, 3)
    questions = Questions(Context(terms), Samples())
    for _ in range(80):
        formulas = [literals.literal() for _ in range(4)]
        answer = questions.together(formulas)
        if isinstance(answer, Clash):
            assert not literals.possible(list(answer.core))
        else:
            assert isinstance(answer, dict)
            assert all(Assignment(answer).holds(one) for one in formulas)
    counts = questions.counts
    assert min(counts.by_sample, counts.by_looking, counts.by_solver) > 0


def test_groups_are_asked_alone(terms: Terms) -> None:
    """A contradiction among some is not hidden by others, and its core names none of them."""
    a, b, c = (terms.bv_var(name, 32) for name in "abc")
    three, odd = terms.bv(3, 32), terms.eq(terms.extract(c, 0, 0), terms.bv(1, 1))
    clash = [terms.eq(terms.make(Op.MUL, (a, b)), three), terms.eq(a, terms.bv(2, 32))]
    questions = Questions(Context(terms), Samples())
    answer = questions.together([odd, *clash])
    assert isinstance(answer, Clash)
    assert set(answer.core) == set(clash)
    assert isinstance(open_solver().check(list(answer.core)), Unsat)
    d, e = (terms.bv_var(name, 32) for name in "de")
    renamed = terms.substitute(clash, {a: d, b: e})
    assert set(getattr(questions.together(renamed), "core", ())) == set(renamed)
    assert (questions.counts.by_solver, questions.counts.by_shape) == (1, 1)
