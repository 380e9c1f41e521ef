"""Contradictions that are seen without a solver: by unit propagation, and by bounds of one term by constants.

Paper: M. Davis, G. Logemann, D. Loveland, A machine program for theorem-proving, CACM 1962 (the unit rule). Differs: on
formulas as they are, not on clauses; every truth remembers the formulas that it follows from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from threadproof.smt.meaning import to_signed
from threadproof.smt.term import Op, Term

_ROUNDS = 4

Reasons = int
"""A bit set: numbers of formulas."""


def plain_clash(formulas: Sequence[Term]) -> tuple[Term, ...] | None:
    """Formulas of these that contradict each other."""
    truths = _Truths()
    clash = truths.learn((formula, True, 1 << number) for number, formula in enumerate(formulas))
    clash = truths.propagate() if clash is None else clash
    clash = _bounds_clash(truths.known) if clash is None else clash
    return None if clash is None else tuple(one for number, one in enumerate(formulas) if clash >> number & 1)


class _Truths:
    """What is known to be true or false, and why. A clash is given back as its reasons."""

    def __init__(self) -> None:
        self.known: dict[Term, tuple[bool, Reasons]] = {}
        self._open: dict[Term, None] = {}  # one of their parts has to decide them

    def learn(self, new: Iterable[tuple[Term, bool, Reasons]]) -> Reasons | None:
        todo = list(new)
        while todo:
            term, truth, why = todo.pop()
            term, truth = _without_not(term, truth)
            was = (term.op is Op.TRUE, 0) if term.op in (Op.TRUE, Op.FALSE) else self.known.get(term)
            if was is not None:
                if was[0] is not truth:
                    return was[1] | why
                continue
            self.known[term] = (truth, why)
            if term.op in (Op.AND, Op.OR):
                if (term.op is Op.AND) is truth:
                    todo += [(arg, truth, why) for arg in term.args]
                else:
                    self._open[term] = None
        return None

    def propagate(self) -> Reasons | None:
        """Where all parts but one are decided against it, the last one has to be for it."""
        for _ in range(_ROUNDS):
            before = len(self.known)
            for term in list(self._open):
                clash = self._decide(term)
                if clash is not None:
                    return clash
            if len(self.known) == before:
                return None
        return None

    def _decide(self, term: Term) -> Reasons | None:
        truth, why = self.known[term]
        left: Term | None = None
        for arg in term.args:
            part, wanted = _without_not(arg, truth)
            known = self.known.get(part)
            if known is None:
                if left is not None:
                    return None
                left = arg
            elif known[0] is wanted:
                del self._open[term]
                return None
            else:
                why |= known[1]
        if left is None:
            return why
        del self._open[term]
        return self.learn([(left, truth, why)])


def _without_not(term: Term, truth: bool) -> tuple[Term, bool]:
    while term.op is Op.NOT:
        term, truth = term.args[0], not truth
    return term, truth


@dataclass(slots=True)
class _Range:
    """The numbers that a term may be, and which formulas say so."""

    low: int
    high: int
    why_low: Reasons = 0
    why_high: Reasons = 0


def _bounds_clash(known: Mapping[Term, tuple[bool, Reasons]]) -> Reasons | None:
    ranges: dict[tuple[Term, bool], _Range] = {}
    for atom, (truth, why) in known.items():
        for term, signed, low, high in _bounds(atom, truth):
            range_ = ranges.get((term, signed))
            if range_ is None:
                half, size = 1 << (term.width - 1), 1 << term.width
                range_ = _Range(-half, half - 1) if signed else _Range(0, size - 1)
                ranges[term, signed] = range_
            if low is not None and low > range_.low:
                range_.low, range_.why_low = low, why
            if high is not None and high < range_.high:
                range_.high, range_.why_high = high, why
            if range_.low > range_.high:
                return range_.why_low | range_.why_high
    return None


def _bounds(atom: Term, positive: bool) -> list[tuple[Term, bool, int | None, int | None]]:
    """A term, whether it is read with a sign, and its least and greatest value, as the truth of a comparison says."""
    if atom.op not in (Op.EQ, Op.ULT, Op.SLT):
        return []
    a, b = atom.args
    if atom.op is Op.EQ:
        if not positive or b.op is not Op.VALUE:
            return []
        value, signed = b.value, to_signed(b.value, b.width)
        return [(a, False, value, value), (a, True, signed, signed)]
    signed = atom.op is Op.SLT
    if b.op is Op.VALUE and a.op is not Op.VALUE:
        bound = to_signed(b.value, b.width) if signed else b.value
        return [(a, signed, None, bound - 1) if positive else (a, signed, bound, None)]
    if a.op is Op.VALUE and b.op is not Op.VALUE:
        bound = to_signed(a.value, a.width) if signed else a.value
        return [(b, signed, bound + 1, None) if positive else (b, signed, None, bound)]
    return []
