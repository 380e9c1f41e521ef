"""Paths that a preference order keeps: letters that sleep are not made, and who covers a node sleeps no more than it.

The order decides which labels a proof needs: in lockstep, loops of several threads that do the same have simple ones.
Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022.
Differs: the reduced product is the tree's, node by node, so letters swap under the label of a node.
Invariants: labels only get stronger as long as a node has children, so what slept under a label may sleep on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.labelled_product import Fixpoint, ProductStart
from threadproof.abstraction.membranes import Membrane, Membranes
from threadproof.abstraction.reduced_product import PlacedLetter, ProductPlace, ProductReduction
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.impact.loop_labels import LoopLabels, PlaceLabels
from threadproof.engines.impact.tree import AbstractNode
from threadproof.independence.orders import PreferenceOrder
from threadproof.independence.pairs import InstanceLetter, SwapGoal
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.smt.context import Context


@dataclass(frozen=True, slots=True)
class OrderedGoal:
    """What may go wrong in one thread, and what all orders share that show it: which letters swap, and what labels can
    say."""

    product: ThreadProduct
    goal: ThreadGoal
    always: Swaps  # by formulas alone: labels of refuted paths say little
    under_labels: Swaps
    dead_ends: DeadEnds
    labels: LoopLabels

    @staticmethod
    def of(product: ThreadProduct, letters: AllLetters, goal: ThreadGoal) -> OrderedGoal:
        context, about = Context(product.terms), SwapGoal(goal.thread, product.forbids)
        always = Swaps(product.encoder, context, goal=about, without=OF_REACHABLE)
        dead_ends = DeadEnds(Membranes(product, letters, goal, always))
        labels = LoopLabels(product, goal, dead_ends, context)
        return OrderedGoal(product, goal, always, Swaps(product.encoder, context, goal=about), dead_ends, labels)


class OrderedPaths:
    def __init__(self, about: OrderedGoal, order: PreferenceOrder) -> None:
        self.goal = about.goal
        self._product = about.product
        self._reduction = ProductReduction(about.product, about.always, order, about.goal)
        self._dead_ends = about.dead_ends
        self._dead: dict[ProductPlace, Membrane | None] = {}
        self._under_labels = ProductReduction(about.product, about.under_labels, order, about.goal)
        self._labels = about.labels
        self._begun: dict[AbstractNode, Fixpoint] = {}
        self._in_vain: set[AbstractNode] = set()

    def first(self) -> ProductPlace:
        return self._reduction.first()

    def letters(self, node: AbstractNode) -> list[PlacedLetter]:
        """That are made there, preferred ones first; none at a dead end."""
        if node.follows is not None:
            return node.follows.letters
        return [] if self.dead_end(node) is not None else self._reduction.letters(_place(node))

    def after(self, node: AbstractNode, action: ThreadAction) -> ProductPlace:
        """Where an action leads to that is made at the node."""
        letters = self.letters(node)
        index = next(number for number, one in enumerate(letters) if one.action.key == action.key)
        return self._reduction.after(_place(node), index, letters, list(node.label))

    def loop_labels(self, node: AbstractNode, stop: Callable[[], None]) -> PlaceLabels | None:
        """For all that lies below a node. If `stop` raises something, it goes on from there when it is asked again."""
        if node in self._in_vain:
            return None
        if node not in self._begun:
            start = ProductStart(_place(node), node.state, node.asked)
            self._begun[node] = self._labels.begin(self._under_labels, start)
        path = [(one.parent.places, one.action) for one in node.path if one.parent and one.action]
        found = self._labels.finish(self._begun[node], path, stop)
        if found is None:
            self._in_vain.add(node)
        return found

    def may_cover(self, by: AbstractNode, node: AbstractNode) -> bool:
        return _place(by).asleep <= _place(node).asleep

    def asleep(self, node: AbstractNode) -> frozenset[InstanceLetter]:
        return _place(node).asleep

    def dead_end(self, node: AbstractNode) -> Membrane | None:
        if node.follows is not None:
            return node.follows.place.dead
        place = _place(node)
        if place not in self._dead:
            known = self._product.known(place.places)
            self._dead[place] = self._dead_ends.at(place.places, place.asleep, known) if place.asleep else None
        return self._dead[place]


def _place(node: AbstractNode) -> ProductPlace:
    assert node.kept is not None, "a tree without a preference order"
    return node.kept
