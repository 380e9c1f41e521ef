"""Sets of bit patterns, and the patterns for which a condition on one value holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, Reg

Intervals = tuple[tuple[int, int], ...]
"""A set of bit patterns: disjoint closed intervals, ascending."""

CHOICE = "?"  # the register that stands for the value in question


class Conditions:
    """Conditions on a value of `width` bits, written as the register CHOICE."""

    def __init__(self, width: int) -> None:
        self._width = width

    def solve(self, condition: Expr | None) -> Intervals | None:
        """The patterns for which a condition holds, None if it is not of a form we can solve."""
        match condition:
            case Const():
                return ((0, (1 << self._width) - 1),) if condition.value else ()
            case Binary(op=BinaryOp.AND) if condition.width == 1:
                return _both(intersect, self.solve(condition.left), self.solve(condition.right))
            case Binary(op=BinaryOp.OR) if condition.width == 1:
                return _both(union, self.solve(condition.left), self.solve(condition.right))
            case Binary(op=BinaryOp.XOR) if condition.right == Const(1, 1):
                inner = self.solve(condition.left)
                return None if inner is None else complement(inner, self._width)
            case Compare():
                return self._compare(condition)
            case _:
                return None

    def _compare(self, condition: Compare) -> Intervals | None:
        if isinstance(condition.right, Const):
            return self._against(condition.op, condition.left, condition.right.value, choice_first=True)
        if isinstance(condition.left, Const):
            return self._against(condition.op, condition.right, condition.left.value, choice_first=False)
        return None

    def _against(self, op: CompareOp, side: Expr, constant: int, *, choice_first: bool) -> Intervals | None:
        """Patterns v of the choice with `side(v) op constant` (or the other way round), `side` monotone in v."""
        outer = side.width
        pieces = self._pieces(side)
        if pieces is None:
            return None
        found: list[Intervals] = []
        for low, high, offset in pieces:  # on this piece the side's pattern is v + offset
            wanted = _compared(op, constant, outer, choice_first)
            inside = intersect(wanted, ((low + offset, high + offset),))
            found.append(tuple((a - offset, b - offset) for a, b in inside))
        return union(*found)

    def _pieces(self, side: Expr) -> list[tuple[int, int, int]] | None:
        top = (1 << self._width) - 1
        match side:
            case Reg() if side.name == CHOICE:
                return [(0, top, 0)]
            case Convert(op=ConvertOp.ZEXT) if side.operand == Reg(CHOICE, self._width):
                return [(0, top, 0)]
            case Convert(op=ConvertOp.SEXT) if side.operand == Reg(CHOICE, self._width):
                half = 1 << (self._width - 1)
                return [(0, half - 1, 0), (half, top, (1 << side.width) - (1 << self._width))]
            case _:
                return None


# --- sets of patterns ------------------------------------------------------------------------------------------------


def patterns(low: int, high: int, width: int) -> Intervals:
    if low >= 0:
        return ((low, high),)
    if high < 0:
        return ((low + (1 << width), high + (1 << width)),)
    return ((0, high), (low + (1 << width), (1 << width) - 1))


def _compared(op: CompareOp, constant: int, width: int, choice_first: bool) -> Intervals:
    """All patterns p of that width with `p op constant`, or `constant op p`."""
    top, sign = (1 << width) - 1, 1 << (width - 1)
    match op:
        case CompareOp.EQ:
            return ((constant, constant),)
        case CompareOp.NE:
            return complement(((constant, constant),), width)
        case CompareOp.ULT | CompareOp.ULE:
            return _range(op is CompareOp.ULE, constant, 0, top, choice_first)
        case CompareOp.SLT | CompareOp.SLE:
            flipped = _range(op is CompareOp.SLE, constant ^ sign, 0, top, choice_first)
            return union(*(_flip(a, b, sign) for a, b in flipped))


def _range(inclusive: bool, constant: int, low: int, high: int, choice_first: bool) -> Intervals:
    step = 0 if inclusive else 1
    a, b = (low, constant - step) if choice_first else (constant + step, high)
    return ((a, b),) if a <= b else ()


def _flip(low: int, high: int, sign: int) -> Intervals:
    """The patterns whose sign-flipped value lies in the interval."""
    if high < sign or low >= sign:
        return ((low ^ sign, high ^ sign),)
    return ((0, high - sign), (low + sign, 2 * sign - 1))


def union(*sets: Intervals) -> Intervals:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(interval for one in sets for interval in one):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def intersect(first: Intervals, second: Intervals) -> Intervals:
    return tuple(_overlaps(first, second))


def _overlaps(first: Intervals, second: Intervals) -> Iterator[tuple[int, int]]:
    for a, b in first:
        for c, d in second:
            if max(a, c) <= min(b, d):
                yield max(a, c), min(b, d)


def complement(values: Intervals, width: int) -> Intervals:
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in values:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= (1 << width) - 1:
        found.append((start, (1 << width) - 1))
    return tuple(found)


def _both(
    combine: Callable[[Intervals, Intervals], Intervals], first: Intervals | None, second: Intervals | None
) -> Intervals | None:
    return None if first is None or second is None else combine(first, second)
