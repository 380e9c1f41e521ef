"""Strongest postconditions of the core, projected to what the core still asks for: measured as the best source.

Before the first step: the initial values in the core. After each step: what follows from the assertion and the core's
part of the letter, where variables that the core does not read any more are projected out (`eliminate`).

Paper: M. Heizmann et al., Interpolation with strongest postconditions of Ultimate's TraceCheckSpWp. Differs: no
quantifiers; what cannot be projected is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.abstraction.eliminate import without
from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import CoreStep, PathCore
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms


class Postconditions:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        asked = asked_for(core)
        now = [self._terms.eq(variable, value) for variable, value in core.initial.items()]
        now = without(self._terms, now, lambda variable: variable not in asked[0])
        found = [now]
        for step, kept in zip(core.steps, asked[1:], strict=True):
            now = self._after(now, step, kept)
            found.append(now)
        found[-1] = [self._terms.false]
        length = core.length
        return [*found[:length], *([[self._terms.false]] * (len(found) - length))]

    def _after(self, before: Sequence[Term], step: CoreStep, kept: frozenset[Term]) -> list[Term]:
        """Old values of what is written get names, which are eliminated."""
        terms = self._terms
        old = {one: terms.var(f"{one.name} before", one.sort) for one in (*step.updates, *step.forgotten)}
        given = terms.substitute([*before, *step.guard], old)
        values = terms.substitute(step.updates.values(), old)
        now = [terms.eq(variable, value) for variable, value in zip(step.updates, values, strict=True)]
        return without(terms, [*now, *given], lambda variable: variable not in kept)


def asked_for(core: PathCore) -> list[frozenset[Term]]:
    """Variables that the core reads from each place on, before anything writes them."""
    asked: frozenset[Term] = frozenset()
    found = [asked]
    for step in reversed(core.steps):
        values = [value for variable, value in step.updates.items() if variable in asked]
        asked = asked - {*step.updates, *step.forgotten} | frozenset(variables([*step.guard, *values]))
        found.append(asked)
    return found[::-1]
