"""What a letter does, as a formula: a guard, updates of state variables, inputs and traps, all over the state before.

A letter is deterministic but for its inputs, so its updates are functions of the state before and the inputs, and the
weakest precondition is a substitution. Updates happen at once; what is not updated stays as it is.

Paper: E. W. Dijkstra, Guarded commands, nondeterminacy and formal derivation of programs, CACM 1975 (wp of guarded
assignments). Differs: the guard of a letter is part of it, so its `wp` is that of an assumption and an assignment.
Invariants: guard and traps exclude each other, except where the letter ends in the very thing that is the trap (a call
of reach_error). Every input occurs in one transition only, and its range is part of the guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from threadproof.encoding.encoded import NotEncoded
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms

Wrong = UndefinedKind | NotEncoded | ErrorKind
"""What forbids `true`: undefined behaviour, what the formula cannot say (limits included), an error of the program."""


@dataclass(frozen=True, slots=True)
class Input:
    """A value that the program leaves open. `step` is the instruction of the letter that asks for it."""

    term: Term
    step: int
    source: str  # of what, for people


@dataclass(frozen=True, slots=True)
class TransitionTrap:
    """If `condition` holds in the state before (and for the inputs), `what` happens in the middle of the letter."""

    condition: Term
    what: Wrong
    step: int


@dataclass(frozen=True, slots=True)
class Instantiated:
    """A transition at an index of a path: single static assignment."""

    formula: Term
    after: dict[Term, Term]  # the version of every variable that has one
    inputs: dict[Term, Term]


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    terms: Terms = field(repr=False)
    guard: Term
    updates: Mapping[Term, Term]
    inputs: tuple[Input, ...] = ()
    traps: tuple[TransitionTrap, ...] = ()

    # --- what it depends on ------------------------------------------------------------------------------------------

    @property
    def reads(self) -> frozenset[Term]:
        """State variables that guard, updates or traps depend on."""
        roots = (self.guard, *self.updates.values(), *(trap.condition for trap in self.traps))
        return frozenset(variables(roots)) - {one.term for one in self.inputs}

    @property
    def writes(self) -> frozenset[Term]:
        return frozenset(self.updates)

    @property
    def trapped(self) -> Term:
        """Holds where something goes wrong on the way."""
        return self.terms.any(trap.condition for trap in self.traps)

    # --- assertions --------------------------------------------------------------------------------------------------

    def after(self, formulas: Iterable[Term]) -> list[Term]:
        """Formulas about the state afterwards as formulas about the state before."""
        return self.terms.substitute(formulas, self.updates)

    def wp(self, formula: Term) -> Term:
        """Holds before if `formula` holds after every way to do this, for all inputs (which stay free in it). Traps are
        not looked at: ask for `trapped`."""
        return self.terms.implies(self.guard, self.after([formula])[0])

    def pre(self, formula: Term) -> Term:
        """Holds before if this can be done so that `formula` holds afterwards, for some inputs (which stay free)."""
        return self.terms.and_(self.guard, self.after([formula])[0])

    def sp(self, formula: Term, before: Mapping[Term, Term]) -> Term:
        """Holds after this in states that had `formula` before it; `before` names the old values of what it writes,
        which are to be thought existentially quantified, like the inputs."""
        missing = self.writes - before.keys()
        assert not missing, missing
        old = {variable: before[variable] for variable in self.updates}
        guard, given, *values = self.terms.substitute([self.guard, formula, *self.updates.values()], old)
        now = (self.terms.eq(variable, value) for variable, value in zip(self.updates, values, strict=True))
        return self.terms.all((given, guard, *now))

    def relation(self, after: Mapping[Term, Term]) -> Term:
        """Guard and updates, where `after` names the new values of what is written."""
        return self.terms.all(
            (self.guard, *(self.terms.eq(after[variable], value) for variable, value in self.updates.items()))
        )

    # --- other forms -------------------------------------------------------------------------------------------------

    def replaced(self, replace: Mapping[Term, Term]) -> Transition:
        """With variables replaced, also those written (by variables then)."""
        roots = (self.guard, *self.updates.values(), *(trap.condition for trap in self.traps))
        guard, *rest = self.terms.substitute(roots, replace)
        values, conditions = rest[: len(self.updates)], rest[len(self.updates) :]
        updates = {replace.get(variable, variable): new for variable, new in zip(self.updates, values, strict=True)}
        inputs = tuple(Input(replace.get(one.term, one.term), one.step, one.source) for one in self.inputs)
        traps = zip(self.traps, conditions, strict=True)
        kept = tuple(TransitionTrap(when, t.what, t.step) for t, when in traps if when is not self.terms.false)
        return Transition(self.terms, guard, updates, inputs, kept)

    def renamed(self, exchange: Mapping[Term, Term], suffix: str) -> Transition:
        """For another thread instance: `Space.exchange` has its variables; inputs get the suffix."""
        return self.replaced({**exchange, **self.fresh_inputs(suffix)})

    def with_known(self, known: Mapping[Term, Term]) -> Transition:
        """Where some variables are known to be constants for ever."""
        rest = {variable: value for variable, value in self.updates.items() if variable not in known}
        return Transition(self.terms, self.guard, rest, self.inputs, self.traps).replaced(known)

    def instantiate(self, index: int, before: Mapping[Term, Term]) -> Instantiated:
        """At place `index` of a path; `before` has the versions of variables (those without one are themselves)."""
        inputs = self.fresh_inputs(f"@{index}")
        here = self.replaced_before({**before, **inputs})
        now = {v: self.terms.var(f"{v.name}@{index}", v.sort) for v in self.updates}
        return Instantiated(here.relation(now), {**before, **now}, inputs)

    def replaced_before(self, replace: Mapping[Term, Term]) -> Transition:
        """With variables of the state before replaced by anything; what is written keeps its name."""
        roots = (self.guard, *self.updates.values(), *(trap.condition for trap in self.traps))
        guard, *rest = self.terms.substitute(roots, replace)
        values, conditions = rest[: len(self.updates)], rest[len(self.updates) :]
        inputs = tuple(Input(replace.get(one.term, one.term), one.step, one.source) for one in self.inputs)
        traps = tuple(TransitionTrap(when, t.what, t.step) for t, when in zip(self.traps, conditions, strict=True))
        return Transition(self.terms, guard, dict(zip(self.updates, values, strict=True)), inputs, traps)

    def fresh_inputs(self, suffix: str) -> dict[Term, Term]:
        return {one.term: self.terms.var(f"{one.term.name}{suffix}", one.term.sort) for one in self.inputs}


def sequence(first: Transition, second: Transition) -> Transition:
    """One after the other, as one."""
    terms = first.terms
    taken = {one.term for one in first.inputs}
    if any(one.term in taken for one in second.inputs):
        second = second.replaced_before(second.fresh_inputs("'"))
        return sequence(first, second)
    later = second.replaced_before(first.updates)
    traps = tuple(TransitionTrap(terms.and_(first.guard, trap.condition), trap.what, trap.step) for trap in later.traps)
    return Transition(
        terms,
        terms.and_(first.guard, later.guard),
        {**first.updates, **later.updates},
        (*first.inputs, *second.inputs),
        (*first.traps, *traps),
    )
