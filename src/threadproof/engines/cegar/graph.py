"""The abstract reachability graph: nodes with the places of the threads and an abstract state.

A state that another one at the same places covers gets no node: the edge leads to the coverer. So every node counts,
and the edge by which a node was made is the way to it.

Paper: definition of section 2.7 of the seed (B. Sisák, 2023). Differs: covered nodes are not kept.
Invariants: `letters` of a node are those awake, in the order in which the reduction prefers them; a letter that wakes
up later comes before all others. So what sleeps at the end of an edge was asleep, or stood before the letter made (what
the checker of reduced products asks for), also when the sleep set shrinks afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from threadproof.abstraction.thread_product import ThreadAction
from threadproof.automaton import Instance, Places
from threadproof.engines.cegar.states import AbstractState
from threadproof.independence.orders import Memory
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Term


@dataclass(frozen=True, slots=True, eq=False)
class ArgLetter:
    """A letter where the threads stand so."""

    letter: InstanceLetter
    action: ThreadAction


@dataclass(slots=True, eq=False)
class ArgNode:
    number: int
    places: Places
    turn: Memory  # of the preference order
    state: AbstractState
    came: tuple[ArgNode, ArgLetter] | None  # the first edge that led here
    depth: int
    asleep: frozenset[InstanceLetter]
    letters: list[ArgLetter]
    dead: frozenset[Instance] = frozenset()  # threads that sleep for ever, if it is a dead end
    edges: dict[ArgLetter, list[ArgNode]] = field(default_factory=dict["ArgLetter", "list[ArgNode]"])
    """Of letters that were made; no node: that cannot be."""

    @property
    def open(self) -> bool:
        return not self.dead and len(self.edges) < len(self.letters)

    def path(self) -> list[tuple[ArgNode, ArgLetter]]:
        """The way here from the root."""
        found: list[tuple[ArgNode, ArgLetter]] = []
        node: ArgNode = self
        while node.came is not None:
            found.append(node.came)
            node = node.came[0]
        return found[::-1]


Keys = frozenset[Term]


class AbstractReachabilityGraph:
    """Finds who covers a state: by its values, for each set of variables that states at those places have values of."""

    def __init__(self, implies: Callable[[AbstractState, AbstractState], bool]) -> None:
        self.nodes: list[ArgNode] = []
        self.made = 0  # those that were pruned included
        self._members: set[ArgNode] = set()
        self._implies = implies
        self._at: dict[tuple[Places, Memory], dict[Keys, dict[frozenset[tuple[Term, Term]], list[ArgNode]]]] = {}

    def add(self, node: ArgNode) -> None:
        self.nodes.append(node)
        self.made += 1
        self._members.add(node)
        self._index(node)

    def prune(self, pivot: ArgNode) -> None:
        """Without the node and those that were first reached by way of it; letters that led to them are to be made
        again."""
        gone = {pivot}
        for node in self.nodes:  # a node comes after the one that it was reached from
            if node.came is not None and node.came[0] in gone:
                gone.add(node)
        self.nodes = [node for node in self.nodes if node not in gone]
        self._members -= gone
        self._at.clear()
        for node in self.nodes:
            node.edges = {one: to for one, to in node.edges.items() if gone.isdisjoint(to)}
            self._index(node)

    def __contains__(self, node: ArgNode) -> bool:
        return node in self._members

    def _index(self, node: ArgNode) -> None:
        by_values = self._at.setdefault((node.places, node.turn), {}).setdefault(frozenset(node.state.values), {})
        by_values.setdefault(node.state.key, []).append(node)

    def coverer(self, places: Places, turn: Memory, state: AbstractState) -> ArgNode | None:
        return next((one for one in self._candidates(places, turn, state) if self._implies(state, one.state)), None)

    def _candidates(self, places: Places, turn: Memory, state: AbstractState) -> Iterator[ArgNode]:
        """Nodes that know no other values."""
        for keys, by_values in self._at.get((places, turn), {}).items():
            if keys <= state.values.keys():
                yield from by_values.get(frozenset((v, state.values[v]) for v in keys), ())
