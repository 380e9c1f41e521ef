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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from threadproof.automaton import Places
from threadproof.domains.by_models import after, strongest
from threadproof.encoding.transitions import Transition
from threadproof.engines.trace.dead_ends import DeadEnd, DeadEnds
from threadproof.engines.trace.goals import ThreadGoal
from threadproof.engines.trace.labels import LabelParts
from threadproof.engines.trace.reduction import PlacedLetter, ProductPlace, ProductReduction
from threadproof.engines.trace.values import LabelValues
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.conjunctions import given_values
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment, zero
from threadproof.smt.meaning import Value
from threadproof.smt.solver import Sat, Unsat
from threadproof.smt.term import BOOL, BitVec, Op, Term

_STATES = 12  # of a node, that are run on with
_TRIES = 3  # at inputs of a letter


@dataclass(slots=True, eq=False)
class LabelledPlace:
    """A node. `edges` are those under its label as it was last looked at, by number of the letter awake; None: no state
    of the label can make it."""

    number: int
    at: ProductPlace
    known: frozenset[Term]  # predicates by which nodes at the same place are told apart: they hold at this one
    value: LabelParts
    letters: list[PlacedLetter]
    edges: list[LabelledPlace | None] = field(default_factory=list["LabelledPlace | None"])
    dead: DeadEnd | None = None
    constants: dict[Term, Term] | None = None  # what is known on every edge that led here, for dead ends
    before: dict[LabelledPlace, None] = field(default_factory=dict["LabelledPlace", None])  # who led here
    states: list[Assignment] = field(default_factory=list[Assignment])  # of the label, the last ones it had to admit
    queued: bool = False
    skipped: bool = False  # something may go wrong there, but no edge led there when it was looked at


@dataclass(frozen=True, slots=True)
class Alarm:
    """A state that the label of a node admits, in which a letter there may go wrong."""

    node: LabelledPlace
    letter: PlacedLetter
    state: Assignment | None  # None: the solver did not decide


