"""Terms that are constants, arrays included, each in one form."""

from __future__ import annotations

from threadproof.smt.term import Array, Op, Term
from threadproof.smt.terms import Terms

_CONSTANT = (Op.VALUE, Op.TRUE, Op.FALSE)


def is_constant(term: Term) -> bool:
    """A value, or an array of values at places that are values."""
    while term.op is Op.STORE:
        if term.args[1].op not in _CONSTANT or term.args[2].op not in _CONSTANT:
            return False
        term = term.args[0]
    return term.args[0].op in _CONSTANT if term.op is Op.FILL else term.op in _CONSTANT


def canonical(terms: Terms, constant: Term) -> Term:
    """The same for all that are equal: stores by place, each place once."""
    if not isinstance(constant.sort, Array):
        return constant
    stores: dict[int, tuple[Term, Term]] = {}
    array = constant
    while array.op is Op.STORE:
        array, place, value = array.args
        stores.setdefault(place.value, (place, value))
    default = array.args[0]
    for _, (place, value) in sorted(stores.items()):
        if value is not default:
            array = terms.store(array, place, value)
    return array
