"""The values of terms in a few fixed states, all at once: most questions that have the answer no are answered here.

A sample gives every variable a value that depends on its name alone. Values are small in most samples, so that
equations between variables hold in some. A signature is a bit set: the samples in which a formula holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from threadproof.smt.meaning import ArrayValue, Value, apply
from threadproof.smt.term import BOOL, Array, Op, Sort, Term, in_order

COUNT = 48
ALL = (1 << COUNT) - 1
_KINDS = 6


class Samples:
    """`most` bounds what is remembered: signatures are only ever computed again."""

    def __init__(self, most: int = 50_000) -> None:
        self._known: dict[Term, list[Value]] = {}
        self._most = most

    def signature(self, formula: Term) -> int:
        found = 0
        for index, value in enumerate(self.values(formula)):
            if value:
                found |= 1 << index
        return found

    def values(self, term: Term) -> list[Value]:
        known = self._known.get(term)
        if known is not None:
            return known
        if len(self._known) > self._most:
            self._known.clear()
        for part in in_order((term,), self._known):
            if part.op is Op.VAR:
                self._known[part] = [_value(part.name, part.sort, index) for index in range(COUNT)]
            else:
                self._known[part] = _applied(part, [self._known[arg] for arg in part.args])
        return self._known[term]

    def in_one(self, index: int) -> Callable[[Term], Value]:
        """The values of terms in a sample."""
        return lambda term: self.values(term)[index]

    def state(self, variables: Iterable[Term], index: int) -> dict[str, Value]:
        """The values of variables in a sample, by name."""
        return {variable.name: self.values(variable)[index] for variable in variables}


def _applied(term: Term, args: list[list[Value]]) -> list[Value]:
    """Frequent operations in one go."""
    match term.op:
        case Op.EQ if not isinstance(term.args[0].sort, Array):
            return [int(a == b) for a, b in zip(*args, strict=True)]
        case Op.NOT:
            return [1 - a for a in args[0]]  # type: ignore[operator]
        case Op.AND:
            return [int(all(row)) for row in zip(*args, strict=True)]
        case Op.OR:
            return [int(any(row)) for row in zip(*args, strict=True)]
        case Op.ITE:
            return [b if a else c for a, b, c in zip(*args, strict=True)]
        case Op.ULT:
            return [int(a < b) for a, b in zip(*args, strict=True)]  # type: ignore[operator]
        case Op.ADD:
            mask = (1 << term.width) - 1
            return [a + b & mask for a, b in zip(*args, strict=True)]  # type: ignore[operator]
        case _ if not args:
            return [apply(term, [])] * COUNT
        case _:
            return [apply(term, list(row)) for row in zip(*args, strict=True)]


def _value(name: str, sort: Sort, index: int) -> Value:
    rng = Random(f"{name} {index}")
    if sort is BOOL:
        return rng.randrange(2)
    if isinstance(sort, Array):
        entries = {4 * place: _number(rng, index, sort.element) for place in range(4)}
        return ArrayValue(_number(rng, index, sort.element), entries)
    return _number(rng, index, sort.width)  # type: ignore[union-attr]


def _number(rng: Random, index: int, width: int) -> int:
    mask = (1 << width) - 1
    match index % _KINDS:
        case 0:
            return index // _KINDS & mask  # the same for all variables
        case 1:
            return rng.randrange(2) & mask
        case 2 | 3:
            return rng.randrange(4) & mask
        case 4:
            return rng.randrange(-3, 4) & mask
        case _:
            return rng.choice((rng.randrange(mask + 1), mask >> 1, (mask >> 1) + 1, mask)) & mask
