"""Hoare triples: every test that may answer, and that none is wrong."""

from __future__ import annotations

import pytest

from threadproof.abstraction import questions as questions_module
from threadproof.abstraction import triples as triples_module
from threadproof.abstraction.predicates import CONTRADICTION, NOTHING, Predicates
from threadproof.abstraction.triples import Triples, TripleUse, Truth
from threadproof.encoding.transitions import Input, Transition, TransitionTrap
from threadproof.ir.instr import UndefinedKind
from threadproof.smt.backend import SolverVerdict
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Undecided
from threadproof.smt.term import Op
from threadproof.smt.terms import Terms


def increment(terms: Terms) -> Transition:
    """x < 9; x := x + 1; z := input."""
    x, z, any_ = terms.bv_var("x", 32), terms.bv_var("z", 32), terms.bv_var("input", 32)
    updates = {x: terms.add(x, terms.bv(1, 32)), z: any_}
    return Transition(terms, terms.ult(x, terms.bv(9, 32)), updates, (Input(any_, 0, "nondet"),))


@pytest.fixture
def terms() -> Terms:
    return Terms()


@pytest.fixture
def triples(terms: Terms) -> Triples:
    return Triples(Predicates(Context(terms)))


def test_each_test_has_its_answers(terms: Terms, triples: Triples) -> None:
    step, unify, number = increment(terms), triples.predicates.unify, lambda value: terms.bv(value, 32)
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    small, other = unify(terms.ult(x, number(5))), unify(terms.ult(y, x))
    kept = unify(terms.ult(y, number(7)))
    answers = {
        TripleUse.TRIVIAL: triples.ask(kept.bit | small.bit, step, kept),
        TripleUse.SUBSTITUTION: triples.ask(NOTHING, step, unify(terms.ult(terms.sub(x, number(1)), number(9)))),
        TripleUse.SOLVER: triples.ask(small.bit | other.bit | kept.bit, step, unify(terms.ult(x, number(6)))),
        TripleUse.CACHE: triples.ask(small.bit, step, unify(terms.ult(x, number(6)))),
    }
    assert {use: answer.by for use, answer in answers.items()} == {use: use for use in answers}
    assert {answer.truth for answer in answers.values()} == {Truth.YES}
    assert answers[TripleUse.SOLVER].core == small.bit
    assert answers[TripleUse.TRIVIAL].core == kept.bit
    assert triples.ask(kept.bit, step, unify(terms.eq(z, number(3)))).truth is Truth.NO
    assert triples.ask(kept.bit, step, unify(terms.eq(z, number(3)))).truth is Truth.NO


def test_no_has_a_state(terms: Terms, triples: Triples) -> None:
    step, unify = increment(terms), triples.predicates.unify
    x = terms.bv_var("x", 32)
    even = unify(terms.eq(terms.extract(x, 0, 0), terms.bv(0, 1)))
    eight = unify(terms.eq(x, terms.bv(8, 32)))
    answer = triples.ask(eight.bit, step, even)
    assert answer.truth is Truth.NO
    assert answer.state is not None
    before = Assignment(answer.state)
    assert before.number(x) == 8


def test_constants_are_put_in(terms: Terms, triples: Triples) -> None:
    step, unify = increment(terms), triples.predicates.unify
    x = terms.bv_var("x", 32)
    nine, other = unify(terms.eq(x, terms.bv(9, 32))).bit, unify(terms.eq(terms.bv_var("y", 32), terms.bv(1, 32))).bit
    answer = triples.ask(nine | other, step, triples.predicates.false)
    assert answer.truth is Truth.YES
    assert answer.by is TripleUse.SUBSTITUTION
    assert answer.core == nine
    answer = triples.ask(unify(terms.eq(x, terms.bv(2, 32))).bit, step, unify(terms.eq(x, terms.bv(3, 32))))
    assert (answer.truth, answer.by) == (Truth.YES, TripleUse.SUBSTITUTION)


def test_a_contradictory_precondition_gives_everything(terms: Terms, triples: Triples) -> None:
    step, unify = increment(terms), triples.predicates.unify
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    assert triples.ask(CONTRADICTION, step, triples.predicates.false).truth is Truth.YES
    cycle = [unify(terms.ult(a, b)).bit for a, b in ((x, y), (y, z), (z, x))]
    answer = triples.ask(cycle[0] | cycle[1] | cycle[2], step, triples.predicates.false)
    assert answer.truth is Truth.YES
    assert answer.core == cycle[0] | cycle[1] | cycle[2]


