"""Small sets of values: at most `most`, or anything. Operations are done one by one, so they are exact."""

from __future__ import annotations

from itertools import product

from threadproof.smt.meaning import apply, to_signed
from threadproof.smt.term import BitVec, Op, Term
from threadproof.smt.terms import Terms

ValueSet = frozenset[int] | None
"""None is anything."""


class SmallSets:
    """`box.ValueDomain` of sets."""

    def __init__(self, most: int = 8) -> None:
        self.most = most

    def _kept(self, values: frozenset[int], width: int) -> ValueSet:
        """All values there are, and too many, are anything."""
        return None if len(values) > self.most or len(values) == 1 << width else values

    def top(self, width: int) -> SizedSet:
        return SizedSet(self, None, width)

    def bottom(self, width: int) -> SizedSet:
        return SizedSet(self, frozenset(), width)

    def constant(self, value: int, width: int) -> SizedSet:
        return self.of(frozenset((value & ((1 << width) - 1),)), width)

    def of(self, values: frozenset[int], width: int) -> SizedSet:
        return SizedSet(self, self._kept(values, width), width)

    def apply(self, term: Term, args: list[SizedSet]) -> SizedSet:
        width = term.sort.width if isinstance(term.sort, BitVec) else 1
        choices = [arg.values if arg.values is not None else arg.all_if_few() for arg in args]
        known = [choice for choice in choices if choice is not None]
        if len(known) < len(choices) or _ways(known) > self.most**2:
            return self.top(width)
        results = {apply(term, list(values)) for values in product(*known)}
        return self.of(frozenset(value for value in results if isinstance(value, int)), width)

    def less(self, op: Op, a: SizedSet, b: SizedSet) -> tuple[SizedSet, SizedSet]:
        """What is left of both where a < b."""

        def number(value: int) -> int:
            return to_signed(value, a.width) if op is Op.SLT else value

        half = 1 << (a.width - 1)
        least, most = (-half, half - 1) if op is Op.SLT else (0, 2 * half - 1)
        first = least if a.values is None else min(map(number, a.values))
        last = most if b.values is None else max(map(number, b.values))
        below = a if a.values is None else self.of(frozenset(v for v in a.values if number(v) < last), a.width)
        above = b if b.values is None else self.of(frozenset(v for v in b.values if number(v) > first), b.width)
        return below, above

    def without(self, a: SizedSet, value: int) -> SizedSet:
        return a if a.values is None else self.of(a.values - {value}, a.width)

    def to_terms(self, terms: Terms, term: Term, value: SizedSet) -> list[Term]:
        if value.values is None:
            return []
        return [terms.any(terms.eq(term, terms.bv(one, value.width)) for one in sorted(value.values))]


class SizedSet:
    """A value set with its width."""

    __slots__ = ("_of", "values", "width")

    def __init__(self, of: SmallSets, values: ValueSet, width: int) -> None:
        self._of = of
        self.values = values
        self.width = width

    @property
    def is_empty(self) -> bool:
        return self.values is not None and not self.values

    @property
    def value(self) -> int | None:
        return next(iter(self.values)) if self.values is not None and len(self.values) == 1 else None

    def __contains__(self, value: int) -> bool:
        return self.values is None or value in self.values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SizedSet) and (self.values, self.width) == (other.values, other.width)

    def __hash__(self) -> int:
        return hash((self.values, self.width))

    def all_if_few(self) -> frozenset[int] | None:
        """Everything there is, of narrow bit-vectors."""
        return frozenset(range(1 << self.width)) if 1 << self.width <= self._of.most else None

    def join(self, other: SizedSet) -> SizedSet:
        if self.values is None or other.values is None:
            return self._of.top(self.width)
        return self._of.of(self.values | other.values, self.width)

    def meet(self, other: SizedSet) -> SizedSet:
        if self.values is None or other.values is None:
            return other if self.values is None else self
        return self._of.of(self.values & other.values, self.width)

    def leq(self, other: SizedSet) -> bool:
        return other.values is None or (self.values is not None and self.values <= other.values)


def _ways(choices: list[frozenset[int]]) -> int:
    result = 1
    for choice in choices:
        result *= len(choice)
    return result
