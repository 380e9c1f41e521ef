"""That two arrays are the same, said of the elements that were written: solvers need not reason about whole arrays.

Both are made from one array by writing single elements, and wherever neither wrote, they hold what that array holds.
bitwuzla, which is asked, does not fully support equations with arrays that hold one value everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from threadproof.smt.term import Array, Op, Term, in_order
from threadproof.smt.terms import Terms


def same(terms: Terms, a: Term, b: Term) -> Term:
    """Where two terms are equal."""
    if a is b or not isinstance(a.sort, Array):
        return terms.eq(a, b)
    made_from = _read(terms, (a, b), lambda array: array, lambda array, below: below)
    if made_from[a] is not made_from[b]:
        return terms.eq(a, b)
    stores = [one for one in in_order((a, b)) if one.op is Op.STORE and one in made_from]
    return terms.all(_agree(terms, a, b, index) for index in dict.fromkeys(one.args[1] for one in stores))


def _agree(terms: Terms, a: Term, b: Term, index: Term) -> Term:
    """What they hold there is equal, as choices among what was written."""

    def written(array: Term, below: Term) -> Term:
        return terms.ite(terms.eq(index, array.args[1]), array.args[2], below)

    elements = _read(terms, (a, b), lambda array: terms.select(array, index), written)
    return terms.eq(elements[a], elements[b])


def _read(
    terms: Terms, arrays: tuple[Term, ...], first: Callable[[Term], Term], written: Callable[[Term, Term], Term]
) -> dict[Term, Term]:
    """Something of each array that others are made from: by choices, or by writing an element of one."""
    found: dict[Term, Term] = {}
    for array in in_order(arrays):
        if not isinstance(array.sort, Array):
            continue
        match array.op:
            case Op.STORE:
                found[array] = written(array, found[array.args[0]])
            case Op.ITE:
                when, then, otherwise = array.args
                found[array] = terms.ite(when, found[then], found[otherwise])
            case _:
                found[array] = first(array)
    return found
