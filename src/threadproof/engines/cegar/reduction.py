"""Partial-order reduction: which letters sleep behind another, which threads go first, where nothing more can come.

Of two letters that swap, the one that is preferred is made first; behind the other it sleeps. Threads of a persistent
set are preferred: then whatever the others do first is a dead end. Or threads take turns (`ThreadOrder`), and a node
knows whose turn it is. With `dynamic`, nobody looks at what threads may still do: letters sleep, and there are no dead
ends.

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
from threadproof.engines.cegar.configuration import ArgPor, ThreadOrder
from threadproof.engines.cegar.distance import ErrorDistance
from threadproof.engines.cegar.graph import ArgLetter
from threadproof.engines.cegar.persistent import PersistentSets
from threadproof.engines.cegar.precision import Precision
from threadproof.engines.cegar.states import AbstractState
from threadproof.engines.cegar.swaps import LetterSwaps
from threadproof.independence.orders import LetterRoundRobin, LoopLockstep, Memory, PreferenceOrder, loop_heads
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.context import Context
from threadproof.smt.term import Op, Term


class ArgReduction:
    def __init__(
        self, product: ThreadProduct, context: Context, how: ArgPor, order: ThreadOrder = ThreadOrder.PERSISTENT
    ) -> None:
        self._product = product
        self._context = context
        self._how = how
        self._order = _preference(product, order) if how is not ArgPor.NONE else None
        self._every = AllLetters(product.encoder, product.most)
        self._variables = self._every.variables
        self._swaps = LetterSwaps(product.encoder, context, product.forbids)
        constants = frozenset[Term]() if product.constants is None else product.constants.variables
        self._always = constants | unforgettable(product.space)
        self.kept: frozenset[Term] | None = None  # variables that letters know of; None: all
        self._see(self._every)

    def follow(self, precision: Precision) -> bool:
        """From now on, letters know the variables of the precision only; what was found out about swaps is kept.
        Whether letters are others than before: then no part of a graph may stay."""
        if not self._how.forgets:
            return False
        every = self._variables
        kept = every & (self._always | precision.tracked | precision.mentioned)
        if kept == self.kept:
            return False
        self.kept = kept
        encoder = self._product.encoder.forgetting(every - self.kept)
        self._swaps = self._swaps.seen_by(encoder)
        self._see(self._every.seen_by(encoder))
        return True

    def _see(self, letters: AllLetters) -> None:
        self._goal = ThreadGoal(self._product, letters, None)
        self.distance = ErrorDistance(self._product, letters, self._goal)
        self._persistent = PersistentSets(self._product, letters, self._goal, self._swaps.may_drop)
        self._letters: dict[tuple[Places, Memory], list[ArgLetter]] = {}

    @property
    def first_turn(self) -> Memory:
        return None if self._order is None else self._order.start

    def next_turn(self, turn: Memory, made: ArgLetter) -> Memory:
        return None if self._order is None else self._order.next(turn, made.letter)

    def letters(self, places: Places, turn: Memory) -> list[ArgLetter]:
        """Those that matter, preferred ones first."""
        found = self._letters.get((places, turn))
        if found is None:
            actions = [one for one in self._product.actions(places) if not self._goal.leaves_out(one)]
            found = [ArgLetter(InstanceLetter(a.instance, a.letter, a.starts), a) for a in actions]
            if self._order is not None:
                by_letter = {one.letter: one for one in found}
                found = [by_letter[one] for one in self._order.order(turn, by_letter)]
            elif self._how.looks_ahead:
                first = self._preferred(places, found)
                found.sort(key=lambda one: (one.letter.instance not in first, self._product.order(one.letter.instance)))
            self._letters[places, turn] = found
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
        if self._how.asks_states and state.values:
            values = {**self._product.known(places), **state.values}
            rest = (one for one in candidates if one not in found)
            found.update(one for one in rest if self._swaps.may_drop_where(made.letter, one, values))
        return frozenset(found)

    def dead_end(self, places: Places, asleep: frozenset[InstanceLetter]) -> frozenset[Instance]:
        """Threads that sleep for ever there, so that nothing goes wrong any more; none, if it is no dead end."""
        if not self._how.looks_ahead:
            return frozenset()
        sleeping = {(one.instance, one.letter.id) for one in asleep}
        at = dict(places.threads)
        threads = dict.fromkeys(one.instance for one in asleep)
        whole = [one for one in threads if sleeping.issuperset(self._persistent.own(one, at[one]))]
        return self._persistent.largest(places, whole) if whole else frozenset()


def _preference(product: ThreadProduct, order: ThreadOrder) -> PreferenceOrder | None:
    """None: persistent sets say who is preferred."""
    threads = tuple(sorted(product.space.instances, key=product.order))
    match order:
        case ThreadOrder.PERSISTENT:
            return None
        case ThreadOrder.LOCKSTEP:
            return LoopLockstep(threads, loop_heads(product.automaton))
        case ThreadOrder.ROUND_ROBIN:
            return LetterRoundRobin(threads)
