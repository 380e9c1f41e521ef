"""Interpolants of the core as bitwuzla makes them: bits and no names, so the last source to ask.

They are made in a process of their own, since making them cannot be stopped (two of five took for ever when we
measured). What comes back is text, read as terms of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection

from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import PathCore
from threadproof.smt.apart import answer_of
from threadproof.smt.bitwuzla_interpolants import BitwuzlaInterpolants
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term, in_order, variables
from threadproof.smt.terms import Terms

_LARGE = 400  # operations of an assertion that nobody would want to ask about again


class ProcessInterpolants:
    """bitwuzla's proposals, made by a child that is ended when its time is over."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def propose(self, formulas: Sequence[Term], seconds: float | None) -> list[Term] | None:
        text = answer_of(self._child, (formulas, seconds), seconds)
        return None if text is None else read(self._terms, text)

    def _child(self, answer: Connection, formulas: Sequence[Term], seconds: float | None) -> None:
        found = BitwuzlaInterpolants(self._terms).propose(formulas, seconds)
        answer.send(None if found is None else script(found))


class BitInterpolants:
    def __init__(self, terms: Terms, seconds: float = 2.0) -> None:
        self._terms = terms
        self._seconds = seconds
        self._source = ProcessInterpolants(terms)

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        terms = self._terms
        formulas, names = in_single_assignment(terms, path, core)
        found = self.between(formulas)
        if found is None:
            return NoAssertions("no interpolants")
        if any(len(in_order((formula,))) > _LARGE for formula in found):
            return NoAssertions("interpolants too large")
        return about_states(terms, found, names, len(path) + 1)

    def between(self, formulas: Sequence[Term]) -> list[Term] | None:
        """One for each place between two of them. bitwuzla takes a set of formulas: what comes again, or says nothing,
        changes nothing where it stands."""
        terms = self._terms
        different = [formula for formula in dict.fromkeys(formulas) if formula is not terms.true]
        proposed = self._source.propose(different, self._seconds) if len(different) > 1 else []
        if proposed is None:
            return None
        known = [terms.true, *proposed, terms.false]
        seen = [len(set(formulas[: index + 1]) - {terms.true}) for index in range(len(formulas) - 1)]
        return [known[count] for count in seen]


def about_states(
    terms: Terms, between: Sequence[Term], names: Sequence[dict[Term, Term]], count: int
) -> Proposal | NoAssertions:
    """Interpolants over the names of values as assertions over variables; the rest, up to `count`, is false."""
    found: list[Sequence[Term]] = []
    for formula, versions in zip(between, names, strict=True):
        back = {version: variable for variable, version in versions.items()}
        if any(one not in back for one in variables([formula])):
            return NoAssertions("an interpolant speaks of values of another place")
        found.append(conjuncts(terms.substitute([formula], back)[0]))
    return [*found, *([[terms.false]] * (count - len(found)))]


def in_single_assignment(terms: Terms, path: LetterPath, core: PathCore) -> tuple[list[Term], list[dict[Term, Term]]]:
    """One formula for the initial state and one for each step up to the contradiction; names of values between them."""
    names: dict[Term, Term] = {variable: variable for variable in core.initial}
    formulas = [terms.all(terms.eq(variable, value) for variable, value in core.initial.items())]
    between: list[dict[Term, Term]] = []
    for index, step in enumerate(core.steps[: core.length]):
        between.append(dict(names))
        inputs = path.steps[index].transition.fresh_inputs(f"@{index}")
        for one in variables([*step.guard, *step.updates.values()]):
            if one not in inputs:
                names.setdefault(one, one)
        now = {**names, **inputs}
        guard = terms.substitute(step.guard, now)
        values = terms.substitute(step.updates.values(), now)
        for one in (*step.updates, *step.forgotten):
            names[one] = terms.var(f"{one.name}@{index}", one.sort)
        updates = (terms.eq(names[one], value) for one, value in zip(step.updates, values, strict=True))
        formulas.append(terms.all((*guard, *updates)))
    return formulas, between
