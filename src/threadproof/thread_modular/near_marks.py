"""What labels may say of marks (`encoding/transitions/marks.py`): that a number is at most so far above the largest
value so far, and that a thread has moved a mark no further than it has gone round a loop.

A guess which of these are worth asking for: distances are the numbers that the program adds, and one round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.marks import Marks
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import BitVec, Op, Term, in_order
from threadproof.thread_modular.cone import OwnLetter, made_of

_DISTANCES = 4


class NearMarks:
    def __init__(self, any_number: AnyNumber, letters: Sequence[OwnLetter], loop_counters: Iterable[Term]) -> None:
        self._any = any_number
        self._terms = any_number.terms
        self._letters = letters
        self._counters = [one for one in loop_counters if isinstance(one.sort, BitVec)]
        self._owners = any_number.owners()

    def literals(self) -> Iterator[Term]:
        for marks in self._any.ghosts.marked.marks.values():
            yield from self._of_numbers(marks)
            yield from self._of_rounds(marks)

    def beside(self) -> dict[Term, frozenset[Term]]:
        """What may be said of a variable together with it, though no formula of the program names both."""
        found: dict[Term, set[Term]] = {}
        for memory, marks in self._any.ghosts.marked.marks.items():
            found.setdefault(memory, set()).update((marks.low, marks.high))
            for template in self._any.automaton.templates:
                for counter in self._counters_of(marks, template):
                    found.setdefault(counter, set()).update(self._added(marks, template))
        return {variable: frozenset(names) for variable, names in found.items()}

    def _counters_of(self, marks: Marks, template: str) -> list[Term]:
        mine, width = self._any.one(template), marks.low.width
        return [one for one in self._counters if one.width == width and self._owners.get(one) == mine]

    def _added(self, marks: Marks, template: str) -> tuple[Term, Term]:
        added, mine = self._any.ghosts.added, self._any.one(template)
        return added[marks.high, mine], added[marks.low, mine]

    def _of_numbers(self, marks: Marks) -> Iterator[Term]:
        terms = self._terms
        ghosts = {*self._any.ghosts.marks, *self._any.ghosts.added.values(), marks.memory}
        made = made_of(self._letters, [marks.memory]) - ghosts
        numbers = [one for one in made if isinstance(one.sort, BitVec) and one.width == marks.low.width]
        distances = self._distances(marks)
        for number in sorted(numbers, key=lambda one: one.id):
            for distance in distances:
                value = terms.bv(distance % (1 << number.width), number.width)
                if distance >= 0:
                    yield terms.not_(terms.slt(terms.add(marks.high, value), number))
                if distance <= 0:
                    yield terms.not_(terms.slt(number, terms.add(marks.low, value)))

    def _distances(self, marks: Marks) -> list[int]:
        """Numbers that are added to what is made of the memory, and none."""
        made = made_of(self._letters, [marks.memory])
        asked = (new for own in self._letters for v, new in own.transition.updates.items() if v in made)
        sums = (part for part in in_order(list(asked)) if part.op is Op.ADD and part.width == marks.low.width)
        values = (to_signed(arg.value, arg.width) for part in sums for arg in part.args if arg.op is Op.VALUE)
        return [0, *islice((one for one in dict.fromkeys(values) if one), _DISTANCES)]

    def _of_rounds(self, marks: Marks) -> Iterator[Term]:
        terms = self._terms
        for template in self._any.automaton.templates:
            up, down = self._added(marks, template)
            zero = terms.bv(0, up.width)
            yield from (terms.not_(terms.slt(up, zero)), terms.not_(terms.slt(zero, down)))
            for counter in self._counters_of(marks, template):
                for rounds in (counter, terms.add(counter, terms.bv(1, counter.width))):
                    yield from self._moved_at_most(rounds, up, down)
                for number in self._ends(counter):
                    yield from self._moved_at_most(terms.bv(number, counter.width), up, down)

    def _moved_at_most(self, most: Term, up: Term, down: Term) -> tuple[Term, Term]:
        terms = self._terms
        zero = terms.bv(0, most.width)
        return terms.not_(terms.slt(most, up)), terms.not_(terms.slt(terms.add(down, most), zero))

    def _ends(self, counter: Term) -> list[int]:
        """Numbers that the counter is compared with: as many rounds there were when the loop is over."""
        asked = list(dict.fromkeys(part for own in self._letters for part in in_order([own.transition.guard])))
        compared = (part.args for part in asked if part.op is Op.SLT and counter in part.args)
        return list(dict.fromkeys(one.value for args in compared for one in args if one.op is Op.VALUE))
