"""Terms as sums, against their values: also where wider numbers are on the way."""

from __future__ import annotations

from random import Random

from threadproof.domains.affine import ONE, Affine
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

WIDTH, WIDE = 4, 9


def wide(terms: Terms, random: Random, x: Term, y: Term, deep: int) -> Term:
    """Of WIDE bits."""
    if not deep or random.random() < 0.2:
        value = terms.bv(random.randrange(1 << WIDE), WIDE)
        return random.choice((terms.zext(x, WIDE), terms.sext(y, WIDE), value))
    a, b = (wide(terms, random, x, y, deep - 1) for _ in "ab")
    op = random.choice((Op.ADD, Op.SUB, Op.MUL, Op.SHL, Op.BVAND))
    return terms.make(op, (a, b))


def test_sums_have_the_values_of_terms() -> None:
    found = 0
    for seed in range(400):
        random, terms = Random(seed), Terms()
        x, y = terms.bv_var("x", WIDTH), terms.bv_var("y", WIDTH)
        term = terms.extract(wide(terms, random, x, y, 3), WIDTH - 1, 0)
        total = Affine({x: 0, y: 1}, WIDTH).of(term)
        if total is None:
            continue
        found += 1
        for _ in range(8):
            values = [random.randrange(1 << WIDTH) for _ in "xy"]
            state = Assignment({"x": values[0], "y": values[1]})
            by_sum = total.get(ONE, 0) + sum(total.get(index, 0) * value for index, value in enumerate(values))
            assert state.number(term) == by_sum % (1 << WIDTH)
    assert found > 100
