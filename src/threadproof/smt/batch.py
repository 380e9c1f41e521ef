"""The values of terms in many assignments at once: one operation on vectors for each term, where `evaluate` takes a
step for each term of each assignment.

Differs from `evaluate`: an array has values of its own at indices below `SPAN`, and one value everywhere else. An
assignment that stores elsewhere is lost, and counts as not `sound` from then on. There are no integers, no functions,
no floats, and no variable wider than 64 bits (`CannotBatch`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import BOOL, Array, BitVec, Op, Sort, Term, not_known

SPAN = 64
Vector = NDArray[Any]
"""Of bit-vectors as 64-bit numbers, or of truth values."""


class CannotBatch(Exception):
    """A term that there are no vectors for."""


@dataclass(frozen=True, slots=True, eq=False)
class ArrayVector:
    """One array for each assignment."""

    default: Vector
    cells: Vector  # assignments × SPAN

    def take(self, rows: Vector) -> ArrayVector:
        return ArrayVector(self.default[rows], self.cells[rows])


Column = Vector | ArrayVector


class ValueBatch:
    """Assignments as rows. Variables without a value are 0."""

    def __init__(self, size: int, values: Mapping[Term, Column]) -> None:
        self.size = size
        self.values = dict(values)
        self.sound: Vector = np.ones(size, dtype=np.bool_)
        self._known: dict[Term, Column] = dict(values)

    def value(self, term: Term) -> Column:
        found = self._known.get(term)
        if found is None:
            for part in not_known(term, self._known):
                self._known[part] = self._apply(part)
            found = self._known[term]
        return found

    def numbers(self, term: Term) -> Vector:
        """Of a bit-vector."""
        value = self.value(term)
        assert not isinstance(value, ArrayVector)
        return value

    def holds(self, formula: Term) -> Vector:
        return self.numbers(formula) & self.sound

    def take(self, rows: Vector) -> ValueBatch:
        """Some of them, by a mask or by numbers."""
        values = {v: c.take(rows) if isinstance(c, ArrayVector) else c[rows] for v, c in self.values.items()}
        size = int(rows.sum()) if rows.dtype == np.bool_ else len(rows)
        return ValueBatch(size, values)

    def updated(self, values: Mapping[Term, Column]) -> ValueBatch:
        return ValueBatch(self.size, {**self.values, **values})

    def joined(self, other: ValueBatch) -> ValueBatch:
        """Both, one after the other, with the variables of the first."""
        values = {v: _joined(column, other.value(v)) for v, column in self.values.items()}
        return ValueBatch(self.size + other.size, values)

    def assignment(self, row: int) -> Assignment:
        return Assignment({v.name: _scalar(column, row) for v, column in self.values.items()})

    def _apply(self, term: Term) -> Column:
        if term.op is Op.VAR:
            return zeros(term.sort, self.size)
        arguments = [self._known[arg] for arg in term.args]
        if _is_wide(term) or any(map(_is_wide, term.args)):
            return _in_wide(term, self.size, arguments)
        arrays = _ARRAYS.get(term.op)
        if arrays is not None and (term.op is not Op.EQ or isinstance(arguments[0], ArrayVector)):
            return arrays(self, term, arguments)
        numeric = _NUMERIC.get(term.op)
        if numeric is None:
            raise CannotBatch(term.op)
        return numeric(term, self.size, arguments)

    # --- arrays ------------------------------------------------------------------------------------------------------

    def _select(self, term: Term, arguments: Sequence[Any]) -> Column:
        array, index = arguments
        near: Vector = index < SPAN
        found: Vector = array.cells[np.arange(self.size), np.where(near, index, 0).astype(np.int64)]
        result: Vector = np.where(near, found, array.default)
        return result

    def _store(self, term: Term, arguments: Sequence[Any]) -> Column:
        array, index, value = arguments
        near = index < SPAN
        self.sound &= near
        cells = array.cells.copy()
        cells[np.arange(self.size)[near], index[near].astype(np.int64)] = value[near]
        return ArrayVector(array.default, cells)

    def _fill(self, term: Term, arguments: Sequence[Any]) -> Column:
        return ArrayVector(arguments[0], np.repeat(arguments[0][:, None], SPAN, axis=1))

    def _same(self, term: Term, arguments: Sequence[Any]) -> Column:
        (a, b), sort = arguments, term.args[0].sort
        assert isinstance(sort, Array)
        if 1 << sort.index <= SPAN:  # the default means nothing then
            return (a.cells == b.cells)[:, : 1 << sort.index].all(axis=1)
        return (a.default == b.default) & (a.cells == b.cells).all(axis=1)

    def _choose(self, term: Term, arguments: Sequence[Any]) -> Column:
        condition, a, b = arguments
        if not isinstance(a, ArrayVector):
            return cast("Vector", np.where(condition, a, b))
        cells = np.where(condition[:, None], a.cells, b.cells)
        return ArrayVector(np.where(condition, a.default, b.default), cells)


def zeros(sort: Sort, size: int) -> Column:
    if isinstance(sort, Array):
        return ArrayVector(np.zeros(size, dtype=np.uint64), np.zeros((size, SPAN), dtype=np.uint64))
    if sort is not BOOL and not (isinstance(sort, BitVec) and sort.width <= 64):
        raise CannotBatch(sort)
    return np.zeros(size, dtype=np.bool_ if sort is BOOL else np.uint64)


def batch_of(assignments: Sequence[Assignment], variables: Sequence[Term]) -> ValueBatch:
    """Those that can be said so."""
    found = [[one.value(v) for v in variables] for one in assignments]
    kept = [values for values in found if all(map(_fits, values))]
    columns = {v: _column(v.sort, [values[at] for values in kept]) for at, v in enumerate(variables)}
    return ValueBatch(len(kept), columns)


def _fits(value: Value) -> bool:
    return isinstance(value, int) or (isinstance(value, ArrayValue) and all(index < SPAN for index in value.entries))


def _column(sort: Sort, values: Sequence[Value]) -> Column:
    column = zeros(sort, len(values))
    if not isinstance(column, ArrayVector):
        column[:] = values
        return column
    for row, value in enumerate(values):
        assert isinstance(value, ArrayValue)
        column.default[row] = value.default
        column.cells[row] = value.default
        for index, entry in value.entries.items():
            column.cells[row, index] = entry
    return column


def _scalar(column: Column, row: int) -> Value:
    if isinstance(column, ArrayVector):
        default = int(column.default[row])
        return ArrayValue(default, {i: int(x) for i, x in enumerate(column.cells[row]) if int(x) != default})
    return int(column[row])


def _joined(a: Column, b: Column) -> Column:
    if isinstance(a, ArrayVector):
        assert isinstance(b, ArrayVector)
        return ArrayVector(np.concatenate((a.default, b.default)), np.concatenate((a.cells, b.cells)))
    return np.concatenate((a, b))  # type: ignore[arg-type]


# --- bit-vectors -----------------------------------------------------------------------------------------------------


def _mask(width: int) -> np.uint64:
    return np.uint64((1 << width) - 1)


def _signed(a: Vector, width: int) -> Vector:
    unused = np.uint64(64 - width)
    return (a << unused).view(np.int64) >> np.int64(64 - width)


def _negative(a: Vector, width: int) -> Vector:
    return (a >> np.uint64(width - 1)).astype(np.bool_)


def _size(a: Vector, width: int) -> Vector:
    """As a number without its sign."""
    return np.where(_negative(a, width), (~a + np.uint64(1)) & _mask(width), a)


def _signed_as(a: Vector, negative: Vector) -> Vector:
    return np.where(negative, ~a + np.uint64(1), a)


def _udiv(a: Vector, b: Vector, width: int) -> Vector:
    return np.where(b == 0, _mask(width), a // np.maximum(b, np.uint64(1)))


def _urem(a: Vector, b: Vector, width: int) -> Vector:
    return np.where(b == 0, a, a % np.maximum(b, np.uint64(1)))


def _sdiv(a: Vector, b: Vector, width: int) -> Vector:
    quotient = _udiv(_size(a, width), _size(b, width), width)
    signed = _signed_as(quotient, _negative(a, width) != _negative(b, width))
    return np.where(b == 0, np.where(_negative(a, width), np.uint64(1), _mask(width)), signed)


def _srem(a: Vector, b: Vector, width: int) -> Vector:
    return _signed_as(_urem(_size(a, width), _size(b, width), width), _negative(a, width))


def _shl(a: Vector, b: Vector, width: int) -> Vector:
    return np.where(b < width, a << np.minimum(b, np.uint64(63)), np.uint64(0))


def _lshr(a: Vector, b: Vector, width: int) -> Vector:
    return np.where(b < width, a >> np.minimum(b, np.uint64(63)), np.uint64(0))


def _ashr(a: Vector, b: Vector, width: int) -> Vector:
    return (_signed(a, width) >> np.minimum(b, np.uint64(63)).astype(np.int64)).view(np.uint64)


_TWO: dict[Op, Callable[[Vector, Vector, int], Vector]] = {
    Op.ADD: lambda a, b, w: a + b, Op.SUB: lambda a, b, w: a - b, Op.MUL: lambda a, b, w: a * b,
    Op.UDIV: _udiv, Op.UREM: _urem, Op.SDIV: _sdiv, Op.SREM: _srem, Op.SHL: _shl, Op.LSHR: _lshr, Op.ASHR: _ashr,
    Op.BVAND: lambda a, b, w: a & b, Op.BVOR: lambda a, b, w: a | b, Op.BVXOR: lambda a, b, w: a ^ b,
}  # fmt: skip
_COMPARE: dict[Op, Callable[[Vector, Vector, int], Vector]] = {
    Op.ULT: lambda a, b, w: a < b,
    Op.SLT: lambda a, b, w: _signed(a, w) < _signed(b, w),
    Op.EQ: lambda a, b, w: a == b,
}


def _two(term: Term, size: int, values: Sequence[Any]) -> Vector:
    width = term.args[0].width
    return _TWO[term.op](values[0], values[1], width) & _mask(width)


# --- wider than 64 bits: numbers of Python, for few and small terms ---------------------------------------------------

_WIDE: dict[Op, Callable[[Any, Any], Any]] = {
    Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
    Op.BVAND: lambda a, b: a & b, Op.BVOR: lambda a, b: a | b, Op.BVXOR: lambda a, b: a ^ b,
    Op.ULT: lambda a, b: a < b, Op.EQ: lambda a, b: a == b,
}  # fmt: skip


def _is_wide(term: Term) -> bool:
    return isinstance(term.sort, BitVec) and term.sort.width > 64


def _in_wide(term: Term, size: int, values: Sequence[Any]) -> Vector:
    if term.op is Op.VALUE:
        return np.full(size, term.value, dtype=object)
    found = _of_wide(term, [value.astype(object) for value in values])
    if term.sort is BOOL:
        return found.astype(np.bool_)
    found = found & ((1 << term.width) - 1)
    return found if _is_wide(term) else found.astype(np.uint64)


def _of_wide(term: Term, values: list[Vector]) -> Vector:
    """Perhaps more bits than it has."""
    width = term.args[0].width
    match term.op:
        case Op.ZEXT:
            return values[0]
        case Op.SEXT:
            return _signed_wide(values[0], width)
        case Op.EXTRACT if isinstance(term.params[1], int):
            return values[0] >> term.params[1]
        case Op.NEG:
            return -values[0]
        case Op.BVNOT:
            return ~values[0]
        case Op.CONCAT:
            return (values[0] << term.args[1].width) | values[1]
        case Op.SHL if term.args[1].op is Op.VALUE:
            return values[0] << min(term.args[1].value, width)
        case Op.SLT:
            return _signed_wide(values[0], width) < _signed_wide(values[1], width)
        case op if op in _WIDE:
            found: Vector = _WIDE[op](*values)
            return found
        case _:
            raise CannotBatch(term.op)


def _signed_wide(a: Vector, width: int) -> Vector:
    return (a ^ (1 << (width - 1))) - (1 << (width - 1))


def _compare(term: Term, size: int, values: Sequence[Any]) -> Vector:
    sort = term.args[0].sort
    return _COMPARE[term.op](values[0], values[1], sort.width if isinstance(sort, BitVec) else 1)


def _extract(term: Term, size: int, values: Sequence[Any]) -> Vector:
    low = term.params[1]
    assert isinstance(low, int)
    return (values[0] >> np.uint64(low)) & _mask(term.width)


_NUMERIC: dict[Op, Callable[[Term, int, Sequence[Any]], Vector]] = {
    Op.TRUE: lambda t, n, v: np.ones(n, dtype=np.bool_),
    Op.FALSE: lambda t, n, v: np.zeros(n, dtype=np.bool_),
    Op.VALUE: lambda t, n, v: np.full(n, t.value, dtype=np.uint64),
    Op.NOT: lambda t, n, v: ~v[0],
    Op.AND: lambda t, n, v: np.logical_and.reduce(v),
    Op.OR: lambda t, n, v: np.logical_or.reduce(v),
    Op.BVNOT: lambda t, n, v: ~v[0] & _mask(t.width),
    Op.NEG: lambda t, n, v: (~v[0] + np.uint64(1)) & _mask(t.width),
    Op.CONCAT: lambda t, n, v: (v[0] << np.uint64(t.args[1].width)) | v[1],
    Op.EXTRACT: _extract,
    Op.ZEXT: lambda t, n, v: v[0],
    Op.SEXT: lambda t, n, v: _signed(v[0], t.args[0].width).view(np.uint64) & _mask(t.width),
    **dict.fromkeys(_TWO, _two),
    **dict.fromkeys(_COMPARE, _compare),
}
_ARRAYS: dict[Op, Callable[[ValueBatch, Term, Sequence[Any]], Column]] = {
    Op.SELECT: ValueBatch._select,  # pyright: ignore[reportPrivateUsage]
    Op.STORE: ValueBatch._store,  # pyright: ignore[reportPrivateUsage]
    Op.FILL: ValueBatch._fill,  # pyright: ignore[reportPrivateUsage]
    Op.EQ: ValueBatch._same,  # pyright: ignore[reportPrivateUsage]
    Op.ITE: ValueBatch._choose,  # pyright: ignore[reportPrivateUsage]
}
