"""Sleep sets over letters, with what `swap` says, against the search of everything: errors and last states are found.

This tests what `Always` and `Inclusion` are for, and the preference orders: a word of letters is dropped only if one
that is kept does the same. Programs whose main creates all threads and joins them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from swap_walk import SwapWalker, _wrong  # pyright: ignore[reportPrivateUsage]
from transitions_follow import Made
from transitions_state import Slots

from threadproof.automaton import End, Instance, Location, program_automaton
from threadproof.independence import InstanceLetter
from threadproof.independence.orders import PreferenceOrder, orders
from threadproof.ir.program import Program
from threadproof.semantics import state as states
from threadproof.semantics.outcome import Finished, Moved
from threadproof.semantics.state import State
from threadproof.smt.term import BitVec, Term

MOST_NODES = 3000


class TooLarge(Exception):
    pass


@dataclass(slots=True)
class Outcome:
    errors: bool = False
    ends: set[object] = field(default_factory=set[object])
    nodes: int = 0


Places = tuple[tuple[int, Location], ...]
NOBODY: frozenset[InstanceLetter] = frozenset()


class SearchNode(NamedTuple):
    state: State
    places: Places
    sleep: frozenset[InstanceLetter]
    memory: object  # of the order


class LetterSearch(SwapWalker):
    """Without an order everything is searched; with one, what is asleep is left out. `assertions`: swaps are asked
    under the values that global variables have."""

    def __init__(self, program: Program, most: int = 2) -> None:
        super().__init__(program, program_automaton(program), most)
        self.slots = Slots(self.space)  # none is known: addresses of locals and blocks are not asked for

    def run(self, order: PreferenceOrder | None, *, assertions: bool = False) -> Outcome:
        found, seen = Outcome(), set[object]()
        start: Places = ((0, self.automaton.templates[self.automaton.main].entry),)
        todo = [SearchNode(self.follower.machine.initial(), start, NOBODY, None if order is None else order.start)]
        while todo:
            node = todo.pop()
            key = (str(self._seen(node.state)), node.places, node.sleep, node.memory)
            if key not in seen:
                seen.add(key)
                found.nodes += 1
                if found.nodes > MOST_NODES:
                    raise TooLarge
                todo += self._expanded(found, node, order, assertions)
        return found

    def _expanded(
        self, found: Outcome, node: SearchNode, order: PreferenceOrder | None, assertions: bool
    ) -> Iterator[SearchNode]:
        letters = self._letters(node.state, node.places)
        letters = letters if order is None else order.order(node.memory, letters)
        given = self._facts_of(node.state) if assertions else frozenset[Term]()
        for place, a in enumerate(letters):
            if a in node.sleep:
                continue
            before = [] if order is None else [b for n, b in enumerate(letters) if b in node.sleep or n < place]
            sleep = frozenset(b for b in before if b.instance != a.instance and self.swaps.may_drop(a, b, given))
            memory = None if order is None else order.next(node.memory, a)
            for made in self._every_way(node, a):
                after = self._after(found, node.places, a, made)
                if after is not None:
                    yield SearchNode(*after, sleep, memory)

    def _after(self, found: Outcome, places: Places, a: InstanceLetter, made: Made) -> tuple[State, Places] | None:
        if _wrong(made):
            found.errors = True
        elif isinstance(made.outcome, Finished):
            last = made.outcome.state
            if all(thread.phase is states.Phase.FINISHED for n, thread in last.threads.items() if n):
                found.ends.add(str((sorted(last.memory.items()), last.keys)))
        elif isinstance(made.outcome, Moved):
            now, number = made.states[-1], self._number_of[a.instance]
            moved = {n: a.letter.target if n == number else location for n, location in places}
            for new in now.threads.keys() - moved.keys():
                moved[new] = self.automaton.templates[now.threads[new].frames[0].function].entry
            return now, tuple(sorted(moved.items(), key=lambda item: item[0]))
        return None

    def _letters(self, state: State, places: Places) -> list[InstanceLetter]:
        self.instances, self._number_of = {}, dict[Instance, int]()
        for number, location in places:
            count = sum(one.template == location.template for one in self.instances.values())
            instance = self.instances[number] = Instance(location.template, count)
            self._number_of[instance] = number
        return [
            self._named(number, letter)
            for number, location in places
            if not isinstance(location.at, End) and state.threads[number].phase is not states.Phase.FINISHED
            for letter in self.automaton.templates[location.template].letters_from(location)
        ]

    def _every_way(self, node: SearchNode, a: InstanceLetter) -> list[Made]:
        number = self._number_of[a.instance]
        self.at = {number: dict(node.places)[number]}
        ways = self._ways(node.state, number, Made([node.state], [], (), None))
        return [made for made in ways if a.letter in made.letters]

    def _facts_of(self, state: State) -> frozenset[Term]:
        """Global variables have the values that they have."""
        values, terms = self._values(state), self.space.terms
        found: set[Term] = set()
        for one in self.space.objects:
            for cell in self.space.objects.cells(one) if one.owner is None else ():
                value = values.get(cell.term.name) if cell.term.op.value == "var" else None
                if isinstance(value, int) and isinstance(cell.term.sort, BitVec) and cell.term.width == 32:
                    found.add(terms.eq(cell.term, terms.bv(value, 32)))
        return frozenset(found)


def compare_reductions(program: Program) -> list[str]:
    """The differences between searching everything and each order, with and without assertions."""
    search, found = LetterSearch(program), list[str]()
    try:
        full = search.run(None)
        for name, order in orders(search.automaton, search.space.instances).items():
            for assertions in (False, True):
                reduced = search.run(order, assertions=assertions)
                if (reduced.errors, reduced.ends) != (full.errors, full.ends):
                    found.append(f"{name}, assertions {assertions}: {reduced.errors}, everything: {full.errors}")
    except TooLarge:
        pass
    return found
