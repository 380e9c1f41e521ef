"""The abstract reachability tree: nodes with places of the threads and labels, edges, and who covers whom.

Paper: definition 3.1. A label is a set of conjuncts. Besides, each node has the state that its path leads to, as terms
over the inputs of the path: executing letters on terms is cheap, and most guards fold to constants.
Invariants: a coverer is older, stands at the same places, and neither it nor anything above it is covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from threadproof.abstraction.reduced_product import ProductPlace
from threadproof.abstraction.thread_product import ThreadAction
from threadproof.automaton import Instance, Places
from threadproof.engines.impact.entailment import NodeLabel
from threadproof.engines.impact.loop_labels import PlaceLabels
from threadproof.smt.term import Term

ActionKey = tuple[Instance, int]


@dataclass(slots=True, eq=False)
class AbstractNode:
    number: int
    places: Places
    parent: AbstractNode | None
    action: ThreadAction | None  # that leads here
    depth: int
    state: Mapping[Term, Term]
    asked: tuple[Term, ...]  # what the guards of the path ask of its inputs
    label: NodeLabel = field(default_factory=NodeLabel)
    children: list[AbstractNode] = field(default_factory=list["AbstractNode"])
    tried: set[ActionKey] = field(default_factory=set[ActionKey])  # actions with a child, or that are impossible here
    holds: dict[Term, bool] = field(default_factory=dict[Term, bool])  # what does on the path, and what does not
    skipped: dict[ActionKey, bool] = field(default_factory=dict[ActionKey, bool])  # what was decided
    expanded: bool = False
    asked_together: bool = False  # what is asked of several threads at once
    gone: bool = False  # cut off
    kept: ProductPlace | None = None  # in the reduced product, where a preference order decides
    follows: PlaceLabels | None = None  # what its label was calculated with, and labels below are
    covered_by: AbstractNode | None = None
    covers: dict[AbstractNode, None] = field(default_factory=dict["AbstractNode", None])

    def up(self) -> Iterator[AbstractNode]:
        """This node and those above it."""
        node: AbstractNode | None = self
        while node is not None:
            yield node
            node = node.parent

    def below(self) -> Iterator[AbstractNode]:
        """This node and those below it."""
        work: list[AbstractNode] = [self]
        while work:
            node = work.pop()
            yield node
            work.extend(reversed(node.children))

    @property
    def path(self) -> list[AbstractNode]:
        return list(self.up())[::-1]

    @property
    def covered(self) -> bool:
        return any(node.covered_by is not None for node in self.up())


def common_ancestor(a: AbstractNode, b: AbstractNode) -> AbstractNode:
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None, "two trees"
            a = a.parent
        else:
            assert b.parent is not None, "two trees"
            b = b.parent
    return a


class AbstractTree:
    def __init__(self, places: Places, state: Mapping[Term, Term], kept: ProductPlace | None = None) -> None:
        self.root = AbstractNode(0, places, None, None, 0, state, (), kept=kept)
        self.nodes = [self.root]
        self._made = 1
        self._at: dict[Places, list[AbstractNode]] = {places: [self.root]}

    def add(
        self,
        parent: AbstractNode,
        action: ThreadAction,
        state: Mapping[Term, Term],
        asked: tuple[Term, ...],
        kept: ProductPlace | None = None,
    ) -> AbstractNode:
        node = AbstractNode(self._made, action.target, parent, action, parent.depth + 1, state, asked, kept=kept)
        self._made += 1
        parent.children.append(node)
        self.nodes.append(node)
        self._at.setdefault(node.places, []).append(node)
        return node

    def candidates(self, node: AbstractNode) -> list[AbstractNode]:
        """Who may cover it: older nodes at the same places that are not covered."""
        return [one for one in self._at[node.places] if one.number < node.number and not one.covered]

    def cover(self, node: AbstractNode, by: AbstractNode) -> list[AbstractNode]:
        """Returns the nodes that are not covered any more: their coverer is covered now."""
        node.covered_by = by
        by.covers[node] = None
        freed: list[AbstractNode] = []
        for below in node.below():
            freed += self.uncover(below)
        return freed

    def uncover(self, by: AbstractNode) -> list[AbstractNode]:
        """All that it covers: leaves again, with what is below them."""
        freed: list[AbstractNode] = []
        for node in by.covers:
            node.covered_by = None
            freed += [below for below in node.below() if not below.expanded]
        by.covers.clear()
        return freed

    def cut(self, node: AbstractNode) -> list[AbstractNode]:
        """Takes off all below it, which makes it a leaf. Returns the nodes elsewhere that are not covered any more."""
        below = [one for one in node.below() if one is not node]
        for one in below:
            one.gone = True
        freed: list[AbstractNode] = []
        for one in below:
            freed += self.uncover(one)
            if one.covered_by is not None:
                one.covered_by.covers.pop(one, None)
            self._at[one.places].remove(one)
        node.children.clear()
        node.tried.clear()
        node.expanded = node.asked_together = False
        self.nodes = [one for one in self.nodes if not one.gone]
        return [one for one in freed if not one.gone]
