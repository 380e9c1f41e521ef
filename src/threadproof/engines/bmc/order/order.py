"""The order of events: a Boolean for each pair of events of different chains that the formula mentions.

Events of one chain are in program order. The pairs of two chains that are mentioned form a grid; along its rows and
columns the order is monotone (a staircase), which is all that transitivity says about two chains. Cycles through
three or more chains are cut when a model has them. What forks and joins order is constant.

Weak memory: stores have chains of their own and are ordered with the loads of their thread only where a fence, a lock
or another event that drains the store buffer lies between, or where the load comes first.

Differs from the staircase of one variable per pair of events: only rows and columns in use are made, and triples of
chains are cut lazily along shortest cycles, which may be longer than three in such a grid.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from threadproof.core.memory_model import MemoryModel
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.order.cycles import Chain, Following, Node, cuts, in_order
from threadproof.engines.bmc.unwinding.events import EventRole, UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term

PAIRS = 400_000


class EventOrder:
    def __init__(self, world: Unwound, slots: dict[tuple[int, int], int]) -> None:
        """`slots` gives events that happen as one (by thread and index) the index of the first of them."""
        self._world = world
        self._terms = world.terms
        self._slots = slots
        self._weak = world.model is not MemoryModel.SC
        self._grid: dict[tuple[Chain, Chain], tuple[set[int], set[int]]] = {}
        self._nodes: dict[Node, UnwoundEvent] = {}
        self._node_of: dict[tuple[int, int], Node] = {}
        self._asked: dict[tuple[int, int, int, int], Term] = {}
        self._literals: dict[tuple[Node, Node], Term] = {}
        self.loose = {pair for thread in world.threads.values() for pair in _loose(thread)}
        """Events, by thread and index, that need not happen although later ones of their thread do."""
        self._joins = [
            event
            for thread in world.threads.values()
            for event in thread.events
            if (event.kind is EventRole.JOIN or (self._weak and (event.drains or event.releases)))
            and (thread.number, event.index) in self.loose
        ]
        """Joins, and what drains, on some paths only: what they order holds for what follows on those paths."""
        for event in self._joins:
            self.node(event)
        self._drains: dict[int, list[int]] = {}
        self._fences: dict[int, list[int]] = {}
        for number, thread in world.threads.items():
            self._fences[number] = [e.index for e in thread.events if e.releases and not e.writes]
            self._drains[number] = [e.index for e in thread.events if e.drains or (e.reads and e.writes)]

    def node(self, event: UnwoundEvent) -> Node:
        place = (event.thread, event.index)
        node = self._node_of.get(place)
        if node is None:
            slot = self._slots.get(place, event.index)
            node = self._node_of[place] = ((event.thread, self._chain(event)), slot)
            self._nodes.setdefault(node, self._world.threads[event.thread].events[slot])
        return node

    def knows(self, other: EventOrder) -> None:
        """Take over the pairs another order was asked about."""
        self._nodes.update(other._nodes)
        for chains, (rows, columns) in other._grid.items():
            self._grid[chains] = (set(rows), set(columns))

    def first(self, event: UnwoundEvent) -> UnwoundEvent:
        """The first event of the same slot."""
        return self._nodes[self.node(event)]

    def previous(self, event: UnwoundEvent) -> UnwoundEvent | None:
        """What must have happened for the event to be next: the one before it, or the creation of its thread."""
        thread, slot = self._world.threads[event.thread], self.node(event)[1]
        return thread.events[slot - 1] if slot else thread.fork

    def _chain(self, event: UnwoundEvent) -> int:
        if not self._weak or event.drains or event.reads or not event.writes:
            return 0
        if self._world.model is MemoryModel.TSO:
            return 1
        cells = {part.cell for part in event.writes}
        alone = ("store", event.thread, event.index) if len(cells) > 1 else ("cell", cells.pop())
        return 1 + self._world.names.number(alone)

    def is_buffered(self, event: UnwoundEvent) -> bool:
        return self._chain(event) != 0

    # --- asking --------------------------------------------------------------------------------------------------

    def before(self, a: UnwoundEvent, b: UnwoundEvent) -> Term:
        """Whether a comes before b."""
        asked = (a.thread, a.index, b.thread, b.index)
        found = self._asked.get(asked)
        if found is None:
            found = self._asked[asked] = self._before(a, b)
        return found

    def _before(self, a: UnwoundEvent, b: UnwoundEvent) -> Term:
        known = self.known(a, b)
        if known is not None:
            return self._terms.bool(known)
        first, second = self.node(a), self.node(b)
        if first > second:
            return self._terms.not_(self._variable(second, first))
        return self._variable(first, second)

    def known(self, a: UnwoundEvent, b: UnwoundEvent) -> bool | None:
        """Whether a comes before b if both happen, where that is certain."""
        if a.thread == b.thread:
            return self._within_thread(a, b)
        if b.clock.get(a.thread, 0) > a.index:
            return True
        return False if a.clock.get(b.thread, 0) > b.index else None

    def _within_thread(self, a: UnwoundEvent, b: UnwoundEvent) -> bool | None:
        if not self._weak or a.index == b.index or self._chain(a) == self._chain(b):
            return a.index < b.index
        if a.index > b.index:
            later = self._within_thread(b, a)
            return None if later is None else not later
        if not self.is_buffered(a):
            return True
        if self._apart(self._drains[a.thread], a, b):
            return True
        if self.is_buffered(b) and (b.releases or _share(a, b) or self._apart(self._fences[a.thread], a, b)):
            return True
        return None

    def _apart(self, between: list[int], a: UnwoundEvent, b: UnwoundEvent) -> bool:
        """Whether one of these events of the thread lies between the two and happens if they do."""
        happen = {*a.guard, *b.guard}
        events = self._world.threads[a.thread].events
        at = bisect_right(between, a.index)
        while at < len(between) and between[at] <= b.index:
            if happen.issuperset(events[between[at]].guard):
                return True
            at += 1
        return False

    def _variable(self, a: Node, b: Node) -> Term:
        rows, columns = self._grid.setdefault((a[0], b[0]), (set(), set()))
        rows.add(a[1])
        columns.add(b[1])
        return self._literal(a, b)

    def _firmly_known(self, a: UnwoundEvent, b: UnwoundEvent) -> bool | None:
        """What a join orders is certain only if what follows it happens. An event that does not happen stands
        anywhere between its neighbours, and must not push those that do."""
        known = self.known(a, b)
        if known is None or (a.thread == b.thread and self._chain(a) == self._chain(b)):
            return known
        early, late = (a, b) if known else (b, a)
        if a.thread == b.thread:
            return known if not self.is_buffered(early) or (late.thread, late.index) not in self.loose else None
        forked = self._world.threads[late.thread].begin_clock.get(early.thread, 0) > early.index
        return known if forked or (late.thread, late.index) not in self.loose else None

    def _literal(self, a: Node, b: Node) -> Term:
        found = self._literals.get((a, b))
        if found is None:
            found = self._literals[a, b] = self._new_literal(a, b)
        return found

    def _new_literal(self, a: Node, b: Node) -> Term:
        known = self._firmly_known(self._nodes[a], self._nodes[b])
        if known is not None:
            return self._terms.bool(known)
        return self._terms.bool_var(f"o.{a[0][0]}.{a[0][1]}.{a[1]}-{b[0][0]}.{b[0][1]}.{b[1]}")

    # --- what holds of it ------------------------------------------------------------------------------------------

    def size(self) -> int:
        return sum(len(rows) * len(columns) for rows, columns in self._grid.values())

    def axioms(self) -> Iterator[Term]:
        self._add_joins()
        if self.size() > PAIRS:
            raise CannotEncode("too many events to order")
        for (s, t), (rows, columns) in self._grid.items():
            ordered, across = sorted(rows), sorted(columns)
            table = [[self._literal((s, i), (t, j)) for j in across] for i in ordered]
            yield from self._loosely_known(s, ordered, t, across)
            for row in table:
                yield from self._monotone(row)
            for column in zip(*table, strict=True):
                yield from self._monotone(list(reversed(column)))

    def _add_joins(self) -> None:
        for (s, t), (rows, columns) in self._grid.items():
            for event in self._joins:
                chain, slot = self.node(event)
                if chain == s and (t[0] in event.clock or t[0] == s[0]):
                    rows.add(slot)
                if chain == t and (s[0] in event.clock or t[0] == s[0]):
                    columns.add(slot)

    def _loosely_known(self, s: Chain, rows: list[int], t: Chain, columns: list[int]) -> Iterator[Term]:
        for i in rows:
            for j in columns:
                a, b = self._nodes[s, i], self._nodes[t, j]
                known = self.known(a, b)
                if known is not None and self._firmly_known(a, b) is None:
                    literal = self._literal((s, i), (t, j))
                    happen = self._terms.all((*a.guard, *b.guard))
                    yield self._terms.implies(happen, literal if known else self._terms.not_(literal))

    def _monotone(self, line: list[Term]) -> Iterator[Term]:
        for a, b in pairwise(line):
            clause = self._terms.implies(a, b)
            if clause is not self._terms.true:
                yield clause

    # --- cycles ------------------------------------------------------------------------------------------------------

    def edges(self, model: Assignment) -> Following:
        """The order in a model: within chains, what is known, and what was chosen (with its literal)."""
        nodes = set(self._nodes)
        following: Following = {node: [] for node in nodes}
        chains: dict[Chain, list[int]] = {}
        for chain, slot in nodes:
            chains.setdefault(chain, []).append(slot)
        for chain, slots in chains.items():
            for a, b in pairwise(sorted(slots)):
                following[chain, a].append(((chain, b), None))
        self._known_edges(model, chains, following)
        for (s, t), (rows, columns) in self._grid.items():
            for i in rows:
                for j in columns:
                    a, b = (s, i), (t, j)
                    literal = self._literal(a, b)
                    if literal is self._terms.true or literal is self._terms.false:
                        continue
                    if model.holds(literal):
                        following[a].append((b, literal))
                    else:
                        following[b].append((a, self._terms.not_(literal)))
        return following

    def _known_edges(
        self,
        model: Assignment,
        chains: dict[Chain, list[int]],
        following: Following,
    ) -> None:
        """From the last event that is certainly over to each event (the chains see to the rest)."""
        for slots in chains.values():
            slots.sort()
        for node, event in self._nodes.items():
            for chain, slots in chains.items():
                if chain == node[0]:
                    continue
                if chain[0] == event.thread:
                    over = [s for s in slots if s < node[1] and self.known(self._nodes[chain, s], event)]
                    if over and (chain[1] == 0 or (event.thread, event.index) not in self.loose):
                        following[chain, over[-1]].append((node, None))
                    elif over and model.holds(self._terms.all(event.guard)):
                        following[chain, over[-1]].append((node, self._terms.all(event.guard)))
                    continue
                clock, condition = event.clock, None
                if (event.thread, event.index) in self.loose:
                    condition = self._terms.all(event.guard)
                    if not model.holds(condition):
                        clock, condition = self._world.threads[event.thread].begin_clock, None
                at = bisect_left(slots, clock.get(chain[0], 0))
                if at:
                    following[chain, slots[at - 1]].append((node, condition))

    def cuts(self, model: Assignment) -> list[Term]:
        """Clauses that the model's cycles violate; none: it is an order."""
        return cuts(self._terms, self.edges(model))

    def sorted(self, model: Assignment) -> list[UnwoundEvent]:
        """The nodes' first events in an order the model allows."""
        return [self._nodes[node] for node in in_order(self.edges(model))]


def _share(a: UnwoundEvent, b: UnwoundEvent) -> bool:
    return not {part.cell for part in a.writes}.isdisjoint(part.cell for part in b.writes)


def _loose(thread: UnwoundThread) -> Iterator[tuple[int, int]]:
    """Events that need not happen although later ones of their thread do."""
    later: set[Term] | None = None if thread.end is None else set(thread.end)
    for event in reversed(thread.events):
        if later is not None and not later.issuperset(event.guard):
            yield thread.number, event.index
        later = set(event.guard) if later is None else later & set(event.guard)
