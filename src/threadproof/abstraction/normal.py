"""Normal forms of literals: what says the same by linear arithmetic modulo 2**width is the same term.

Equations are scaled: the first variable with an odd coefficient gets 1, and nothing is subtracted. Bounds by constants
have the constant on the right and are strict: `3 <= x` is `not x < 3`, and so is `2 < x`. What is no literal is left
as it is. Solvers are slow at linear facts (0.6 s for two sums that commute), so they should not have to see them.
"""

from __future__ import annotations

from threadproof.smt.term import BitVec, Op, Term
from threadproof.smt.terms import Terms

_MOST_SUMMANDS = 32


def normal(terms: Terms, formula: Term) -> Term:
    if formula.op is Op.NOT:
        return terms.not_(normal(terms, formula.args[0])) if formula.args[0].op in _ATOMS else formula
    match formula.op:
        case Op.EQ if isinstance(formula.args[0].sort, BitVec):
            return _equation(terms, formula)
        case Op.ULT | Op.SLT:
            return _bound(terms, formula)
        case _:
            return formula


_ATOMS = frozenset((Op.EQ, Op.ULT, Op.SLT))


# --- equations -------------------------------------------------------------------------------------------------------


def _equation(terms: Terms, formula: Term) -> Term:
    left, right = formula.args
    sum_: dict[Term, int] = {}
    constant = _add(sum_, left, 1) + _add(sum_, right, -1)
    size = 1 << left.width
    parts = {term: times % size for term, times in sum_.items() if times % size}
    if len(parts) > _MOST_SUMMANDS:
        return formula
    if not parts:
        return terms.bool(constant % size == 0)
    first = min(parts, key=lambda term: (parts[term] % 2 == 0, term.id))
    scale = pow(parts[first], -1, size) if parts[first] % 2 else _sign(parts[first], size)
    parts = {term: times * scale % size for term, times in parts.items()}
    sides = [terms.bv(0, left.width), terms.bv(-constant * scale, left.width)]  # a constant stands on the right
    for term in sorted(parts, key=_number):
        subtracted = parts[term] > size // 2
        factor = size - parts[term] if subtracted else parts[term]
        part = term if factor == 1 else terms.make(Op.MUL, (term, terms.bv(factor, left.width)))
        sides[subtracted] = terms.add(sides[subtracted], part)
    return terms.eq(*sides)


def _sign(times: int, size: int) -> int:
    return -1 if times > size // 2 else 1


def _add(sum_: dict[Term, int], term: Term, times: int) -> int:
    """Adds `times` the term to the sum; what is returned is its constant part. Not recursive: sums are deep."""
    constant, work = 0, [(term, times)]
    while work:
        part, times = work.pop()
        args = part.args
        match part.op:
            case Op.VALUE:
                constant += times * part.value
            case Op.ADD:
                work += [(args[0], times), (args[1], times)]
            case Op.SUB:
                work += [(args[0], times), (args[1], -times)]
            case Op.NEG:
                work.append((args[0], -times))
            case Op.BVNOT:
                constant -= times
                work.append((args[0], -times))
            case Op.MUL if args[1].op is Op.VALUE:
                work.append((args[0], times * args[1].value))
            case Op.SHL if args[1].op is Op.VALUE and args[1].value < part.width:
                work.append((args[0], times << args[1].value))
            case _:
                sum_[part] = sum_.get(part, 0) + times
    return constant


def _number(term: Term) -> int:
    return term.id


# --- bounds ----------------------------------------------------------------------------------------------------------


def _bound(terms: Terms, formula: Term) -> Term:
    """`c < x` as `not x < c + 1`; what is below the least but one is equal to the least."""
    small, large = formula.args
    half = 1 << (small.width - 1)
    least, greatest = (0, 2 * half - 1) if formula.op is Op.ULT else (half, half - 1)
    if small.op is Op.VALUE and large.op is not Op.VALUE:
        if small.value == greatest:
            return terms.false
        return terms.not_(_bound(terms, terms.make(formula.op, (large, terms.bv(small.value + 1, small.width)))))
    if large.op is Op.VALUE and large.value == (least + 1) % (2 * half):
        return _equation(terms, terms.eq(small, terms.bv(least, small.width)))
    if large.op is Op.VALUE and large.value == greatest:
        return terms.not_(_equation(terms, terms.eq(small, large)))
    return formula
