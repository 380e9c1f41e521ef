"""Variables of a proof's own, for any number of threads: which there were, how many, what they added to a word, who
holds a lock that is made by hand, and the smallest and the largest value that memory has had (`marks.py`).

Paper: S. Owicki, D. Gries, An axiomatic proof technique for parallel programs I, 1976 (auxiliary variables).
Differs: no program text is changed. Each transition gets the changes of these variables from what it changes anyway.

Invariants. `exists T`: a thread of template T was started. `threads T`: how many were. `added C I`: the sum of what
thread I has added to the word C, modulo its width. So C is always its first value and the sums of all threads that
there were; if each sum is between two numbers, and so is the number of threads, then so is C (`sum_facts`). C may also
be a mark, `low D` or `high D`: what thread I has added to it is how far I has moved it.
`holder C`: 0 while the word C has its first value, else the handle of the thread that last changed it: what the word of
a mutex says by itself. So it is 0 if and only if C has its first value (`facts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from threadproof.automaton.program import Instance
from threadproof.encoding.transitions.marks import MarkedMemory, marks_of
from threadproof.encoding.transitions.space import HANDLE_BITS, Space
from threadproof.encoding.transitions.transition import Transition
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import Op, Term

COUNT_BITS = 32
MOST_THREADS = 1 << 30

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SumBounds:
    """What single threads of each template may have added to a word, and how many threads of each there may be."""

    each: Mapping[str, Range]
    threads: Mapping[str, int]


class Ghosts:
    """`counted` are words of global memory to which threads add; `locks` those that are used as locks, with first
    values that are known; `marked` is memory whose smallest and largest values are followed."""

    def __init__(
        self,
        space: Space,
        many: frozenset[str],
        counted: Sequence[Term] = (),
        locks: Sequence[Term] = (),
        marked: Sequence[Term] = (),
    ) -> None:
        terms = space.terms
        self._space = space
        self._many = many
        initial = space.initial() if marked else {}
        found = (marks_of(terms, memory, initial[memory]) for memory in marked if memory in initial)
        self.marked = MarkedMemory(terms, (one for one in found if one is not None))
        self.marks = self.marked.initial()
        self.counted: tuple[Term, ...] = tuple(counted)
        cells = self.cells = (*self.counted, *self.marks)
        self.exists = {name: terms.bool_var(f"exists {name}") for name in sorted(many)}
        of_these = sorted(many) if cells else []
        self.threads = {name: terms.bv_var(f"threads {name}", COUNT_BITS) for name in of_these}
        self.added = {
            (cell, one): terms.bv_var(f"added {cell.name} {one}", cell.width)
            for cell in self.cells
            for one in space.instances
        }
        self.holders = {cell: terms.bv_var(f"holder {cell.name}", HANDLE_BITS) for cell in locks}

    def initial(self) -> dict[Term, Term]:
        terms = self._space.terms
        numbers = [*self.threads.values(), *self.added.values(), *self.holders.values()]
        nothing = {v: terms.bv(0, v.width) for v in numbers}
        return {**dict.fromkeys(self.exists.values(), terms.false), **nothing, **self.marks}

    def owners(self) -> dict[Term, Instance]:
        return {variable: instance for (_, instance), variable in self.added.items()}

    def counterparts(self, a: Instance, b: Instance) -> dict[Term, Term]:
        return {self.added[cell, a]: self.added[cell, b] for cell in self.cells}

    def followed(self, plain: Transition, actor: Instance, starts: Iterable[Instance]) -> Transition:
        """With what the step changes of these variables."""
        terms, starts, plain = self._space.terms, tuple(starts), self.marked.followed(plain)
        more: dict[Term, Term] = {}
        for name, number in Counter(new.template for new in starts).items():
            if name in self._many:
                more[self.exists[name]] = terms.true
            if name in self.threads:
                more[self.threads[name]] = terms.add(self.threads[name], terms.bv(number, COUNT_BITS))
        for cell in self.cells:
            if cell in plain.updates:
                mine = self.added[cell, actor]
                more[mine] = terms.add(mine, terms.sub(plain.updates[cell], cell))
            more.update({self.added[cell, new]: terms.bv(0, cell.width) for new in starts})
        for cell, holder in self.holders.items():
            if cell in plain.updates:
                more[holder] = self._held_after(cell, plain.updates[cell], actor)
        return replace(plain, updates={**plain.updates, **more}) if more else plain

    def _held_after(self, cell: Term, new: Term, actor: Instance) -> Term:
        terms, handle = self._space.terms, self._space.threads[actor].handle
        mine = self._space.known.get(handle, handle)
        changed = terms.ite(terms.eq(new, cell), self.holders[cell], mine)
        return terms.ite(self._is_first(cell, new), terms.bv(0, HANDLE_BITS), changed)

    def _is_first(self, cell: Term, value: Term) -> Term:
        return self._space.terms.eq(value, self._space.terms.bv(self.first(cell) or 0, cell.width))

    # --- what follows ------------------------------------------------------------------------------------------------

    def facts(self) -> list[Term]:
        """What holds of holders and marks in every state."""
        terms = self._space.terms
        free = ((terms.eq(holder, terms.bv(0, HANDLE_BITS)), cell) for cell, holder in self.holders.items())
        return [*(terms.eq(one, self._is_first(cell, cell)) for one, cell in free), *self.marked.facts()]

    def first(self, cell: Term) -> int | None:
        """The value that the word, or the mark, has at first."""
        value = self.marks.get(cell) or self._space.initial().get(cell)
        return value.value if value is not None and value.op is Op.VALUE else None

    def sum_range(self, cell: Term, bounds: SumBounds) -> Range | None:
        """Between which numbers the word is, if its sums cannot wrap."""
        low = high = to_signed(self.first(cell) or 0, cell.width)
        for name, (least, most) in bounds.each.items():
            if least < 0 or most > 0:
                often = bounds.threads[name] if name in self._many else 1
                low, high = low + often * min(0, least), high + often * max(0, most)
        half = 1 << (cell.width - 1)
        return (low, high) if -half <= low and high < half else None

    def sum_facts(self, cell: Term, bounds: SumBounds) -> list[Term]:
        """What holds in every state if the bounds do."""
        found = self.sum_range(cell, bounds)
        return [] if found is None else self.within(cell, found)

    def within(self, number: Term, bounds: Range) -> list[Term]:
        terms = self._space.terms
        low, high = (terms.bv(bound % (1 << number.width), number.width) for bound in bounds)
        return [terms.not_(terms.slt(number, low)), terms.not_(terms.slt(high, number))]