class Fixpoint:
    def __init__(
        self, reduction: ProductReduction, values: LabelValues, context: Context, goal: ThreadGoal, dead_ends: DeadEnds
    ) -> None:
        self.reduction = reduction
        self.nodes: dict[tuple[ProductPlace, frozenset[Term]], LabelledPlace] = {}
        self.queries = 0
        self._values = values
        self.goal = goal
        self._dead_ends = dead_ends
        self._context = context
        self._product = reduction.product
        self.terms = reduction.product.terms
        self._facts = reduction.product.space.facts()
        self._facts_there: dict[Places, list[Term]] = {}
        self._random = Random(0)
        self._lost: set[tuple[ProductPlace, frozenset[Term], InstanceLetter, Term]] = set()
        """Predicates that turned out not to hold after a letter, under a weaker label."""
        self._running: dict[LabelledPlace, None] = {}
        self._queue: list[tuple[int, LabelledPlace]] = []
        self._changed = False  # edges lead elsewhere than at first
        self.root = self._begin()

    def advance(self, stop: Callable[[], bool]) -> Alarm | bool:
        """True: labels are inductive and nothing goes wrong. False: stopped on the way."""
        while self._queue:
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

    def restart(self) -> None:
        """With what labels can say by now."""
        self._lost.clear()
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

    def label(self, node: LabelledPlace) -> list[Term]:
        """With what follows from the places."""
        known = dict(self._product.known(node.at.places))
        if node.dead is not None:
            known.update(node.dead.knowing)
        said = [] if node.dead is not None else [*node.known, *node.value.to_terms()]
        return [*(self.terms.eq(v, value) for v, value in known.items()), *said]

    def counts(self) -> dict[str, int]:
        dead = sum(node.dead is not None for node in self.nodes.values())
        return {"nodes": len(self.nodes), "dead_ends": dead, "edge_questions": self.queries}

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _node(self, at: ProductPlace, known: frozenset[Term] = frozenset()) -> LabelledPlace:
        found = self.nodes.get((at, known))
        if found is None:
            value = self._values.bottom(at.places)
            found = LabelledPlace(len(self.nodes), at, known, value, self.reduction.letters(at))
            self.nodes[at, known] = found
        return found

    def _begin(self) -> LabelledPlace:
        self._changed = False
        self.nodes.clear()
        self._running.clear()
        self._queue.clear()
        root = self._node(self.reduction.first())
        found = strongest(self._context, [], root.value, self._product.space.initial())
        root.value = found.value
        self._met(root, found.models)
        return root

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
        was, node.edges = node.edges, []
        for index, one in enumerate(node.letters):
            node.edges.append(self._follow(node, index, one, label, before))
        for one, old, new in zip(node.letters, was, node.edges, strict=False):
            if old is not None and new is not None and old is not new:
                lost = {(node.at, one.letter, other) for other in old.at.asleep - new.at.asleep}
                self._changed |= not lost <= self.reduction.lost
                self.reduction.lost |= lost
                forgotten = {(node.at, node.known, one.letter, predicate) for predicate in old.known - new.known}
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
        self.queries += 1
        outcome = self._context.check([*before, transition.guard])
        if isinstance(outcome, Unsat):
            return None
        at = self.reduction.after(node.at, index, node.letters, label)
        states = [*node.states, *([outcome.model] if isinstance(outcome, Sat) else [])]
        target = self._node(at, self._known_after(node, one, at, before, states))
        target.before[node] = None
        if target.skipped:
            target.skipped = False
            self._push(target)
        if self._is_dead(target, label, one.action.transition.writes):
            return target
        for state in states:
            self._step(state, transition, target)
        found = strongest(self._context, [*before, transition.guard], target.value, transition.updates)
        if found.models or found.given_up:
            target.value = found.value
            self._met(target, found.models)
        return target

    def _known_after(
        self, node: LabelledPlace, one: PlacedLetter, at: ProductPlace, before: list[Term], states: list[Assignment]
    ) -> frozenset[Term]:
        """Of the predicates that tell nodes apart there, those that hold after the letter."""
        transition, found = one.transition, list[Term]()
        for predicate in self._values.splits(at.places):
            if (node.at, node.known, one.letter, predicate) in self._lost:
                continue
            [after_it] = self.terms.substitute([predicate], transition.updates)
            if any(state.holds(transition.guard) and not state.holds(after_it) for state in states):
                continue
            self.queries += 1
            if isinstance(self._context.check([*before, transition.guard, self.terms.not_(after_it)]), Unsat):
                found.append(predicate)
        return frozenset(found)

    # --- states ------------------------------------------------------------------------------------------------------

    def _met(self, node: LabelledPlace, states: Iterable[Assignment]) -> None:
        """Its label has been weakened, for these states."""
        node.states = [*node.states, *states][-_STATES:]
        self._push(node)
        self._running[node] = None

    def _run(self) -> None:
        """States that were met go on along edges that are known, without a solver."""
        while self._running:
            node = next(iter(self._running))
            del self._running[node]
            for one, target in zip(node.letters, node.edges, strict=False):
                if target is not None and target.dead is None:
                    for state in node.states:
                        self._step(state, one.transition, target)

    def _step(self, state: Assignment, transition: Transition, target: LabelledPlace) -> None:
        for here in self._with_inputs(state, transition):
            if here.holds(transition.guard):
                new = after(here, transition.updates)
                if not target.value.holds(new) and all(map(new.holds, target.known)):
                    target.value = target.value.admit(new)
                    self._met(target, [new])

    def _with_inputs(self, state: Assignment, transition: Transition) -> Iterator[Assignment]:
        """The state with values for what the letter leaves open: those that it has, and others."""
        yield state
        for _ in range(_TRIES if transition.inputs else 0):
            yield state.updated({one.term.name: self._drawn(one.term) for one in transition.inputs})

    def _drawn(self, variable: Term) -> Value:
        match variable.sort:
            case BitVec(width=width):
                bits = self._random.choice((1, 2, 3, width))
                return self._random.getrandbits(min(bits, width))
            case sort if sort is BOOL:
                return self._random.getrandbits(1)
            case sort:
                return zero(sort)

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
        node.dead = self._dead_ends.at(node.at, known) if fresh else None
        if was is not None and node.dead is None:
            for one in node.before:  # what they lead to has not been asked
                self._push(one)
        return node.dead is not None
