"""The refiner: whether an abstract counterexample can be made, and if not, what the precision lacks to see that.

Variables whose values the core of the path needs are tracked, if they are constants all along the path (the unsat-core
driven precision of explicit values); otherwise, and where that is not enough, assertions along the path become
predicates, of the first source that has new ones.

Paper: section 2.10 of the seed (B. Sisák, 2023); Á. Hajdu, Z. Micskei, Efficient Strategies for CEGAR-Based Model
Checking, JAR 2020 (strategies). Differs: sequences of assertions are proved and made smaller (`abstraction/sequence`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from threadproof.abstraction.path import LetterPath, PathStep
from threadproof.abstraction.possible_path import PossiblePath, possible_path, to_trap
from threadproof.abstraction.sequence import Assertions, NoAssertions
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.trace_check import Feasible, Infeasible, PathCore, TraceCheck, TraceUnsure
from threadproof.abstraction.triples import Triples
from threadproof.engines.cegar.abstractor import AbstractCounterexample
from threadproof.engines.cegar.configuration import SOURCES, Configuration, Pruning
from threadproof.engines.cegar.constant_terms import is_constant
from threadproof.engines.cegar.graph import ArgLetter, ArgNode
from threadproof.engines.cegar.precision import Precision
from threadproof.engines.cegar.rounds import RoundRelations
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term, variables

MOST_TRIES = 4
"""At one path."""


@dataclass(frozen=True, slots=True)
class RefinementStuck:
    """Nothing that would exclude the path is known."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refined:
    """The precision has grown."""

    values: int
    pivot: ArgNode | None
    """The first node that does not say what is asserted there: what lies before it may stay. None: nothing may."""


