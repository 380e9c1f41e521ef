"""Whether `a;b` is included in `b;a` under an assertion, asked of a solver as seldom as possible.

What is known grows monotonically: what holds under some conjuncts holds under more of them, and a state that refutes an
inclusion refutes it under every assertion that the state satisfies. So for each pair of letters the sets of conjuncts
under which it was shown are kept (only those that the proof used), and the states that refuted it.

Paper: Ultimate's MonotonicIndependenceCache, by its idea. Differs: refutations are models, not assertions.
Invariants: undecided is not included.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from threadproof.independence.pairs import InstanceLetter, Pair, SwapViolation, SwapViolations, TrapsThatCount
from threadproof.independence.renaming import Renamings
from threadproof.smt.backend import Cores
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, Undecided
from threadproof.smt.term import Op, Term, variables

Given = frozenset[Term]
"""Conjuncts of an assertion about the state before both letters."""

_MODELS = 8  # of one inclusion


@dataclass(slots=True)
class InclusionCounts:
    """How inclusions were decided."""

    by_looking: int = 0  # no formula is left of the violation
    by_proof: int = 0  # shown before under fewer conjuncts
    by_model: int = 0  # refuted by a state that was met before
    by_solver: int = 0
    undecided: int = 0


@dataclass(slots=True)
class _KnownInclusion:
    proved: list[Given] = field(default_factory=list[Given])  # none contains another
    models: deque[Assignment] = field(default_factory=lambda: deque[Assignment](maxlen=_MODELS))
    undecided: list[Given] = field(default_factory=list[Given])
    about: frozenset[Term] | None = None  # the variables of the violation

    def shown(self, given: Given) -> bool:
        return any(proof <= given for proof in self.proved)

    def refuted(self, given: Given) -> bool:
        return any(all(model.holds(part) for part in given) for model in self.models)

    def in_vain(self, given: Given) -> bool:
        """Whether the solver did not decide it under as much or more."""
        return any(given <= tried for tried in self.undecided)


class Inclusions:
    def __init__(self, violations: SwapViolations, context: Context, seconds: float | None = 1.0) -> None:
        self.violations = violations
        self.counts = InclusionCounts()
        self._context = context
        self._seconds = seconds
        self._renamings = Renamings(violations.encoder)
        self._alike: dict[Pair, bool] = {}
        self._variables: dict[Term, frozenset[Term]] = {}  # of conjuncts that were given
        self._known: dict[tuple[Pair, TrapsThatCount], _KnownInclusion] = {}

    def holds(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> bool:
        """Whether `a;b` is included in `b;a` wherever `given` holds. False if that is not known."""
        count = self.violations.count(b)
        a, b, given = self._renamed(a, b, given)
        violation = self.violations.of(a, b, count)
        if violation is None:
            return False
        if violation.condition.op is Op.FALSE:
            self.counts.by_looking += 1
            return True
        known = self._known.setdefault(((a, b), count), _KnownInclusion())
        given = self._relevant(known, violation, given)
        if known.shown(given):
            self.counts.by_proof += 1
            return True
        if known.refuted(given) or known.in_vain(given):
            self.counts.by_model += 1
            return False
        return self._ask(known, violation, given)

    def _renamed(
        self, a: InstanceLetter, b: InstanceLetter, given: Given
    ) -> tuple[InstanceLetter, InstanceLetter, Given]:
        """The same question about the first instances of the two templates, if names are all that differs."""
        pair = self._renamings.of(a, b)
        if not pair.renaming:
            return a, b, given
        if (a, b) not in self._alike:
            here = self._renamings.formulas(self.violations.assumed(a, b), pair.renaming)
            self._alike[a, b] = set(here) == set(self.violations.assumed(pair.first, pair.second))
        if not self._alike[a, b]:
            return a, b, given
        return pair.first, pair.second, frozenset(self._renamings.formulas(given, pair.renaming))

    def _ask(self, known: _KnownInclusion, violation: SwapViolation, given: Given) -> bool:
        solver = self._context.solver(Cores.WANTED if given else Cores.NONE)
        solver.add(violation.condition, *violation.assumed)
        outcome = solver.check(sorted(given, key=lambda part: part.id), seconds=self._seconds)
        match outcome:
            case Undecided():
                self.counts.undecided += 1
                known.undecided.append(given)
                return False
            case Sat():
                self.counts.by_solver += 1
                known.models.appendleft(outcome.model)
                return False
            case _:
                self.counts.by_solver += 1
                used = frozenset(outcome.core) & given if given else given
                known.proved = [proof for proof in known.proved if not used <= proof] + [used]
                return True

    def _relevant(self, known: _KnownInclusion, violation: SwapViolation, given: Given) -> Given:
        """The conjuncts that have a variable in common with the question, or with such a conjunct: the others can only
        help by contradicting each other, and leaving out is always allowed."""
        if not given:
            return given
        if known.about is None:
            known.about = frozenset(variables((violation.condition, *violation.assumed)))
        about, kept = set(known.about), set[Term]()
        rest = {part: self._variables_of(part) for part in given}
        while near := [part for part, names in rest.items() if not about.isdisjoint(names)]:
            for part in near:
                about |= rest.pop(part)
                kept.add(part)
        return frozenset(kept)

    def _variables_of(self, part: Term) -> frozenset[Term]:
        found = self._variables.get(part)
        if found is None:
            found = self._variables[part] = frozenset(variables((part,)))
        return found


def split(given: Iterable[Term]) -> Given:
    """The conjuncts of some formulas."""
    todo, found = list(given), set[Term]()
    while todo:
        formula = todo.pop()
        if formula.op is Op.AND:
            todo += conjuncts(formula)
        elif formula.op is not Op.TRUE:
            found.add(formula)
    return frozenset(found)
