"""Several domains side by side: a state is in the product if it is in each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from threadproof.domains.by_models import Weakened
from threadproof.domains.interface import Updates
from threadproof.smt.batch import ValueBatch
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


class DomainProduct:
    """At least one part. What one of them finds impossible is impossible; no other news is passed between them."""

    def __init__(self, *parts: Weakened) -> None:
        dead = any(part.is_bottom for part in parts)
        self.parts: tuple[Weakened, ...] = tuple(part.bottom() for part in parts) if dead else parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DomainProduct) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    @property
    def terms(self) -> Terms:
        return self.parts[0].terms

    @property
    def columns(self) -> tuple[Term, ...]:
        return tuple(dict.fromkeys(column for part in self.parts for column in part.columns))

    def top(self) -> Self:
        return type(self)(*(part.top() for part in self.parts))

    def bottom(self) -> Self:
        return type(self)(*(part.bottom() for part in self.parts))

    @property
    def is_bottom(self) -> bool:
        return self.parts[0].is_bottom

    def join(self, other: Self) -> Self:
        return type(self)(*(a.join(b) for a, b in zip(self.parts, other.parts, strict=True)))

    def meet(self, other: Self) -> Self:
        return type(self)(*(a.meet(b) for a, b in zip(self.parts, other.parts, strict=True)))

    def leq(self, other: Self) -> bool:
        return all(a.leq(b) for a, b in zip(self.parts, other.parts, strict=True))

    def admit(self, state: Assignment) -> Self:
        return type(self)(*(part.admit(state) for part in self.parts))

    def admit_all(self, states: ValueBatch) -> Self:
        if not states.size:
            return self
        parts = [part.admit_all(states) for part in self.parts]
        return self if all(a is b for a, b in zip(parts, self.parts, strict=True)) else type(self)(*parts)

    def holds(self, state: Assignment) -> bool:
        return all(part.holds(state) for part in self.parts)

    def drop(self, claim: Term) -> Self:
        if claim.op is Op.FALSE:
            return self.top()
        return type(self)(*(part.drop(claim) if claim in part.to_terms() else part for part in self.parts))

    def sharper(self, claim: Term, state: Assignment) -> Iterable[Term]:
        return [one for part in self.parts for one in part.sharper(claim, state)]

    def assign(self, updates: Updates) -> Self:
        return type(self)(*(part.assign(updates) for part in self.parts))

    def assume(self, condition: Term) -> Self:
        return type(self)(*(part.assume(condition) for part in self.parts))

    def to_terms(self) -> list[Term]:
        return list(dict.fromkeys(term for part in self.parts for term in part.to_terms()))
