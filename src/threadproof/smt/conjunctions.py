"""What is seen of a conjunction without a solver: its parts, and the values that it gives to variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


def flat(formula: Term) -> Iterator[Term]:
    """Conjuncts, with those of conjuncts."""
    todo = [formula]
    while todo:
        one = todo.pop()
        if one.op is Op.AND:
            todo.extend(reversed(one.args))
        else:
            yield one


def given_values(terms: Terms, conjuncts: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """Variables that some conjuncts give a value by themselves; twice, if there are two of them."""
    for one in conjuncts:
        match one.op, one.args:
            case Op.VAR, _:
                yield one, terms.true
            case Op.NOT, (variable,) if variable.op is Op.VAR:
                yield variable, terms.false
            case Op.EQ, (left, right) if left.op is Op.VAR and right.op is Op.VALUE:
                yield left, right
            case Op.EQ, (left, right) if right.op is Op.VAR and left.op is Op.VALUE:
                yield right, left
            case _:
                pass
