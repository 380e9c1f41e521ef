"""What labels of one thread and of two may say besides: how numbers compare, and the conditions of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import combinations, islice, product

from threadproof.automaton import Location
from threadproof.domains.literals import Literals
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.term import BitVec, Op, Term
from threadproof.thread_modular.fixpoint import ModularFixpoint

_MOST = 300  # of one label
_GIVEN = 6  # values of one number
_NUMBERS = 16  # of one thread, or shared, that are compared with each other


class OfPairs(Enum):
    """What is said of two threads; the first is mostly enough, and takes half the time."""

    OWN = "how their own numbers compare"
    ALL = "that, and what holds of what they share"


class PairLiterals:
    def __init__(self, any_number: AnyNumber, fixpoint: ModularFixpoint, of_pairs: OfPairs) -> None:
        self._any = any_number
        self._of_pairs = of_pairs
        self._terms = any_number.terms
        self._fixpoint = fixpoint
        self._owners = any_number.owners()
        self._apart = any_number.sync_words() | any_number.ghosts.marks.keys()
        self._apart |= {thread.handle for thread in any_number.space.threads.values()}
        self._given: dict[Term, dict[Term, None]] = {}  # numbers of the text that variables get
        for own in fixpoint.letters:
            for variable, new in own.transition.updates.items():
                if new.op is Op.VALUE:
                    self._given.setdefault(variable, {})[new] = None

    def of_one(self, place: Location) -> Literals:
        """Values and conditions of the text, and how numbers compare that others can change."""
        own, shared = self._numbers(place)
        compared = (*self._compared(product(own, shared)), *self._compared(combinations(shared, 2)))
        given = (self._terms.eq(one, value) for one in shared for value in islice(self._given.get(one, ()), _GIVEN))
        text = self._fixpoint.nodes[place].value.literals.columns
        found = dict.fromkeys((*given, *text, *compared))
        return Literals(self._terms, islice(found, _MOST))

    def of_two(self, x: Location, y: Location) -> Literals:
        """Numbers of the one, compared with those of the other; and what each says of what is shared."""
        roles = self._any.cast(x.template, y.template)
        assert roles is not None
        own, text = list[list[Term]](), list[Term]()
        for place, thread in zip((x, y), roles, strict=True):
            of, to = (self._any.one(place.template),), (thread,)
            own.append(self._any.renamed(self._numbers(place)[0], of, to))
            if self._of_pairs is OfPairs.ALL:
                text += self._any.renamed(self._of_shared(place), of, to)
        found = dict.fromkeys((*self._compared(product(own[0], own[1])), *text))
        return Literals(self._terms, islice(found, _MOST))

    def _numbers(self, place: Location) -> tuple[list[Term], list[Term]]:
        """Of the thread, and shared."""
        columns = [one for one in self._fixpoint.columns(place) if one not in self._apart]
        numbers = [one for one in columns if isinstance(one.sort, BitVec) and one.width > 1]
        own = [one for one in numbers if one in self._owners]
        shared = [one for one in numbers if one not in self._owners]
        return own[:_NUMBERS], shared[:_NUMBERS]

    def _of_shared(self, place: Location) -> Iterator[Term]:
        """Literals of the program's text; what is said of the thread's own memory alone, others do not change."""
        for literal in self._fixpoint.nodes[place].value.literals.columns:
            support = self._fixpoint.values.support(literal)
            if any(one not in self._owners for one in support):
                yield literal

    def _compared(self, pairs: Iterable[tuple[Term, Term]]) -> Iterator[Term]:
        terms = self._terms
        for a, b in pairs:
            if a.width == b.width:
                for one in (terms.eq(a, b), terms.ult(a, b), terms.ult(b, a), terms.slt(a, b), terms.slt(b, a)):
                    yield from (one, terms.not_(one))
