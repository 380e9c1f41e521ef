"""What a term can be: a small set of numbers, or intervals once there are too many; and of terms made of others.

Few combinations of values are tried one by one, under the conditions given, so that a branch on a value and the value
itself are not torn apart. Else intervals are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod

from threadproof.domains.box import StateBox
from threadproof.domains.intervals import BitInterval, Intervals, exactly, full
from threadproof.smt.meaning import Value, apply
from threadproof.smt.term import BOOL, Op, Term, in_order
from threadproof.smt.terms import Terms

Spread = frozenset[int] | BitInterval
MOST = 64
"""Larger sets become intervals."""
COMBINATIONS = 128
NOTHING: frozenset[int] = frozenset()
INTERVALS = Intervals()
NOT_A_NUMBER = frozenset((Op.VAR, Op.SELECT, Op.APPLY, Op.STORE, Op.FILL))


def as_interval(spread: Spread, width: int) -> BitInterval:
    """Of one that is not empty: the hulls of the numbers without sign bit and of those with it."""
    if isinstance(spread, BitInterval):
        return spread
    half = 1 << (width - 1)
    halves = [[v for v in spread if v < half], [v for v in spread if v >= half]]
    ends = [end for part in halves if part for end in (min(part), max(part))]
    return reduce(BitInterval.join, (exactly(value, width) for value in ends))


def joined(a: Spread, b: Spread, width: int) -> Spread:
    if a is b or not b:
        return a
    if not a:
        return b
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        if b <= a:
            return a
        both = a | b
        if len(both) <= MOST:
            return both
    return as_interval(a, width).join(as_interval(b, width))


class Computation:
    """Terms computed from others, the leaves, where conditions hold."""

    def __init__(self, terms: Terms, leaves: Sequence[Term], conditions: Sequence[Term], asked: Sequence[Term]) -> None:
        self._terms, self._leaves, self._conditions, self._asked = terms, leaves, conditions, asked
        known = set(leaves)
        self._closed = [t for t in asked if not any(p.op in NOT_A_NUMBER for p in in_order((t,), known))]
        self._order = in_order((*conditions, *self._closed), known)
        self._tried: dict[tuple[int, ...], tuple[int, ...] | None] = {}
        self._found: dict[tuple[Spread, ...], list[Spread] | None] = {}

    def of(self, given: tuple[Spread, ...]) -> list[Spread] | None:
        """Of each term that is asked about, where the leaves have these values (an empty set: any); None: the
        conditions cannot hold."""
        if given not in self._found:
            spreads = [s or full(leaf.width) for leaf, s in zip(self._leaves, given, strict=True)]
            self._found[given] = self._computed(spreads)
        return self._found[given]

    def _computed(self, given: list[Spread]) -> list[Spread] | None:
        found: dict[Term, Spread] = {}
        sets = [spread for spread in given if isinstance(spread, frozenset)]
        if len(sets) == len(given) and prod(map(len, sets)) <= COMBINATIONS:
            rows = [row for row in map(self._row, product(*sets)) if row is not None]
            if not rows:
                return None
            for term, column in zip(self._closed, zip(*rows, strict=True), strict=True):
                found[term] = _few(frozenset(column), 1 if term.sort is BOOL else term.width)
        if len(found) < len(self._asked):
            columns = [as_interval(spread, leaf.width) for leaf, spread in zip(self._leaves, given, strict=True)]
            box = StateBox(self._terms, INTERVALS, tuple(self._leaves), tuple(columns))
            for condition in self._conditions:
                box = box.assume(condition)
            if box.is_bottom:
                return None
            found.update((term, box.evaluate(term)) for term in self._asked if term not in found)
        return [found[term] for term in self._asked]

    def _row(self, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """What is closed, for one value of each leaf; None: a condition does not hold."""
        if values not in self._tried:
            known: dict[Term, Value] = dict(zip(self._leaves, values, strict=True))
            for part in self._order:
                known[part] = apply(part, [known[arg] for arg in part.args])
            holds = all(known[condition] == 1 for condition in self._conditions)
            self._tried[values] = tuple(_number(known[t]) for t in self._closed) if holds else None
        return self._tried[values]


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _few(values: frozenset[int], width: int) -> Spread:
    return values if len(values) <= MOST else as_interval(values, width)
