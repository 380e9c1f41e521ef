"""The strongest labels of the reduced product that a domain can say: from nothing upwards, weakened by models.

Every label begins as "no state". An edge asks for a state of its source from which its letter leads to a state that the
label of its target does not admit; that label then admits it. Labels only get weaker, and there are only so many steps;
so it ends, with labels that are inductive, or with one under which something may go wrong: an alarm, which is final
for this domain and this order. When a label gets weaker, letters that swapped may not any more, and the edges of its
node lead elsewhere. Labels that were weakened for words that are not kept in the end may be too weak; so before an
alarm is believed, everything begins again with what is known by then of letters that do not swap.

Invariants: what is proved is bit-precise; undecided is not proved.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_parts import LabelParts
from threadproof.abstraction.label_values import LabelValues
from threadproof.abstraction.membranes import Membrane
from threadproof.abstraction.product_proof import reached
from threadproof.abstraction.reduced_product import PlacedLetter, ProductPlace, ProductReduction
from threadproof.abstraction.state_samples import StateSamples
from threadproof.automaton import Places
from threadproof.domains.by_models import strongest
from threadproof.encoding.transitions import Transition
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.batch import CannotBatch, ValueBatch, batch_of
from threadproof.smt.conjunctions import flat, given_values
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, Unsat
from threadproof.smt.term import Op, Term, variables

_FEW = 64  # states in which a letter can be made: others like them are looked for
_ROWS = 160  # states of a node that are run on with
_NEWS = 32  # that are kept in any case if the label had to be weakened for some


@dataclass(slots=True, eq=False)
class LabelledPlace:
    """A node. `edges` are those under its label as it was last looked at, by number of the letter awake; None: no state
    of the label can make it."""

    number: int
    at: ProductPlace
    known: frozenset[Term]  # predicates by which nodes at the same place are told apart: they hold at this one
    value: LabelParts
    letters: list[PlacedLetter]
    membrane: Membrane | None  # where only letters of some threads are made
    edges: list[LabelledPlace | None] = field(default_factory=list["LabelledPlace | None"])
    dead: Membrane | None = None
    constants: dict[Term, Term] | None = None  # what is known on every edge that led here, for dead ends
    before: dict[LabelledPlace, None] = field(default_factory=dict["LabelledPlace", None])  # who led here
    rows: ValueBatch = field(kw_only=True)  # some states of the label
    ran: int = 0  # so many of them have been run along all edges
    queued: bool = False
    skipped: bool = False  # something may go wrong there, but no edge led there when it was looked at

    def following(self) -> list[LabelledPlace | None]:
        """Of a dead end nothing needs to be proved."""
        return [] if self.dead is not None else self.edges


@dataclass(frozen=True, slots=True)
class Alarm:
    """A state that the label of a node admits, in which a letter there may go wrong."""

    node: LabelledPlace
    letter: PlacedLetter
    state: Assignment | None  # None: the solver did not decide


@dataclass(frozen=True, slots=True)
class ProductStart:
    """Where executions begin that are looked at: with the values that variables have there, as terms over inputs of
    which `given` is asked."""

    at: ProductPlace
    state: Mapping[Term, Term]
    given: tuple[Term, ...] = ()


class Fixpoint:
    def __init__(
        self,
        reduction: ProductReduction,
        values: LabelValues,
        context: Context,
        goal: ThreadGoal,
        dead_ends: DeadEnds,
        start: ProductStart | None = None,
        *,
        plain: bool = False,
    ) -> None:
        """`start` is where the program begins, if none is named. `plain`: with few literals and few nodes, until it is
        restarted without."""
        self.reduction = reduction
        self._start = start or ProductStart(reduction.first(), reduction.product.space.initial())
        self.nodes: dict[tuple[ProductPlace, frozenset[Term]], LabelledPlace] = {}
        self.queries = 0
        self.plain = reduction.whole_threads = plain
        self._values = values
        self.goal = goal
        self._dead_ends = dead_ends
        self._context = context
        self._product = reduction.product
        self.terms = reduction.product.terms
        self._facts = reduction.product.space.facts()
        self._facts_there: dict[Places, list[Term]] = {}
        self._samples = self._sampled(values)
        self._lost: set[tuple[ProductPlace, frozenset[Term], InstanceLetter, int, Term]] = set()
        """Predicates that turned out not to hold after a letter, under a weaker label."""
        self._running: dict[LabelledPlace, None] = {}
        self._queue: list[tuple[int, LabelledPlace]] = []
        self._changed = False  # edges lead elsewhere than at first
        self.root = self._begin()

    def advance(self, stop: Callable[[], bool]) -> Alarm | bool:
        """True: labels are inductive and nothing goes wrong. False: stopped on the way."""
        while self._queue or self._reached_again():
            if stop():
                return False
            _, node = heapq.heappop(self._queue)
            node.queued = False
            alarm = self._look(node)
            if alarm is None:
                self._run()
            elif not self._is_reached(node):
                node.edges, node.skipped = [], True
            elif not self._changed:
                return alarm
            else:
                self.root = self._begin()
        return True

    def undecided(self) -> Iterator[tuple[Places, Term]]:
        """What would say of letters that do not swap whether the preferred one can be made before the other, where
        labels leave it open: such as whether a queue is empty. Where it is told apart, they may swap in one case."""
        for node in self.nodes.values():
            if node.dead is None and node.edges:
                label = self.label(node)
                for index, one in enumerate(node.letters):
                    for other in node.letters[:index]:
                        if other.letter.instance != one.letter.instance and node.edges[index] is not None:
                            yield from self._open_guards(node, one, other, label)

    def _open_guards(
        self, node: LabelledPlace, one: PlacedLetter, other: PlacedLetter, label: list[Term]
    ) -> Iterator[tuple[Places, Term]]:
        written = one.transition.updates
        for part in flat(other.transition.guard):
            names = frozenset(variables([part]))
            if names.isdisjoint(written) or not names <= self._values.relevance.deciding:
                continue
            holds = self._samples.all_hold(node.rows, [part])
            if holds.any() and not holds.all() and not self.reduction.may_drop(one.letter, other.letter, label):
                yield from ((node.at.places, part), (node.at.places, self.terms.not_(part)))

    def restart(self, *, plain: bool = False) -> None:
        """With all that labels can say by now, unless that is to be `plain` still."""
        self.plain = self.reduction.whole_threads = plain
        self._lost.clear()
        self.reduction.lost.clear()
        self.root = self._begin()

    def path_to(self, node: LabelledPlace) -> list[tuple[LabelledPlace, PlacedLetter]]:
        """The nodes and letters of a shortest way from the root along edges."""
        came: dict[LabelledPlace, tuple[LabelledPlace, PlacedLetter] | None] = {self.root: None}
        todo = deque([self.root])
        while todo and node not in came:
            one = todo.popleft()
            for letter, target in zip(one.letters, one.edges, strict=False):
                if target is not None and target not in came:
                    came[target] = (one, letter)
                    todo.append(target)
        steps: list[tuple[LabelledPlace, PlacedLetter]] = []
        step = came[node]
        while step is not None:
            steps.append(step)
            step = came[step[0]]
        return steps[::-1]

    def _is_reached(self, node: LabelledPlace) -> bool:
        try:
            self.path_to(node)
        except KeyError:
            return False
        return True

    def _reached_again(self) -> bool:
        """Whether a node that was skipped is led to after all, by an edge to a node before it: it is looked at then."""
        if not any(node.skipped for node in self.nodes.values()):
            return False
        for node in reached(self.root, LabelledPlace.following):
            if node.skipped:
                node.skipped = False
                self._push(node)
        return bool(self._queue)

    def label(self, node: LabelledPlace) -> list[Term]:
        """With what follows from the places."""
        known = self._product.known(node.at.places)
        return list(dict.fromkeys([*(self.terms.eq(v, value) for v, value in known.items()), *self.said(node)]))

    def said(self, node: LabelledPlace) -> list[Term]:
        """Its label without what follows from the places."""
        if node.dead is not None:
            return [self.terms.eq(v, value) for v, value in node.dead.knowing]
        return [*node.known, *node.value.to_terms()]

    def counts(self) -> dict[str, int]:
        dead = sum(node.dead is not None for node in self.nodes.values())
        return {"nodes": len(self.nodes), "dead_ends": dead, "edge_questions": self.queries}

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, at: ProductPlace, known: frozenset[Term] = frozenset()) -> LabelledPlace:
        found = self.nodes.get((at, known))
        if found is None:
            value = self._values.bottom(at.places, plain=self.plain)
            letters, membrane = self.reduction.letters_inside(at)
            found = LabelledPlace(len(self.nodes), at, known, value, letters, membrane, rows=self._samples.nothing)
            self.nodes[at, known] = found
        return found

    def _begin(self) -> LabelledPlace:
        self._changed = False
        self.nodes.clear()
        self._running.clear()
        self._queue.clear()
        root, start = self._node(self._start.at), self._start
        if not start.given:
            self._arrive(root, self._samples.first(start.state, self._facts))
        found = strongest(self._context, start.given, root.value, start.state)
        root.value = found.value
        self._met(root, found.models)
        return root

    def _sampled(self, values: LabelValues) -> StateSamples:
        letters = values.relevance.transitions
        variables = (v for _, t in letters for v in sorted(t.reads | t.writes, key=lambda term: term.id))
        threads = self._product.space.threads.values()
        return StateSamples(variables, {one.handle: number for number, one in enumerate(threads, 1)})

    def _push(self, node: LabelledPlace) -> None:
        if not node.queued:
            node.queued = True
            heapq.heappush(self._queue, (node.number, node))

    def _look(self, node: LabelledPlace) -> Alarm | None:
        label = self.label(node)
        before = [*self._facts_at(node.at.places), *node.known, *node.value.to_terms()]
        for one in node.letters:
            alarm = self._goes_wrong(node, one, before)
            if alarm is not None:
                return alarm
        was, node.edges, node.ran = node.edges, [], node.rows.size
        for index, one in enumerate(node.letters):
            node.edges.append(self._follow(node, index, one, label, before))
        for one, old, new in zip(node.letters, was, node.edges, strict=False):
            if old is not None and new is not None and old is not new:
                lost = {(node.at, node.known, one.letter, other) for other in old.at.asleep - new.at.asleep}
                self._changed |= not lost <= self.reduction.lost
                self.reduction.lost |= lost
                forgotten = {(*self._edge(node, one), predicate) for predicate in old.known - new.known}
                self._changed |= not forgotten <= self._lost
                self._lost |= forgotten
        return None

    def _facts_at(self, places: Places) -> list[Term]:
        """What follows from the places is part of the transitions there."""
        found = self._facts_there.get(places)
        if found is None:
            known = self._product.known(places)
            found = [one for one in self.terms.substitute(self._facts, known) if one is not self.terms.true]
            self._facts_there[places] = found
        return found

    def _goes_wrong(self, node: LabelledPlace, one: PlacedLetter, before: list[Term]) -> Alarm | None:
        wrong = self.terms.any(self.goal.traps(one.action))
        if wrong is self.terms.false:
            return None
        self.queries += 1
        outcome = self._context.check([*before, wrong])
        if isinstance(outcome, Unsat):
            return None
        return Alarm(node, one, outcome.model if isinstance(outcome, Sat) else None)

    def _follow(
        self, node: LabelledPlace, index: int, one: PlacedLetter, label: list[Term], before: list[Term]
    ) -> LabelledPlace | None:
        transition = one.transition
        if transition.guard.op is Op.FALSE:
            return None
        made = self._made(node, transition, before)
        if not made.size:
            self.queries += 1
            outcome = self._context.check([*before, transition.guard])
            if isinstance(outcome, Unsat):
                return None
            if isinstance(outcome, Sat):
                made = self._near(node, outcome.model, transition, before)
        at = self.reduction.after(node.at, index, node.letters, label, node.known)
        target = self._node(at, self._known_after(node, one, at, before, made))
        target.before[node] = None
        if target.skipped:
            target.skipped = False
            self._push(target)
        if self._is_dead(target, label, transition.writes):
            return target
        self._arrive(target, self._samples.after(made, transition))

        def like(model: Assignment) -> ValueBatch:
            made = self._near(node, model, transition, before)
            after = self._samples.after(made, transition)
            self._arrive(target, after)
            return after

        found = strongest(self._context, [*before, transition.guard], target.value, transition.updates, like=like)
        if found.models or found.given_up:
            target.value = found.value
            self._met(target, found.models)
        return target

    def _near(self, node: LabelledPlace, model: Assignment, transition: Transition, before: list[Term]) -> ValueBatch:
        """A state of the label in which the letter can be made, and others like it."""
        found = self._samples.near(model, transition)
        if not found.size:
            return found
        moved = self._samples.moved(found, node.value.equations)
        others = found.take(np.arange(1)).joined(self._samples.with_inputs(moved, transition))
        others = others.take(self._samples.all_hold(others, [*before, transition.guard]))
        room = _ROWS - node.rows.size
        if room > 0:
            node.rows = node.rows.joined(self._samples.some(others, room))
        return others

    def _made(self, node: LabelledPlace, transition: Transition, before: list[Term]) -> ValueBatch:
        """States of the label in which the letter can be made, and inputs for it."""
        made = self._samples.made(node.rows, transition)
        if made.size < _FEW and node.rows.size:
            others = self._samples.mutants(node.rows, self._values.relevance.at(node.at.places), node.value.equations)
            more = self._samples.made(others.take(self._samples.all_hold(others, before)), transition)
            made = made.joined(more) if made.size else more
        return made

    def _known_after(
        self, node: LabelledPlace, one: PlacedLetter, at: ProductPlace, before: list[Term], made: ValueBatch
    ) -> frozenset[Term]:
        """Of the predicates that tell nodes apart there, those that hold after the letter."""
        transition, found = one.transition, list[Term]()
        for predicate in self._told_apart_by(at.places):
            if (*self._edge(node, one), predicate) in self._lost:
                continue
            [after_it] = self.terms.substitute([predicate], transition.updates)
            if after_it in node.known or after_it is self.terms.true:
                found.append(predicate)
                continue
            if not self._samples.all_hold(made, [after_it]).all():
                continue
            self.queries += 1
            if isinstance(self._context.check([*before, transition.guard, self.terms.not_(after_it)]), Unsat):
                found.append(predicate)
        return frozenset(found)

    def _told_apart_by(self, places: Places) -> list[Term]:
        cases = self.reduction.cases
        more = () if cases is None else cases.predicates(places)
        return list(dict.fromkeys((*self._values.splits(places), *more)))

    def _edge(
        self, node: LabelledPlace, one: PlacedLetter
    ) -> tuple[ProductPlace, frozenset[Term], InstanceLetter, int]:
        return node.at, node.known, one.letter, one.case

    # --- states ------------------------------------------------------------------------------------------------------

    def _met(self, node: LabelledPlace, states: Sequence[Assignment]) -> None:
        """Its label has been weakened, for these states."""
        node.rows = node.rows.joined(batch_of(states, self._samples.variables))
        self._push(node)
        self._running[node] = None

    def _arrive(self, node: LabelledPlace, rows: ValueBatch) -> None:
        """These states are led there: its label has to admit them."""
        rows = rows.take(self._samples.all_hold(rows, node.known))
        if not rows.size:
            return
        try:
            value = node.value.admit_all(rows)
        except CannotBatch:
            return
        room = max(_ROWS - node.rows.size, _NEWS if value is not node.value else 0)
        if room > 0:
            node.rows = node.rows.joined(self._samples.some(rows, room))
        if value is not node.value:
            node.value = value
            self._push(node)
            self._running[node] = None

    def _run(self) -> None:
        """States that were met go on along edges that are known, without a solver."""
        while self._running:
            node = next(iter(self._running))
            del self._running[node]
            if node.edges:
                rows, node.ran = node.rows.take(np.arange(node.ran, node.rows.size)), node.rows.size
                for one, target in zip(node.letters, node.edges, strict=False):
                    if target is not None and target.dead is None:
                        made = self._samples.made(rows, one.transition)
                        self._arrive(target, self._samples.after(made, one.transition))

    # --- dead ends ---------------------------------------------------------------------------------------------------

    def _is_dead(self, node: LabelledPlace, label: list[Term], written: frozenset[Term]) -> bool:
        """Whether it is one and stays one, with what is known before the letter that leads there, and not written."""
        if node.edges:
            return False
        known = {v: value for v, value in given_values(self.terms, label) if v not in written}
        known |= self._product.known(node.at.places)
        if node.constants is not None:  # it has to be a dead end for whoever leads here
            known = {v: value for v, value in node.constants.items() if known.get(v) is value}
        node.constants = known
        if node.dead is not None and all(known.get(v) is value for v, value in node.dead.knowing):
            return True
        was = node.dead
        fresh = node.value.is_bottom
        node.dead = self._dead_ends.at(node.at.places, node.at.asleep, known) if fresh else None
        if was is not None and node.dead is None:
            for one in node.before:  # what they lead to has not been asked
                self._push(one)
        return node.dead is not None
