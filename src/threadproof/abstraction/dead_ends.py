"""Places of the reduced product from which nothing that is asked about can be reached: a thread sleeps for ever.

If all letters of a thread sleep, and no letter that another thread may still make wakes one of them, the thread never
moves again in the words that are kept. Where what may go wrong lies behind that thread's end (main joins it first), the
place is a dead end, and its successors need not be looked at.

Invariants: nothing is asked of a solver but which letters swap always; what is known of values are constants that no
letter from here on writes. Both only get less where labels get weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import End, Instance, Location, Places
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.swaps import Swaps
from threadproof.smt.term import Op, Term

Constants = Mapping[Term, Term]


@dataclass(frozen=True, slots=True)
class DeadEnd:
    thread: Instance  # that never moves again
    knowing: tuple[tuple[Term, Term], ...]  # constants that this needs


def dead_threads(found: DeadEnd | None) -> tuple[Instance, ...]:
    return () if found is None else (found.thread,)


class DeadEnds:
    def __init__(self, product: ThreadProduct, letters: AllLetters, goal: ThreadGoal, swaps: Swaps) -> None:
        self._product = product
        self._letters = letters
        self._goal = goal
        self._swaps = swaps
        self._found: dict[tuple[Places, Instance, frozenset[tuple[Term, Term]]], DeadEnd | None] = {}
        self._wakes: dict[tuple[LetterKey, Instance, Location], bool] = {}

    def at(self, places: Places, asleep: Iterable[InstanceLetter], constants: Constants) -> DeadEnd | None:
        """`constants` are values that variables have there."""
        sleeping = {(one.instance, one.letter.id) for one in asleep}
        for thread, location in places.threads:
            own = self._own(thread, location)
            if location.at is not End.FINISHED and sleeping.issuperset(own):
                key = (places, thread, frozenset(constants.items()))
                if key not in self._found:
                    self._found[key] = self._dead(places, thread, location, constants)
                found = self._found[key]
                if found is not None:
                    return found
        return None

    def _own(self, thread: Instance, location: Location) -> list[LetterKey]:
        return [key for key in self._letters.at(thread, location) if key not in self._goal.futile]

    def _dead(self, places: Places, thread: Instance, location: Location, constants: Constants) -> DeadEnd | None:
        others = [one for one in places.threads if one[0] != thread]
        every = set(self._letters.ahead(others, lambda key: key not in self._goal.futile)) - self._goal.futile
        written = frozenset[Term]().union(*(self._letters.writes[key] for key in every))
        known = {variable: value for variable, value in constants.items() if variable not in written}
        stable = frozenset(known)
        space, terms = self._product.space, self._product.terms
        known.update({space.threads[one].started: terms.true for one, _ in places.threads})
        known[space.threads[thread].finished] = terms.false
        impossible = _Impossible(self._letters, self._goal, known)
        for key in self._letters.ahead(others, impossible.is_possible):
            if impossible.may_go_wrong(key):
                return None
            if impossible.is_possible(key) and self._may_wake(key, thread, location):
                return None
        used = ((v, value) for v, value in impossible.used.items() if v in stable)
        return DeadEnd(thread, tuple(used))

    def _may_wake(self, key: LetterKey, thread: Instance, location: Location) -> bool:
        found = self._wakes.get((key, thread, location))
        if found is None:
            own = [one for mine in self._own(thread, location) for one in self._named(mine)]
            found = not all(self._swaps.may_drop(a, b) for a in self._named(key) for b in own)
            self._wakes[key, thread, location] = found
        return found

    def _named(self, key: LetterKey) -> list[InstanceLetter]:
        return [InstanceLetter(key[0], self._letters.letters[key], one) for one in self._letters.starts[key]]


class _Impossible:
    """Letters that cannot be made, or cannot go wrong, where some variables have known values."""

    def __init__(self, letters: AllLetters, goal: ThreadGoal, known: Constants) -> None:
        self.used: dict[Term, Term] = {}
        self._letters = letters
        self._goal = goal
        self._known = known
        self._is_possible: dict[LetterKey, bool] = {}

    def is_possible(self, key: LetterKey) -> bool:
        if key not in self._is_possible:
            some = key not in self._goal.futile and self._any(key, (t.guard for t in self._letters.transitions[key]))
            self._is_possible[key] = some
        return self._is_possible[key]

    def may_go_wrong(self, key: LetterKey) -> bool:
        if not self._goal.may_go_wrong(key):
            return False
        if self._letters.may_start_too_many(key) and (not self._letters.transitions[key] or self.is_possible(key)):
            return True
        return self._any(key, self._goal.wrong(key))

    def _any(self, key: LetterKey, conditions: Iterable[Term]) -> bool:
        here = {variable: self._known[variable] for variable in self._letters.reads[key] if variable in self._known}
        terms = self._letters.encoder.space.terms
        found = any(one.op is not Op.FALSE for one in terms.substitute(conditions, here))
        if not found:
            self.used.update(here)
        return found
