"""Labels that grow with each round of a loop (`i = 1`, `i = 2`, ...) are answered with what holds in every round.

Where threads stand at the same places for the third time on a path, candidates over the variables of the loop are
tried: those that hold at every visit and that the rounds of this path, taken together, keep. What is left becomes the
label of the first visit, below which the tree is built anew. Nothing is believed: the labels are proved along the tree
as all others, and by the checker.

Paper: C. Flanagan, K. R. M. Leino, Houdini, an annotation assistant for ESC/Java, FME 2001 (which candidates are kept).
The templates are those of M. D. Ernst et al., Dynamically discovering likely program invariants, ICSE 1999.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import combinations
from math import gcd

from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Instance, Places
from threadproof.engines.impact.entailment import Entailment
from threadproof.engines.impact.strengthen import Strengthening
from threadproof.engines.impact.tree import AbstractNode
from threadproof.smt.context import conjuncts
from threadproof.smt.meaning import to_signed
from threadproof.smt.solver import Outcome, Sat, Undecided, Unsat
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order, variables

VISITS = 3
"""Of one place on a path, from which on labels are taken to grow."""
MOST_VARIABLES = 12
MOST_ROUNDS = 12
SMALL = 8
"""Operations of what labels and guards say."""
MOST_CANDIDATES = 160
QUESTION_S = 0.3
CHUNK = 24
"""Candidates in one question: more make it hard."""
RoundKey = tuple[tuple[Instance, int], ...]
_COMPARISONS = (Op.ULT, Op.SLT, Op.EQ)


class LabelSource(Enum):
    """Where candidates come from."""

    LABELS = "labels"  # what labels and guards say at the visits
    BOUNDS = "bounds"  # constants, bounds by constants of the program, divisibility by powers of two
    RELATIONS = "relations"  # equations, differences, sums and orders of variables


class Generalisation:
    def __init__(
        self,
        product: ThreadProduct,
        entailment: Entailment,
        strengthening: Strengthening,
        sources: Iterable[LabelSource],
    ) -> None:
        self._product = product
        self._terms = product.terms
        self._entailment = entailment
        self._strengthening = strengthening
        self._sources = frozenset(sources)
        self._known: dict[Places, dict[RoundKey, list[ThreadAction]]] = {}

    @property
    def is_wanted(self) -> bool:
        return bool(self._sources)

    def invariant(self, visits: Sequence[AbstractNode]) -> list[Term]:
        """What holds at all visits of one place, and is kept by all rounds from there that are known."""
        rounds = self._rounds(visits)
        held = [one for one in self._candidates(visits, rounds) if self._always(visits, one)]
        return self._without_needless(self._kept(held[:MOST_CANDIDATES], rounds))

    def _rounds(self, visits: Sequence[AbstractNode]) -> list[list[ThreadAction]]:
        """Ways from the place back to it: between these visits and earlier ones, and single letters."""
        places = visits[0].places
        known = self._known.setdefault(places, {})
        single = [[action] for action in self._product.actions(places) if action.target == places]
        for one in (*single, *map(_between, visits, visits[1:])):
            known.setdefault(tuple(action.key for action in one), one)
        return list(known.values())[:MOST_ROUNDS]

    def _always(self, visits: Sequence[AbstractNode], formula: Term) -> bool:
        return all(self._strengthening.holds(visit, formula) for visit in visits)

    # --- candidates --------------------------------------------------------------------------------------------------

    def _candidates(self, visits: Sequence[AbstractNode], rounds: Sequence[Sequence[ThreadAction]]) -> list[Term]:
        guards = [part for one in rounds for action in one for part in conjuncts(action.transition.guard)]
        inputs = {one.term for actions in rounds for action in actions for one in action.transition.inputs}
        said = dict.fromkeys(part for visit in visits for part in visit.label)
        changed = {v for actions in rounds for action in actions for v in action.transition.updates}
        asked = set(variables([*said, *guards])) - inputs
        names = sorted((changed & {*asked, *_of(visits)}) | asked, key=lambda one: one.id)
        names = [one for one in names if one in visits[0].state][:MOST_VARIABLES]
        found: dict[Term, None] = {}
        if LabelSource.LABELS in self._sources:
            small = (one for one in (*said, *guards) if len(in_order([one])) <= SMALL)
            found.update(dict.fromkeys(one for one in small if inputs.isdisjoint(variables([one]))))
        numbers = [one for one in names if isinstance(one.sort, BitVec)]
        if LabelSource.RELATIONS in self._sources:
            found.update(dict.fromkeys(self._relations(numbers, visits)))
        if LabelSource.BOUNDS in self._sources:
            found.update(dict.fromkeys(self._bounds(names, visits, _constants([*said, *guards]))))
        return list(found)

    def _relations(self, names: Sequence[Term], visits: Sequence[AbstractNode]) -> Iterator[Term]:
        terms = self._terms
        for a, b in combinations(names, 2):
            if a.width != b.width:
                continue
            yield terms.eq(a, b)
            for x, y in ((a, b), (b, a)):
                yield terms.ule(x, y)
                yield terms.sle(x, y)
            for combined in (terms.sub(a, b), terms.add(a, b)):
                value = self._same(visits, combined)
                if value is not None and value.value:
                    yield terms.eq(combined, value)
        for a, b, c in combinations(names, 3):
            if a.width == b.width == c.width:
                for x, y, z in ((a, b, c), (a, c, b), (b, c, a)):
                    yield terms.eq(terms.add(x, y), z)

    def _bounds(
        self, names: Sequence[Term], visits: Sequence[AbstractNode], constants: Iterable[int]
    ) -> Iterator[Term]:
        terms = self._terms
        for one in names:
            if one.sort is BOOL:
                yield one
                yield terms.not_(one)
                continue
            if not isinstance(one.sort, BitVec):
                continue
            values = [visit.state[one].value for visit in visits if visit.state[one].op is Op.VALUE]
            if len(values) == len(visits):
                step = gcd(*(value - values[0] for value in values))
                low = (step & -step).bit_length() - 1 if step else one.width
                if low:
                    part = terms.extract(one, low - 1, 0)
                    yield terms.eq(part, terms.bv(values[0], low))
            signed = {to_signed(value, one.width) for value in values}
            for bound in sorted({*(signed and (min(signed), max(signed))), *constants}, key=abs):
                limit = terms.bv(bound & ((1 << one.width) - 1), one.width)
                yield terms.sle(one, limit)
                yield terms.sle(limit, one)
                yield terms.ule(one, limit)

    def _same(self, visits: Sequence[AbstractNode], term: Term) -> Term | None:
        """The value that it has at all visits."""
        found = {self._terms.substitute([term], visit.state)[0] for visit in visits}
        value = found.pop()
        return value if not found and value.op is Op.VALUE else None

    # --- Houdini -----------------------------------------------------------------------------------------------------

    def _kept(self, candidates: list[Term], rounds: Sequence[Sequence[ThreadAction]]) -> list[Term]:
        """Those that every round leads back to, if all of them hold before it."""
        ways = [self._before(actions, candidates) for actions in rounds]
        kept = dict.fromkeys(range(len(candidates)))
        changed = True
        while changed:
            dropped = [self._weakened(kept, candidates, *way) for way in ways]
            changed = any(dropped)
        return [candidates[index] for index in kept]

    def _weakened(self, kept: dict[int, None], candidates: Sequence[Term], guard: Term, posts: Sequence[Term]) -> bool:
        """Whether some were dropped: those that a round does not lead back to. A model refutes all that it can."""
        changed, size = False, CHUNK
        todo: list[int] = list(kept)
        while todo:
            given = [candidates[index] for index in kept]
            asked = todo[:size]
            found = self._refuted(given, guard, [posts[index] for index in asked])
            if isinstance(found, Unsat):
                todo = todo[size:]
                continue
            if isinstance(found, Undecided) and len(asked) > 1:
                size = len(asked) // 2
                continue
            wrong = [n for n in kept if not found.model.holds(posts[n])] if isinstance(found, Sat) else asked
            for index in wrong:
                del kept[index]
            todo = [index for index in todo if index in kept]
            size, changed = CHUNK, True
        return changed

    def _refuted(self, given: Sequence[Term], guard: Term, posts: Sequence[Term]) -> Outcome:
        """A state from which the round does not lead to one of these."""
        known = set(given)
        wanted = [self._terms.not_(one) for one in posts if one is not self._terms.true and one not in known]
        if not wanted:
            return Unsat(())
        return self._entailment.context.check([*given, guard, self._terms.any(wanted)], QUESTION_S)

    def _without_needless(self, found: list[Term]) -> list[Term]:
        """Without what the others imply; equations are kept first, they say most."""
        kept: dict[Term, None] = {}
        for one in sorted(found, key=lambda term: (term.op is not Op.EQ, len(in_order([term])))):
            if not self._entailment.implies(kept, one):
                kept[one] = None
        return list(kept)

    def _before(self, actions: Sequence[ThreadAction], formulas: Sequence[Term]) -> tuple[Term, list[Term]]:
        """What a round asks for, and what must hold before it for the formulas to hold behind it."""
        guard, posts = self._terms.true, list(formulas)
        for index in range(len(actions) - 1, -1, -1):
            transition = actions[index].transition
            fresh = transition.fresh_inputs(f"!{index}")
            guard, *posts = transition.after([guard, *posts])
            guard = self._terms.and_(transition.guard, guard)
            guard, *posts = self._terms.substitute([guard, *posts], fresh)
        return guard, posts


def _between(first: AbstractNode, last: AbstractNode) -> list[ThreadAction]:
    """The actions from a node to one below it."""
    found: list[ThreadAction] = []
    for node in last.up():
        if node is first:
            break
        assert node.action is not None
        found.append(node.action)
    return found[::-1]


def _of(visits: Sequence[AbstractNode]) -> set[Term]:
    """Variables whose values differ at the visits."""
    first, last = visits[0].state, visits[-1].state
    return {one for one, value in last.items() if first.get(one) is not value and isinstance(one.sort, BitVec)}


def _constants(formulas: Iterable[Term]) -> set[int]:
    """What is compared with, and the numbers beside it."""
    found: set[int] = set()
    for term in in_order(formulas):
        if term.op in _COMPARISONS:
            for arg in term.args:
                if arg.op is Op.VALUE and arg.width > 1:
                    value = to_signed(arg.value, arg.width)
                    found |= {value - 1, value, value + 1}
    return set(sorted(found, key=abs)[:24])
