"""Simplification at construction: which rule looks at which operation, and the rules that serve them all.

Invariants: a rule looks at an operation and at most two levels of its operands, which are simplified already, and its
recursion is bounded whatever the terms, since terms are deep. Every rule keeps the value under every assignment
(`tests/property/test_terms.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from threadproof.smt import rules_bits, rules_bool, rules_int
from threadproof.smt.meaning import apply
from threadproof.smt.sorts import sort_of
from threadproof.smt.term import INT, Array, BitVec, Op, Params, Term

if TYPE_CHECKING:
    from threadproof.smt.terms import Terms

_RULES = {**rules_bool.RULES, **rules_bits.RULES, **rules_int.RULES}
_NUMBERS = (Op.VALUE, Op.INTEGER)
_CONSTANTS = frozenset((*_NUMBERS, Op.TRUE, Op.FALSE))
_COMMUTE = frozenset((Op.EQ, Op.ADD, Op.MUL, Op.BVAND, Op.BVOR, Op.BVXOR, Op.INT_ADD, Op.INT_MUL))
_LIFTED = _COMMUTE | {Op.SUB, Op.ULT, Op.SLT, Op.EXTRACT, Op.ZEXT, Op.SEXT, Op.BVNOT, Op.NEG, Op.INT_SUB, Op.INT_LT}


def simplified(terms: Terms, op: Op, args: tuple[Term, ...], params: Params) -> Term | None:
    """A simpler term with the same value, or None."""
    open_args = [arg for arg in args if arg.op not in _CONSTANTS]
    if not open_args:
        return _folded(terms, op, args, params)
    if op in _COMMUTE and _later(args[0], args[1]):
        return terms.make(op, (args[1], args[0]))
    if op in _LIFTED and len(open_args) == 1 and _is_choice(open_args[0]):
        return _lifted(terms, op, args, params, open_args[0])
    rule = _RULES.get(op)
    return None if rule is None else rule(terms, args, params)


def _folded(terms: Terms, op: Op, args: tuple[Term, ...], params: Params) -> Term | None:
    sort = sort_of(op, args, params)
    if isinstance(sort, Array):
        return None
    values = [arg.value if arg.op in _NUMBERS else int(arg.op is Op.TRUE) for arg in args]
    value = apply(Term(op, args, params, sort, -1), list(values))
    assert isinstance(value, int)
    if sort is INT:
        return terms.integer(value)
    return terms.bv(value, sort.width) if isinstance(sort, BitVec) else terms.bool(value == 1)


def _later(a: Term, b: Term) -> bool:
    """Operands in order of their numbers, constants last."""
    a_constant, b_constant = a.op in _CONSTANTS, b.op in _CONSTANTS
    return a_constant if a_constant != b_constant else a.id > b.id


def _is_choice(term: Term) -> bool:
    return term.op is Op.ITE and term.args[1].op in _NUMBERS and term.args[2].op in _NUMBERS


def _lifted(terms: Terms, op: Op, args: tuple[Term, ...], params: Params, choice: Term) -> Term:
    """f(ite(c, 1, 2), 3) is ite(c, f(1, 3), f(2, 3)): constants meet. C's truth values are such terms."""
    condition, then, otherwise = choice.args
    ways = (tuple(way if arg is choice else arg for arg in args) for way in (then, otherwise))
    return terms.ite(condition, *(terms.make(op, way, params) for way in ways))
