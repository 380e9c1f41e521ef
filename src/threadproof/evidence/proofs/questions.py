"""What checkers of labels ask: whether there is a state with a label in which something holds."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.core.budget import Budget
from threadproof.smt.conjunctions import given_values
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.solver import Sat, SolverName, Undecided
from threadproof.smt.term import Op, Term, variables
from threadproof.smt.terms import Terms

QUESTION_S = 60.0
"""For one question, at most."""
FORGETTING = 500
"""After so many questions there is a new solver, which has kept nothing."""


class NotAnswered(Exception):
    """A question without an answer: nothing is accepted."""


class ProofQuestions:
    """`facts` hold in every state.

    A question is made small first: values that the label gives to variables are put in, and only what then shares
    variables with the formula is asked about. What is impossible so, is; only what is possible so is asked in full. One
    solver is asked many times, since making one takes longer than most answers.
    """

    def __init__(self, terms: Terms, facts: Sequence[Term], solver: SolverName, budget: Budget) -> None:
        self._terms = terms
        self._facts = tuple(facts)
        self._context = Context(terms, solver)
        self._solver = self._context.solver()
        self._budget = budget
        self._impossible: set[tuple[frozenset[Term], Term]] = set()  # near to a formula, whatever else a label says
        self._contradicted: set[tuple[Term, Term]] = set()  # a label and a formula, as a whole
        self._values: dict[Term, dict[Term, Term]] = {}  # that labels give to variables
        self._rests: dict[Term, tuple[Term, ...]] = {}  # what labels say besides, and the facts
        self._variables: dict[Term, frozenset[Term]] = {}
        self.asked = 0  # of the solver

    def possible(self, label: Term, formula: Term) -> bool:
        """Whether there may be a state with the label in which the formula holds."""
        if self._terms.false in (label, formula):
            return False
        self._look_at(label)
        [rest] = self._terms.substitute([formula], self._values[label])
        if rest is self._terms.false:
            return False
        question = (frozenset(self._near(self._rests[label], rest)), rest)
        if question in self._impossible or (label, formula) in self._contradicted:
            return False
        if not self._can_hold([*question[0], rest]):
            self._impossible.add(question)
            return False
        if not self._can_hold([*self._facts, label, formula]):
            self._contradicted.add((label, formula))  # of this label: others may say the same near to the formula
            return False
        return True

    def _look_at(self, label: Term) -> None:
        if label not in self._values:
            values = self._values[label] = dict(given_values(self._terms, conjuncts(label)))
            said = self._terms.substitute([*conjuncts(label), *self._facts], values)
            parts = dict.fromkeys(part for one in said for part in conjuncts(one))
            self._rests[label] = tuple(part for part in parts if part.op is not Op.TRUE)

    def _near(self, parts: Sequence[Term], formula: Term) -> list[Term]:
        """What shares variables with the formula, also by way of others. A part without variables is false."""
        names, far, near = set(self._variables_of(formula)), list(parts), list[Term]()
        while True:
            found = [part for part in far if part.op is Op.FALSE or not names.isdisjoint(self._variables_of(part))]
            if not found:
                return near
            near += found
            far = [part for part in far if part not in found]
            names.update(name for part in found for name in self._variables_of(part))

    def _variables_of(self, formula: Term) -> frozenset[Term]:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return self._variables[formula]

    def _can_hold(self, formulas: Sequence[Term]) -> bool:
        self.asked += 1
        if self.asked % FORGETTING == 0:
            self._solver = self._context.solver()
        seconds = min(QUESTION_S, self._budget.left())
        with self._solver.scope():
            self._solver.add(*formulas)
            outcome = self._solver.check(seconds=max(seconds, 0.001))
        if isinstance(outcome, Undecided):
            raise NotAnswered(f"the solver did not decide a question about the proof ({outcome.reason.value})")
        return isinstance(outcome, Sat)
