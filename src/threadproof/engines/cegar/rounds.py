"""Relations that every round of a loop keeps, proposed as predicates where a path goes round and round.

Assertions along such a path speak of its rounds one by one (`x = y + 1`, `x = y + 2`, ...). Where threads stand so for
the third time, equations and orders of the variables that rounds change are tried: those that hold at every visit and
that the rounds of this path keep are added to the precision, and on the way round what is needed for them. Nothing is
believed: the abstractor asks about them as about all predicates.

Paper: C. Flanagan, K. R. M. Leino, Houdini, an annotation assistant for ESC/Java, FME 2001; the templates are those of
M. D. Ernst et al., Dynamically discovering likely program invariants, ICSE 1999. Differs: only what rounds of one path
keep is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from threadproof.abstraction.path import LetterPath, PathStep
from threadproof.abstraction.trace_check import TraceCheck
from threadproof.automaton import Places
from threadproof.engines.cegar.graph import ArgNode
from threadproof.independence.orders import Memory
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.solver import Unsat
from threadproof.smt.term import BitVec, Op, Term, variables
from threadproof.smt.terms import Terms

VISITS = 3
MOST_VARIABLES = 7
MOST_RELATIONS = 6
QUESTION_S = 0.1


class _Round(NamedTuple):
    """What it asks for and where it leads, over the state before it."""

    guard: list[Term]
    state: Mapping[Term, Term]


class RoundRelations:
    def __init__(self, terms: Terms, context: Context, check: TraceCheck) -> None:
        self._terms = terms
        self._context = context
        self._check = check
        self._asked: set[tuple[Places, Memory]] = set()

    def propose(self, path: LetterPath, nodes: Sequence[ArgNode]) -> list[tuple[Places, list[Term]]]:
        """Nothing, if the path does not go round, or was asked about before where it does."""
        visits = self._visits(nodes)
        if not visits:
            return []
        states = [self._check.states(path)[index] for index in visits]
        rounds = [path.steps[first:last] for first, last in pairwise(visits)]
        names = _changed(rounds, states)
        held = [one for one in self._candidates(names, states) if all(self._holds(one, state) for state in states)]
        kept = self._kept(held, [self._round(steps) for steps in rounds])
        equal = [one for one in kept if one.op is Op.EQ]
        best = equal or kept  # what is equal is ordered, too
        return [*self._on_the_way(best[:MOST_RELATIONS], rounds[0], nodes[visits[0] : visits[1]])]

    def _visits(self, nodes: Sequence[ArgNode]) -> list[int]:
        """Of the place that is visited most."""
        found: dict[tuple[Places, Memory], list[int]] = {}
        for index, node in enumerate(nodes):
            found.setdefault((node.places, node.turn), []).append(index)
        key, visits = max(found.items(), key=lambda one: len(one[1]))
        if len(visits) < VISITS or key in self._asked:
            return []
        self._asked.add(key)
        return visits[:VISITS]

    def _candidates(self, names: Sequence[Term], states: Sequence[Mapping[Term, Term]]) -> Iterator[Term]:
        terms = self._terms
        for a, b in combinations(names, 2):
            if a.sort != b.sort:
                continue
            yield terms.eq(a, b)
            for combined in (terms.sub(a, b), terms.add(a, b)):
                values = {terms.substitute([combined], state)[0] for state in states}
                if len(values) == 1 and (value := values.pop()).op is Op.VALUE and value.value:
                    yield terms.eq(combined, value)
            yield from (terms.sle(a, b), terms.sle(b, a))
        for a, b, c in combinations(names, 3):
            if a.sort == b.sort == c.sort:
                yield from (terms.eq(terms.add(x, y), z) for x, y, z in ((a, b, c), (a, c, b), (b, c, a)))

    def _holds(self, formula: Term, state: Mapping[Term, Term]) -> bool:
        [there] = self._terms.substitute([formula], state)
        return there.op is Op.TRUE or (there.op is not Op.FALSE and self._impossible([self._terms.not_(there)]))

    def _kept(self, candidates: list[Term], rounds: Sequence[_Round]) -> list[Term]:
        """Those that every round leads back to, if all of them hold before it."""
        kept = candidates
        while kept:
            lost = {one for made in rounds for one in kept if not self._leads_to(kept, made, one)}
            if not lost:
                break
            kept = [one for one in kept if one not in lost]
        return kept

    def _leads_to(self, given: Sequence[Term], made: _Round, formula: Term) -> bool:
        [after] = self._terms.substitute([formula], made.state)
        return after in given or self._impossible([*given, *made.guard, self._terms.not_(after)])

    def _impossible(self, formulas: Sequence[Term]) -> bool:
        return isinstance(self._context.check(formulas, QUESTION_S), Unsat)

    def _round(self, steps: Sequence[PathStep]) -> _Round:
        guard: list[Term] = []
        state: dict[Term, Term] = {}
        for index, step in enumerate(steps):
            now = {**state, **step.transition.fresh_inputs(f"!{index}")}
            guard += self._terms.substitute(conjuncts(step.transition.guard), now)
            values = self._terms.substitute(step.transition.updates.values(), now)
            state.update(zip(step.transition.updates, values, strict=True))
        return _Round(guard, state)

    def _on_the_way(
        self, relations: Sequence[Term], steps: Sequence[PathStep], nodes: Sequence[ArgNode]
    ) -> Iterator[tuple[Places, list[Term]]]:
        """The relations where the round begins; before its other steps, what leads to them."""
        wanted = list(relations)
        for node, step in zip(reversed(nodes), reversed(steps), strict=True):
            inputs = {one.term for one in step.transition.inputs}
            wanted = [one for one in step.transition.after(wanted) if inputs.isdisjoint(variables([one]))]
            yield node.places, wanted
        yield nodes[0].places, list(relations)


def _changed(rounds: Sequence[Sequence[PathStep]], states: Sequence[Mapping[Term, Term]]) -> list[Term]:
    """Numbers that rounds write, those first that differ at the visits."""
    written = dict.fromkeys(v for steps in rounds for step in steps for v in step.transition.updates)
    numbers = [one for one in written if isinstance(one.sort, BitVec) and all(one in state for state in states)]
    return sorted(numbers, key=lambda one: len({state[one] for state in states}) == 1)[:MOST_VARIABLES]
