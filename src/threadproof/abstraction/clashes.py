"""Contradictions that are seen without a solver: a formula and its negation, and bounds of one term by constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from threadproof.smt.context import conjuncts
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import Op, Term


def plain_clash(formulas: Sequence[Term]) -> tuple[Term, ...] | None:
    """Formulas of these that contradict each other."""
    origin: dict[Term, Term] = {}
    for formula in formulas:
        for part in conjuncts(formula):
            origin.setdefault(part, formula)
    for part, formula in origin.items():
        if part.op is Op.FALSE:
            return (formula,)
        if part.op is Op.NOT and part.args[0] in origin:
            return _once(formula, origin[part.args[0]])
    return _bounds_clash(origin)


def _once(*formulas: Term) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(formulas))


@dataclass(slots=True)
class _Range:
    """The numbers that a term may be, and which formulas say so."""

    low: int
    high: int
    why_low: Term | None = None
    why_high: Term | None = None


def _bounds_clash(origin: Mapping[Term, Term]) -> tuple[Term, ...] | None:
    ranges: dict[tuple[Term, bool], _Range] = {}
    for part, formula in origin.items():
        for term, signed, low, high in _bounds(part):
            known = ranges.get((term, signed))
            if known is None:
                half, size = 1 << (term.width - 1), 1 << term.width
                known = _Range(-half, half - 1) if signed else _Range(0, size - 1)
                ranges[term, signed] = known
            if low is not None and low > known.low:
                known.low, known.why_low = low, formula
            if high is not None and high < known.high:
                known.high, known.why_high = high, formula
            if known.low > known.high:
                return _once(*(why for why in (known.why_low, known.why_high) if why is not None))
    return None


def _bounds(part: Term) -> list[tuple[Term, bool, int | None, int | None]]:
    """A term, whether it is read with a sign, and its least and greatest value, as a literal says."""
    positive, atom = part.op is not Op.NOT, part.args[0] if part.op is Op.NOT else part
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
