"""Letters of thread instances, and the formula that says where one order does what the other cannot.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022
(commutativity of letters under an assertion, by inclusion of their compositions).
Differs: traps count. A letter that goes wrong behind the other must go wrong (or make the other go wrong) in the other
order as well. Who asks about one thread alone, and not about all traps, says so (`SwapGoal`). Inputs keep their names
in both orders, which is enough for inclusion and needs no quantifier.
Invariants: a violation of `a;b` in `b;a` is a state and inputs from which `a;b` can be done and `b;a` cannot, or leads
elsewhere; or in which `b` traps behind `a`, while neither `b` traps at once nor `a` behind it. Only traps that count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from threadproof.automaton import Instance, Letter
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Transition, TransitionTrap, sequence
from threadproof.encoding.transitions.space import ORDINAL_BITS
from threadproof.independence import arrays
from threadproof.independence.sums import Sums
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Op, Term, variables


class InstanceLetter(NamedTuple):
    """A letter as a thread instance makes it; `starts` are the instances that its forks start."""

    instance: Instance
    letter: Letter
    starts: tuple[Instance, ...] = ()

    def __str__(self) -> str:
        return f"{self.instance}:a{self.letter.id}"


Pair = tuple[InstanceLetter, InstanceLetter]


class Keeps(Enum):
    """What must survive when one order is left out."""

    ERRORS = "errors"  # errors and traps: two letters that exclude each other may swap
    DEADLOCKS = "deadlocks"  # also that nobody can go on: neither letter may disable the other


@dataclass(frozen=True, slots=True)
class SwapGoal:
    """Only what goes wrong in one thread matters (None: in any), and of that only what forbids `true`."""

    thread: Instance | None
    forbids: Callable[[TransitionTrap], bool]


class TrapsThatCount(Enum):
    """Of the two letters of a swap."""

    ALL = "all"
    OF_SECOND = "of the second letter, those that forbid `true`"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SwapViolation:
    """Conditions for one order to go wrong with the other, over the state before and the inputs of both letters."""

    condition: Term
    assumed: tuple[Term, ...]


class SwapViolations:
    def __init__(self, encoder: Encoder, keeps: Keeps = Keeps.ERRORS, goal: SwapGoal | None = None) -> None:
        self.encoder = encoder
        self._goal = goal
        self.terms = encoder.space.terms
        self._keeps = keeps
        self._sums = Sums(self.terms)
        handles = {thread.handle for thread in encoder.space.threads.values()}
        self._facts = [(fact, handles.intersection(variables((fact,)))) for fact in encoder.space.facts()]
        self._found: dict[tuple[Pair, TrapsThatCount], SwapViolation | None] = {}

    def transition(self, one: InstanceLetter) -> Transition | None:
        """None: it has no formula."""
        try:
            return self.encoder.transition(one.instance, one.letter, one.starts)
        except CannotEncode:
            return None

    def count(self, b: InstanceLetter) -> TrapsThatCount:
        """Where `b` is the second letter."""
        if self._goal is None:
            return TrapsThatCount.ALL
        asked = self._goal.thread is None or b.instance == self._goal.thread
        return TrapsThatCount.OF_SECOND if asked else TrapsThatCount.NONE

    def of(self, a: InstanceLetter, b: InstanceLetter, count: TrapsThatCount) -> SwapViolation | None:
        """Where `a;b` is not included in `b;a`; None if a letter has no formula."""
        key = ((a, b), count)
        if key not in self._found:
            first, second = self.transition(a), self.transition(b)
            found = None if first is None or second is None else self._violation(a, b, first, second, count)
            self._found[key] = found
        return self._found[key]

    def _violation(
        self, a: InstanceLetter, b: InstanceLetter, first: Transition, second: Transition, count: TrapsThatCount
    ) -> SwapViolation:
        shared = {one.term for one in first.inputs} & {one.term for one in second.inputs}
        if shared:
            second = second.replaced_before(second.fresh_inputs("'"))
        violation = self.terms.or_(self._elsewhere(first, second), self._hidden_trap(first, second, count))
        if self._keeps is Keeps.DEADLOCKS:
            violation = self.terms.or_(violation, self._disabled(first, second), self._disabled(second, first))
        return SwapViolation(violation, self.assumed(a, b))

    def assumed(self, a: InstanceLetter, b: InstanceLetter) -> tuple[Term, ...]:
        """What holds wherever both threads stand where their letters begin. Of what holds of handles, only what is
        about those that the letters look at."""
        known = [transition for transition in (self.transition(a), self.transition(b)) if transition is not None]
        about = frozenset[Term]().union(*(transition.reads for transition in known))
        facts = (fact for fact, handles in self._facts if not about.isdisjoint(handles))
        return (*facts, *self._standing(a), *self._standing(b))

    # --- violations --------------------------------------------------------------------------------------------------

    def _elsewhere(self, first: Transition, second: Transition) -> Term:
        """`first;second` can be done, and the other order cannot or leads to another state."""
        one, other = sequence(first, second), sequence(second, first)
        written = dict.fromkeys((*one.updates, *other.updates))
        same = (self._equal(one.updates.get(v, v), other.updates.get(v, v)) for v in written)
        return self._and_not(one.guard, self.terms.and_(other.guard, *same))

    def _hidden_trap(self, first: Transition, second: Transition, count: TrapsThatCount) -> Term:
        """`second` goes wrong behind `first`, and the other order goes well as far as it goes."""
        if count is TrapsThatCount.ALL:
            wrong, ahead = second.trapped, second.pre(first.trapped)
        else:
            wrong, ahead = self._wrong(second, count), self.terms.false
        return self._and_not(first.pre(wrong), self.terms.or_(wrong, ahead))

    def _wrong(self, transition: Transition, count: TrapsThatCount) -> Term:
        if self._goal is None or count is TrapsThatCount.NONE:
            return self.terms.false
        return self.terms.any(trap.condition for trap in transition.traps if self._goal.forbids(trap))

    def _disabled(self, first: Transition, second: Transition) -> Term:
        """Both can be done, but `second` not behind `first`."""
        return self._and_not(self.terms.and_(first.guard, second.guard), first.after([second.guard])[0])

    def _equal(self, a: Term, b: Term) -> Term:
        return arrays.same(self.terms, self._sums.of(a), self._sums.of(b))

    def _and_not(self, condition: Term, conclusion: Term) -> Term:
        """`condition` and not `conclusion`, without what follows from the looks of it."""
        known = dict.fromkeys(self._parts([condition]))
        rest = [part for part in self._parts([conclusion]) if part not in known]
        return self.terms.and_(*known, self.terms.not_(self.terms.all(rest)))

    def _parts(self, formulas: Iterable[Term]) -> list[Term]:
        """All conjuncts, those of conjuncts included, with sums in one form."""
        todo, found = list(formulas), dict[Term, None]()
        while todo:
            formula = todo.pop()
            if formula.op is Op.AND:
                todo += conjuncts(formula)
            else:
                found[self._sums.of(formula)] = None
        return sorted(found, key=lambda term: term.id)

    # --- what holds where the threads stand --------------------------------------------------------------------------

    def _standing(self, one: InstanceLetter) -> list[Term]:
        """The thread has been started and is not over; it is inside an atomic block exactly if it stands in one."""
        space, terms = self.encoder.space, self.terms
        thread = space.threads[one.instance]
        inside = terms.eq(space.owner, terms.bv(space.ordinal(one.instance), ORDINAL_BITS))
        found = [thread.started, terms.not_(thread.finished)]
        if space.has_atomic:
            found.append(inside if one.letter.source.depth else terms.not_(inside))
        return found
