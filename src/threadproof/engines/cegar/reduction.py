"""Partial-order reduction: which letters sleep behind another, which threads go first, where nothing more can come.

Of two letters that swap, the one that is preferred is made first; behind the other it sleeps. Threads of a persistent
set are preferred: then whatever the others do first is a dead end.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996 (sleep sets,
persistent sets).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Places
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.cegar.configuration import ArgPor
from threadproof.engines.cegar.distance import ErrorDistance
from threadproof.engines.cegar.graph import ArgLetter
from threadproof.engines.cegar.persistent import PersistentSets
from threadproof.independence.pairs import InstanceLetter, SwapGoal
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.smt.context import Context
from threadproof.smt.term import Op


class ArgReduction:
    def __init__(self, product: ThreadProduct, context: Context, how: ArgPor) -> None:
        letters = AllLetters(product.encoder, product.most)
        self._product = product
        self._how = how
        self._goal = ThreadGoal(product, letters, None)
        self._swaps = Swaps(product.encoder, context, goal=SwapGoal(None, product.forbids), without=OF_REACHABLE)
        self._persistent = PersistentSets(product, letters, self._goal, self._sleeps_on)
        self.distance = ErrorDistance(product, letters, self._goal)
        self._letters: dict[Places, list[ArgLetter]] = {}
        self._may_drop: dict[tuple[InstanceLetter, InstanceLetter], bool] = {}

    def letters(self, places: Places) -> list[ArgLetter]:
        """Those that matter, preferred ones first."""
        found = self._letters.get(places)
        if found is None:
            actions = [one for one in self._product.actions(places) if not self._goal.leaves_out(one)]
            found = [ArgLetter(InstanceLetter(a.instance, a.letter, a.starts), a) for a in actions]
            if self._how is not ArgPor.NONE:
                first = self._preferred(places, found)
                found.sort(key=lambda one: (one.letter.instance not in first, self._product.order(one.letter.instance)))
            self._letters[places] = found
        return found

    def _preferred(self, places: Places, letters: Sequence[ArgLetter]) -> frozenset[Instance]:
        threads = dict.fromkeys(one.letter.instance for one in letters)
        waiting = {one.letter.instance for one in letters if one.action.transition.guard.op is Op.FALSE}
        able = [one for one in threads if one not in waiting]  # others would not sleep
        if len(threads) < 2 or places.owner is not None:
            return frozenset()
        return self._persistent.smallest(places, able) or frozenset()

    def asleep(
        self, before: Iterable[InstanceLetter], earlier: Iterable[ArgLetter], made: ArgLetter
    ) -> frozenset[InstanceLetter]:
        """Behind a letter: of what slept before it, and of letters that were preferred to it."""
        if self._how is ArgPor.NONE:
            return frozenset()
        able = (one.letter for one in earlier if one.action.transition.guard.op is not Op.FALSE)
        return frozenset(one for one in (*before, *able) if self._sleeps_on(made.letter, one))

    def dead_end(self, places: Places, asleep: frozenset[InstanceLetter]) -> frozenset[Instance]:
        """Threads that sleep for ever there, so that nothing goes wrong any more; none, if it is no dead end."""
        sleeping = {(one.instance, one.letter.id) for one in asleep}
        at = dict(places.threads)
        threads = dict.fromkeys(one.instance for one in asleep)
        whole = [one for one in threads if sleeping.issuperset(self._persistent.own(one, at[one]))]
        return self._persistent.largest(places, whole) if whole else frozenset()

    def _sleeps_on(self, made: InstanceLetter, other: InstanceLetter) -> bool:
        if made.instance == other.instance:
            return False
        key = (made, other)
        if key not in self._may_drop:
            self._may_drop[key] = self._swaps.may_drop(made, other)
        return self._may_drop[key]