class PrecisionRefiner:
    def __init__(
        self, product: ThreadProduct, context: Context, triples: Triples, precision: Precision, how: Configuration
    ) -> None:
        self._product = product
        self._precision = precision
        self._how = how
        self._triples = triples
        self._check = TraceCheck(product.space, context)
        self._sources = SOURCES[how.source]
        self._refiner = Refiner(product.space, triples, self._sources)
        self._rounds = RoundRelations(product.terms, context, self._check)
        self._refuted: Counter[tuple[InstanceLetter, ...]] = Counter()

    def refine(self, found: AbstractCounterexample, *, tolerated: bool) -> PossiblePath | Refined | RefinementStuck:
        """`tolerated`: only violations are asked about."""
        action = found.last.action
        steps = found.node.path()
        nodes = [*(node for node, _ in steps), found.node]
        traps = action.violations if tolerated else (*action.violations, *action.others)
        letters = [*(letter for _, letter in steps), found.last]
        word = tuple(one.letter for one in letters)
        if self._refuted[word] == MOST_TRIES:
            return RefinementStuck("the same path again, whatever predicates were added")
        if self._is_diverging(nodes):
            return RefinementStuck("predicates of more and more rounds of a loop")
        if self._how.most_predicates is not None and self._precision.predicates > self._how.most_predicates:
            return RefinementStuck("more and more predicates")
        self._refuted[word] += 1
        path = to_trap(LetterPath(tuple(map(self._step, letters))), traps)
        answer = self._check.check(path)
        if isinstance(answer, Feasible):
            return possible_path(self._check, path, answer, action.violations)
        if isinstance(answer, TraceUnsure):
            return RefinementStuck(answer.reason)
        return self._grow(path, nodes, answer, self._refuted[word] - 1)

    def _grow(
        self, path: LetterPath, nodes: Sequence[ArgNode], answer: Infeasible, again: int
    ) -> Refined | RefinementStuck:
        """`again`: how often the same path was refuted before."""
        if self._how.tracks_values:
            known = self._precision.tracked | self._precision.never | self._precision.counting
            new = self._constants(path, answer.core) - known
            if not new and not self._how.has_predicates and self._how.most_cases:
                new = self._variables(path, answer.core) - known
            if new:
                self._precision.track(new)
                return Refined(len(new), None)
        if not self._how.has_predicates:
            return RefinementStuck("a path that cannot be made, which values of variables do not show")
        if self._propose(path, nodes):
            return Refined(0, None)
        for proved in self._assertions(path, answer.core, again):
            if isinstance(proved, Assertions):
                lazily = self._how.pruning is Pruning.LAZY and not again
                pivot = self._pivot(proved, nodes) if lazily else None
                if self._learn(proved, nodes) or pivot is not None:  # it was made before what it lacks was known
                    return Refined(0, pivot)
        return RefinementStuck("no new predicates were found for a path that cannot be made")

    def _step(self, one: ArgLetter) -> PathStep:
        instance, letter, starts = one.letter
        return PathStep(instance, letter, starts, self._product.encoder.transition(instance, letter, starts))

    # --- values ------------------------------------------------------------------------------------------------------

    def _constants(self, path: LetterPath, core: PathCore) -> set[Term]:
        """Those that have one value, wherever they have any, all along the path."""
        states = self._check.states(path)
        return {one for one in self._variables(path, core) if _always_constant(one, states)}

    def _variables(self, path: LetterPath, core: PathCore) -> set[Term]:
        """Of the core."""
        wanted = set(core.initial)
        for step in core.steps:
            wanted.update(step.updates)
            wanted.update(variables(step.guard))
        return wanted - {one.term for step in path.steps for one in step.transition.inputs}

    # --- predicates --------------------------------------------------------------------------------------------------

    def _is_diverging(self, nodes: Sequence[ArgNode]) -> bool:
        most = self._how.most_rounds
        if most is None or self._precision.predicates < most:
            return False
        return max(Counter((node.places, node.turn) for node in nodes).values()) > most

    def _propose(self, path: LetterPath, nodes: Sequence[ArgNode]) -> bool:
        """Whether what rounds of a loop keep is new."""
        new = False
        for places, formulas in self._rounds.propose(path, nodes):
            said = self._product.terms.substitute(formulas, self._product.known(places))
            new |= self._precision.add(places, [one for one in said if one.op not in (Op.TRUE, Op.FALSE)])
        return new

    def _learn(self, proved: Assertions, nodes: Sequence[ArgNode]) -> bool:
        new = False
        for node, said in self._said(proved, nodes):
            new |= self._precision.add(node.places, said)
        return new

    def _pivot(self, proved: Assertions, nodes: Sequence[ArgNode]) -> ArgNode | None:
        for node, said in self._said(proved, nodes):
            if any(self._triples.predicates.unify(one).bit & ~node.state.bits for one in said):
                return node
        return None

    def _said(self, proved: Assertions, nodes: Sequence[ArgNode]) -> Iterator[tuple[ArgNode, list[Term]]]:
        """What is asserted at each node, beyond what follows from the places."""
        for node, bits in zip(nodes, proved.between[:-1], strict=True):
            predicates, known = self._triples.predicates.terms_of(bits), self._product.known(node.places)
            said = self._product.terms.substitute(predicates, known)
            yield node, [one for one in said if one.op not in (Op.TRUE, Op.FALSE)]

    def _assertions(self, path: LetterPath, core: PathCore, again: int) -> Iterator[Assertions | NoAssertions]:
        """Of the core, which says more of other paths, too; if that is too little, of the whole path. A path that comes
        again has another source first: what the last one said was not enough."""
        first = again % len(self._sources)
        order = (*self._sources[first:], *self._sources[:first])
        yield from (self._refiner.by(source, path, core) for source in order)
        yield self._refiner.by(SourceName.WP, path, self._check.whole(path))


def _always_constant(variable: Term, states: Sequence[Mapping[Term, Term]]) -> bool:
    values = [state[variable] for state in states if variable in state]
    return bool(values) and all(map(is_constant, values))
