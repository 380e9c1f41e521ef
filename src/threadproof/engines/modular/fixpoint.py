"""The strongest labels of single threads that a domain can say: from nothing upwards, weakened by models.

Paper: A. Miné, Static analysis of run-time errors in embedded real-time C programs, LMCS 2012 (thread-modular abstract
interpretation: threads one by one, and what others may do between their steps); M. Schwarz et al., Improving
Thread-Modular Abstract Interpretation, SAS 2021 (values under locks).
Differs: interference is no summary of writes. Each letter of each thread is applied to each label that it can meet, under
the labels of both; so locks exclude because labels contradict each other. What holds while nobody has a lock is a
label of its own, known to all.
Invariants: labels only get weaker. What is left at the end holds after every step from states in which it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from threadproof.automaton import Instance, Letter, Location
from threadproof.domains.by_models import strongest
from threadproof.domains.product import DomainProduct
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.values import ModularValues
from threadproof.smt.context import Context
from threadproof.smt.solver import Unsat
from threadproof.smt.term import Term, variables

_MODELS = 24  # that weaken a label for one letter, before what is violated is dropped


@dataclass(slots=True, eq=False)
class ModularNode:
    """A label: of threads at a location, or (`word`) of all states in which a lock is free."""

    value: DomainProduct
    location: Location | None = None
    word: Term | None = None
    version: int = 0
    standing: list[Term] = field(default_factory=list[Term])


@dataclass(slots=True, eq=False)
class ModularEdge:
    """A letter of a thread from `source`, and the label that its step must lead to. `observed`: that label is of another
    thread, and holds before the step, too."""

    source: ModularNode
    actor: Instance
    letter: Letter
    transition: Transition
    target: ModularNode
    observed: bool = False
    seen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ModularAlarm:
    letter: Letter
    trap: TransitionTrap


class ModularFixpoint:
    def __init__(
        self, any_number: AnyNumber, forbids: Callable[[TransitionTrap], bool], context: Context
    ) -> None:
        self._any = any_number
        self._terms = any_number.terms
        self._space = any_number.space
        self._context = context
        self._forbids = forbids
        self._facts = self._any.facts()
        self.questions = 0
        letters = [(self._own(letter), self._wrong(self._own(letter))) for letter in any_number.automaton.letters]
        self._values = ModularValues(any_number, letters)
        self.nodes = {location: self._node(location) for location in self._locations()}
        self.free = {word: ModularNode(self._values.free(), word=word) for word in self._values.words}
        self._edges = list(self._all_edges())
        self._variables: dict[Term, frozenset[Term]] = {}
        self._looked: dict[ModularNode, tuple[int, ...]] = {}

    def run(self, stop: Callable[[], str | None]) -> ModularAlarm | str | None:
        """None: the labels are inductive and nothing goes wrong. Else what may go wrong, or why it was stopped."""
        self._begin()
        changed = True
        while changed:
            changed = False
            for edge in self._edges:
                limit = stop()
                if limit is not None:
                    return limit
                changed |= self._follow(edge)
            alarm = self._alarm()
            if alarm is not None:
                return alarm
        return None

    def label(self, node: ModularNode) -> list[Term]:
        """With what is known of locks that are free."""
        return [*node.value.to_terms(), *(one for word in self.free for one in self._if_free(word))]

    # --- the program -------------------------------------------------------------------------------------------------

    def _locations(self) -> Iterator[Location]:
        for template in self._any.automaton.templates.values():
            yield from (one for one in template.locations if template.letters_from(one))

    def _own(self, letter: Letter) -> Transition:
        one = self._any.one(letter.template)
        return self._any.transition(one, letter, self._any.starts(one, letter))

    def _wrong(self, transition: Transition) -> list[Term]:
        return [trap.condition for trap in transition.traps if self._forbids(trap)]

    def _node(self, location: Location) -> ModularNode:
        standing = self._any.standing(self._any.one(location.template), location)
        return ModularNode(self._values.at(location), location, standing=standing)

    def _all_edges(self) -> Iterator[ModularEdge]:
        for letter in self._any.automaton.letters:
            one, source = self._any.one(letter.template), self.nodes[letter.source]
            own = self._own(letter)
            if letter.target in self.nodes:
                yield ModularEdge(source, one, letter, own, self.nodes[letter.target])
            for word, node in self.free.items():
                if word in own.updates or any(v in own.updates for v in node.value.columns):
                    yield ModularEdge(source, one, letter, own, node)
            yield from self._creations(source, letter)
            for location, node in self.nodes.items():
                actor = self._any.beside(letter.template, location.template)
                if actor is not None and not location.depth:
                    starts = self._any.starts(actor, letter, self._any.one(location.template))
                    transition = self._any.transition(actor, letter, starts)
                    yield ModularEdge(source, actor, letter, transition, node, observed=True)

    def _creations(self, source: ModularNode, letter: Letter) -> Iterator[ModularEdge]:
        """The new thread is the one that labels are about; a creator of its kind is the other."""
        for template in dict.fromkeys(letter.forks):
            entry = self._any.automaton.templates[template].entry
            same = template == letter.template
            actor = self._any.other(template) if same else self._any.one(letter.template)
            transition = self._any.transition(actor, letter, self._any.starts(actor, letter))
            yield ModularEdge(source, actor, letter, transition, self.nodes[entry])

    # --- the fixed point ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        main = self._any.automaton.templates[self._any.automaton.main].entry
        for node in (self.nodes[main], *self.free.values()):
            node.value = strongest(self._context, [], node.value, self._any.initial()).value
            node.version += 1

    def _follow(self, edge: ModularEdge) -> bool:
        """Whether the label of the target had to become weaker."""
        source, target = edge.source, edge.target
        words = self._words(edge)
        now = (source.version, target.version, *(self.free[word].version for word in words))
        if edge.seen == now or source.value.is_bottom or (edge.observed and target.value.is_bottom):
            return False
        if edge.observed and not self._touches(edge.transition, target.value):
            edge.seen = now
            return False
        before = self._before(edge, words)
        self.questions += 1
        value = strongest(self._context, before, target.value, edge.transition.updates, most=_MODELS).value
        changed = value != target.value
        if changed:
            target.value = value
            target.version += 1
        edge.seen = (source.version, target.version, *now[2:]) if target is not source else now
        return changed

    def _before(self, edge: ModularEdge, words: list[Term]) -> list[Term]:
        source, target = edge.source, edge.target
        mine = [*source.standing, *source.value.to_terms()]
        if edge.actor != self._any.one(edge.letter.template):
            mine = self._terms.substitute(mine, self._any.renaming(edge.letter.template))
        found = [*self._facts, *mine, edge.transition.guard]
        found += [one for word in words for one in self._if_free(word)]
        if edge.observed:
            found += [*target.standing, *target.value.to_terms()]
        if target.word is not None:
            found += edge.transition.after([self._values.is_free(target.word)])
        return found

    def _words(self, edge: ModularEdge) -> list[Term]:
        """Locks of which it matters whether they are free."""
        asked = [word for word in self.free if word in edge.transition.updates or word in edge.transition.reads]
        return asked if edge.target.word is None or edge.target.word in asked else [*asked, edge.target.word]

    def _if_free(self, word: Term) -> list[Term]:
        taken = self._terms.not_(self._values.is_free(word))
        return [self._terms.or_(taken, claim) for claim in self.free[word].value.to_terms()]

    def _touches(self, transition: Transition, value: DomainProduct) -> bool:
        return any(not self._names(claim).isdisjoint(transition.updates) for claim in value.to_terms())

    def _names(self, formula: Term) -> frozenset[Term]:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return self._variables[formula]

    # --- what may go wrong -------------------------------------------------------------------------------------------

    def _alarm(self) -> ModularAlarm | None:
        for letter in self._any.automaton.letters:
            node, transition = self.nodes[letter.source], self._own(letter)
            if node.value.is_bottom:
                continue
            label = [*self._facts, *node.standing, *self.label(node)]
            for trap in transition.traps:
                if self._forbids(trap) and not isinstance(self._context.check([*label, trap.condition]), Unsat):
                    return ModularAlarm(letter, trap)
            for new in self._any.starts(self._any.one(letter.template), letter):
                started = self._space.threads[new].started
                if new.template not in self._any.many and not isinstance(
                    self._context.check([*label, started]), Unsat
                ):
                    return ModularAlarm(letter, transition.traps[0])
        return None
