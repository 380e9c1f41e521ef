"""What one reduced product has to show: that nothing goes wrong in one thread; and which letters matter for that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Instance
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.encoding.transitions.futile import futile_letters
from threadproof.smt.conjunctions import flat
from threadproof.smt.term import Op, Term


class ThreadGoal:
    """Nothing goes wrong in the thread; None: in any. That other threads start too many is shown for those; here they
    do not."""

    def __init__(self, product: ThreadProduct, letters: AllLetters, thread: Instance | None) -> None:
        self.thread = thread
        self._letters = letters
        self._product = product
        self.futile = futile_letters(letters, self.may_go_wrong)
        self._weakened: dict[Transition, Transition] = {}

    def asks_about(self, thread: Instance) -> bool:
        return self.thread is None or thread == self.thread

    @property
    def wanted(self) -> bool:
        """Whether anything can go wrong in the thread, as far as formulas say."""
        return any(map(self.may_go_wrong, self._letters.letters))

    def may_go_wrong(self, key: LetterKey) -> bool:
        """Whether the letter can meet what is asked about, as far as its formulas say."""
        if not self.asks_about(key[0]):
            return False
        return self._letters.may_start_too_many(key) or any(True for _ in self.wrong(key))

    def wrong(self, key: LetterKey) -> Iterator[Term]:
        """When the letter goes wrong, if its thread is the one."""
        for transition in self._letters.transitions[key]:
            for trap in transition.traps:
                if self._product.forbids(trap) and trap.condition.op is not Op.FALSE:
                    yield trap.condition

    def leaves_out(self, action: ThreadAction) -> bool:
        if action.key in self.futile:
            return True
        return not self.asks_about(action.instance) and any(map(self._letters.is_too_many, action.starts))

    def traps(self, action: ThreadAction) -> list[Term]:
        """What must not be possible where the action is."""
        if not self.asks_about(action.instance):
            return []
        return [trap.condition for trap in (*action.violations, *action.others)]

    def transitions(self) -> Iterator[tuple[LetterKey, Transition]]:
        """Of letters that are not futile, with what is always known there."""
        for key, several in self._letters.transitions.items():
            if key not in self.futile:
                known = self._known(key)
                yield from ((key, self.weakened(key[0], one.replaced_before(known))) for one in several)

    def weakened(self, instance: Instance, transition: Transition) -> Transition:
        """Of other threads than the one that is asked about: also where an access is not valid, which is shown for
        them by themselves. That is more than they can do, and says less about blocks and their sizes."""
        if self.asks_about(instance) or not transition.traps:
            return transition
        found = self._weakened.get(transition)
        if found is None:
            found = self._weakened[transition] = replace(transition, guard=_without_validity(transition))
        return found

    def _known(self, key: LetterKey) -> dict[Term, Term]:
        constants = self._product.constants
        if constants is None:
            return {}
        instance, source = key[0], self._letters.letters[key].source
        return {**constants.beside(instance), **constants.at(instance, source)}

    def conditions(self, key: LetterKey, transition: Transition) -> list[Term]:
        """What decides about the letter: its guard, and what may go wrong if that is asked."""
        if not self.asks_about(key[0]):
            return [transition.guard]
        return [transition.guard, *(trap.condition for trap in transition.traps if self._product.forbids(trap))]


def _without_validity(transition: Transition) -> Term:
    """The guard without what only says that nothing goes wrong. What a trap and the guard have in common is the way to
    both of them."""
    terms, both = transition.terms, frozenset(flat(transition.guard))
    wrong = [frozenset(flat(trap.condition)) for trap in transition.traps]
    right = {one for parts in wrong for part in parts - both for one in flat(terms.not_(part))}

    def is_validity(part: Term) -> bool:
        against = frozenset(flat(terms.not_(part)))
        return part in right or any(against <= parts for parts in wrong)

    return terms.all(part for part in flat(transition.guard) if not is_validity(part))
