"""Abstract states and what letters do to them: values of tracked variables, and predicates that hold.

Known values are put into a letter's formula, which mostly folds it: its guard to a constant, and addresses of pointers
to one cell. What is left is asked of `Triples`, one predicate after the other (the Cartesian abstraction).
A letter may lead to several states: one for each of few values of tracked variables, or of predicates that may or may
not hold (the Boolean abstraction).

Paper: D. Beyer, S. Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation, FASE 2013; T. Ball,
A. Podelski, S. Rajamani, Boolean and Cartesian abstraction for model checking C programs, TACAS 2001.
Invariants: every state that a letter leads to from a concrete state with the abstract state before has the one behind.
What follows from where the threads stand (`ThreadProduct.known`) is no part of an abstract state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from threadproof.abstraction.predicates import CONTRADICTION, NOTHING, Predicate
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.abstraction.triples import Triples, Truth, constant_equation
from threadproof.automaton import Places
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.engines.cegar.cases import cases
from threadproof.engines.cegar.configuration import AbstractDomain, Configuration
from threadproof.engines.cegar.constant_terms import canonical, is_constant
from threadproof.engines.cegar.precision import Precision
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Array, Op, Term

Valuation = Mapping[Term, Term]
MOST_OPEN = 4
"""Predicates by which a state is split at once, and"""
MOST_CUBES = 16
"""into how many."""


@dataclass(frozen=True, slots=True)
class AbstractState:
    values: Valuation
    bits: int
    key: frozenset[tuple[Term, Term]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", frozenset(self.values.items()))


@dataclass(slots=True)
class _Folded:
    """A letter with values put in."""

    transition: Transition  # its traps are those that forbid `true`
    learned: Valuation  # of variables that it does not write: what its guard says


class Transformer:
    def __init__(self, product: ThreadProduct, triples: Triples, precision: Precision, how: Configuration) -> None:
        self._most_cases = how.most_cases
        self._splits_predicates = how.domain is AbstractDomain.PRED_BOOL
        self._product = product
        self._terms = product.terms
        self._triples = triples
        self._predicates = triples.predicates
        self._precision = precision
        self._facts = product.space.facts()
        self._reads: dict[Transition, tuple[Term, ...]] = {}
        self._folded: dict[tuple[object, ...], _Folded] = {}
        self._violating: dict[Transition, Transition] = {}
        self._split: dict[tuple[object, ...], list[tuple[Valuation, int]]] = {}
        self._many: set[tuple[object, ...]] = set()  # letters with more cases than are told apart
        self._standing: dict[tuple[object, ...], int] = {}
        self.tolerated: set[int] = set()
        """Letters that may go wrong in a way that forbids `true`, and violates nothing: that is known already."""

    def first(self) -> AbstractState:
        places, initial = self._product.automaton.initial(), self._product.space.initial()
        known = self._product.known(places)
        values = {
            v: x for v, x in initial.items() if v in self._precision.tracked and is_constant(x) and v not in known
        }
        bits = NOTHING
        for one in self._predicates.members(self._precision.pool(places)):
            if self._triples.initially(initial, one) is Truth.YES:
                bits |= one.bit
        return AbstractState(values, bits)

    def label(self, places: Places, state: AbstractState) -> Term:
        """All that is known there."""
        said = {**self._product.known(places), **state.values}
        equations = (self._terms.eq(variable, value) for variable, value in said.items())
        return self._terms.all((*equations, *self._predicates.terms_of(state.bits)))

    def predicates(self, state: AbstractState) -> list[Term]:
        return self._predicates.terms_of(state.bits)

    def implies(self, state: AbstractState, other: AbstractState) -> bool:
        """Whether the first is a part of the second, both at the same places."""
        if not other.key <= state.key:
            return False
        return not other.bits & ~state.bits or self._predicates.entails(state.bits, other.bits) is True

    # --- letters -----------------------------------------------------------------------------------------------------

    def goes_wrong(self, places: Places, state: AbstractState, action: ThreadAction) -> bool:
        """Whether it may, as far as the state says."""
        traps = action.violations if action.letter.id in self.tolerated else (*action.violations, *action.others)
        if not traps:
            return False
        folded = self._fold(state, action).transition
        if action.letter.id in self.tolerated:
            violations = {trap.what for trap in action.violations}
            kept = tuple(trap for trap in folded.traps if trap.what in violations)
            folded = self._with_traps(folded, kept)
        if not folded.traps:
            return False
        before = state.bits | self._known(places, state)
        return self._triples.no_trap(before, folded).truth is not Truth.YES

    def after(self, places: Places, state: AbstractState, action: ThreadAction) -> list[AbstractState]:
        """What it may lead to; nothing: it cannot be made."""
        folded = self._fold(state, action)
        transition, target = folded.transition, action.target
        if transition.guard.op is Op.FALSE:
            return []
        bits, pool, before = NOTHING, self._precision.pool(target), state.bits | self._known(places, state)
        if pool or transition.guard.op is not Op.TRUE:
            bits = self._triples.post(before, transition, pool)
            if bits == CONTRADICTION:
                return []
        values = self._values(places, state, folded, target)
        return [
            AbstractState({**values, **more}, self._predicates.normal(bits | also))
            for more, also in self._cases(before, transition, target, bits, values)
        ]

    def _cases(
        self, before: int, transition: Transition, target: Places, bits: int, values: Valuation
    ) -> Iterable[tuple[Valuation, int]]:
        """Of tracked variables that have no known value behind the letter, and of predicates of which it is not known
        whether they hold, if there are few of them."""
        tracked = self._precision.tracked - self._precision.dead(target) - self._product.known(target).keys()
        new = [v for v in transition.updates if v in tracked and v not in values and not isinstance(v.sort, Array)]
        open_ones = self._open(target, bits) if self._splits_predicates else []
        if not new and not open_ones:
            return [({}, NOTHING)]
        key = (transition, before, tuple(new), tuple(one.number for one in open_ones))
        found = self._split.get(key)
        if found is None:
            asked = [*(transition.updates[v] for v in new), *transition.after(one.term for one in open_ones)]
            formulas = [transition.guard, *self._predicates.terms_of(before)]
            most = max(self._most_cases, 1 << len(open_ones)) if open_ones else self._most_cases
            several = (
                [()]
                if (transition, *key[2:]) in self._many
                else cases(self._predicates.context, formulas, asked, min(most, MOST_CUBES))
            )
            if several is None:
                self._many.add((transition, *key[2:]))
            found = self._split[key] = [self._case(new, open_ones, one) for one in several or [()]]
        return found

    def _case(
        self, new: Sequence[Term], predicates: Sequence[Predicate], found: Sequence[Term]
    ) -> tuple[Valuation, int]:
        bits = NOTHING
        for one, holds in zip(predicates, found[len(new) :], strict=False):
            term = one.term if holds.op is Op.TRUE else self._terms.not_(one.term)
            bits |= self._predicates.unify(term).bit
        return dict(zip(new, found, strict=False)), bits

    def _open(self, target: Places, bits: int) -> list[Predicate]:
        """Some that are not known to hold: whether they do not is part of a case."""
        return list(islice(self._predicates.members(self._precision.pool(target) & ~bits), MOST_OPEN))

    def _values(self, places: Places, state: AbstractState, folded: _Folded, target: Places) -> Valuation:
        tracked, dead = self._precision.tracked, self._precision.dead(target)
        before, known = self._product.known(places), self._product.known(target)
        values = {**state.values, **{v: x for v, x in folded.learned.items() if v in tracked}}
        values.update({v: x for v, x in before.items() if v in tracked})  # what follows from the places, until now
        for variable, value in folded.transition.updates.items():
            if variable in tracked:
                if is_constant(value):
                    values[variable] = canonical(self._terms, value)
                else:
                    values.pop(variable, None)
        return {v: x for v, x in values.items() if v not in dead and v not in known}

    def _fold(self, state: AbstractState, action: ThreadAction) -> _Folded:
        transition = action.transition
        reads = self._reads.get(transition)
        if reads is None:
            reads = self._reads[transition] = tuple(sorted(transition.reads, key=lambda one: one.id))
        here = tuple((v, state.values[v]) for v in reads if v in state.values)
        key = (transition, here)
        found = self._folded.get(key)
        if found is None:
            asked = replace(transition, traps=(*action.violations, *action.others))
            found = self._folded[key] = self._put_in(asked, dict(here))
        return found

    def _put_in(self, transition: Transition, values: Valuation) -> _Folded:
        made = transition.replaced_before(values) if values else transition
        learned: dict[Term, Term] = {}
        for part in conjuncts(made.guard):
            equation = constant_equation(part, self._terms.true, self._terms.false)
            if equation is not None:
                learned[equation[0]] = equation[1]
        for one in made.inputs:
            learned.pop(one.term, None)
        if learned:
            updates = self._terms.substitute(made.updates.values(), learned)
            made = replace(made, updates=dict(zip(made.updates, updates, strict=True)))
        own = {v: value for v, value in made.updates.items() if value is not v}
        traps = tuple(trap for trap in made.traps if trap.condition.op is not Op.FALSE)
        return _Folded(replace(made, updates=own, traps=traps), learned)

    def _with_traps(self, transition: Transition, traps: tuple[TransitionTrap, ...]) -> Transition:
        """Always the same one: answers are remembered for it."""
        if len(traps) == len(transition.traps):
            return transition
        if transition not in self._violating:
            self._violating[transition] = replace(transition, traps=traps)
        return self._violating[transition]

    def _known(self, places: Places, state: AbstractState) -> int:
        """Of what follows from where the threads stand, and of values: what predicates speak of; and that threads which
        were started have different handles."""
        mentioned = self._precision.mentioned
        here = tuple((v, x) for v, x in state.values.items() if v in mentioned)
        key = (places, self._precision.version, here)
        found = self._standing.get(key)
        if found is None:
            terms, known = self._terms, self._product.known(places)
            said = [terms.eq(v, x) for v, x in (*known.items(), *here) if v in mentioned]
            found = NOTHING
            for one in (*said, *terms.substitute(self._facts, known)):
                found |= self._predicates.unify(one).bit
            found = self._standing[key] = self._predicates.normal(found)
        return found
