"""What a domain offers. A value of it is a set of states, given by terms that hold in all of them.

Everything is sound: `gamma(f(a))` includes `f(gamma(a))`. Nothing promises more, though most operations are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term

Updates = Mapping[Term, Term]
"""New values of variables, all at once, over the state before. What no column speaks of is unknown."""


class Domain(Protocol):
    def top(self) -> Self:
        """All states, over the same columns."""
        ...

    def bottom(self) -> Self:
        """No state."""
        ...

    @property
    def is_bottom(self) -> bool: ...

    def join(self, other: Self) -> Self: ...

    def meet(self, other: Self) -> Self: ...

    def leq(self, other: Self) -> bool:
        """Whether the other has all states of this one. Only `True` is certain."""
        ...

    def admit(self, state: Assignment) -> Self:
        """The join with a single state."""
        ...

    def holds(self, state: Assignment) -> bool:
        """Whether the state is one of these."""
        ...

    def assign(self, updates: Updates) -> Self: ...

    def assume(self, condition: Term) -> Self: ...

    def to_terms(self) -> list[Term]:
        """Which hold together exactly in these states; none of them for all states."""
        ...
