"""Linear equations against all states of three narrow variables."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from brute import as_state, condition, gamma, maker, moved, number, states

from threadproof.core.errors import InternalError
from threadproof.domains.equations import Equations
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Array, Op, Term
from threadproof.smt.terms import Terms

Point = tuple[int, ...]


def columns(terms: Terms, width: int) -> tuple[Term, ...]:
    return tuple(terms.bv_var(name, width) for name in "xyz")


def some(random: Random, width: int) -> Equations:
    """The affine hull of a few states, or a few equations."""
    terms = maker(random)
    value = Equations(terms, columns(terms, width))
    if random.random() < 0.5:
        value = value.bottom()
        for _ in range(random.randrange(5)):
            value = value.admit(as_state(value.columns, point(random, width)))
        return value
    for _ in range(random.randrange(3)):
        sides = [number(terms, random, value.columns, width, 1) for _ in "ab"]
        value = value.assume(terms.eq(*sides))
    return value


def point(random: Random, width: int) -> Point:
    return tuple(random.randrange(1 << width) & -random.choice((1, 2)) for _ in range(3))


def like(random: Random, value: Equations) -> Equations:
    other = value.bottom()
    for _ in range(random.randrange(4)):
        other = other.admit(as_state(value.columns, point(random, value.width)))
    return other


def affine_hull(points: set[Point], width: int) -> set[Point]:
    """All combinations of points with coefficients that sum up to 1."""
    if not points:
        return set()
    first, *others = sorted(points)
    size = 1 << width
    found = {first}
    for other in others:
        away = [(x - y) % size for x, y in zip(other, first, strict=True)]
        if tuple((x + y) % size for x, y in zip(first, away, strict=True)) in found:
            continue
        found = {
            tuple((x + times * y) % size for x, y in zip(one, away, strict=True))
            for one in found
            for times in range(size)
        }
    return found


@pytest.mark.parametrize("width", [1, 2, 3])
def test_lattice(width: int) -> None:
    for seed in range(40 if width < 3 else 8):
        random = Random(seed)
        a = some(random, width)
        b = like(random, a)
        left, right = gamma(a, a.columns), gamma(b, a.columns)
        assert gamma(a.meet(b), a.columns) == left & right
        assert gamma(a.join(b), a.columns) == affine_hull(left | right, width)
        assert a.leq(b) == (left <= right)
        assert (a == b) == (left == right)
        assert a.is_bottom == (not left)
        assert a.join(b) == b.join(a)
        assert a.join(a.meet(b)) == a == a.meet(a.join(b)) == a.join(a) == a.meet(a.top()) == a.join(a.bottom())
        assert gamma(a.top(), a.columns) >= left
        assert not gamma(a.bottom(), a.columns)


@pytest.mark.parametrize("width", [2, 3])
def test_terms_say_what_the_rows_say(width: int) -> None:
    for seed in range(100 // width**2):
        value = some(Random(seed), width)
        claims = value.to_terms()
        for state in states(value.columns):
            assert all(map(state.holds, claims)) == value.holds(state)
        for claim in claims:
            assert value.entails(claim)
            assert value.leq(value.drop(claim))
            assert value.drop(claim) != value


@pytest.mark.parametrize("width", [2, 3])
def test_forgetting_is_exact(width: int) -> None:
    for seed in range(100 // width**2):
        value = some(Random(seed), width)
        before = gamma(value, value.columns)
        x, y, z = value.columns
        assert gamma(value.forget([y]), value.columns) == {(a, b, c) for a, _, c in before for b in range(1 << width)}
        assert gamma(value.onto((z, x)), (z, x)) == {(c, a) for a, _, c in before}
        assert value.constant(x) == (
            next(iter({a for a, _, _ in before})) if len({a for a, *_ in before}) == 1 else None
        )


def affine(terms: Terms, random: Random, of: tuple[Term, ...], width: int) -> Term:
    total = terms.bv(random.randrange(1 << width), width)
    for column in of:
        total = terms.add(total, terms.make(Op.MUL, (column, terms.bv(random.choice((0, 1, 2, 3)), width))))
    return total


@pytest.mark.parametrize("width", [2, 3])
def test_affine_assignments_are_exact(width: int) -> None:
    for seed in range(60 // width**2):
        random = Random(seed)
        value = some(random, width)
        written = random.sample(value.columns, random.randrange(1, 4))
        updates = {column: affine(value.terms, random, value.columns, width) for column in written}
        before = gamma(value, value.columns)
        assert gamma(value.assign(updates), value.columns) == moved(value.terms, value.columns, before, updates)


@pytest.mark.parametrize("width", [2, 3])
def test_transformers_are_sound(width: int) -> None:
    learned = 0
    for seed in range(90 // width**2):
        random = Random(seed)
        value = some(random, width)
        before = gamma(value, value.columns)
        updates = {c: number(value.terms, random, value.columns, width) for c in random.sample(value.columns, 2)}
        after = gamma(value.assign(updates), value.columns)
        assert after >= moved(value.terms, value.columns, before, updates)
        given = condition(value.terms, random, value.columns, width)
        if random.random() < 0.5:
            given = value.terms.eq(*(affine(value.terms, random, value.columns, width) for _ in "ab"))
        left = {one for one in before if as_state(value.columns, one).holds(given)}
        assumed = gamma(value.assume(given), value.columns)
        assert left <= assumed <= before
        assert not value.entails(given) or left == before
        learned += len(assumed) < len(before)
    assert learned > 1


def test_parity_and_low_bits_are_equations() -> None:
    """Strides of 2 and 4 are congruences; what is known modulo 4 must survive the join of 0, 4, 8."""
    terms = Terms()
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    value = Equations(terms, (x, y)).bottom()
    for number_ in (0, 4, 8):
        value = value.admit(Assignment({"x": number_, "y": number_ + 1}))
    fourth = terms.eq(terms.make(Op.BVAND, (x, terms.bv(3, 32))), terms.bv(0, 32))
    assert value.entails(fourth)
    assert value.entails(terms.eq(terms.extract(y, 1, 0), terms.bv(1, 2)))
    assert value.entails(terms.eq(y, terms.add(x, terms.bv(1, 32))))
    assert not value.entails(terms.eq(terms.make(Op.BVAND, (x, terms.bv(7, 32))), terms.bv(0, 32)))
    step = value.assign({x: terms.add(x, terms.bv(4, 32)), y: terms.add(y, terms.bv(4, 32))})
    assert step == value
    odd = Equations(terms, (x, y)).assume(terms.eq(terms.make(Op.BVAND, (x, terms.bv(1, 32))), terms.bv(1, 32)))
    assert odd.meet(value).is_bottom
    assert odd.assign({x: terms.make(Op.MUL, (x, terms.bv(2, 32)))}).to_terms() == [
        terms.eq(terms.make(Op.MUL, (x, terms.bv(1 << 30, 32))), terms.bv(1 << 31, 32))
    ]


def test_steps_of_three_are_no_congruence() -> None:
    """3 has an inverse modulo 2**32: multiples of 3 are all numbers. Divisibility is a literal, not an equation."""
    terms = Terms()
    x = terms.bv_var("x", 32)
    value = Equations(terms, (x,)).bottom()
    for number_ in (0, 3, 6):
        value = value.admit(Assignment({"x": number_}))
    assert value == value.top()


def test_a_mask_that_cannot_hold_the_number_entails_nothing() -> None:
    """`x & 3 == 7` is false though x = 3 modulo 4; `x & 3 == y` is more than equality modulo 4."""
    terms = Terms()
    x, y = terms.bv_var("x", 8), terms.bv_var("y", 8)
    low = terms.make(Op.BVAND, (x, terms.bv(3, 8)))
    value = Equations(terms, (x, y)).assume(terms.eq(x, terms.bv(3, 8)))
    assert not value.entails(terms.eq(low, terms.bv(7, 8)))
    assert value.entails(terms.eq(low, terms.bv(3, 8)))
    same = Equations(terms, (x, y)).assume(terms.eq(x, y))
    assert not same.entails(terms.eq(low, y))
    assert not same.assume(terms.ne(low, y)).is_bottom


def test_columns_may_be_array_reads_and_choices() -> None:
    terms = Terms()
    array = terms.var("a", Array(8, 8))
    i, s = terms.bv_var("i", 8), terms.bv_var("s", 8)
    read = terms.select(array, i)
    value = Equations(terms, (i, s, read)).assume(terms.eq(s, read))
    assert value.assign({s: terms.add(s, terms.bv(1, 8))}).entails(terms.eq(s, terms.add(read, terms.bv(1, 8))))
    assert not value.assign({i: terms.add(i, terms.bv(1, 8))}).entails(terms.eq(s, read))
    chosen = terms.ite(terms.eq(i, terms.bv(3, 8)), terms.add(i, terms.bv(1, 8)), terms.bv(4, 8))
    assert Equations(terms, (i, s)).assign({s: chosen}).constant(s) == 4


def test_one_width_of_at_most_64_bits() -> None:
    terms = Terms()
    for names in ((("x", 8), ("y", 9)), (("w", 65),)):
        with pytest.raises(InternalError, match="one width"):
            Equations(terms, tuple(terms.bv_var(*name) for name in names))


@pytest.mark.parametrize("seed", range(60))
def test_directions_lead_from_state_to_state(seed: int) -> None:
    """And where a step of one is possible at all, some direction has it."""
    random, width = Random(seed), 3
    value = some(random, width)
    inside = gamma(value, value.columns)
    if value.is_bottom or not inside:
        return
    drawn = value.directions(400, np.random.default_rng(seed))
    for column in drawn.T:
        away = tuple(int(one) for one in column)
        for start in random.sample(sorted(inside), min(4, len(inside))):
            assert tuple((a + b) % (1 << width) for a, b in zip(start, away, strict=True)) in inside
    if len(inside) > 1:
        assert drawn.any()
