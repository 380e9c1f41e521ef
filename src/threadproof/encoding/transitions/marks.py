"""Marks: the smallest and the largest value that a piece of memory ever had, and what follows of the values it has.

A counter that threads increment without a lock is not what they have added: increments get lost, and a thread may write
back an old value. But no increment brings the largest value so far further up than by what it adds, whatever was read
meanwhile, and whose element of an array it was. So threads add to marks as they add to counters (`ghosts.py`).

Invariants. `low C` and `high C` are the smallest and the largest number, signed, that the word C, or any element of the
array C, has had in a state so far, the first included. So every value that C has in a state is between them, which is
all that is taken for granted (`facts`, `Marks.known`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.transition import Transition
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import Array, BitVec, Op, Term, in_order
from threadproof.smt.terms import Terms


@dataclass(frozen=True, slots=True)
class Marks:
    """`least` and `most` are those at first."""

    memory: Term
    low: Term
    high: Term
    least: int
    most: int


def marks_of(terms: Terms, memory: Term, first: Term) -> Marks | None:
    """None: it holds no numbers, or nobody knows which at first."""
    sort, numbers = memory.sort, list(_constants(first))
    width = sort.element if isinstance(sort, Array) else sort.width if isinstance(sort, BitVec) else None
    if width is None or None in numbers:
        return None
    signed = [to_signed(one, width) for one in numbers if one is not None]
    low, high = (terms.bv_var(f"{which} {memory.name}", width) for which in ("low", "high"))
    return Marks(memory, low, high, min(signed), max(signed))


def _constants(content: Term) -> Iterator[int | None]:
    while content.op is Op.STORE:
        yield content.args[2].value if content.args[2].op is Op.VALUE else None
        content = content.args[0]
    value = content.args[0] if content.op is Op.FILL else content
    yield value.value if value.op is Op.VALUE else None


class MarkedMemory:
    """What steps change of marks, and what is known of memory that has some."""

    def __init__(self, terms: Terms, marks: Iterable[Marks]) -> None:
        self._terms = terms
        self.marks = {one.memory: one for one in marks}

    def initial(self) -> dict[Term, Term]:
        found: dict[Term, Term] = {}
        for one in self.marks.values():
            found[one.low] = self._terms.bv(one.least % (1 << one.low.width), one.low.width)
            found[one.high] = self._terms.bv(one.most % (1 << one.high.width), one.high.width)
        return found

    def marks_of(self, memory: Term) -> tuple[Term, Term]:
        return self.marks[memory].low, self.marks[memory].high

    def facts(self) -> list[Term]:
        """Of single words; of elements it is said where they are read."""
        words = (one for one in self.marks.values() if isinstance(one.memory.sort, BitVec))
        return [fact for one in words for fact in self._between(one, one.memory)]

    def _between(self, marks: Marks, value: Term) -> list[Term]:
        terms = self._terms
        return [terms.not_(terms.slt(value, marks.low)), terms.not_(terms.slt(marks.high, value))]

    def followed(self, plain: Transition) -> Transition:
        """With the marks that it moves, and with what is known of elements that it reads."""
        if not self.marks:
            return plain
        updates = dict(plain.updates)
        for memory, marks in self.marks.items():
            if memory in plain.updates:
                low, high = marks.low, marks.high
                for value, when in self.written(memory, plain.updates[memory]):
                    low = self._terms.ite(self._terms.and_(when, self._terms.slt(value, low)), value, low)
                    high = self._terms.ite(self._terms.and_(when, self._terms.slt(high, value)), value, high)
                updates |= {marks.low: low, marks.high: high}
        guard = self._terms.all((plain.guard, *self._known([plain.guard, *updates.values()])))
        traps = tuple(
            replace(trap, condition=self._terms.all((trap.condition, *self._known([trap.condition]))))
            for trap in plain.traps
        )
        return replace(plain, guard=guard, updates=updates, traps=traps)

    def written(self, memory: Term, new: Term) -> list[tuple[Term, Term]]:
        """The values that memory has afterwards and may not have had before, and when. Raises CannotEncode."""
        if isinstance(memory.sort, BitVec):
            return [(new, self._terms.true)]
        return [(value, when) for _, value, when in self._stored(memory, new)]

    def _stored(self, memory: Term, new: Term) -> list[tuple[Term, Term, Term]]:
        """Offset, value, condition. What is written over at once was in no state."""
        terms = self._terms
        if new is memory:
            return []
        if new.op is Op.STORE:
            array, at, value = new.args
            kept = [(o, v, terms.and_(w, terms.ne(o, at))) for o, v, w in self._stored(memory, array)]
            return [*kept, (at, value, terms.true)]
        if new.op is Op.ITE:
            asked, yes, no = new.args
            return [
                *((o, v, terms.and_(asked, w)) for o, v, w in self._stored(memory, yes)),
                *((o, v, terms.and_(terms.not_(asked), w)) for o, v, w in self._stored(memory, no)),
            ]
        raise CannotEncode(f"elements of {memory.name} that nobody follows")

    def _known(self, formulas: list[Term]) -> list[Term]:
        """That elements which are read are between the marks."""
        found: dict[Term, None] = {}
        for part in in_order(formulas):
            if part.op is Op.SELECT:
                for memory in _beneath(part.args[0]):
                    if memory in self.marks:
                        element = self._terms.select(memory, part.args[1])
                        found.update(dict.fromkeys(self._between(self.marks[memory], element)))
        return list(found)


def _beneath(array: Term) -> set[Term]:
    """The variables that an array is made of."""
    todo, found = [array], set[Term]()
    while todo:
        one = todo.pop()
        if one.op is Op.VAR:
            found.add(one)
        elif one.op is Op.STORE:
            todo.append(one.args[0])
        elif one.op is Op.ITE:
            todo += one.args[1:]
    return found
