"""What checkers of labels ask: whether there is a state with a label in which something holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from threadproof.core.budget import Budget
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.solver import Sat, SolverName, Undecided
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

QUESTION_S = 60.0
"""For one question, at most."""


class NotAnswered(Exception):
    """A question without an answer: nothing is accepted."""


class ProofQuestions:
    """`facts` hold in every state."""

    def __init__(self, terms: Terms, facts: Sequence[Term], solver: SolverName, budget: Budget) -> None:
        self._terms = terms
        self._facts = facts
        self._context = Context(terms, solver)
        self._budget = budget
        self._impossible: set[tuple[Term, Term]] = set()
        self._given: dict[Term, _Given] = {}  # of each label
        self.asked = 0  # of the solver

    def possible(self, label: Term, formula: Term) -> bool:
        """Whether there may be a state with the label in which the formula holds."""
        if (label, formula) in self._impossible or self._terms.false in (label, formula):
            return False
        given = self._given_by(label)
        [asked] = self._terms.substitute([formula], given.values)
        if asked is self._terms.false:
            return False
        self.asked += 1
        seconds = min(QUESTION_S, self._budget.left())
        outcome = self._context.check([*given.rest, asked], max(seconds, 0.001))
        if isinstance(outcome, Undecided):
            raise NotAnswered(f"the solver did not decide a question about the proof ({outcome.reason.value})")
        if not isinstance(outcome, Sat):
            self._impossible.add((label, formula))
        return isinstance(outcome, Sat)

    def _given_by(self, label: Term) -> _Given:
        found = self._given.get(label)
        if found is None:
            values = dict(_values(self._terms, label))
            parts = (*self._facts, *conjuncts(label))
            rest = [one for one in self._terms.substitute(parts, values) if one is not self._terms.true]
            found = self._given[label] = _Given(values, tuple(rest))
        return found


@dataclass(frozen=True, slots=True)
class _Given:
    """A label, with the values that it gives to variables put in."""

    values: dict[Term, Term]
    rest: tuple[Term, ...]  # with what holds in every state


def _values(terms: Terms, label: Term) -> Iterator[tuple[Term, Term]]:
    """A variable that is given two values keeps the last; the other remains a contradiction in the label."""
    for one in conjuncts(label):
        match one.op, one.args:
            case Op.VAR, _:
                yield one, terms.true
            case Op.NOT, (variable,) if variable.op is Op.VAR:
                yield variable, terms.false
            case Op.EQ, (left, right) if left.op is Op.VAR and right.op is Op.VALUE:
                yield left, right
            case Op.EQ, (left, right) if right.op is Op.VAR and left.op is Op.VALUE:
                yield right, left
            case _:
                pass
