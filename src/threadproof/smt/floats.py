"""Which floats fit an integer type, and the integers they become."""

from __future__ import annotations

from threadproof.smt.ieee import to_bits
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_PRECISION = {32: 24, 64: 53}
WIDEST_INTEGER = 128  # integers of C; a float beyond them all is infinite or at least 2**128


def to_integer(terms: Terms, op: Op, bits: Term, width: int) -> tuple[Term, Term]:
    """The integer of `width` bits (FP_TO_SIGNED or FP_TO_UNSIGNED) that `bits` becomes, and whether it fits at all."""
    fits = _fits(terms, op, bits, width)
    return terms.make(op, (fits, bits), (width,)), fits


def _fits(terms: Terms, op: Op, bits: Term, width: int) -> Term:
    """low - 1 < x < high + 1, or low <= x where low - 1 is no float: then no float lies between the two."""
    assert width <= WIDEST_INTEGER
    signed = op is Op.FP_TO_SIGNED
    low, above = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)

    def number(value: int) -> Term:
        """Exact, as a power of two or a short number; 2**128 as a float is infinity, which will do."""
        return terms.bv(to_bits(float(value), bits.width), bits.width)

    below = terms.make(Op.FP_LT, (bits, number(above)))
    if (low - 1).bit_length() <= _PRECISION[bits.width]:
        return terms.and_(below, terms.make(Op.FP_LT, (number(low - 1), bits)))
    return terms.and_(below, terms.make(Op.FP_LEQ, (number(low), bits)))
