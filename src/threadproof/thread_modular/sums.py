"""What threads add to counters, while labels are being found: bounds that only get wider.

A counter that ten thousand threads increment has no small set of values. But each thread adds one, and there are ten
thousand: so it is at most that. Bounds begin with nothing, and are widened by what labels allow; a word for which none
is found is given up, and nothing is taken for granted of it any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from threadproof.automaton import Letter
from threadproof.core.proofs import AddedRange
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.ghosts import MOST_THREADS, Range, SumBounds
from threadproof.encoding.transitions.marks import marks_of
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import BitVec, Op, Term, in_order, variables
from threadproof.thread_modular.cone import OwnLetter, in_endless_loop, made_of

CanHold = Callable[[Term], bool]
"""Whether a condition may hold where a letter begins."""
Values = Callable[[Term], Iterable[int]]
"""Those that a variable may have afterwards, as far as they are few."""
_NUMBERS = 12  # of the program's text, that are tried as bounds


def counters(any_number: AnyNumber, letters: Sequence[OwnLetter], most: int = 4) -> list[str]:
    """Words of global memory that are given sums of their own, but not for ever, and no numbers from outside."""
    words = any_number.space.global_words().keys() - any_number.sync_words()
    given: dict[Term, list[OwnLetter]] = {}
    for own in letters:
        for variable, new in own.transition.updates.items():
            if variable in words and new.op is not Op.VALUE and isinstance(variable.sort, BitVec):
                given.setdefault(variable, []).append(own)
    wide = (word for word, by in given.items() if word.width > 8 and _adds_up(letters, word, by))
    automaton = any_number.automaton
    found = (word for word in wide if not any(in_endless_loop(automaton, own, letters, words) for own in given[word]))
    return [word.name for word in found if any_number.ghosts.first(word) is not None][:most]


def to_be_marked(any_number: AnyNumber, letters: Sequence[OwnLetter], most: int = 4) -> list[str]:
    """Arrays and words of global memory that are given sums of their own values, but not for ever: of counters that
    many threads change at once, and of counters in arrays, the largest value so far is bounded."""
    automaton, shared = any_number.automaton, any_number.space.global_words().keys()
    found: list[str] = []
    for cell in any_number.numbers():
        given = [own for own in letters if cell.term in own.transition.updates]
        wide = 8 * cell.size > 8 and any(own.transition.updates[cell.term].op is not Op.VALUE for own in given)
        if wide and _is_followed(any_number, cell.term, given):
            ends = not any(in_endless_loop(automaton, own, letters, shared) for own in given)
            found += [cell.term.name] if ends and _sums_itself(letters, cell.term, given) else []
    return found[:most]


def _is_followed(any_number: AnyNumber, memory: Term, given: Sequence[OwnLetter]) -> bool:
    """Whether it is seen what is written, and that first values are numbers."""
    first = any_number.space.initial().get(memory)
    try:
        for own in given:
            any_number.ghosts.marked.written(memory, own.transition.updates[memory])
    except CannotEncode:
        return False
    return first is not None and marks_of(any_number.terms, memory, first) is not None


def _sums_itself(letters: Sequence[OwnLetter], memory: Term, given: Sequence[OwnLetter]) -> bool:
    made = made_of(letters, [memory]) - {memory}
    if isinstance(memory.sort, BitVec):
        return _adds_up(letters, memory, given)
    inputs = {one.term for own in given for one in own.transition.inputs}
    names = {name for own in given for name in _of_elements(own.transition.updates[memory])}
    return inputs.isdisjoint(names) and not made.isdisjoint(names)


def _of_elements(array: Term) -> set[Term]:
    """What the values that are written are made of; not the places."""
    if array.op is Op.STORE:
        return _of_elements(array.args[0]).union(variables([array.args[2]]))
    if array.op is Op.ITE:
        return _of_elements(array.args[1]) | _of_elements(array.args[2])
    return set()


def _adds_up(letters: Sequence[OwnLetter], word: Term, given: Sequence[OwnLetter]) -> bool:
    """Whether the word gets numbers that are made of itself, and none from outside."""
    inputs = {one.term for own in given for one in own.transition.inputs}
    names = [frozenset(variables([own.transition.updates[word]])) for own in given]
    if not inputs.isdisjoint(frozenset[Term]().union(*names)):
        return False
    own_numbers = made_of(letters, [word])
    return any(not own_numbers.isdisjoint(one) for one in names)


class AddedSums:
    def __init__(self, any_number: AnyNumber, letters: Sequence[OwnLetter]) -> None:
        self._any = any_number
        self._ghosts = any_number.ghosts
        self._numbers = _numbers(letters)
        self._each: dict[Term, dict[str, Range]] = {cell: {} for cell in self._ghosts.cells}
        self._threads = dict.fromkeys(self._ghosts.threads, 0)
        self.version = 0

    def facts(self) -> list[Term]:
        return [one for cell in self._each for one in self._ghosts.sum_facts(cell, self._bounds(cell))]

    def _bounds(self, cell: Term) -> SumBounds:
        return SumBounds(self._each[cell], self._threads)

    def for_proof(self) -> tuple[tuple[AddedRange, ...], tuple[tuple[str, int], ...]]:
        nobody = {self._any.automaton.main: (0, 0)}
        ranges = [
            AddedRange(cell.name, template, *found)
            for cell, each in self._each.items()
            for template, found in (each or nobody).items()
        ]
        return tuple(ranges), tuple(self._threads.items())

    def concerns(self, own: OwnLetter) -> bool:
        return bool(own.letter.forks) or not self._each.keys().isdisjoint(own.transition.updates)

    def widen(self, own: OwnLetter, values: Values, can_hold: CanHold) -> bool:
        """So that the letter is within them; whether they had to change."""
        letter, transition = own.letter, own.transition
        changed = False
        for template in dict.fromkeys(letter.forks):
            changed |= self._more_threads(letter, template, transition, can_hold)
        for cell in list(self._each):
            if cell in transition.updates:
                changed |= self._more_added(letter, cell, transition, values, can_hold)
        self.version += changed
        return changed

    def _more_threads(self, letter: Letter, template: str, transition: Transition, can_hold: CanHold) -> bool:
        before = self._threads.get(template)
        if before is None:
            return False
        terms, threads = self._any.terms, self._ghosts.threads[template]
        often = letter.forks.count(template)
        for number in sorted({before, *(n for n in self._numbers if n > before)}):
            room = terms.bv(max(0, number - often), threads.width)
            if often <= number <= MOST_THREADS and not can_hold(terms.and_(transition.guard, terms.ult(room, threads))):
                self._threads[template] = number
                return number != before
        del self._threads[template]
        for cell in [cell for cell, each in self._each.items() if template in each]:
            del self._each[cell]
        return True

    def _more_added(
        self, letter: Letter, cell: Term, transition: Transition, values: Values, can_hold: CanHold
    ) -> bool:
        terms, template = self._any.terms, letter.template
        mine = self._ghosts.added[cell, self._any.one(template)]
        before = self._each[cell].get(template, (0, 0))
        few = [to_signed(one, cell.width) for one in values(mine)]
        low, high = min((before[0], *few)), max((before[1], *few))
        for found in dict.fromkeys(
            [
                before,
                (low, high),
                *((low, n) for n in self._numbers if n > high),
                *((-n, high) for n in self._numbers if -n < low),
            ]
        ):
            within = terms.all(transition.after(self._ghosts.within(mine, found)))
            if not can_hold(terms.and_(transition.guard, terms.not_(within))):
                if found == before:
                    return False
                self._each[cell][template] = found
                if template in self._any.many and template not in self._threads:
                    break
                return True
        del self._each[cell]
        return True


def _numbers(letters: Iterable[OwnLetter]) -> list[int]:
    """That variables are compared with."""
    asked = [one for own in letters for one in (own.transition.guard, *own.wrong)]
    compared = (part for part in in_order(asked) if part.op in (Op.ULT, Op.SLT, Op.EQ))
    values = (arg for part in compared for arg in part.args if arg.op is Op.VALUE and arg.width > 8)
    few = list(islice(dict.fromkeys(one.value for one in values if 1 < one.value < 1 << 20), _NUMBERS))
    return sorted({*few, *(one + 1 for one in few)})
