"""Conditions taken apart: what a domain does with a literal is enough for it to assume any condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from threadproof.domains.interface import Domain
from threadproof.smt.term import Op, Term

D = TypeVar("D", bound=Domain)
Literal = Callable[[D, Term, bool], D]
"""What is left of a value where an atom holds, or does not (False)."""

_DEEP = 40  # levels of a condition that are looked at; what is below says nothing


def assume(value: D, condition: Term, literal: Literal[D], positive: bool = True, deep: int = _DEEP) -> D:
    while condition.op is Op.NOT:
        condition, positive = condition.args[0], not positive
    match condition.op:
        case _ if value.is_bottom or not deep:
            return value
        case Op.TRUE | Op.FALSE:
            return value if (condition.op is Op.TRUE) == positive else value.bottom()
        case Op.AND | Op.OR if (condition.op is Op.AND) == positive:
            for part in condition.args:
                value = assume(value, part, literal, positive, deep - 1)
            return value
        case Op.AND | Op.OR:
            return _some(value, [assume(value, part, literal, positive, deep - 1) for part in condition.args])
        case _:
            return literal(value, condition, positive)


def _some(value: D, ways: Sequence[D]) -> D:
    result = value.bottom()
    for way in ways:
        result = result.join(way)
    return result
