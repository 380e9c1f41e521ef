"""Path conditions as tuples of literals, in the order they were met.

Two paths that meet again share a prefix; what they decided differently is kept as one literal, or dropped where it
covers both sides of a branch. So straight-line code after a branch is as unconditional as before it.
"""

from __future__ import annotations

from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

Guard = tuple[Term, ...]


def extended(terms: Terms, guard: Guard, literal: Term) -> Guard:
    return guard if literal is terms.true or literal in guard else (*guard, literal)


def merged(terms: Terms, a: Guard, b: Guard) -> tuple[Guard, Term]:
    """The guard of what follows two paths that exclude each other, and what tells that it was the first."""
    common = common_prefix(a, b)
    rest_a, rest_b = a[common:], b[common:]
    first = terms.all(rest_a)
    if rest_a and rest_b and rest_a[0] is terms.not_(rest_b[0]):
        # c ∧ x or ¬c ∧ y, where one of them or both are just the branch
        if len(rest_a) == 1 and len(rest_b) == 1:
            return a[:common], first
        if len(rest_a) == 1:
            return (*a[:common], terms.or_(rest_a[0], terms.all(rest_b[1:]))), first
        if len(rest_b) == 1:
            return (*a[:common], terms.or_(rest_b[0], terms.all(rest_a[1:]))), first
    either = terms.or_(first, terms.all(rest_b))
    return extended(terms, a[:common], either), first


def common_prefix(a: Guard, b: Guard) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x is not y:
            break
        count += 1
    return count
