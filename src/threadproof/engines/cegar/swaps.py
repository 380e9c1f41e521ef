"""Which letters may sleep behind another: looking at variables first, then a solver, once for each pair.

Answers are kept by what letters do, so they last while a precision grows, for letters that do not know more by that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from threadproof.encoding.transitions import Encoder, Transition, TransitionTrap
from threadproof.independence.inclusions import Inclusions
from threadproof.independence.pairs import InstanceLetter, SwapGoal, SwapViolations
from threadproof.smt.context import Context
from threadproof.smt.term import Term

Forbids = Callable[[TransitionTrap], bool]
_Pair = tuple[Transition, Transition]


class _Touched(NamedTuple):
    reads: frozenset[Term]  # what was taken as known included
    writes: frozenset[Term]


class LetterSwaps:
    def __init__(
        self, encoder: Encoder, context: Context, forbids: Forbids, known: dict[_Pair, bool] | None = None
    ) -> None:
        self._encoder = encoder
        self._context = context
        self._forbids = forbids
        self._known: dict[_Pair, bool] = {} if known is None else known
        self._inclusions = Inclusions(SwapViolations(encoder, goal=SwapGoal(None, forbids)), context)
        self._found: dict[tuple[InstanceLetter, InstanceLetter], bool] = {}
        self._reads: dict[Transition, frozenset[Term]] = {}
        self._touched: dict[tuple[Transition, frozenset[tuple[Term, Term]]], _Touched] = {}

    def seen_by(self, encoder: Encoder) -> LetterSwaps:
        return LetterSwaps(encoder, self._context, self._forbids, self._known)

    def may_drop(self, a: InstanceLetter, b: InstanceLetter) -> bool:
        """Whether `a;b` may be left out for `b;a`, always."""
        found = self._found.get((a, b))
        if found is None:
            found = self._found[a, b] = self._decide(a, b)
        return found

    def may_drop_where(self, a: InstanceLetter, b: InstanceLetter, values: Mapping[Term, Term]) -> bool:
        """Whether they touch different things where variables have these values. None of them may change what the other
        took as known."""
        if a.instance == b.instance or a.instance in b.starts or b.instance in a.starts or (a.starts and b.starts):
            return False
        first, second = self._folded(a, values), self._folded(b, values)
        return first.writes.isdisjoint(second.reads | second.writes) and second.writes.isdisjoint(first.reads)

    def _folded(self, one: InstanceLetter, values: Mapping[Term, Term]) -> _Touched:
        transition = self._encoder.transition(*one)
        if transition not in self._reads:
            self._reads[transition] = transition.reads
        here = {variable: values[variable] for variable in self._reads[transition] if variable in values}
        key = (transition, frozenset(here.items()))
        if key not in self._touched:
            made = transition.replaced_before(here)
            writes = frozenset(variable for variable, value in made.updates.items() if value is not variable)
            self._touched[key] = _Touched(made.reads | here.keys(), writes)
        return self._touched[key]

    def _decide(self, a: InstanceLetter, b: InstanceLetter) -> bool:
        starts = a.instance in b.starts or b.instance in a.starts
        if a.instance == b.instance or starts or (a.letter.forks and b.letter.forks):
            return False
        pair = self._encoder.transition(*a), self._encoder.transition(*b)
        if pair not in self._known:
            self._known[pair] = _apart(*pair) or self._inclusions.holds(a, b, frozenset())
        return self._known[pair]


def _apart(a: Transition, b: Transition) -> bool:
    """Neither writes what the other reads or writes."""
    return a.writes.isdisjoint(b.reads | b.writes) and b.writes.isdisjoint(a.reads)
