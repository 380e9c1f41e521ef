"""Labels of one thread and of two, and the steps that have to keep them.

Paper: J. Hoenicke, R. Majumdar, A. Podelski, Thread Modularity at Many Levels, POPL 2017 (what holds of any k threads
at once; here k is 1 and 2).
Differs: what holds of two threads is known wherever a step of one of them is seen by the other; that nothing goes wrong
is said by labels of one thread.
Invariants: a label is about the threads that `AnyNumber.cast` gives for its places, in their order. Of two places of
one template there is one label, for both orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TypeVar

from threadproof.automaton import Instance, Letter, Location
from threadproof.domains.literals import Literals
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import Context
from threadproof.smt.solver import Unsat
from threadproof.smt.term import Term
from threadproof.thread_modular.fixpoint import ModularFixpoint
from threadproof.thread_modular.pair_literals import OfPairs, PairLiterals

MOST_PAIRS = 2_500
MOST_EDGES = 12_000
"""More take minutes to look at."""

T = TypeVar("T")
Places = tuple[Location, ...]
There = tuple[Location, Instance]


@dataclass(slots=True, eq=False)
class PairNode:
    """What is said of threads at one place, or at two."""

    places: Places
    roles: tuple[Instance, ...]
    known: tuple[Term, ...]  # from labels of single threads that are inductive by themselves
    value: Literals
    version: int = 0

    @property
    def said(self) -> list[Term]:
        return [*self.known, *self.value.to_terms()]


@dataclass(frozen=True, slots=True)
class PairPremise:
    """That a label holds of some threads."""

    node: PairNode
    threads: tuple[Instance, ...]


@dataclass(frozen=True, slots=True)
class PairCase:
    """What is known before a step."""

    premises: tuple[PairPremise, ...]
    given: tuple[Term, ...]


@dataclass(slots=True, eq=False)
class PairEdge:
    """A step, from where labels hold to where another one has to. `given` holds before, besides. `same`: what the step
    does not change and its target says is said by a label before, of the same threads."""

    premises: tuple[PairPremise, ...]
    given: list[Term]
    step: Transition
    target: PairNode
    same: PairNode | None = None
    seen: tuple[int, ...] = ()
    led: set[Term] = field(default_factory=set[Term])


def watched(any_number: AnyNumber, fixpoint: ModularFixpoint) -> dict[str, str]:
    """For each template, the one beside whose only thread its steps are seen: it changes most of what they read."""
    reads, writes = dict[str, set[Term]](), dict[str, set[Term]]()
    for own in fixpoint.letters:
        reads.setdefault(own.letter.template, set()).update(own.transition.reads.intersection(fixpoint.values.shared))
        writes.setdefault(own.letter.template, set()).update(own.transition.writes)
    found = dict[str, str]()
    for name, read in reads.items():
        others = [one for one in writes if one != name and one not in any_number.many]
        best = max(others, key=lambda one: (len(read & writes[one]), one != any_number.automaton.main), default=None)
        if best is not None and not read.isdisjoint(writes[best]):
            found[name] = best
    return found


class TooManySteps(Exception):
    pass


class PairGraph:
    def __init__(
        self, any_number: AnyNumber, fixpoint: ModularFixpoint, of_pairs: OfPairs, stop: Callable[[], str | None]
    ) -> None:
        """`any_number` has two observers, and the labels of the fixpoint are inductive. Raises CannotEncode, and
        TooManySteps where there is no time for them."""
        self._any = any_number
        self._fixpoint = fixpoint
        self._literals = PairLiterals(any_number, fixpoint, of_pairs)
        self._entries = {name: one.entry for name, one in any_number.automaton.templates.items()}
        self.singles = {place: self._single(place) for place in fixpoint.nodes}
        self._stop = stop
        self.watched = watched(any_number, fixpoint) if of_pairs is OfPairs.ALL else {}
        self.pairs = {places: self._pair(places) for places in self._all_pairs()}
        self.edges = list(self._heeding(self._all_edges(), MOST_EDGES))

    @property
    def nodes(self) -> Iterator[PairNode]:
        yield from self.singles.values()
        yield from self.pairs.values()

    def renamed(self, said: Iterable[Term], premise: PairPremise) -> list[Term]:
        roles = premise.node.roles
        return list(said) if roles == premise.threads else self._any.renamed(said, roles, premise.threads)

    def _heeding(self, found: Iterable[T], most: int) -> Iterator[T]:
        for number, one in enumerate(found):
            if number >= most or self._stop() is not None:
                raise TooManySteps
            yield one

    # --- labels ------------------------------------------------------------------------------------------------------

    def _single(self, place: Location) -> PairNode:
        node = self._fixpoint.nodes[place]
        known = tuple(self._fixpoint.label(node))
        return PairNode((place,), (self._any.one(place.template),), known, self._literals.of_one(place).bottom())

    def _pair(self, places: Places) -> PairNode:
        return PairNode(places, self._cast(*places) or (), (), self._literals.of_two(*places).bottom())

    def _all_pairs(self) -> Iterator[Places]:
        """Of places where threads can be at once, as far as labels of single threads know."""
        context, facts = Context(self._any.terms), self._any.facts()
        places = [place for place, node in self._fixpoint.nodes.items() if not node.value.is_bottom]
        for x, y in self._heeding(combinations_with_replacement(places, 2), MOST_PAIRS):
            roles = self._cast(x, y)
            if roles is not None and not (x.depth and y.depth):
                at = [one for there in zip((x, y), roles, strict=True) for one in self._known(there)]
                if not isinstance(context.check([*facts, *at]), Unsat):
                    yield x, y

    def _known(self, there: There) -> list[Term]:
        place, thread = there
        premise = PairPremise(self.singles[place], (thread,))
        return self.renamed([*self._fixpoint.nodes[place].standing, *premise.node.known], premise)

    def _cast(self, *places: Location) -> tuple[Instance, ...] | None:
        return self._any.cast(*(place.template for place in places))

    # --- steps: as in evidence/proofs/modular.py and modular_pairs.py ------------------------------------------------

    def _all_edges(self) -> Iterator[PairEdge]:
        for letter in self._any.automaton.letters:
            yield from self._of_single_threads(letter)
            for pair in self.pairs.values():
                yield from self._within(letter, pair)
                yield from self._seen_by_both(letter, pair)
                for about, template in enumerate(letter.forks):
                    for new in (0, 1):
                        if pair.places[new] == self._entries[template]:
                            yield from self._started(letter, about, pair, new)

    def _of_single_threads(self, letter: Letter) -> Iterator[PairEdge]:
        actor = self._any.one(letter.template)
        step = self._any.transition(actor, letter, self._any.starts(actor, letter))
        if letter.target in self.singles:
            source = self.singles[letter.source]
            for case in self.cases(letter):
                yield self._edge(step, case, self.singles[letter.target], same=source)
        for about, template in enumerate(letter.forks):
            creator = self._any.other(template) if template == letter.template else actor
            step = self._any.transition(creator, letter, self._any.starts(creator, letter, about=about))
            target = self.singles[self._entries[template]]
            yield self._edge(step, [(letter.source, creator)], target, starts=True)
        for place, target in self.singles.items():
            beside, mine = self._any.beside(letter.template, place.template), self._any.one(place.template)
            if beside is not None and not place.depth:
                step = self._any.transition(beside, letter, self._any.starts(beside, letter, mine))
                if self._concerns(step, target):
                    yield self._edge(step, [(letter.source, beside), (place, mine)], target, same=target)

    def _within(self, letter: Letter, pair: PairNode) -> Iterator[PairEdge]:
        """A step of one of the two, seen by the other."""
        for mover in (0, 1):
            own, other = pair.roles[mover], (pair.places[1 - mover], pair.roles[1 - mover])
            if letter.target == pair.places[mover] and not other[0].depth:
                step = self._any.transition(own, letter, self._any.starts(own, letter, other[1]))
                same = self._label_of((letter.source, own), other)
                yield self._edge(step, [(letter.source, own), other], pair, same=same)

    def _seen_by_both(self, letter: Letter, pair: PairNode) -> Iterator[PairEdge]:
        x, y = pair.places
        roles = self._any.cast(x.template, y.template, letter.template)
        if roles is not None and not x.depth and not y.depth:
            i, j, actor = roles
            step = self._any.transition(actor, letter, self._any.starts(actor, letter, i, j))
            if self._concerns(step, pair):
                yield self._edge(step, [(letter.source, actor), (x, i), (y, j)], pair, same=pair)

    def _started(self, letter: Letter, about: int, pair: PairNode, new: int) -> Iterator[PairEdge]:
        """A new thread, and its creator, another new one, or somebody else."""
        place, its = pair.places[1 - new], pair.roles[1 - new]
        if letter.target == place:
            starts = self._any.starts(its, letter, about=about)
            step = self._any.transition(its, letter, starts)
            if starts[about] == pair.roles[new]:
                yield self._edge(step, [(letter.source, its)], pair, starts=True)
        third = self._any.cast(pair.places[0].template, pair.places[1].template, letter.template)
        if third is None:
            return
        actor = third[2]
        starts = self._any.starts(actor, letter, about=about)
        if starts[about] == pair.roles[new] and its in starts and place == self._entries[its.template]:
            step = self._any.transition(actor, letter, starts)
            yield self._edge(step, [(letter.source, actor)], pair, starts=True)
        if not place.depth:
            starts = self._any.starts(actor, letter, its, about=about)
            step = self._any.transition(actor, letter, starts)
            yield self._edge(step, [(letter.source, actor), (place, its)], pair, starts=True)

    def _concerns(self, step: Transition, node: PairNode) -> bool:
        changed = step.updates.keys()
        return any(
            not self._fixpoint.values.support(one).isdisjoint(changed) for one in (*node.known, *node.value.columns)
        )

    def cases(self, letter: Letter) -> list[PairCase]:
        """What is known before a step: once, or for each place of the thread that it is looked at beside."""
        own = (letter.source, self._any.one(letter.template))
        watched = self.watched.get(letter.template)
        if watched is None:
            return [self._case([own])]
        other = self._any.one(watched)
        thread = self._any.space.threads[other]
        places = [place for place in self.singles if place.template == watched and not place.depth]
        return [
            self._case([own], self._any.terms.not_(thread.started)),
            self._case([own], thread.finished),
            *(self._case([own, (place, other)]) for place in places),
        ]

    def _case(self, there: list[There], *more: Term) -> PairCase:
        premises = [PairPremise(self.singles[place], (thread,)) for place, thread in there]
        given = [
            one
            for premise, (place, _) in zip(premises, there, strict=True)
            for one in self.renamed(self._fixpoint.nodes[place].standing, premise)
        ]
        for index, one in enumerate(there):
            for other in there[index + 1 :]:
                premises += self._of_both(one, other)
        return PairCase(tuple(premises), (*given, *more))

    def _edge(
        self,
        step: Transition,
        there: list[There] | PairCase,
        target: PairNode,
        same: PairNode | None = None,
        *,
        starts: bool = False,
    ) -> PairEdge:
        case = there if isinstance(there, PairCase) else self._case(there)
        more = self._any.unstarted() if starts else []
        return PairEdge(case.premises, [*case.given, step.guard, *more], step, target, same)

    def _of_both(self, one: There, other: There) -> Iterator[PairPremise]:
        """Of two threads at one place both orders are known."""
        for (x, i), (y, j) in ((one, other), (other, one)):
            pair = self.pairs.get((x, y))
            if pair is not None:
                yield PairPremise(pair, (i, j))

    def _label_of(self, one: There, other: There) -> PairNode | None:
        """If it is about these threads, in the order of its roles."""
        both = self._of_both(one, other)
        return next((premise.node for premise in both if premise.threads == premise.node.roles), None)
