"""Many assignments at once give what each of them gives alone."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import ARRAY, build, recipe, values

from threadproof.smt.batch import ArrayVector, CannotBatch, batch_of
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue
from threadproof.smt.term import Op, variables
from threadproof.smt.terms import Terms


@settings(max_examples=150)
@given(st.randoms(use_true_random=False))
def test_batch_and_evaluation_agree(random: Random) -> None:
    steps = recipe(random, widths=random.choice(((1, 2, 3, 5), (1, 2, 3, 32, 64))))
    made = build(Terms(), steps)
    assignments = [Assignment(values(random, steps)) for _ in range(6)]
    compared = 0
    for term in made:
        names = sorted(variables([term]), key=lambda v: v.name)
        try:
            batch = batch_of(assignments, names)
            found = batch.value(term)
        except CannotBatch:
            continue
        if batch.size < len(assignments):
            continue  # entries beyond the span
        compared += 1
        for row in batch.sound.nonzero()[0]:
            wanted = assignments[row].value(term)
            if isinstance(found, ArrayVector):
                assert isinstance(wanted, ArrayValue)
                assert all(int(found.cells[row, i]) == wanted.at(i) for i in range(1 << ARRAY.index))
            else:
                assert int(found[row]) == wanted, term
    assert compared


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_numbers_wider_than_a_word(random: Random) -> None:
    """As in comparisons of addresses, which must not wrap around."""
    terms = Terms()
    narrow, width = random.choice((8, 32, 64)), random.choice((65, 66, 96))
    x, y = terms.bv_var("x", narrow), terms.bv_var("y", narrow)
    wide = [terms.zext(x, width), terms.sext(y, width), terms.bv(random.randrange(1 << width), width)]
    for _ in range(4):
        op = random.choice((Op.ADD, Op.SUB, Op.MUL, Op.BVAND, Op.BVOR, Op.BVXOR))
        wide.append(terms.make(op, (random.choice(wide), random.choice(wide))))
    compared = [make(random.choice(wide), random.choice(wide)) for make in (terms.slt, terms.ult, terms.eq)]
    cut = [terms.extract(random.choice(wide), 40, 9) for _ in range(2)]
    assignments = [Assignment({v.name: random.randrange(1 << narrow) for v in (x, y)}) for _ in range(6)]
    batch = batch_of(assignments, (x, y))
    for term in (*wide, *compared, *cut):
        assert [int(one) for one in batch.numbers(term)] == [int(one.value(term)) for one in assignments], term


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_rows_can_be_taken_joined_and_read_back(random: Random) -> None:
    steps = recipe(random)
    made = build(Terms(), steps)
    names = sorted(variables(made), key=lambda v: v.name)
    assignments = [Assignment(values(random, steps)) for _ in range(5)]
    batch = batch_of(assignments, names)
    again = batch.take(batch.sound).joined(batch)
    assert again.size == 2 * batch.size
    for row in range(batch.size):
        assert all(_same(again.assignment(row).value(v), again.assignment(batch.size + row).value(v)) for v in names)


def _same(a: object, b: object) -> bool:
    return a.same(b, ARRAY.index) if isinstance(a, ArrayValue) and isinstance(b, ArrayValue) else a == b
