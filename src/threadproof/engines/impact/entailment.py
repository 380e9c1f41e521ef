"""Questions to the solver: whether a label implies a conjunct, and whether something holds on a path. Cheapest first.

Paper: section V, cascaded implication checks. Differs: only those conjuncts are asked about that share variables with
the question, also by way of others; that makes questions small, and equal ones frequent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from threadproof.abstraction.repair import repaired
from threadproof.abstraction.samples import ALL, Samples
from threadproof.smt.conjunctions import given_values
from threadproof.smt.context import Context, Core
from threadproof.smt.solver import Sat, Unsat
from threadproof.smt.term import Op, Term, variables

IMPLICATION_S = 0.1
"""What is implied is mostly seen within a hundredth of it; a state that shows the opposite may take long to find."""

MENDED = (0, 2, 4)
"""Samples that are mended."""


@dataclass(slots=True)
class ImplicationCounts:
    by_looking: int = 0
    by_table: int = 0
    by_sample: int = 0
    by_solver: int = 0


class NodeLabel(dict[Term, None]):
    """Conjuncts, in the order in which they came. They are never taken back, so what is implied stays so."""

    def __init__(self) -> None:
        super().__init__()
        self.implied: set[Term] = set()
        self.apart: dict[Term, int] = {}  # what was not implied when there were so many conjuncts


class Entailment:
    """`seconds` is for each question; what is not decided in time counts as not implied."""

    def __init__(self, context: Context, seconds: float = 2.0) -> None:
        self.context = context
        self.counts = ImplicationCounts()
        self._terms = context.terms
        self._seconds = seconds
        self._support: dict[Term, frozenset[Term]] = {}
        self._table: dict[tuple[frozenset[Term], Term], bool] = {}
        self._samples = Samples()
        self._possible: dict[frozenset[Term], bool] = {}

    def implies(self, label: dict[Term, None], formula: Term) -> bool:
        if formula in label or formula is self._terms.true or self._terms.false in label:
            self.counts.by_looking += 1
            return True
        if not isinstance(label, NodeLabel):
            return self._implies(label, formula)
        if formula in label.implied:
            self.counts.by_table += 1
            return True
        if label.apart.get(formula) == len(label):
            self.counts.by_table += 1
            return False
        if self._implies(label, formula):
            label.implied.add(formula)
            return True
        label.apart[formula] = len(label)
        return False

    def _implies(self, label: dict[Term, None], formula: Term) -> bool:
        near = frozenset(self._near(label, formula))
        known = self._table.get((near, formula))
        if known is not None:
            self.counts.by_table += 1
            return known
        if self._refuted(near, formula):
            self.counts.by_sample += 1
            self._table[near, formula] = False
            return False
        known = self._by_values(near, formula)
        if known is not None:
            self.counts.by_sample += 1
            self._table[near, formula] = known
            return known
        asked = self.context.asked
        before = asked.by_solver + asked.undecided
        given = self._terms.all(sorted(near, key=lambda one: one.id))
        known = self._table[near, formula] = self.context.implies(given, formula, IMPLICATION_S) is True
        self.counts.by_solver += asked.by_solver + asked.undecided - before
        return known

    def _by_values(self, label: frozenset[Term], formula: Term) -> bool | None:
        """Seen by putting in the values that the label, which can hold, gives to variables; or in a state that is
        mended until the label holds in it and the formula does not."""
        values = dict(given_values(self._terms, label))
        rest, *others = self._terms.substitute([formula, *label], values)
        if rest.op in (Op.TRUE, Op.FALSE):
            return rest.op is Op.TRUE
        asked = [self._terms.not_(rest), *(one for one in others if one.op is not Op.TRUE)]
        names = variables(asked)
        for index in MENDED:
            if repaired(asked, self._samples.state(names, index)) is not None:
                return False
        return None

    def _refuted(self, given: Iterable[Term], formula: Term) -> bool:
        """Seen in a few fixed states."""
        where = ALL & ~self._samples.signature(formula)
        for one in given:
            where &= self._samples.signature(one)
        return where != 0

    def all_implied(self, label: dict[Term, None], formulas: Iterable[Term]) -> bool:
        return all(self.implies(label, formula) for formula in formulas)

    def needed(self, known: Sequence[Term], formula: Term) -> list[Term] | None:
        """Of what is known, enough to imply the formula; None if it does not."""
        named = {str(number): one for number, one in enumerate([self._terms.not_(formula), *known])}
        found = self.context.core(named, self._seconds)
        self.counts.by_solver += 1
        return [named[name] for name in found.names if name != "0"] if isinstance(found, Core) else None

    def possible(self, given: Sequence[Term], formulas: Iterable[Term]) -> bool:
        """Whether the formulas may hold where `given` does, which can, or is false. Undecided counts as possible."""
        if self._terms.false in given:
            return False
        asked = [one for formula in formulas for one in (formula.args if formula.op is Op.AND else (formula,))]
        asked = [one for one in asked if one.op is not Op.TRUE]
        if any(one.op is Op.FALSE for one in asked):
            return False
        if not asked:
            return True
        question = frozenset([*self._near(dict.fromkeys(given), self._terms.all(asked)), *asked])
        known = self._possible.get(question)
        if known is None:
            outcome = self.context.check(list(question), self._seconds)
            known = self._possible[question] = not isinstance(outcome, Unsat)
        return known

    def model(self, formulas: Iterable[Term]) -> Sat | None:
        outcome = self.context.check([*formulas], self._seconds * 5)
        return outcome if isinstance(outcome, Sat) else None

    def support(self, formula: Term) -> frozenset[Term]:
        found = self._support.get(formula)
        if found is None:
            found = self._support[formula] = frozenset(variables([formula]))
        return found

    def _near(self, given: dict[Term, None], formula: Term) -> list[Term]:
        """What shares variables with the formula, also by way of others."""
        names, rest, near = set(self.support(formula)), list(given), list[Term]()
        while True:
            found = [one for one in rest if not names.isdisjoint(self.support(one))]
            if not found:
                return near
            near += found
            rest = [one for one in rest if names.isdisjoint(self.support(one))]
            for one in found:
                names |= self.support(one)
