"""Backward binary interpolation: from the end of the core to its beginning, one interpolant for each place.

Before the last step of the core stands what follows from everything before it and contradicts that step; before an
earlier step, what follows from the steps before and leads to the assertion behind it. Only the next step is looked at
each time, so what is found speaks of few steps, and says little about those long before.

Paper: Á. Hajdu, Z. Micskei, Efficient Strategies for CEGAR-Based Model Checking, JAR 2020, section 3.3 (backward binary
interpolation). Differs: the search does not end where the first interpolant is, so the whole path is asserted, and can
be proved.
"""

from __future__ import annotations

from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.sources.integers import IntegerInterpolants
from threadproof.abstraction.sources.interpolants import BitInterpolants, about_states, in_single_assignment
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import PathCore
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms


class BackwardInterpolants:
    """Linear ones where there are some, else those of bitwuzla."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._integers = IntegerInterpolants(terms)
        self._bits = BitInterpolants(terms)

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        terms = self._terms
        formulas, names = in_single_assignment(terms, path, core)
        found: list[Term] = []
        later = terms.false
        for index in range(len(names) - 1, -1, -1):
            before = terms.all(formulas[: index + 1])
            later = self._interpolant(before, terms.and_(formulas[index + 1], terms.not_(later)))
            if later is None:
                return NoAssertions(f"no interpolant before step {index}")
            found.append(later)
        return about_states(terms, found[::-1], names, len(path) + 1)

    def _interpolant(self, before: Term, rest: Term) -> Term | None:
        if rest is self._terms.false:
            return self._terms.true
        several = self._integers.between((before, rest)) or self._bits.between((before, rest))
        return several[0] if several else None
