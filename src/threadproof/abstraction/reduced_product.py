"""The reduced product: where all threads stand, which of their letters sleep, and the memory of a preference order.

Of words of letters that differ in the order of letters that swap, the one that the order prefers is kept. A letter that
sleeps is left out: it may as well come earlier, where it was preferred. Which letters swap may depend on what is known
of the states there, so successors are asked for under a label. Where letters of the preferred threads may come first
always, letters of the others are not made (`membranes.py`).

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022.
Differs: nodes are made on demand, under labels that get weaker; what was asleep under a stronger label may wake up.
Invariants: nodes with the same places, sleeping letters and memory are the same node, nothing less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from threadproof.abstraction.cases import Cases
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.membranes import Membrane, Membranes
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Places
from threadproof.encoding.transitions import Transition
from threadproof.independence.orders import Memory, PreferenceOrder
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.swaps import Swaps
from threadproof.smt.term import Op, Term


@dataclass(frozen=True, slots=True)
class ProductPlace:
    """What makes a node of the reduced product."""

    places: Places
    asleep: frozenset[InstanceLetter]
    memory: Memory


@dataclass(frozen=True, slots=True, eq=False)
class PlacedLetter:
    """A letter where the threads stand so, with what it does there."""

    letter: InstanceLetter
    action: ThreadAction
    transition: Transition  # perhaps more than the letter can do
    case: int = 0  # of several of the letter, which together are all that it can do


class ProductReduction:
    def __init__(
        self,
        product: ThreadProduct,
        swaps: Swaps,
        order: PreferenceOrder,
        goal: ThreadGoal,
        membranes: Membranes | None = None,
        cases: Cases | None = None,
    ) -> None:
        """Without `membranes`, all letters that are awake are made. With `cases`, one after the other for each."""
        self.cases = cases
        self.product = product
        self.order = order
        self._membranes = membranes
        self._swaps = swaps
        self._goal = goal
        self.lost: set[tuple[ProductPlace, frozenset[Term], InstanceLetter, InstanceLetter]] = set()
        """At a place, with what tells nodes there apart: letters that turned out not to swap under a weaker label."""
        self._letters: dict[Places, dict[InstanceLetter, PlacedLetter]] = {}
        self._of_letter: dict[PlacedLetter, list[PlacedLetter]] = {}
        self.whole_threads = False
        """Letters of a thread sleep together or not at all: fewer nodes, for more letters awake."""

    def first(self) -> ProductPlace:
        return ProductPlace(self.product.automaton.initial(), frozenset(), self.order.start)

    def letters(self, at: ProductPlace) -> list[PlacedLetter]:
        """Those that are made there, preferred ones first."""
        return self.letters_inside(at)[0]

    def letters_inside(self, at: ProductPlace) -> tuple[list[PlacedLetter], Membrane | None]:
        """Those that are awake, preferred ones first; if there is a membrane, only those of its threads."""
        there = self._there(at.places)
        awake = [there[one] for one in self.order.order(at.memory, there) if one not in at.asleep]
        if self._membranes is None:
            return self._by_cases(at.places, awake), None
        able = (one.letter.instance for one in awake if one.transition.guard.op is not Op.FALSE)
        found = self._membranes.preferred(at.places, tuple(dict.fromkeys(able)))
        if found is None:
            return self._by_cases(at.places, awake), None
        return self._by_cases(at.places, [one for one in awake if one.letter.instance in found.threads]), found

    def _by_cases(self, places: Places, awake: list[PlacedLetter]) -> list[PlacedLetter]:
        if self.cases is None:
            return awake
        for one in awake:
            if one not in self._of_letter:
                every = enumerate(self.cases.of(places, one.action, one.transition))
                self._of_letter[one] = [replace(one, transition=made, case=case) for case, made in every]
        return [case for one in awake for case in self._of_letter[one]]

    def after(
        self,
        at: ProductPlace,
        index: int,
        letters: Sequence[PlacedLetter],
        label: Sequence[Term],
        known: frozenset[Term] = frozenset(),
    ) -> ProductPlace:
        """Where letter number `index` of those awake leads to, in states with the label."""
        made = letters[index]
        able = (one.letter for one in letters[:index] if one.transition.guard.op is not Op.FALSE)
        candidates = [*at.asleep, *able]  # what cannot be made there would sleep for nothing
        asleep = frozenset(one for one in candidates if self._may_sleep(at, known, made.letter, one, label))
        if self.whole_threads and asleep:
            asleep = self._of_whole_threads(at, asleep)
        return ProductPlace(made.action.target, asleep, self.order.next(at.memory, made.letter))

    def may_drop(self, made: InstanceLetter, other: InstanceLetter, label: Sequence[Term]) -> bool:
        return self._swaps.may_drop(made, other, label)

    def _of_whole_threads(self, at: ProductPlace, asleep: frozenset[InstanceLetter]) -> frozenset[InstanceLetter]:
        there = self._there(at.places).items()
        awake = {
            one.instance for one, placed in there if one not in asleep and placed.transition.guard.op is not Op.FALSE
        }
        return frozenset(one for one in asleep if one.instance not in awake)

    def _may_sleep(
        self,
        at: ProductPlace,
        known: frozenset[Term],
        made: InstanceLetter,
        other: InstanceLetter,
        label: Sequence[Term],
    ) -> bool:
        if other.instance == made.instance or (at, known, made, other) in self.lost:
            return False
        return self.may_drop(made, other, label)

    def _there(self, places: Places) -> dict[InstanceLetter, PlacedLetter]:
        found = self._letters.get(places)
        if found is None:
            actions = [one for one in self.product.actions(places) if not self._goal.leaves_out(one)]
            made = (
                PlacedLetter(InstanceLetter(a.instance, a.letter, a.starts), a, self._made(places, a)) for a in actions
            )
            found = self._letters[places] = {one.letter: one for one in made}
        return found

    def _made(self, places: Places, action: ThreadAction) -> Transition:
        """What follows from the places before, and not from those behind, is written: labels there have to say it."""
        transition, after = self._goal.weakened(action.instance, action.transition), self.product.known(action.target)
        known = {v: value for v, value in self.product.known(places).items() if v not in after}
        return replace(transition, updates={**known, **transition.updates})
