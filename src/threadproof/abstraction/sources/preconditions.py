"""Weakest preconditions of the core: before each step, that the rest of the core cannot happen.

From the end backwards, the condition under which the rest of the core can happen is a conjunction; inputs, and values
that the core forgot, are eliminated from it; its negation is the assertion.

Paper: E. W. Dijkstra, 1975; Ultimate's TraceCheckSpWp. Differs: no quantifiers; what cannot be eliminated is dropped,
which makes the assertion stronger, and perhaps too strong for the initial state; where nothing is left, nothing is
asserted.
"""

from __future__ import annotations

from threadproof.abstraction.eliminate import without
from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import PathCore
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms


class Preconditions:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal:
        terms = self._terms
        rest: list[Term] = []  # the core from here on can happen
        found = [[terms.not_(terms.all(rest))]]
        for index in range(len(core.steps) - 1, -1, -1):
            step = core.steps[index]
            forgotten = {one: terms.var(f"{one.name} anything", one.sort) for one in step.forgotten}
            after = terms.substitute(rest, {**step.updates, **forgotten})
            gone = {*forgotten.values(), *(one.term for one in path.steps[index].transition.inputs)}
            said = [one for one in (*step.guard, *after) if one.op is not Op.TRUE]
            rest = without(terms, said, gone.__contains__)
            if said and not rest:  # all of it was dropped: `false` is too strong
                return [list[Term]() for _ in range(index + 1)] + found[::-1]
            found.append([terms.not_(terms.all(rest))])
        return found[::-1]