def test_copies_of_a_thread_share_answers(terms: Terms, triples: Triples) -> None:
    unify = triples.predicates.unify
    for name in "ab":
        i, n = terms.bv_var(f"i of {name}", 32), terms.bv_var(f"n of {name}", 32)
        step = Transition(terms, terms.ult(i, n), {i: terms.add(i, terms.bv(1, 32))})
        below = unify(terms.ule(i, n))
        assert triples.ask(NOTHING, step, below).truth is Truth.YES
    assert triples.questions.counts.by_solver == 1
    assert triples.questions.counts.by_shape == 1


def test_traps_are_a_question_of_their_own(terms: Terms, triples: Triples) -> None:
    u, zero, unify = terms.bv_var("u", 32), terms.bv(0, 32), triples.predicates.unify
    trap = TransitionTrap(terms.eq(u, zero), UndefinedKind.DIVISION_BY_ZERO, 0)
    quotient = terms.make(Op.UDIV, (terms.bv(10, 32), u))
    divide = Transition(terms, terms.ne(u, zero), {u: quotient}, traps=(trap,))
    nothing, something = unify(terms.eq(u, zero)), unify(terms.ult(terms.bv(3, 32), u))
    assert triples.no_trap(nothing.bit, divide).truth is Truth.NO
    assert triples.no_trap(NOTHING, divide).truth is Truth.NO
    assert triples.no_trap(something.bit, divide).truth is Truth.YES
    assert triples.no_trap(something.bit, divide).by is TripleUse.CACHE
    assert triples.ask(nothing.bit, divide, triples.predicates.false).truth is Truth.YES


def test_post_is_the_best_conjunction(terms: Terms, triples: Triples) -> None:
    step, unify = increment(terms), triples.predicates.unify
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    five, six = (unify(terms.eq(x, terms.bv(value, 32))).bit for value in (5, 6))
    below, kept = unify(terms.ult(x, terms.bv(10, 32))).bit, unify(terms.ult(y, terms.bv(4, 32))).bit
    assert triples.post(five | kept, step, five | six | below | kept) == six | below | kept
    assert triples.post(unify(terms.eq(x, terms.bv(9, 32))).bit, step, five) == CONTRADICTION


def test_unsure_is_not_yes(terms: Terms) -> None:
    class NoAnswer:
        def check(self, *_: object, **__: object) -> Undecided:
            return Undecided(SolverVerdict.OUT_OF_TIME)

    context = Context(terms)
    triples = Triples(Predicates(context))
    x = terms.bv_var("x", 32)
    post = triples.predicates.unify(terms.ult(x, terms.bv(10, 32)))
    context.solver = lambda *_: NoAnswer()  # type: ignore[assignment,return-value]
    answer = triples.ask(NOTHING, increment(terms), post)
    assert answer.truth is Truth.UNSURE
    assert triples.post(NOTHING, increment(terms), post.bit) == NOTHING


def test_facts_are_part_of_every_precondition(terms: Terms) -> None:
    h, x = terms.bv_var("h", 32), terms.bv_var("x", 32)
    triples = Triples(Predicates(Context(terms)), [terms.ne(h, terms.bv(0, 32))])
    step = Transition(terms, terms.eq(h, terms.bv(0, 32)), {x: h})
    assert triples.ask(NOTHING, step, triples.predicates.false).truth is Truth.YES
    assert triples.ask(NOTHING, step, triples.predicates.false).core == NOTHING


def test_what_is_remembered_is_bounded(terms: Terms, triples: Triples, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are the same with next to no memory."""
    for name in ("_LETTERS_AND_POSTS", "_POSTS"):
        monkeypatch.setattr(triples_module, name, 3)
    monkeypatch.setattr(questions_module, "_MOST", 3)
    step, unify = increment(terms), triples.predicates.unify
    other = Triples(triples.predicates)
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    bits = [unify(formula).bit for formula in (terms.ult(x, y), terms.ult(y, terms.bv(7, 32)), terms.eq(x, y))]
    for bound in range(12):
        for given in (bits[0], bits[1] | bits[2], bits[0] | bits[1]):
            post = unify(terms.ult(x, terms.bv(bound, 32)))
            other.forget()
            assert triples.ask(given, step, post).truth is other.ask(given, step, post).truth
    assert len(triples._kept) <= 4
    assert len(triples.questions._known) <= 4
    assert all(len(known.after) <= 4 for known in triples._known.values())
