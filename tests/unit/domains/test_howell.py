"""Modules over Z/2**w against all their rows: the form is one for each module, and tells what belongs to it."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from threadproof.domains.howell import Matrix, contains, howell, intersection, leading, matrix, vanishing, without

Row = tuple[int, ...]


def module(rows: Matrix, width: int) -> set[Row]:
    """All combinations of the rows."""
    size = 1 << width
    found = {(0,) * rows.shape[1]}
    for row in rows.tolist():
        multiples = {tuple(times * entry % size for entry in row) for times in range(size)}
        found = {tuple((x + y) % size for x, y in zip(a, b, strict=True)) for a in found for b in multiples}
    return found


def some(random: Random, columns: int, width: int) -> Matrix:
    """Even entries are frequent, in the first column above all: they are what makes it no vector space."""
    rows = [
        [random.randrange(1 << width) << random.choice((0, 0, 1, 2)) for _ in range(columns)]
        for _ in range(random.randrange(1, 4))
    ]
    if random.random() < 0.4:
        rows = [[entry << (not place) for place, entry in enumerate(row)] for row in rows[:2]]
    return matrix(rows, columns, width)


CASES = [(seed, 3, width) for width in (1, 2, 3) for seed in range(25)] + [(seed, 2, 4) for seed in range(20)]


@pytest.mark.parametrize("part", range(5))
def test_the_form_is_of_the_same_module_and_has_the_howell_property(part: int) -> None:
    for seed, columns, width in CASES[part::5]:
        rows = some(Random(seed), columns, width)
        form, members = howell(rows, width), module(rows, width)
        assert module(form, width) == members
        assert len(form) <= columns
        pivots = leading(form)
        assert pivots == sorted(set(pivots))
        assert all(int(form[i, c]).bit_count() == 1 for i, c in enumerate(pivots))
        for first in range(columns + 1):
            behind = {row[first:] for row in members if not any(row[:first])}
            assert module(without(form, first), width) == behind if first < columns else behind == {()}


def test_equal_modules_have_equal_forms() -> None:
    known: dict[tuple[int, frozenset[Row]], list[list[int]]] = {}
    repeated = 0
    for seed in range(600):
        width = 1 + seed % 3
        rows = some(Random(seed), 2, width)
        key = (width, frozenset(module(rows, width)))
        form = howell(rows, width).tolist()
        repeated += key in known
        assert known.setdefault(key, form) == form
    assert repeated > 100


def test_membership_and_intersection() -> None:
    for seed, columns, width in CASES[::2]:
        random = Random(seed + 1000)
        a, b = (howell(some(random, columns, width), width) for _ in "ab")
        members = module(a, width)
        for row in product(range(1 << width), repeat=columns) if columns * width < 8 else ():
            assert contains(a, matrix([list(row)], columns, width), width) == (row in members)
        both = intersection(a, b, width)
        assert module(both, width) == members & module(b, width)
        assert howell(both, width).tolist() == both.tolist()


def test_rows_that_vanish_at_a_point() -> None:
    for seed, columns, width in CASES[::2]:
        random = Random(seed + 2000)
        form = howell(some(random, columns, width), width)
        point = [random.randrange(1 << width) for _ in range(columns)]
        members = module(form, width)
        expected = {row for row in members if sum(x * y for x, y in zip(row, point, strict=True)) % (1 << width) == 0}
        assert module(vanishing(form, np.array(point, dtype=np.uint64), width), width) == expected


def test_an_even_value_does_not_cost_the_row() -> None:
    """The measured pitfall: `x = 0`, then x is 4. Without the row times 2**(w-2), x may be anything afterwards."""
    form = howell(matrix([[1, 0]], 2, 32), 32)
    rows = vanishing(form, np.array([4, 1], dtype=np.uint64), 32)
    assert rows.tolist() == [[1 << 30, 0]]


def test_wide_numbers_wrap_around() -> None:
    form = howell(matrix([[2**63 + 2, 6], [3, 2**64 - 1]], 2, 64), 64)
    assert contains(form, matrix([[2**63 + 5, 5]], 2, 64), 64)
    assert form[0, 0] == 1


def test_entries_above_a_pivot_are_small_on_both_sides_of_zero() -> None:
    """`4 n = size`, where 4 divides the size: not `4 n + (2**30 - 1) size = 0`."""
    rows = [[4, 2**30 - 1, 0], [0, 2**30, 0]]  # n, size, 1
    assert howell(matrix(rows, 3, 32), 32).tolist() == [[4, 2**32 - 1, 0], [0, 2**30, 0]]
