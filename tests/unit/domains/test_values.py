"""Intervals and small sets against all bit-vectors: every operation is sound, join and meet are those of a lattice."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from brute import BINARY, COMPARISONS, UNARY

from threadproof.domains.intervals import Intervals, empty, exactly, full, union, wrapped
from threadproof.domains.small_sets import SmallSets
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import apply, to_signed
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Rewriting, Terms

INTERVALS, SETS = Intervals(), SmallSets(4)
KINDS: dict[str, Any] = {"intervals": INTERVALS, "sets": SETS}


def some(kind: str, random: Random, width: int) -> Any:
    """Short ones, whole ones, and what wraps around either end."""
    size = 1 << width
    if kind == "sets":
        few = frozenset(random.randrange(size) for _ in range(random.choice((1, 1, 2, 3, 4, 9))))
        return SETS.of(few, width)
    low = random.randrange(size)
    parts = [(low, low + random.choice((0, 1, 2, size // 4, size // 2, size - 1)))]
    if random.random() < 0.3:
        parts.append((other := random.randrange(size), other + random.randrange(3)))
    return union(parts, width)


def members(value: Any) -> set[int]:
    return {one for one in range(1 << value.width) if one in value}


def plain_term(op: Op, width: int) -> Term:
    terms = Terms(Rewriting.NONE)
    sides = [terms.bv_var(name, width) for name in "ab"]
    return terms.make(op, tuple(sides[: 1 if op in UNARY else 2]))


def check(kind: str, random: Random, term: Term, width: int, most: int) -> tuple[int, int]:
    """ValueDomain there are, and values the domain allows."""
    args = [some(kind, random, width) for _ in term.args]
    result = KINDS[kind].apply(term, args)
    allowed = members(result)
    inputs = [sorted(members(arg)) for arg in args]
    pairs = list(product(*inputs))
    if len(pairs) > most:
        pairs = random.sample(pairs, most)
    found = {apply(term, list(values)) for values in pairs}
    assert found <= allowed, (term, args, found - allowed)
    return len(found), len(allowed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_operation_is_sound(kind: str) -> None:
    for op in (*BINARY, *UNARY, *COMPARISONS):
        seen: list[tuple[int, int]] = []
        for width, times in ((1, 4), (3, 40), (4, 10), (8, 5)):
            term = plain_term(op, width)
            seen += [check(kind, Random(f"{op}{width}{seed}"), term, width, 100) for seed in range(times)]
        assert any(there == allowed for there, allowed in seen), op  # it is not always anything


@pytest.mark.parametrize("kind", KINDS)
def test_every_reshaping_is_sound(kind: str) -> None:
    terms = Terms(Rewriting.NONE)
    a, b = terms.bv_var("a", 4), terms.bv_var("b", 4)
    shapes = [terms.zext(a, 6), terms.sext(a, 6), terms.sext(a, 4), terms.concat(a, b)]
    shapes += [terms.extract(a, high, low) for high in range(4) for low in range(high + 1)]
    for shape in shapes:
        for seed in range(15):
            check(kind, Random(seed), shape, 4, 200)


@pytest.mark.parametrize("kind", KINDS)
def test_lattice(kind: str) -> None:
    for seed in range(150):
        random = Random(seed)
        a, b, c = (some(kind, random, 3) for _ in "abc")
        left, right = members(a), members(b)
        assert members(a.meet(b)) == left & right
        assert members(a.join(b)) >= left | right
        assert a.leq(b) == (left <= right)
        assert (a == b) == (left == right)
        assert a.join(b) == b.join(a)
        assert a.join(b).join(c) == a.join(b.join(c))
        assert a.join(a.meet(b)) == a == a.meet(a.join(b))
        assert a.is_empty == (not left)
        assert a.value == (next(iter(left)) if len(left) == 1 else None)


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_keep_what_satisfies_them(kind: str) -> None:
    for seed in range(200):
        random = Random(seed)
        a, b = some(kind, random, 3), some(kind, random, 3)
        for op in (Op.ULT, Op.SLT):
            if a.is_empty or b.is_empty:
                continue
            kept_a, kept_b = (members(side) for side in KINDS[kind].less(op, a, b))
            number = (lambda v: to_signed(v, 3)) if op is Op.SLT else int
            pairs = [(x, y) for x in members(a) for y in members(b) if number(x) < number(y)]
            assert {x for x, _ in pairs} <= kept_a <= members(a)
            assert {y for _, y in pairs} <= kept_b <= members(b)
        value = random.randrange(8)
        assert members(a) - {value} <= members(KINDS[kind].without(a, value)) <= members(a)


@pytest.mark.parametrize("kind", KINDS)
def test_terms_say_which_values_there_are(kind: str) -> None:
    terms = Terms()
    x = terms.bv_var("x", 3)
    for seed in range(100):
        value = some(kind, Random(seed), 3)
        claims = KINDS[kind].to_terms(terms, x, value)
        for one in range(8):
            assert all(map(Assignment({"x": one}).holds, claims)) == (one in value)


def test_an_interval_is_one_of_either_order() -> None:
    """Around 0 it is one of signed numbers, around 2**(w-1) one of unsigned numbers; neither becomes anything."""
    around_zero = wrapped((-3, 5), 8)
    assert around_zero.signed_hull == (-3, 5)
    assert around_zero.unsigned_hull == (0, 255)
    assert members(around_zero) == {*range(6), 253, 254, 255}
    middle = wrapped((120, 140), 8)
    assert middle.unsigned_hull == (120, 140)
    assert members(middle) == set(range(120, 141))
    assert wrapped((0, 255), 8) == full(8) == wrapped((-1000, 1000), 8)
    assert union([], 8) == empty(8)
    assert exactly(-1, 8).value == 255


def test_too_many_values_are_anything() -> None:
    many = SETS.of(frozenset(range(5)), 8)
    assert many == SETS.top(8)
    assert SETS.of(frozenset(range(2)), 1) == SETS.top(1)
    four = SETS.of(frozenset(range(4)), 8)
    assert four.join(SETS.constant(9, 8)) == SETS.top(8)
    assert sorted(four.meet(SETS.top(8)).values or ()) == [0, 1, 2, 3]
