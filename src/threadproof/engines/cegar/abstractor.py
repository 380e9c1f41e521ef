"""The abstractor: unfolds the abstract reachability graph under the precision, until an error is reached or all is.

Paper: section 2.10 of the seed (B. Sisák, 2023), figure 2.3.
Invariants: when `build` finds nothing, every letter that is awake at a node leads to a node with what holds behind it,
or cannot be made, and none goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from threadproof.abstraction.thread_product import MORE_INSTANCES, ThreadProduct
from threadproof.automaton import Places
from threadproof.engines.cegar.configuration import SearchOrder
from threadproof.engines.cegar.graph import AbstractReachabilityGraph, ArgLetter, ArgNode
from threadproof.engines.cegar.reduction import ArgReduction
from threadproof.engines.cegar.states import AbstractState, Transformer
from threadproof.engines.cegar.work import WaitingNodes
from threadproof.independence.orders import Memory
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True)
class AbstractCounterexample:
    node: ArgNode
    last: ArgLetter  # goes wrong there


class ManyValues(Exception):
    """Of a tracked variable where the threads stand so: it counts."""

    def __init__(self, variable: Term) -> None:
        super().__init__(variable.name)
        self.variable = variable


class Abstractor:
    def __init__(
        self,
        product: ThreadProduct,
        reduction: ArgReduction,
        transformer: Transformer,
        search: SearchOrder,
        most_values: int | None = None,
    ) -> None:
        """`most_values` of one variable at one place; more raise `ManyValues`."""
        self._product = product
        self._reduction = reduction
        self._transformer = transformer
        self._work = WaitingNodes(search, lambda node: reduction.distance.of(node.places))
        self._most_values = most_values
        self._values: dict[tuple[Places, Memory, Term], set[Term]] = {}
        self.graph = AbstractReachabilityGraph(transformer.implies)
        self.restart()

    def restart(self) -> None:
        """Everything anew, with the precision as it is."""
        self.graph = AbstractReachabilityGraph(self._transformer.implies)
        self._work.clear()
        self._values.clear()
        places = self._product.automaton.initial()
        self._reach(None, self._transformer.first(), frozenset())
        assert self.graph.nodes[0].places == places

    def prune(self, pivot: ArgNode) -> None:
        """Only what was reached by way of this node is built anew."""
        if pivot.came is None:
            self.restart()
            return
        if pivot not in self.graph:  # another one has taken it along
            return
        self.graph.prune(pivot)
        self._work.clear()
        for node in self.graph.nodes:
            if node.open:
                self._work.add(node)

    def build(self, stop: Callable[[], None], most: int = 1) -> list[AbstractCounterexample]:
        """So many at most, of different nodes; none: nothing goes wrong. `stop` may raise."""
        found: list[AbstractCounterexample] = []
        enough = 0  # nodes: looking for another one should not take much longer than the first did
        while (node := self._work.next()) is not None:
            stop()
            while node.open:
                wrong = self._expand(node)
                if wrong is not None:
                    found.append(wrong)
                    enough = enough or 2 * len(self.graph.nodes)
                    break
            if found and (len(found) == most or len(self.graph.nodes) > enough):
                break
        for one in found:
            self._work.add(one.node)
        return found

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
        turn = self._reduction.first_turn if came is None else self._reduction.next_turn(came[0].turn, came[1])
        found = self.graph.coverer(places, turn, state)
        if found is not None:
            self._wake(found, asleep)
            return found
        depth = 0 if came is None else came[0].depth + 1
        node = ArgNode(self.graph.made, places, turn, state, came, depth, asleep, [])
        self._set_letters(node)
        self.graph.add(node)
        self._work.add(node)
        if self._most_values is not None:
            self._count_values(node, self._most_values)
        return node

    def _count_values(self, node: ArgNode, most: int) -> None:
        for variable, value in node.state.values.items():
            found = self._values.setdefault((node.places, node.turn, variable), set())
            found.add(value)
            if len(found) > most:
                raise ManyValues(variable)

    def _set_letters(self, node: ArgNode) -> None:
        node.dead = self._reduction.dead_end(node.places, node.asleep) if node.asleep else frozenset()
        if not node.dead:
            letters = self._reduction.letters(node.places, node.turn)
            node.letters = [one for one in letters if one.letter not in node.asleep]

    def _wake(self, node: ArgNode, asleep: frozenset[InstanceLetter]) -> None:
        """It is reached with fewer letters asleep: the others are made as well, before those that were made already."""
        woken = node.asleep - asleep
        if not woken:
            return
        node.asleep &= asleep
        if node.dead:
            self._set_letters(node)
        else:
            letters = self._reduction.letters(node.places, node.turn)
            node.letters[:0] = [one for one in letters if one.letter in woken]
        if node.open:
            self._work.add(node)
