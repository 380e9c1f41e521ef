"""Paths that a preference order keeps: letters that sleep are not made, and who covers a node sleeps no more than it.

The order decides which labels a proof needs: in lockstep, loops of several threads that do the same have simple ones.
Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022.
Differs: the reduced product is the tree's, node by node, so letters swap under the label of a node.
Invariants: labels only get stronger as long as a node has children, so what slept under a label may sleep on.
"""

from __future__ import annotations

from threadproof.abstraction.dead_ends import DeadEnd, DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.reduced_product import PlacedLetter, ProductPlace, ProductReduction
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.impact.tree import AbstractNode
from threadproof.independence.orders import PreferenceOrder
from threadproof.independence.pairs import InstanceLetter, SwapGoal
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.smt.context import Context


class OrderedPaths:
    """For what may go wrong in one thread."""

    def __init__(
        self, product: ThreadProduct, letters: AllLetters, goal: ThreadGoal, order: PreferenceOrder, context: Context
    ) -> None:
        self.goal = goal
        swaps = Swaps(product.encoder, context, goal=SwapGoal(goal.thread, product.forbids), without=OF_REACHABLE)
        self._product = product
        self._reduction = ProductReduction(product, swaps, order, goal)
        self._dead_ends = DeadEnds(product, letters, goal, swaps)
        self._dead: dict[ProductPlace, DeadEnd | None] = {}

    def first(self) -> ProductPlace:
        return self._reduction.first()

    def letters(self, node: AbstractNode) -> list[PlacedLetter]:
        """That are made there, preferred ones first; none at a dead end."""
        return [] if self.dead_end(node) is not None else self._reduction.letters(_place(node))

    def after(self, node: AbstractNode, action: ThreadAction) -> ProductPlace:
        """Where an action leads to that is made at the node."""
        letters = self.letters(node)
        index = next(number for number, one in enumerate(letters) if one.action.key == action.key)
        return self._reduction.after(_place(node), index, letters, list(node.label))

    def may_cover(self, by: AbstractNode, node: AbstractNode) -> bool:
        return _place(by).asleep <= _place(node).asleep

    def asleep(self, node: AbstractNode) -> frozenset[InstanceLetter]:
        return _place(node).asleep

    def dead_end(self, node: AbstractNode) -> DeadEnd | None:
        place = _place(node)
        if place not in self._dead:
            known = self._product.known(place.places)
            self._dead[place] = self._dead_ends.at(place.places, place.asleep, known) if place.asleep else None
        return self._dead[place]


def _place(node: AbstractNode) -> ProductPlace:
    assert node.kept is not None, "a tree without a preference order"
    return node.kept
