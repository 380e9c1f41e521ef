"""What is asked of several threads at once, where they stand so: whether two of them race, whether all wait for ever.

Such a question is asked like an action that goes wrong: its condition is over the state and the inputs of the letters
that the threads stand before.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import End, Places
from threadproof.core.property import Property
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.questions import deadlock, race
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Term

RACE = NotEncoded("a data race")
DEADLOCK = NotEncoded("a deadlock")


class Beside(NamedTuple):
    """Letters of several threads, and steps of theirs before which they violate the property; () if they wait."""

    letters: tuple[ThreadAction, ...]
    steps: tuple[int, ...] = ()


class _Conflict(NamedTuple):
    condition: Term
    steps: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """The letters of threads that together violate the property if the only violation of `action` holds."""

    action: ThreadAction
    beside: Beside

    @property
    def violation(self) -> TransitionTrap:
        return self.action.violations[0]


class PlaceQuestions:
    def __init__(self, product: ThreadProduct, prop: Property) -> None:
        self._product = product
        self._property = prop
        self._known: dict[Places, tuple[SideBySide, ...]] = {}
        self._conflicts: dict[tuple[InstanceLetter, InstanceLetter], list[_Conflict]] = {}

    def at(self, places: Places) -> tuple[SideBySide, ...]:
        found = self._known.get(places)
        if found is None:
            match self._property:
                case Property.NO_DATA_RACE:
                    found = tuple(self._races(places))
                case Property.NO_DEADLOCK:
                    found = tuple(self._deadlocks(places))
                case _:
                    found = ()
            self._known[places] = found
        return found

    def _races(self, places: Places) -> list[SideBySide]:
        found: list[SideBySide] = []
        for one, other in combinations(self._product.actions(places), 2):
            if one.instance != other.instance:
                for condition, steps in self._conflicts_of(one, other):
                    found += self._asked(places, RACE, condition, Beside((one, other), steps))
        return found

    def _conflicts_of(self, one: ThreadAction, other: ThreadAction) -> list[_Conflict]:
        """Pairs of accesses that may race somewhere: most pairs never do, whatever the places."""
        key = _made(one), _made(other)
        found = self._conflicts.get(key)
        if found is None:
            encoder, terms = self._product.encoder, self._product.terms
            mine, theirs = (encoder.accesses(it.instance, it.letter, it.starts) for it in (one, other))
            every = (_Conflict(race(terms, [a], [b]), (a.step, b.step)) for a, b in product(mine, theirs))
            found = [conflict for conflict in every if conflict.condition is not terms.false]
            self._conflicts[key] = found
        return found

    def _deadlocks(self, places: Places) -> list[SideBySide]:
        actions = self._product.actions(places)
        waiting = {one for one, at in places.threads if at.at is not End.FINISHED}
        if not actions or not waiting <= {action.instance for action in actions}:
            return []
        return self._asked(places, DEADLOCK, deadlock(self._product.encoder, places), Beside(actions))

    def _asked(self, places: Places, what: NotEncoded, condition: Term, beside: Beside) -> list[SideBySide]:
        terms = self._product.terms
        [here] = terms.substitute([condition], self._product.known(places))
        if here is terms.false:
            return []
        trap = TransitionTrap(here, what, 0)
        every = (self._product.encoder.inputs(one.instance, one.letter, one.starts) for one in beside.letters)
        inputs = tuple(dict.fromkeys(one for found in every for one in found))
        asked = Transition(terms, terms.false, {}, inputs, (trap,))
        first = beside.letters[0]
        nothing = frozenset[Term]()
        action = ThreadAction(
            first.instance, first.letter, first.starts, places, asked, (trap,), (), nothing, nothing, False
        )
        return [SideBySide(action, beside)]


def _made(action: ThreadAction) -> InstanceLetter:
    return InstanceLetter(action.instance, action.letter, action.starts)
