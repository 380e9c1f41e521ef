"""The abstractor: unfolds the abstract reachability graph under the precision, until an error is reached or all is.

Paper: section 2.10 of the seed (B. Sisák, 2023), figure 2.3.
Invariants: when `build` returns None, every letter that is awake at a node leads to a node with what holds behind it,
or cannot be made, and none goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.engines.cegar.configuration import SearchOrder
from threadproof.engines.cegar.graph import AbstractReachabilityGraph, ArgLetter, ArgNode
from threadproof.engines.cegar.reduction import ArgReduction
from threadproof.engines.cegar.states import AbstractState, Transformer
from threadproof.engines.cegar.work import WaitingNodes
from threadproof.independence.pairs import InstanceLetter


@dataclass(frozen=True, slots=True)
class AbstractCounterexample:
    node: ArgNode
    last: ArgLetter  # goes wrong there


class Abstractor:
    def __init__(
        self, product: ThreadProduct, reduction: ArgReduction, transformer: Transformer, search: SearchOrder
    ) -> None:
        self._product = product
        self._reduction = reduction
        self._transformer = transformer
        self._work = WaitingNodes(search, lambda node: reduction.distance.of(node.places))
        self.graph = AbstractReachabilityGraph(transformer.implies)
        self.restart()

    def restart(self) -> None:
        """Everything anew, with the precision as it is."""
        self.graph = AbstractReachabilityGraph(self._transformer.implies)
        self._work.clear()
        places = self._product.automaton.initial()
        self._reach(None, self._transformer.first(), frozenset())
        assert self.graph.nodes[0].places == places

    def build(self, stop: Callable[[], None]) -> AbstractCounterexample | None:
        """None: nothing goes wrong. `stop` may raise."""
        while (node := self._work.next()) is not None:
            stop()
            while node.open:
                found = self._expand(node)
                if found is not None:
                    self._work.add(node)
                    return found
        return None

    def _expand(self, node: ArgNode) -> AbstractCounterexample | None:
        """One letter that was not made. Those that go wrong are looked at first."""
        waiting = [one for one in node.letters if one not in node.edges]
        for one in waiting:
            if self._transformer.goes_wrong(node.places, node.state, one.action):
                return AbstractCounterexample(node, one)
        for one in reversed(waiting):  # what is preferred waits on top
            self._make(node, one)
        return None

    def _make(self, node: ArgNode, one: ArgLetter) -> None:
        after = self._transformer.after(node.places, node.state, one.action)
        if not after or self._starts_too_many(one):
            node.edges[one] = []
            return
        earlier = node.letters[: node.letters.index(one)]
        asleep = self._reduction.asleep(node.places, node.state, node.asleep, earlier, one)
        node.edges[one] = [self._reach((node, one), state, asleep) for state in after]

    def _starts_too_many(self, one: ArgLetter) -> bool:
        """That is known, and looked at no further."""
        return any(trap.what is MORE_INSTANCES for trap in one.action.others)

    # --- nodes -------------------------------------------------------------------------------------------------------

    def _reach(
        self, came: tuple[ArgNode, ArgLetter] | None, state: AbstractState, asleep: frozenset[InstanceLetter]
    ) -> ArgNode:
        places = self._product.automaton.initial() if came is None else came[1].action.target
        found = self.graph.coverer(places, state)
        if found is not None:
            self._wake(found, asleep)
            return found
        depth = 0 if came is None else came[0].depth + 1
        node = ArgNode(len(self.graph.nodes), places, state, came, depth, asleep, [])
        self._set_letters(node)
        self.graph.add(node)
        self._work.add(node)
        return node

    def _set_letters(self, node: ArgNode) -> None:
        node.dead = self._reduction.dead_end(node.places, node.asleep) if node.asleep else frozenset()
        if not node.dead:
            node.letters = [one for one in self._reduction.letters(node.places) if one.letter not in node.asleep]

    def _wake(self, node: ArgNode, asleep: frozenset[InstanceLetter]) -> None:
        """It is reached with fewer letters asleep: the others are made as well, before those that were made already."""
        woken = node.asleep - asleep
        if not woken:
            return
        node.asleep &= asleep
        if node.dead:
            self._set_letters(node)
        else:
            node.letters[:0] = [one for one in self._reduction.letters(node.places) if one.letter in woken]
        if node.open:
            self._work.add(node)
