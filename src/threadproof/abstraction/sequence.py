"""Assertions along a path that cannot be made: proved triple by triple, and only what is needed of them is kept.

From the end backwards: what has to hold after a step is asked for as triples, and the conjuncts before it that their
proofs took are what has to hold there. So a sequence is proved and made smaller at once, whoever proposed it.

Invariants: of the result, the first holds initially, `{I(k)} step k {each conjunct of I(k+1)}` was proved, and the
last is `CONTRADICTION`. With `PathGoal.TRAP` the last step is `{I(n-1)} letter {no trap}` instead.

Stable: `Assertions`, `NoAssertions`, `prove`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from threadproof.abstraction.path import LetterPath, PathGoal
from threadproof.abstraction.predicates import CONTRADICTION, NOTHING
from threadproof.abstraction.triples import Triples, Truth
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True)
class Assertions:
    """One conjunction (a bit set of `Predicates`) before each step, and one at the end: one more than steps."""

    between: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoAssertions:
    """A source has none; why, for statistics."""

    reason: str


def prove(
    triples: Triples, initial: Mapping[Term, Term], path: LetterPath, proposed: Sequence[Sequence[Term]]
) -> Assertions | NoAssertions:
    """`proposed` are conjuncts before each step and at the end, where only `false` will do; all may be wrong. What
    speaks of inputs is left out: an input is another one in each step that asks for it."""
    assert len(proposed) == len(path) + 1
    predicates = triples.predicates
    inputs = {one.term for step in path.steps for one in step.transition.inputs}
    needed, found = CONTRADICTION, [CONTRADICTION]
    for index in range(len(path) - 1, -1, -1):
        given = NOTHING
        for one in map(predicates.unify, proposed[index]):
            if inputs.isdisjoint(one.variables):
                given |= one.bit
        given = predicates.normal(given)
        before = _before(triples, path, index, given, needed)
        if before is None:
            return NoAssertions(f"step {index} of {len(path)} is not proved")
        found.append(before)
        needed = before
    for one in predicates.members(needed):
        if triples.initially(initial, one) is not Truth.YES:
            return NoAssertions("the first assertion does not hold initially")
    return Assertions(tuple(reversed(found)))


def _before(triples: Triples, path: LetterPath, index: int, given: int, needed: int) -> int | None:
    """Members of `given` that suffice for all of `needed` after the step."""
    step = path.steps[index]
    if path.goal is PathGoal.TRAP and index == len(path) - 1:
        answer = triples.no_trap(given, step)
        return answer.core if answer.truth is Truth.YES else None
    found = NOTHING
    for one in triples.predicates.members(needed):
        answer = triples.ask(given, step, one)
        if answer.truth is not Truth.YES:
            return None
        found |= answer.core
    return triples.predicates.normal(found)
