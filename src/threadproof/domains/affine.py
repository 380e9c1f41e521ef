"""Terms as sums: coefficients of columns and a constant, modulo 2**width."""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.smt.term import BitVec, Op, Term, in_order
from threadproof.smt.terms import Terms

Sum = dict[int, int]
"""Coefficients by column; the constant is that of column `ONE`."""

ONE = -1


class Affine:
    """Terms over columns: bit-vector terms of one width, each with its number."""

    def __init__(self, columns: Mapping[Term, int], width: int) -> None:
        self._columns = columns
        self._width = width

    def of(self, term: Term) -> Sum | None:
        """None if the term is no sum of columns. On the way, wider numbers are looked at modulo 2**width: the lowest
        bits of sums and products depend on no others."""
        if not isinstance(term.sort, BitVec) or term.width != self._width:
            return None
        known: dict[Term, Sum | None] = {}
        for part in in_order((term,)):
            known[part] = self._of(part, [known[arg] for arg in part.args]) if self._fits(part) else None
        return known[term]

    def _fits(self, part: Term) -> bool:
        return isinstance(part.sort, BitVec) and part.sort.width >= self._width

    def _of(self, part: Term, args: list[Sum | None]) -> Sum | None:
        column = self._columns.get(part)
        if column is not None:
            return {column: 1}
        match part.op, args:
            case Op.VALUE, _:
                return {ONE: part.value}
            case Op.ADD, [dict() as a, dict() as b]:
                return plus(a, b)
            case Op.SUB, [dict() as a, dict() as b]:
                return plus(a, b, -1)
            case Op.NEG, [dict() as a]:
                return plus({}, a, -1)
            case Op.BVNOT, [dict() as a]:
                return plus({ONE: -1}, a, -1)
            case Op.MUL, [dict() as a, dict() as b]:
                return _product(a, b)
            case Op.SHL, [dict() as a, _] if part.args[1].op is Op.VALUE:
                return plus({}, a, 1 << part.args[1].value) if part.args[1].value < self._width else {}
            case Op.ZEXT | Op.SEXT, [dict() as a]:
                return a
            case Op.EXTRACT, [dict() as a] if part.params[1] == 0:
                return a
            case _:
                return None


def plus(a: Sum, b: Sum, times: int = 1) -> Sum:
    found = dict(a)
    for column, coefficient in b.items():
        found[column] = found.get(column, 0) + times * coefficient
    return found


def _product(a: Sum, b: Sum) -> Sum | None:
    for constant, other in ((a, b), (b, a)):
        if constant.keys() <= {ONE}:
            return plus({}, other, constant.get(ONE, 0))
    return None


def equation(terms: Terms, columns: Mapping[int, Term], row: Sum, width: int) -> Term:
    """`row = 0`, with coefficients that are small where they can be: what is negative stands on the right."""
    half, size = 1 << (width - 1), 1 << width
    left: list[Term] = []
    right: list[Term] = []
    for column, coefficient in sorted(row.items(), key=lambda item: (item[0] == ONE, item[0])):
        value = coefficient % size
        if not value:
            continue
        on_the_right = value > half
        factor = terms.bv(size - value if on_the_right else value, width)
        part = factor if column == ONE else terms.make(Op.MUL, (columns[column], factor))
        (right if on_the_right else left).append(part)
    return terms.eq(_total(terms, left, width), _total(terms, right, width))


def _total(terms: Terms, parts: list[Term], width: int) -> Term:
    result = terms.bv(0, width)
    for part in parts:
        result = terms.add(result, part)
    return result
