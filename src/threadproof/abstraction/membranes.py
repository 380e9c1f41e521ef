"""Threads of which one moves before anything goes wrong, and whose letters may as well come first: a membrane.

Let T be some of the threads that stand at a place. As long as none of T moves, the others come to some letters only: a
thread of T that has not finished cannot be joined, for one. If none of these goes wrong, and each of them swaps with
every letter at which T stands, then every execution to an error has an equivalent one that goes on with a letter of T.
So only letters of T need be made there. Where none of these is awake, the place is a dead end.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022
(weakly persistent membranes); the edges of Ultimate's ThreadBasedPersistentSets. Differs: threads that are forced to
belong to T are added one by one, beginning with a few, in place of a graph with strongly connected components; joins
are letters that cannot be made while T stands still; forks count as what the new thread may do.
Invariants: letters swap always, not only under a label; what is known of values are constants that no letter of the
others writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import End, Instance, Location, Places
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.swaps import Swaps
from threadproof.smt.term import Op, Term

Constants = Mapping[Term, Term]
Standing = tuple[Instance, Location]


class _Asked(Enum):
    """Of a letter."""

    POSSIBLE = "whether it can be made"
    WRONG = "whether it can go wrong"


_Decided = dict[tuple[LetterKey, _Asked, frozenset[tuple[Term, Term]]], bool]
"""Where variables that the letter reads have these values."""


@dataclass(frozen=True, slots=True)
class Membrane:
    threads: tuple[Instance, ...]
    knowing: tuple[tuple[Term, Term], ...]  # constants that this needs


class Membranes:
    def __init__(self, product: ThreadProduct, letters: AllLetters, goal: ThreadGoal, swaps: Swaps) -> None:
        self._product = product
        self._letters = letters
        self._goal = goal
        self._swaps = swaps
        self._wakes: dict[tuple[LetterKey, Standing], bool] = {}
        self._written: dict[Standing, frozenset[Term]] = {}
        self._decided: _Decided = {}
        self._preferred: dict[tuple[Places, tuple[Instance, ...]], Membrane | None] = {}

    def own(self, standing: Standing) -> list[LetterKey]:
        """Letters there that are not futile."""
        return [key for key in self._letters.at(*standing) if key not in self._goal.futile]

    def preferred(self, places: Places, threads: tuple[Instance, ...]) -> Membrane | None:
        """Of threads that can move there, it has the first few inside, and not all. None: there is none."""
        key = (places, threads)
        if key not in self._preferred:
            self._preferred[key] = self._beginning(places, threads)
        return self._preferred[key]

    def _beginning(self, places: Places, threads: tuple[Instance, ...]) -> Membrane | None:
        many, known = 1, self._product.known(places)
        while many < len(threads):
            found = self.around(places, threads[:many], known, lambda thread: True)
            if found is None:
                return None
            last = max(place for place, one in enumerate(threads) if one in found.threads) + 1
            if last == many:
                return found
            many = last
        return None

    def around(
        self, places: Places, first: Iterable[Instance], constants: Constants, may_join: Callable[[Instance], bool]
    ) -> Membrane | None:
        """The least one that this finds with the threads `first`; None: one that it needs has finished, or may not
        join. `constants` are values that variables have there."""
        inside = {one for one in places.threads if one[0] in set(first)}
        while True:
            if any(one[1].at is End.FINISHED for one in inside):
                return None
            found = self._forced(places, inside, constants)
            if isinstance(found, Membrane):
                return found
            if not all(may_join(one[0]) for one in found):
                return None
            inside.update(found)

    def _forced(self, places: Places, inside: set[Standing], constants: Constants) -> Membrane | list[Standing]:
        """The threads that have to belong to it as well, of those that were looked at; or the membrane."""
        others = [one for one in places.threads if one not in inside]
        stable = self._stable(others, constants)
        known = {**stable, **self._standing(places, inside)}
        possible = _Possible(self._letters, self._goal, known, self._decided)
        forced = [one for one in others if any(self._is_against(key, possible, inside) for key in possible.ahead(one))]
        if forced:
            return forced
        used = tuple((v, value) for v, value in possible.used.items() if v in stable)
        return Membrane(tuple(one for one, at in places.threads if (one, at) in inside), used)

    def _stable(self, others: Iterable[Standing], constants: Constants) -> dict[Term, Term]:
        written = frozenset[Term]().union(*map(self._writes, others))
        return {variable: value for variable, value in constants.items() if variable not in written}

    def _standing(self, places: Places, inside: Iterable[Standing]) -> dict[Term, Term]:
        """What others can ask of threads, as long as none of those inside moves."""
        threads, terms = self._product.space.threads, self._product.terms
        known = {threads[one].started: terms.true for one, _ in places.threads}
        known.update({threads[one].finished: terms.false for one, _ in inside})
        return known

    def _writes(self, standing: Standing) -> frozenset[Term]:
        """What letters write that the thread, or whom it starts, may still make."""
        found = self._written.get(standing)
        if found is None:
            every = set(self._letters.ahead([standing], lambda key: key not in self._goal.futile)) - self._goal.futile
            found = frozenset[Term]().union(*(self._letters.writes[key] for key in every))
            self._written[standing] = found
        return found

    def _is_against(self, key: LetterKey, possible: _Possible, inside: Iterable[Standing]) -> bool:
        """Whether it may go wrong, or may not come behind all letters inside."""
        if possible.may_go_wrong(key):
            return True
        return any(self._may_wake(key, one) for one in inside) and possible.is_possible(key)

    def _may_wake(self, key: LetterKey, standing: Standing) -> bool:
        found = self._wakes.get((key, standing))
        if found is None:
            own = [one for mine in self.own(standing) for one in self._named(mine)]
            found = not all(self._swaps.may_drop(a, b) for a in self._named(key) for b in own)
            self._wakes[key, standing] = found
        return found

    def _named(self, key: LetterKey) -> Iterator[InstanceLetter]:
        return (InstanceLetter(key[0], self._letters.letters[key], one) for one in self._letters.starts[key])


class _Possible:
    """Letters that can be made, or can go wrong, where some variables have known values."""

    def __init__(self, letters: AllLetters, goal: ThreadGoal, known: Constants, decided: _Decided) -> None:
        """`decided`: what was found before, also where other things are known."""
        self.used: dict[Term, Term] = {}
        self._decided = decided
        self._letters = letters
        self._goal = goal
        self._known = known
        self._is_possible: dict[LetterKey, bool] = {}

    def ahead(self, standing: Standing) -> Iterator[LetterKey]:
        return self._letters.ahead([standing], self.is_possible)

    def is_possible(self, key: LetterKey) -> bool:
        if key not in self._is_possible:
            self._is_possible[key] = key not in self._goal.futile and self._any(key, _Asked.POSSIBLE)
        return self._is_possible[key]

    def may_go_wrong(self, key: LetterKey) -> bool:
        if not self._goal.may_go_wrong(key):
            return False
        if self._letters.may_start_too_many(key) and (not self._letters.transitions[key] or self.is_possible(key)):
            return True
        return self._any(key, _Asked.WRONG)

    def _any(self, key: LetterKey, asked: _Asked) -> bool:
        here = {variable: self._known[variable] for variable in self._letters.reads[key] if variable in self._known}
        question = (key, asked, frozenset(here.items()))
        found = self._decided.get(question)
        if found is None:
            guards = (one.guard for one in self._letters.transitions[key])
            conditions = guards if asked is _Asked.POSSIBLE else self._goal.wrong(key)
            rest = self._letters.encoder.space.terms.substitute(conditions, here)
            found = self._decided[question] = any(one.op is not Op.FALSE for one in rest)
        if not found:
            self.used.update(here)
        return found
