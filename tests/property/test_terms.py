"""Simplification at construction keeps the value; terms are shared and numbered in order."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import ARRAY, Theory, build, recipe, values

from threadproof.core.errors import InternalError
from threadproof.smt import rules
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import Op, Term, bitvec, in_order, variables
from threadproof.smt.terms import Rewriting, Terms


def same_meaning(random: Random, *, assignments: int = 8) -> None:
    steps = recipe(random, theory=random.choice(list(Theory)))
    plain, short = build(Terms(Rewriting.NONE), steps), build(Terms(), steps)
    for _ in range(assignments):
        given_values = values(random, steps)
        one, other = Assignment(given_values), Assignment(given_values)
        for step, a, b in zip(steps, plain, short, strict=True):
            assert a.sort == b.sort
            assert same(one.value(a), other.value(b)), step


def same(a: Value, b: Value) -> bool:
    return a.same(b, ARRAY.index) if isinstance(a, ArrayValue) and isinstance(b, ArrayValue) else a == b


@settings(max_examples=150)
@given(st.randoms(use_true_random=False))
def test_simplification_keeps_the_meaning(random: Random) -> None:
    same_meaning(random)


@pytest.mark.slow
def test_simplification_keeps_the_meaning_of_many_terms() -> None:
    for seed in range(20_000):
        same_meaning(Random(seed), assignments=4)


def test_random_terms_reach_every_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the tests above would say nothing about it."""
    fired: Counter[Op] = Counter()

    def counted(op: Op, rule: object) -> object:
        def counting(*args: object) -> object:
            result = rule(*args)  # type: ignore[operator]
            fired[op] += result is not None
            return result

        return counting

    known = dict(rules._RULES)
    monkeypatch.setattr(rules, "_RULES", {op: counted(op, rule) for op, rule in known.items()})
    for seed in range(300):
        build(Terms(), recipe(Random(seed), theory=list(Theory)[seed % 2]))
    assert {op for op in known if not fired[op]} == set()


def test_equal_terms_are_the_same_object_with_numbers_that_repeat() -> None:
    def made() -> list[Term]:
        return build(Terms(), recipe(Random(7)))

    one, other = made(), made()
    assert [t.id for t in one] == [t.id for t in other]
    terms = Terms()
    x, y = terms.bv_var("x", 8), terms.bv_var("y", 8)
    assert terms.add(x, y) is terms.add(y, x)
    assert terms.ule(x, y) is terms.not_(terms.ult(y, x))
    assert all(arg.id < term.id for term in in_order(one) for arg in term.args)


def bits(terms: Terms, name: str = "x", width: int = 8) -> Term:
    return terms.bv_var(name, width)


def test_what_folds() -> None:
    t = Terms()
    x, y, p, q = bits(t), bits(t, "y"), t.bool_var("p"), t.bool_var("q")
    truth = t.ite(p, t.bv(1, 1), t.bv(0, 1))
    assert t.eq(truth, t.bv(1, 1)) is p
    assert t.ne(t.zext(truth, 32), t.bv(0, 32)) is p
    assert t.and_(p, t.not_(p)) is t.false
    assert t.or_(p, q, t.not_(q)) is t.true
    assert t.and_(p, t.or_(p, q)) is p
    assert t.ite(p, t.ite(p, x, y), y) is t.ite(p, x, y)
    assert t.ite(p, x, t.ite(q, x, y)) is t.ite(t.or_(p, q), x, y)
    assert t.extract(t.concat(x, y), 7, 0) is y
    assert t.concat(t.extract(x, 7, 4), t.extract(x, 3, 0)) is x
    assert t.sub(t.add(x, t.bv(3, 8)), t.bv(3, 8)) is x
    assert t.implies(p, p) is t.true


def test_reads_see_through_writes_elsewhere() -> None:
    t = Terms()
    memory, base = t.fill(t.bv(0, 8), 8), bits(t)
    for offset in range(3000):  # longer than any recursion
        memory = t.store(memory, t.add(base, t.bv(offset % 200, 8)), t.bv(offset, 8))
    assert t.select(memory, t.add(base, t.bv(7, 8))).value == 2807 & 255
    unknown = t.store(memory, bits(t, "y"), t.bv(1, 8))
    assert t.select(unknown, base).op is Op.SELECT


def test_deep_terms_need_no_deep_stack() -> None:
    t = Terms()
    x, p = bits(t, width=32), t.bool_var("p")
    count = x
    for _ in range(5000):
        count = t.ite(p, t.bv(0, 32), t.add(t.make(Op.BVXOR, (count, t.bv(1, 32))), t.bv(1, 32)))
    equal = t.eq(count, t.bv(5, 32))
    assert Assignment({"p": 1}).holds(equal) is False
    (swapped,) = t.substitute([equal], {x: t.bv(9, 32), p: t.false})
    assert swapped in (t.true, t.false)
    assert variables([equal]) == [x, p]


def test_what_is_not_well_sorted_is_refused() -> None:
    t = Terms()
    for op, args in ((Op.ADD, (bits(t), bits(t, "w", 4))), (Op.NOT, (bits(t),)), (Op.EQ, (bits(t), t.true))):
        with pytest.raises(InternalError, match="no such term"):
            t.make(op, args)
    with pytest.raises(InternalError, match="two sorts"):
        t.var("x", bitvec(9))


@pytest.mark.parametrize("factor", [1, 2, 3, 4, 7, 12, 15])
def test_a_product_that_does_not_fit(factor: int) -> None:
    """With all numbers; and it is left alone where the wide product may not fit either."""
    terms = Terms()
    x = terms.bv_var("x", 4)
    for width in (6, 8):
        narrow = terms.zext(terms.make(Op.MUL, (x, terms.bv(factor, 4))), width)
        wide = terms.make(Op.MUL, (terms.zext(x, width), terms.bv(factor, width)))
        for value in range(16):
            does_not_fit = (value * factor) % 16 < (value * factor) % 2**width
            assert Assignment({"x": value}).holds(terms.ult(narrow, wide)) == does_not_fit
