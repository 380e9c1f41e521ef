"""Intervals of bit-vectors: one of the numbers without sign bit and one of those with it.

That is as much as an interval of unsigned and one of signed numbers together say, and needs no reduction between
them: signed it reads negative, then non-negative; unsigned the other way round; and wrapping around the end of either
order is not the end of the other.

Invariants: `plain` lies within [0, 2**(w-1)), `signed` within [2**(w-1), 2**w), both as unsigned numbers; None is
empty. Join and meet are those of each half, so this is a lattice, and equal sets are equal values. A Boolean is one
bit.

Differs from wrapped intervals (Navas et al., "Signedness-agnostic program analysis", APLAS 2012): those are one arc
of the circle, which is no lattice (joins depend on their order).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from threadproof.domains import pieces
from threadproof.domains.pieces import Range
from threadproof.smt.term import BitVec, Op, Term
from threadproof.smt.terms import Terms


@dataclass(frozen=True, slots=True)
class BitInterval:
    width: int
    plain: Range | None
    signed: Range | None

    @property
    def is_empty(self) -> bool:
        return self.plain is None and self.signed is None

    def __contains__(self, value: int) -> bool:
        return any(low <= value <= high for low, high in self.ranges())

    def ranges(self) -> Iterator[Range]:
        """As unsigned numbers, ascending."""
        for part in (self.plain, self.signed):
            if part is not None:
                yield part

    def signed_ranges(self) -> Iterator[Range]:
        size = 1 << self.width
        if self.signed is not None:
            yield self.signed[0] - size, self.signed[1] - size
        if self.plain is not None:
            yield self.plain

    @property
    def unsigned_hull(self) -> Range:
        """Of one that is not empty."""
        found = list(self.ranges())
        return found[0][0], found[-1][1]

    @property
    def signed_hull(self) -> Range:
        found = list(self.signed_ranges())
        return found[0][0], found[-1][1]

    def join(self, other: BitInterval) -> BitInterval:
        return BitInterval(self.width, _hull(self.plain, other.plain), _hull(self.signed, other.signed))

    def meet(self, other: BitInterval) -> BitInterval:
        return BitInterval(self.width, _both(self.plain, other.plain), _both(self.signed, other.signed))

    def leq(self, other: BitInterval) -> bool:
        return self.join(other) == other

    @property
    def value(self) -> int | None:
        """The only one there is."""
        found = list(self.ranges())
        return found[0][0] if len(found) == 1 and found[0][0] == found[0][1] else None


def _hull(a: Range | None, b: Range | None) -> Range | None:
    return b if a is None else a if b is None else (min(a[0], b[0]), max(a[1], b[1]))


def _both(a: Range | None, b: Range | None) -> Range | None:
    if a is None or b is None:
        return None
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def full(width: int) -> BitInterval:
    half = 1 << (width - 1)
    return BitInterval(width, (0, half - 1), (half, 2 * half - 1))


def empty(width: int) -> BitInterval:
    return BitInterval(width, None, None)


def exactly(value: int, width: int) -> BitInterval:
    return wrapped((value, value), width)


def wrapped(part: Range, width: int) -> BitInterval:
    """The bit-vectors of a range of integers."""
    size = 1 << width
    low, high = part
    if high - low >= size:
        return full(width)
    low, high = low % size, low % size + (high - low)
    first = _split(low, min(high, size - 1), width)
    return first if high < size else first.join(_split(0, high - size, width))


def _split(low: int, high: int, width: int) -> BitInterval:
    half = 1 << (width - 1)
    plain = (low, min(high, half - 1)) if low < half else None
    signed = (max(low, half), high) if high >= half else None
    return BitInterval(width, plain, signed)


def union(parts: Iterable[Range], width: int) -> BitInterval:
    result = empty(width)
    for part in parts:
        result = result.join(wrapped(part, width))
    return result


# --- operations ------------------------------------------------------------------------------------------------------

Operation = Callable[[BitInterval, BitInterval, int], BitInterval]


def _pairwise(operation: Callable[[Range, Range], Range], *, signed: bool = False) -> Operation:
    """By halves, read with or without a sign."""

    def apply(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
        left, right = (list(side.signed_ranges() if signed else side.ranges()) for side in (a, b))
        return union((operation(x, y) for x in left for y in right), width)

    return apply


def _udiv(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
    """By 0 it is all ones."""
    found = exactly(-1, width) if 0 in b else empty(width)
    divisors = [(max(low, 1), high) for low, high in b.ranges() if high]
    parts = (pieces.corners(lambda x, y: x // y, x, y) for x in a.ranges() for y in divisors)
    return found.join(union(parts, width))


def _urem(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
    """By 0 it is the number itself, as it is by anything larger."""
    found = a if 0 in b else empty(width)
    for part in a.ranges():
        for low, high in b.ranges():
            if high:
                largest = min(part[1], high - 1)
                found = found.join(wrapped(part if part[1] < low else (0, largest), width))
    return found


def _sdiv(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
    """By 0 it is 1 of negative numbers and -1 of others."""
    found = empty(width)
    if 0 in b:
        by_zero = [1] * (a.signed is not None) + [-1] * (a.plain is not None)
        found = union(((value, value) for value in by_zero), width)
    divisors = [part for low, high in b.signed_ranges() for part in ((low, min(high, -1)), (max(low, 1), high))]
    usable = [part for part in divisors if part[0] <= part[1]]
    parts = (pieces.corners(pieces.truncated, x, y) for x in a.signed_ranges() for y in usable)
    return found.join(union(parts, width))


def _srem(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
    """The sign is that of the dividend; less than either operand."""
    found = a if 0 in b else empty(width)
    for low, high in b.signed_ranges():
        most = max(abs(low), abs(high)) - 1
        if most < 0:
            continue
        for x, y in a.signed_ranges():
            reach = min(most, max(abs(x), abs(y)))
            found = found.join(wrapped((-reach, 0) if y < 0 else (0, reach), width))
    return found


def _shifts(operation: Callable[[int, int], int], *, signed: bool) -> Operation:
    def apply(a: BitInterval, b: BitInterval, width: int) -> BitInterval:
        """Amounts of the width or more are the width: SMT-LIB leaves the fill."""
        amounts = [(min(low, width), min(high, width)) for low, high in b.ranges()]
        parts = a.signed_ranges() if signed else a.ranges()
        return union((pieces.corners(operation, x, y) for x in parts for y in amounts), width)

    return apply


_OPERATIONS: dict[Op, Operation] = {
    Op.ADD: _pairwise(pieces.add),
    Op.SUB: _pairwise(pieces.subtract),
    Op.MUL: _pairwise(pieces.multiply, signed=True),
    Op.UDIV: _udiv,
    Op.UREM: _urem,
    Op.SDIV: _sdiv,
    Op.SREM: _srem,
    Op.SHL: _shifts(lambda x, y: x << y, signed=True),
    Op.LSHR: _shifts(lambda x, y: x >> y, signed=False),
    Op.ASHR: _shifts(lambda x, y: x >> y, signed=True),
    Op.BVAND: _pairwise(pieces.bit_and),
    Op.BVOR: _pairwise(pieces.bit_or),
    Op.BVXOR: _pairwise(pieces.bit_xor),
}


# --- as a domain of values -------------------------------------------------------------------------------------------


class Intervals:
    """`box.ValueDomain` of intervals."""

    def top(self, width: int) -> BitInterval:
        return full(width)

    def bottom(self, width: int) -> BitInterval:
        return empty(width)

    def constant(self, value: int, width: int) -> BitInterval:
        return exactly(value, width)

    def apply(self, term: Term, args: list[BitInterval]) -> BitInterval:
        """Of operands none of which is empty. Operations without a rule give anything."""
        width = _width(term)
        match term.op, args:
            case op, [a, b] if op in _OPERATIONS:
                return _OPERATIONS[op](a, b, width)
            case Op.NEG, [a]:
                return _OPERATIONS[Op.SUB](exactly(0, width), a, width)
            case Op.BVNOT, [a]:
                return _OPERATIONS[Op.SUB](exactly(-1, width), a, width)
            case Op.ZEXT, [a]:
                return union(a.ranges(), width)
            case Op.SEXT, [a]:
                return union(a.signed_ranges(), width)
            case Op.EXTRACT, [a]:
                low = int(term.params[1])
                return union(((x >> low, y >> low) for x, y in a.ranges()), width)
            case Op.CONCAT, [a, b]:
                move = term.args[1].width
                parts = (((x << move) + u, (y << move) + v) for x, y in a.ranges() for u, v in b.ranges())
                return union(parts, width)
            case _:
                return self._condition(term, args) or full(width)

    def _condition(self, term: Term, args: list[BitInterval]) -> BitInterval | None:
        match term.op, args:
            case Op.EQ, [a, b]:
                possible, certain = not a.meet(b).is_empty, a.value is not None and a.value == b.value
                return _truth(possible, certain)
            case Op.ULT, [a, b]:
                return _less(a.unsigned_hull, b.unsigned_hull)
            case Op.SLT, [a, b]:
                return _less(a.signed_hull, b.signed_hull)
            case _:
                return None

    def less(self, op: Op, a: BitInterval, b: BitInterval) -> tuple[BitInterval, BitInterval]:
        """What is left of both where a < b, unsigned (ULT) or signed (SLT)."""
        if op is Op.ULT:
            below, above = wrapped_or_empty((0, b.unsigned_hull[1] - 1), a.width), a.unsigned_hull[0] + 1
            return a.meet(below), b.meet(wrapped_or_empty((above, (1 << a.width) - 1), a.width))
        half = 1 << (a.width - 1)
        below, above = wrapped_or_empty((-half, b.signed_hull[1] - 1), a.width), a.signed_hull[0] + 1
        return a.meet(below), b.meet(wrapped_or_empty((above, half - 1), a.width))

    def without(self, a: BitInterval, value: int) -> BitInterval:
        """What is left where it is not this value: an end of a half is cut off."""
        return BitInterval(a.width, _cut(a.plain, value), _cut(a.signed, value))

    def to_terms(self, terms: Terms, term: Term, value: BitInterval) -> list[Term]:
        """What holds of the term; unsigned or signed, whichever is shorter."""
        width = value.width
        if value.is_empty:
            return [terms.false]
        if value.value is not None:
            return [terms.eq(term, terms.bv(value.value, width))]
        low, high = value.unsigned_hull
        least, most = value.signed_hull
        ends = [
            terms.ule(terms.bv(low, width), term),
            terms.ule(term, terms.bv(high, width)),
            terms.sle(terms.bv(least, width), term),
            terms.sle(term, terms.bv(most, width)),
        ]
        if value.plain is None or value.signed is None:
            ends = ends[:2]  # both orders say the same
        return [end for end in ends if end is not terms.true]


def _width(term: Term) -> int:
    return term.sort.width if isinstance(term.sort, BitVec) else 1


def wrapped_or_empty(part: Range, width: int) -> BitInterval:
    return wrapped(part, width) if part[0] <= part[1] else empty(width)


def _truth(possible: bool, certain: bool) -> BitInterval:
    return full(1) if possible and not certain else exactly(int(possible), 1)


def _less(a: Range, b: Range) -> BitInterval:
    return _truth(a[0] < b[1], a[1] < b[0])


def _cut(part: Range | None, value: int) -> Range | None:
    if part is None or part == (value, value):
        return None
    low, high = part
    return (low + (low == value), high - (high == value))
