"""Modules over Z/2**width: the Howell normal form of a matrix, and what it makes easy.

Paper: Howell, "Spans in the module (Z_m)^s", Linear and Multilinear Algebra 1986; as in Elder, Lim, Sharma, Andersen
and Reps, "Abstract domains of affine relations", TOPLAS 2014, sections 2 and 3.

Differs: rows are of numpy's 64-bit integers, which wrap around by themselves, and a column is eliminated from all
rows at once.

Invariants: Z/2**w is no field: an even pivot has no inverse, and a row times 2**k loses its leading entry but perhaps
not the others. So a pivot is the entry with the fewest factors 2 in its column, made a power of 2, and the row times
what makes its leading entry vanish is a row of the rest. Then every row of the module whose first k entries are 0 is
a combination of the rows of the form whose first k entries are 0 (the Howell property), and the form is unique.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.uint64]
Places = NDArray[np.int64]


def matrix(rows: list[list[int]], columns: int, width: int) -> Matrix:
    mask = (1 << width) - 1
    return np.array([[entry & mask for entry in row] for row in rows], dtype=np.uint64).reshape(len(rows), columns)


def howell(rows: Matrix, width: int) -> Matrix:
    """The normal form: the same module always has the same."""
    mask = np.uint64((1 << width) - 1)
    work, done = rows & mask, 0
    pivots: list[int] = []
    for column in range(rows.shape[1]):
        there = done + np.flatnonzero(work[done:, column])
        if not there.size:
            continue
        others = _pivot(work, done, there, column, width)
        pivot = work[done]
        power = int(pivot[column])
        if others.size:
            factors = work[others, column] // np.uint64(power)
            work[others] = (work[others] - factors[:, None] * pivot) & mask
        if power != 1:
            work = np.vstack((work, (pivot * complement(power, width)) & mask))
        pivots.append(column)
        done += 1
    return _reduced(work[:done], pivots, mask)


def _pivot(work: Matrix, start: int, there: Places, column: int, width: int) -> Places:
    """The row with the fewest factors 2 in this column comes to `start`, its entry made a power of 2.

    Given and returned are the rows that have an entry there, returned without this one."""
    best = int(there[0])
    if there.size > 1:
        entries = work[there, column]
        best = int(there[np.argmin(entries & (~entries + np.uint64(1)))])
    others = there[there != best]
    if best != start:
        work[[start, best]] = work[[best, start]]
        others[others == start] = best
    entry = int(work[start, column])
    unit = entry // (entry & -entry)
    if unit != 1:
        work[start] = (work[start] * np.uint64(pow(unit, -1, 1 << width))) & np.uint64((1 << width) - 1)
    return others


def complement(power: int, width: int) -> np.uint64:
    """Which times the power of 2 is 0."""
    return np.uint64((1 << width) // power & ((1 << 64) - 1))


def _reduced(rows: Matrix, pivots: list[int], mask: np.uint64) -> Matrix:
    """Entries above a pivot are at most half of it, or so much less than 0: `a - b` is easier for people and solvers
    than `a + (2**30 - 1) * b`, which may be the same where `b` is known to be divisible."""
    for index, column in enumerate(pivots):
        power = rows[index, column]
        factors = rows[:index, column] // power
        factors += (rows[:index, column] % power) * np.uint64(2) > power
        there = np.flatnonzero(factors)
        if there.size:
            rows[there] = (rows[there] - factors[there, None] * rows[index]) & mask
    return rows


def leading(rows: Matrix) -> list[int]:
    """The column of each row's first entry that is not 0."""
    return [int(column) for column in (rows != 0).argmax(axis=1)] if len(rows) else []


def contains(form: Matrix, rows: Matrix, width: int) -> bool:
    """Whether all rows belong to the module of a normal form."""
    mask, rest = np.uint64((1 << width) - 1), rows.copy()
    for pivot, column in zip(form, leading(form), strict=True):
        rest -= (rest[:, column] // pivot[column])[:, None] * pivot
        rest &= mask
    return not rest.any()


def intersection(a: Matrix, b: Matrix, width: int) -> Matrix:
    """Of two modules: of all rows (x | y) with x in a + b and, where x is 0, y in both (Zassenhaus)."""
    columns = a.shape[1]
    stacked = np.vstack((np.hstack((a, a)), np.hstack((b, np.zeros_like(b)))))
    return without(howell(stacked, width), columns)


def without(form: Matrix, columns: int) -> Matrix:
    """The rows of a normal form whose first entries are 0, cut: a normal form again, by the Howell property."""
    return form[[not row[:columns].any() for row in form], columns:]


def vanishing(form: Matrix, point: Matrix, width: int) -> Matrix:
    """The rows of the module that are 0 at a point (a column vector).

    The row with the least power of 2 in its value takes it away from the others, and stays itself, times what makes it
    0. To drop it loses what is known modulo smaller powers of 2, such as parity.
    """
    mask = np.uint64((1 << width) - 1)
    values = (form @ point) & mask
    lowest = values & (~values + np.uint64(1))
    found = np.flatnonzero(lowest)
    if not found.size:
        return form
    best = int(found[np.argmin(lowest[found])])
    power, unit = int(lowest[best]), int(values[best]) // int(lowest[best])
    factors = (values // np.uint64(power)) * np.uint64(pow(unit, -1, 1 << width))
    rows = (form - factors[:, None] * form[best]) & mask
    rows[best] = (form[best] * complement(power, width)) & mask
    return howell(rows, width)
