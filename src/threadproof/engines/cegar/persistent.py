"""Which threads may go first, and which places are dead ends: what threads may still do, as bit sets of letters.

A set of threads is persistent where the threads stand so if, as long as none of them moves, nothing goes wrong in the
others, and no letter of the others wakes one of theirs (does not swap with it). Then executions in which one of them
moves first are enough; and if all their letters sleep, the place is a dead end.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996, chapter 4
(persistent sets from the operations that processes may still make). Differs: which letters are ahead is asked without
those that wait for the end of one of the threads.
Invariants: unions of persistent sets are persistent; so among some threads there is a largest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from threadproof.abstraction.constants import ThreadConstants
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import End, Instance, Location, Places
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Op, Term

MayDrop = Callable[[InstanceLetter, InstanceLetter], bool]
Waiting = frozenset[Instance]


class PersistentSets:
    def __init__(self, product: ThreadProduct, letters: AllLetters, goal: ThreadGoal, may_drop: MayDrop) -> None:
        self._product = product
        self._letters = letters
        self._goal = goal
        self._may_drop = may_drop
        self._keys = [key for key in letters.letters if key not in goal.futile]
        self._bits = {key: 1 << number for number, key in enumerate(self._keys)}
        self._ahead: dict[tuple[Instance, Location, Waiting], int | None] = {}
        self._woken: dict[tuple[Instance, Location], tuple[int, int]] = {}  # letters asked about, those that wake it
        self._constants: dict[tuple[Instance, Location], Mapping[Term, Term]] = {}
        self._named: dict[LetterKey, list[InstanceLetter]] = {}

    def largest(self, places: Places, among: Iterable[Instance]) -> Waiting:
        """The largest persistent set of these threads; perhaps none."""
        at, found = dict(places.threads), frozenset(among)
        while found:
            kept = frozenset(one for one in found if self._is_undisturbed(at, one, found))
            if kept == found:
                return found
            found = kept
        return found

    def smallest(self, places: Places, able: Iterable[Instance]) -> Waiting | None:
        """A small one with a thread that is able to move, and not all threads; None: there is none."""
        at = dict(places.threads)
        moving = [one for one, location in at.items() if self.own(one, location)]
        best: Waiting | None = None
        for seed in able:
            found = self._grown(at, seed, moving)
            if found is not None and (best is None or len(found) < len(best)):
                best = found
                if len(best) == 1:
                    break
        return best

    def _grown(self, at: Mapping[Instance, Location], seed: Instance, moving: list[Instance]) -> Waiting | None:
        found = frozenset((seed,))
        while len(found) < len(moving):
            more = [one for one in moving if one not in found and self._disturbs(at, one, found)]
            if not more:
                return found
            found = found.union(more)
        return None

    def _is_undisturbed(self, at: Mapping[Instance, Location], thread: Instance, waiting: Waiting) -> bool:
        if at[thread].at is End.FINISHED:
            return False
        for other, location in at.items():
            if other not in waiting:
                ahead = self._of(other, location, waiting)
                if ahead is None or self._wakes(ahead, thread, at[thread]):
                    return False
        return True

    def _disturbs(self, at: Mapping[Instance, Location], other: Instance, waiting: Waiting) -> bool:
        ahead = self._of(other, at[other], waiting)
        return ahead is None or any(self._wakes(ahead, one, at[one]) for one in waiting)

    # --- what threads may still do -----------------------------------------------------------------------------------

    def own(self, thread: Instance, location: Location) -> list[LetterKey]:
        """Its letters there that matter."""
        return [key for key in self._letters.at(thread, location) if key in self._bits]

    def _of(self, thread: Instance, location: Location, waiting: Waiting) -> int | None:
        """Letters that the thread, and those it starts, may make as long as others wait. None: one goes wrong."""
        key = (thread, location, waiting)
        if key not in self._ahead:
            self._ahead[key] = self._walk(thread, location, waiting)
        return self._ahead[key]

    def _walk(self, thread: Instance, location: Location, waiting: Waiting) -> int | None:
        known = {**self._known(thread, location)}
        for one in waiting:
            variables = self._product.space.threads[one]
            known[variables.started], known[variables.finished] = self._product.terms.true, self._product.terms.false
        possible: dict[LetterKey, bool] = {}

        def is_possible(key: LetterKey) -> bool:
            if key not in possible:
                guards = (one.guard for one in self._letters.transitions[key])
                possible[key] = key in self._bits and self._any(key, guards, known)
            return possible[key]

        found = 0
        for key in self._letters.ahead([(thread, location)], is_possible):
            if self._goal.may_go_wrong(key) and self._goes_wrong(key, known, is_possible):
                return None
            if is_possible(key):
                found |= self._bits[key]
        return found

    def _goes_wrong(self, key: LetterKey, known: Mapping[Term, Term], is_possible: Callable[[LetterKey], bool]) -> bool:
        if self._letters.may_start_too_many(key) and (not self._letters.transitions[key] or is_possible(key)):
            return True
        return self._any(key, self._goal.wrong(key), known)

    def _any(self, key: LetterKey, conditions: Iterable[Term], known: Mapping[Term, Term]) -> bool:
        here = {variable: known[variable] for variable in self._letters.reads[key] if variable in known}
        return any(one.op is not Op.FALSE for one in self._product.terms.substitute(conditions, here))

    def _known(self, thread: Instance, location: Location) -> Mapping[Term, Term]:
        """Constants of the thread's own that nobody writes from there on."""
        key = (thread, location)
        if key not in self._constants:
            constants: ThreadConstants | None = self._product.constants
            found = {} if constants is None else dict(constants.at(thread, location))
            every = self._letters.ahead([(thread, location)], self._bits.__contains__) if found else ()
            for one in every:
                if one in self._bits:
                    for variable in self._letters.writes[one]:
                        found.pop(variable, None)
            self._constants[key] = found
        return self._constants[key]

    # --- what wakes letters ------------------------------------------------------------------------------------------

    def _wakes(self, ahead: int, thread: Instance, location: Location) -> bool:
        """Whether one of these letters wakes one that the thread has there."""
        asked, woken = self._woken.get((thread, location), (0, 0))
        if ahead & woken:
            return True
        new = ahead & ~asked
        while new and not woken & ahead:
            low = new & -new
            new ^= low
            asked |= low
            key = self._keys[low.bit_length() - 1]
            mine = self.own(thread, location)
            if not all(self._may_drop(a, b) for a in self._names(key) for own in mine for b in self._names(own)):
                woken |= low
        self._woken[thread, location] = asked, woken
        return bool(ahead & woken)

    def _names(self, key: LetterKey) -> list[InstanceLetter]:
        if key not in self._named:
            letter = self._letters.letters[key]
            self._named[key] = [InstanceLetter(key[0], letter, one) for one in self._letters.starts[key]]
        return self._named[key]
