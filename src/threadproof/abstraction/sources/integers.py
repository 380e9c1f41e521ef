"""Linear interpolants of the core over integers that do not wrap, said of bit-vectors again.

The core is written over integers (`smt/integers`, sums are taken not to wrap: a guess), contradicted by a sum of
inequations (`farkas`), and what comes out is said in as many bits as it takes. Whether that is true of bit-vectors,
the triples decide.

Differs: Ultimate believes integers and asks again with bits if it gave up; here only the candidates are integers.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.sources.farkas import Alternatives, Farkas, Inequation, Say, over_integers, ways
from threadproof.abstraction.sources.interpolants import about_states, in_single_assignment
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import PathCore
from threadproof.smt.context import conjuncts
from threadproof.smt.integers import Integers, NoIntegers, Signedness, Signs, Wrapping
from threadproof.smt.integers_as_bits import NoBits, as_bits
from threadproof.smt.linear import Linear
from threadproof.smt.term import Op, Term, in_order
from threadproof.smt.terms import Terms


class IntegerInterpolants:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._farkas = Farkas(terms)

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        formulas, names = in_single_assignment(self._terms, path, core)
        found = self.between(formulas)
        if found is None:
            return NoAssertions("no linear contradiction")
        return about_states(self._terms, found, names, len(path) + 1)

    def between(self, formulas: Sequence[Term]) -> list[Term] | None:
        """One for each place between two of them."""
        integers = Integers(self._terms, signs=_signs(formulas), wrapping=Wrapping.IGNORED)
        given, open_ = self._inequations(integers, formulas)
        try:
            return self._farkas.interpolants(given, open_, len(formulas) - 1, self._in_bits(integers))
        except NoBits:
            return None

    def _in_bits(self, integers: Integers) -> Say:
        """Equations hold modulo 2**width if they hold of integers, and steps that wrap keep them."""
        plain = over_integers(self._terms)

        def say(total: Linear, equal: bool) -> Term:
            bits = [
                (integers.origins[atom][0], times)
                for atom, times in total.coefficients.items()
                if atom in integers.origins
            ]
            widths = {one.width for one, _ in bits}
            if equal and len(widths) == 1 and len(bits) == len(total.coefficients):
                return modular_equation(self._terms, bits, total.constant, widths.pop())
            return as_bits(integers, plain(total, equal))

        return say

    def _inequations(
        self, integers: Integers, formulas: Sequence[Term]
    ) -> tuple[list[Inequation], list[tuple[int, Alternatives]]]:
        """What holds anyhow, and what has alternatives. Bounds of a variable belong to where it occurs first."""
        given: list[Inequation] = []
        open_: list[tuple[int, Alternatives]] = []
        bounds = 0
        for place, formula in enumerate(formulas):
            for literal in conjuncts(formula):
                try:
                    alternatives = ways(integers.formula(literal), place)
                except NoIntegers:
                    continue  # a weaker core: perhaps the rest is enough
                if len(alternatives) == 1:
                    given += alternatives[0]
                elif [] not in alternatives:
                    open_.append((place, alternatives))
            for fact in integers.facts[bounds:]:
                [sure] = ways(fact, place)
                given += sure
            bounds = len(integers.facts)
        return given, open_


def modular_equation(terms: Terms, sum_: Sequence[tuple[Term, int]], constant: int, width: int) -> Term:
    """The sum is 0 modulo 2**width, with nothing subtracted."""
    sides = [terms.bv(max(-constant, 0), width), terms.bv(max(constant, 0), width)]
    for one, times in sum_:
        part = one if abs(times) == 1 else terms.make(Op.MUL, (one, terms.bv(abs(times), width)))
        sides[times > 0] = terms.add(sides[times > 0], part)
    return terms.eq(*sides)


def _signs(formulas: Sequence[Term]) -> Signs:
    """Numbers are read as most comparisons of the core do."""
    parts = in_order(formulas)
    unsigned = sum(part.op in (Op.ULT, Op.ZEXT) for part in parts) > sum(part.op in (Op.SLT, Op.SEXT) for part in parts)
    sign = Signedness.UNSIGNED if unsigned else Signedness.SIGNED
    return lambda variable: sign
