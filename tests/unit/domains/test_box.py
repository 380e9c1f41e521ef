"""Boxes against all states of a few variables."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from brute import as_state, condition, gamma, maker, moved, number, states

from threadproof.domains.box import StateBox
from threadproof.domains.intervals import Intervals, exactly, wrapped
from threadproof.domains.small_sets import SmallSets
from threadproof.smt.term import Array, Op, Term
from threadproof.smt.terms import Terms

KINDS: dict[str, Any] = {"intervals": Intervals(), "sets": SmallSets(5)}
WIDTH = 3


def columns(terms: Terms) -> tuple[Term, ...]:
    return (terms.bv_var("x", WIDTH), terms.bv_var("y", WIDTH), terms.bool_var("p"))


def some(kind: str, random: Random) -> StateBox[Any]:
    terms = maker(random)
    value = StateBox(terms, KINDS[kind], columns(terms)).bottom()
    for _ in range(random.choice((0, 1, 2, 2, 3, 12))):
        value = value.admit(as_state(value.columns, (*(random.randrange(8) for _ in "xy"), random.randrange(2))))
    return value


@pytest.mark.parametrize("kind", KINDS)
def test_lattice(kind: str) -> None:
    for seed in range(60):
        random = Random(seed)
        a = some(kind, random)
        b = a.bottom()
        for _ in range(random.randrange(4)):
            b = b.admit(as_state(a.columns, (*(random.randrange(8) for _ in "xy"), random.randrange(2))))
        left, right = gamma(a, a.columns), gamma(b, a.columns)
        assert gamma(a.meet(b), a.columns) == left & right
        assert gamma(a.join(b), a.columns) >= left | right
        assert a.leq(b) == (left <= right)
        assert (a == b) == (left == right)
        assert a.is_bottom == (not left)
        assert a.join(a.meet(b)) == a == a.meet(a.join(b)) == a.join(a.bottom()) == a.meet(a.top())


@pytest.mark.parametrize("kind", KINDS)
def test_transformers_are_sound(kind: str) -> None:
    learned = exact = 0
    for seed in range(110):
        random = Random(seed)
        value = some(kind, random)
        before = gamma(value, value.columns)
        x, y, p = value.columns
        updates = {x: number(value.terms, random, value.columns, WIDTH, 3)}
        if random.random() < 0.5:
            updates |= {p: condition(value.terms, random, value.columns, WIDTH), y: x}
        expected = moved(value.terms, value.columns, before, updates)
        after = gamma(value.assign(updates), value.columns)
        assert isinstance(expected, set)
        assert after >= expected
        exact += after == expected
        given = condition(value.terms, random, value.columns, WIDTH, 3)
        left = {one for one in before if as_state(value.columns, one).holds(given)}
        assumed = gamma(value.assume(given), value.columns)
        assert left <= assumed <= before
        learned += len(assumed) < len(before)
    assert exact > 20
    assert learned > 20


@pytest.mark.parametrize("kind", KINDS)
def test_terms_say_which_states_there_are(kind: str) -> None:
    for seed in range(20):
        value = some(kind, Random(seed))
        claims = value.to_terms()
        for state in states(value.columns):
            assert all(map(state.holds, claims)) == value.holds(state)
        for claim in claims:
            assert value.leq(value.drop(claim))
            assert value.drop(claim) != value


def test_conditions_reach_through_what_can_be_undone() -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    box = StateBox(terms, Intervals(), (x,))
    wide = terms.add(terms.sext(x, 32), terms.bv(3, 32))
    assert box.assume(terms.and_(terms.sle(terms.bv(0, 32), wide), terms.slt(wide, terms.bv(9, 32))))[x] == wrapped(
        (-3, 5), 8
    )
    assert box.assume(terms.eq(terms.zext(x, 16), terms.bv(300, 16))).is_bottom
    assert box.assume(terms.eq(terms.make(Op.BVNOT, (x,)), terms.bv(0, 8)))[x] == exactly(255, 8)
    back = box.assume(terms.eq(terms.sub(terms.bv(9, 8), x), terms.bv(4, 8)))
    assert back[x].value == 5
    assert box.assume(terms.and_(terms.ult(x, terms.bv(3, 8)), terms.ne(x, terms.bv(2, 8))))[x] == wrapped((0, 1), 8)


def test_what_is_no_column_is_unknown() -> None:
    terms = Terms()
    x, other, array = terms.bv_var("x", 8), terms.bv_var("other", 8), terms.var("a", Array(8, 8))
    box = StateBox(terms, Intervals(), (x,)).assume(terms.eq(x, terms.bv(3, 8)))
    low = terms.make(Op.BVAND, (other, terms.bv(7, 8)))
    assert box.assign({x: low})[x] == wrapped((0, 7), 8)
    assert box.assign({x: terms.select(array, x)}) == box.top()
    assert box.assign({other: x}) == box
    same = terms.eq(array, terms.store(array, x, other))
    assert box.assume(same) == box


def test_deep_terms_need_no_deep_stack() -> None:
    terms = Terms()
    x, p = terms.bv_var("x", 8), terms.bool_var("p")
    box = StateBox(terms, Intervals(), (x, p)).assume(terms.eq(x, terms.bv(1, 8)))
    term, given = x, p
    for index in range(1200):
        term = terms.make(Op.BVXOR, (term, terms.ite(p, terms.bv(2, 8), term)))
        given = terms.and_(terms.or_(given, terms.ult(x, terms.bv(index % 200 + 2, 8))), terms.not_(terms.eq(term, x)))
    assert 0 in box.evaluate(term)
    assert box.assume(given).leq(box)
