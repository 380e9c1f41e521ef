"""A value of a domain weakened by models until a formula implies it: bottom up, and bit-precise.

Paper: Reps, Sagiv and Yorsh, "Symbolic implementation of the best transformer", VMCAI 2004; for a conjunction of
literals Flanagan and Leino, "Houdini", FME 2001.

Differs: claims are asked a dozen at a time, what was proved is not asked again, and what is not decided in time is
halved until a single claim is given up. A domain without a short way up (intervals) gives up claims after `most`
models.

Invariants: a model is a state that the value must admit, so nothing is dropped that could stay (but for the two ways
of giving up); and each claim left at the end was proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from threadproof.core.errors import InternalError
from threadproof.domains.interface import Domain, Updates
from threadproof.smt.batch import CannotBatch, ValueBatch
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, Undecided
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_CHUNK = 24  # claims in one question: more make it hard, fewer make many of them


Like = Callable[[Assignment], ValueBatch]


class Weakened(Domain, Protocol):
    """A domain whose claims can be given up one by one."""

    @property
    def terms(self) -> Terms: ...

    @property
    def columns(self) -> Sequence[Term]: ...

    def drop(self, claim: Term) -> Self:
        """More states: without one of `to_terms`."""
        ...

    def admit_all(self, states: ValueBatch) -> Self:
        """The least value above that has all of these states."""
        ...

    def sharper(self, claim: Term, state: Assignment) -> Iterable[Term]:
        """The state violates the claim, but only just: states with one of these refute more, the first ones most."""
        ...


D = TypeVar("D", bound=Weakened)


@dataclass(frozen=True, slots=True)
class Strongest(Generic[D]):
    value: D
    models: tuple[Assignment, ...]  # states that had to be admitted, as they are afterwards
    given_up: tuple[Term, ...]  # claims that were not refuted, only not proved in time


def strongest(
    context: Context,
    before: Sequence[Term],
    value: D,
    updates: Updates | None = None,
    *,
    most: int = 200,
    seconds: float | None = None,
    proved: Iterable[Term] = (),
    like: Like | None = None,
) -> Strongest[D]:
    """The least value above `value` that holds after the updates wherever `before` does. `proved` are claims that are
    known to hold then. `like` gives more states of this kind, as they are afterwards, for one of `before`: a solver
    takes longer to find each of them."""
    return _Weakening(context, before, value, updates or {}, most, seconds, proved, like).run()


def kept(literals: Sequence[Term], states: Sequence[Assignment]) -> list[Term]:
    """Those that hold in all states."""
    return [literal for literal in literals if all(state.holds(literal) for state in states)]


class _Weakening(Generic[D]):
    def __init__(
        self,
        context: Context,
        before: Sequence[Term],
        value: D,
        updates: Updates,
        most: int,
        seconds: float | None,
        proved: Iterable[Term],
        like: Like | None,
    ) -> None:
        self._context = context
        self._like = like
        self._before = before
        self._value = value
        self._updates = updates
        self._images = dict(updates)  # what becomes of terms by them
        self._most = most
        self._seconds = seconds
        self._given = {part for formula in before for part in conjuncts(formula)}
        self._proved = set(proved)
        self._models: list[Assignment] = []
        self._given_up: list[Term] = []
        self._size = _CHUNK
        self._blunt: set[Term] = set()  # claims of which nothing more is refuted

    def run(self) -> Strongest[D]:
        while claims := self._open():
            chunk = claims[: self._size]
            outcome = self._ask(chunk)
            if isinstance(outcome, Sat):
                self._refuted(chunk, self._sharpest(chunk, outcome.model))
                self._size = _CHUNK
            elif not isinstance(outcome, Undecided):
                self._proved.update(chunk)
                self._size = _CHUNK
            elif len(chunk) > 1:
                self._size = len(chunk) // 2
            else:
                self._given_up += chunk
                self._value = self._value.drop(chunk[0])
        return Strongest(self._value, tuple(self._models), tuple(self._given_up))

    def _open(self) -> list[Term]:
        """What stands there already, and is not changed by the updates, need not be asked."""
        claims = [claim for claim in self._value.to_terms() if claim not in self._proved]
        images = self._value.terms.replaced(claims, self._images)
        plain = [claim for claim, image in zip(claims, images, strict=True) if self._follows_plainly(image)]
        self._proved.update(plain)
        return [claim for claim in claims if claim not in self._proved]

    def _follows_plainly(self, formula: Term) -> bool:
        return formula.op is Op.TRUE or all(part in self._given for part in conjuncts(formula))

    def _sharpest(self, claims: list[Term], model: Assignment) -> Assignment:
        """Solvers like values such as 1 << 31, which leave most of an equation standing."""
        state = after(model, self._updates)
        for claim in claims:
            wanted = () if claim in self._blunt else tuple(self._value.sharper(claim, state))
            for one, image in zip(wanted, self._value.terms.replaced(wanted, self._images), strict=True):
                outcome = self._context.check([*self._before, image], self._seconds)
                if isinstance(outcome, Sat):
                    return outcome.model
                self._blunt.add(claim)
                if not isinstance(outcome, Undecided):
                    self._proved.add(self._value.terms.not_(one))
        return model

    def _ask(self, claims: list[Term]) -> object:
        images = self._value.terms.replaced(claims, self._images)
        violated = self._value.terms.not_(self._value.terms.all(images))
        return self._context.check([*self._before, violated], self._seconds)

    def _refuted(self, claims: list[Term], model: Assignment) -> None:
        state = after(model, self._updates)
        if len(self._models) < self._most:
            self._models.append(state)
            self._value = self._value.admit(state)
            if not self._value.holds(state):
                raise InternalError(f"a domain does not admit a state: {type(self._value).__name__}")
            self._admit_others(model)
            return
        for claim in claims:
            if not state.holds(claim):
                self._value = self._value.drop(claim)

    def _admit_others(self, model: Assignment) -> None:
        if self._like is not None:
            with suppress(CannotBatch):
                self._value = self._value.admit_all(self._like(model))


def after(state: Assignment, updates: Updates) -> Assignment:
    """The state that the updates lead to."""
    return state.updated({variable.name: state.value(new) for variable, new in updates.items()})
