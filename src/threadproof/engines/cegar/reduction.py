"""Partial-order reduction: which letters sleep behind another, which threads go first, where nothing more can come.

Of two letters that swap, the one that is preferred is made first; behind the other it sleeps. Threads of a persistent
set are preferred: then whatever the others do first is a dead end.

With `aa`, letters know only the variables of the precision: others do not make them dependent (definition 9 of the
seed). When the precision grows, all is built anew with what letters know then (4.2). With `aa-pointers`, values of the
state are put in before two letters that are made there are compared: what pointers point to (definition 15). Letters
that may come later have no state; those are compared by the points-to analysis of the whole program, which is in their
formulas.

Paper: P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996 (sleep sets,
persistent sets).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Places
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.encoding.transitions.forgetting import unforgettable
from threadproof.engines.cegar.configuration import ArgPor
from threadproof.engines.cegar.distance import ErrorDistance
from threadproof.engines.cegar.graph import ArgLetter
from threadproof.engines.cegar.persistent import PersistentSets
from threadproof.engines.cegar.precision import Precision
from threadproof.engines.cegar.states import AbstractState
from threadproof.engines.cegar.swaps import LetterSwaps
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term


class ArgReduction:
    def __init__(self, product: ThreadProduct, context: Context, how: ArgPor) -> None:
        self._product = product
        self._context = context
        self._how = how
        self._every = AllLetters(product.encoder, product.most)
        self._swaps = LetterSwaps(product.encoder, context, product.forbids)
        constants = frozenset[Term]() if product.constants is None else product.constants.variables
        self._always = constants | unforgettable(product.space)
        self.kept: frozenset[Term] | None = None  # variables that letters know of; None: all
        self._see(self._every)

    def follow(self, precision: Precision) -> None:
        """From now on, letters know the variables of the precision only; what was found out about swaps is kept."""
        if not self._how.forgets:
            return
        every = self._every.variables
        self.kept = every & (self._always | precision.tracked | precision.mentioned)
        encoder = self._product.encoder.forgetting(every - self.kept)
        self._swaps = self._swaps.seen_by(encoder)
        self._see(self._every.seen_by(encoder))

    def _see(self, letters: AllLetters) -> None:
        self._goal = ThreadGoal(self._product, letters, None)
        self.distance = ErrorDistance(self._product, letters, self._goal)
        self._persistent = PersistentSets(self._product, letters, self._goal, self._swaps.may_drop)
        self._letters: dict[Places, list[ArgLetter]] = {}

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
        self,
        places: Places,
        state: AbstractState,
        before: Iterable[InstanceLetter],
        earlier: Iterable[ArgLetter],
        made: ArgLetter,
    ) -> frozenset[InstanceLetter]:
        """Behind a letter: of what slept before it, and of letters that were preferred to it."""
        if self._how is ArgPor.NONE:
            return frozenset()
        able = (one.letter for one in earlier if one.action.transition.guard.op is not Op.FALSE)
        candidates = [*before, *able]
        found = {one for one in candidates if self._swaps.may_drop(made.letter, one)}
        if self._how is ArgPor.AA_POINTERS and state.values:
            values = {**self._product.known(places), **state.values}
            rest = (one for one in candidates if one not in found)
            found.update(one for one in rest if self._swaps.may_drop_where(made.letter, one, values))
        return frozenset(found)

    def dead_end(self, places: Places, asleep: frozenset[InstanceLetter]) -> frozenset[Instance]:
        """Threads that sleep for ever there, so that nothing goes wrong any more; none, if it is no dead end."""
        sleeping = {(one.instance, one.letter.id) for one in asleep}
        at = dict(places.threads)
        threads = dict.fromkeys(one.instance for one in asleep)
        whole = [one for one in threads if sleeping.issuperset(self._persistent.own(one, at[one]))]
        return self._persistent.largest(places, whole) if whole else frozenset()
