"""Partial-order reduction: which letters sleep behind another, which thread goes first, where nothing more can come.

Of two letters that swap, the one that is preferred is made first; behind the other it sleeps. A thread is preferred if
no letter that the others may still make wakes one of its letters: then whatever the others do first is a dead end, and
its letters are a persistent set.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996 (sleep sets,
persistent sets).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from threadproof.abstraction.dead_ends import DeadEnd, DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Places
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.cegar.configuration import ArgPor
from threadproof.engines.cegar.graph import ArgLetter
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
        self._dead_ends = DeadEnds(product, letters, self._goal, self._swaps)
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
                found.sort(key=lambda one: (one.letter.instance != first, self._product.order(one.letter.instance)))
            self._letters[places] = found
        return found

    def _preferred(self, places: Places, letters: Sequence[ArgLetter]) -> Instance | None:
        """A thread whose letters nothing wakes, if they slept."""
        owners = dict.fromkeys(one.letter.instance for one in letters)
        for thread in owners:
            own = [one.letter for one in letters if one.letter.instance == thread]
            able = [one for one in letters if one.letter in own and one.action.transition.guard.op is not Op.FALSE]
            if len(able) == len(own) and len(owners) > 1 and self.dead_end(places, own) is not None:
                return thread
        return None

    def asleep(
        self, before: Iterable[InstanceLetter], earlier: Iterable[ArgLetter], made: ArgLetter
    ) -> frozenset[InstanceLetter]:
        """Behind a letter: of what slept before it, and of letters that were preferred to it."""
        if self._how is ArgPor.NONE:
            return frozenset()
        able = (one.letter for one in earlier if one.action.transition.guard.op is not Op.FALSE)
        return frozenset(one for one in (*before, *able) if self._sleeps_on(made.letter, one))

    def dead_end(self, places: Places, asleep: Iterable[InstanceLetter]) -> DeadEnd | None:
        return self._dead_ends.at(places, asleep, self._product.known(places))

    def _sleeps_on(self, made: InstanceLetter, other: InstanceLetter) -> bool:
        if made.instance == other.instance:
            return False
        key = (made, other)
        if key not in self._may_drop:
            self._may_drop[key] = self._swaps.may_drop(made, other)
        return self._may_drop[key]
