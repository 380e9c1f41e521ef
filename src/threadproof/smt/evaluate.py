"""The value of a term in an assignment. Not recursive: terms are deep."""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.smt.meaning import ArrayValue, FunctionValue, Value, apply
from threadproof.smt.term import Array, FunctionSort, Op, Sort, Term, not_known


class Assignment:
    """Values of variables by name, and of whatever was asked for; variables without a value are 0."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)
        self._known: dict[Term, Value] = {}

    def value(self, term: Term) -> Value:
        if term in self._known:
            return self._known[term]
        for part in not_known(term, self._known):
            if part.op is Op.VAR:
                self._known[part] = self._values.get(part.name, zero(part.sort))
            else:
                self._known[part] = apply(part, [self._known[arg] for arg in part.args])
        return self._known[term]

    def updated(self, values: Mapping[str, Value]) -> Assignment:
        """With other values of some variables."""
        return Assignment({**self._values, **values})

    def forget(self, most: int) -> None:
        """What was found besides the variables, if it is more than `most` terms."""
        if len(self._known) > most:
            self._known = {}

    def number(self, term: Term) -> int:
        """The value of a bit-vector or an integer."""
        value = self.value(term)
        assert isinstance(value, int), term
        return value

    def holds(self, formula: Term) -> bool:
        return self.value(formula) == 1


def zero(sort: Sort) -> Value:
    match sort:
        case Array():
            return ArrayValue(0, {})
        case FunctionSort():
            return FunctionValue(0, {})
        case _:
            return 0
