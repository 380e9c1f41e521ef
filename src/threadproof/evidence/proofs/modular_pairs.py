"""What a proof says of two threads at once, and what has to hold for that.

Paper: J. Hoenicke, R. Majumdar, A. Podelski, Thread Modularity at Many Levels, POPL 2017.
A label of two places is about any two different threads that are there, one at each: in the formulas, about those that
`AnyNumber.cast` gives. Nothing is said of a place behind which there is nothing.

What must hold, besides what `modular.py` asks. Before each step, what is said of each thread and of each two is known.
1. A letter of one of the two keeps what is said of both, from the label of its source to that of its target, unless the
   other is inside an atomic block.
2. A letter of a third thread keeps the label of two threads neither of which is inside an atomic block.
3. A letter that starts a thread leads to the labels of the new thread and whoever is there then: who starts it, who is
   started by the same letter, anybody else.

At first there is one thread. So of any two threads, what is said holds from the step on that starts the second one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from threadproof.automaton import Instance, Letter, Location
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Term

Places = tuple[Location, Location]
There = tuple[Location, Instance]
Made = tuple[Instance, Letter, tuple[Instance, ...]]


class PairStep(NamedTuple):
    """A step seen from where threads are; `told` is said of these threads afterwards. `starts`: one of them is new."""

    made: Made
    there: tuple[There, ...]
    told: tuple[Instance, ...]
    starts: bool


class PairLabels:
    def __init__(self, any_number: AnyNumber, said: Mapping[Places, Term]) -> None:
        self._any = any_number
        self._said = {places: conjuncts(label) for places, label in said.items()}
        self._entries = {name: one.entry for name, one in any_number.automaton.templates.items()}

    @property
    def places(self) -> Iterable[Places]:
        return self._said

    def told(self, places: Places, threads: tuple[Instance, ...]) -> tuple[Term, ...]:
        """The label of these places, of these threads in this order."""
        return tuple(self._any.renamed(self._said[places], self.roles(places), threads))

    def known(self, there: Iterable[There]) -> list[Term]:
        """What is said of each two of these threads."""
        there, found = tuple(there), list[Term]()
        for x, i in there:
            for y, j in there:
                if i != j and (x, y) in self._said:
                    found += self.told((x, y), (i, j))
        return found

    def roles(self, places: Places) -> tuple[Instance, ...]:
        found = self._any.cast(*(place.template for place in places))
        assert found is not None  # asked when labels were read
        return found

    # --- steps -------------------------------------------------------------------------------------------------------

    def steps(self, letter: Letter, places: Places) -> Iterator[PairStep]:
        """After which the label has to hold of two threads that are there."""
        roles = self.roles(places)
        for mine in (0, 1):
            own, other = roles[mine], (places[1 - mine], roles[1 - mine])
            if letter.target == places[mine] and not other[0].depth:
                starts = self._any.starts(own, letter, other[1])
                yield PairStep((own, letter, starts), ((letter.source, own), other), roles, starts=False)
        cast = self._any.cast(places[0].template, places[1].template, letter.template)
        if cast is not None and not places[0].depth and not places[1].depth:
            actor = cast[2]
            there = ((letter.source, actor), (places[0], roles[0]), (places[1], roles[1]))
            yield PairStep((actor, letter, self._any.starts(actor, letter, *roles)), there, roles, starts=False)
        for about, template in enumerate(letter.forks):
            for new in (0, 1):
                if places[new] == self._entries[template]:
                    yield from self._started(letter, about, places, new)

    def _started(self, letter: Letter, about: int, places: Places, new: int) -> Iterator[PairStep]:
        place, its = places[1 - new], self.roles(places)[1 - new]

        def told(new_one: Instance, other: Instance) -> tuple[Instance, ...]:
            return (other, new_one) if new else (new_one, other)

        if letter.target == place:
            starts = self._any.starts(its, letter, about=about)
            yield PairStep((its, letter, starts), ((letter.source, its),), told(starts[about], its), starts=True)
        cast = self._any.cast(places[0].template, places[1].template, letter.template)
        if cast is None:  # the other can only be who starts it: of what there is once, nobody starts a second
            return
        actor = cast[2]
        starts = self._any.starts(actor, letter, about=about)
        for index, other in enumerate(starts):
            if index != about and self._entries[other.template] == place:
                there = ((letter.source, actor),)
                yield PairStep((actor, letter, starts), there, told(starts[about], other), starts=True)
        if not place.depth:
            starts = self._any.starts(actor, letter, its, about=about)
            there = ((letter.source, actor), (place, its))
            yield PairStep((actor, letter, starts), there, told(starts[about], its), starts=True)


def made_beside(any_number: AnyNumber) -> Iterator[Made]:
    """All steps that labels of two threads may be asked about, so that their variables are known before labels are
    read."""
    for letter in any_number.automaton.letters:
        for x, y in product(any_number.automaton.templates, repeat=2):
            cast = any_number.cast(x, y, letter.template)
            if cast is not None:
                actor, observers = cast[2], cast[:2]
                yield actor, letter, any_number.starts(actor, letter, *observers)
                yield from _starting(any_number, actor, letter, observers)
            roles = any_number.cast(x, y)
            for own, other in (roles, roles[::-1]) if roles is not None else ():
                if own.template == letter.template:
                    yield own, letter, any_number.starts(own, letter, other)
                    yield from _starting(any_number, own, letter, ())


def _starting(any_number: AnyNumber, actor: Instance, letter: Letter, others: tuple[Instance, ...]) -> Iterator[Made]:
    for about in range(len(letter.forks)):
        yield actor, letter, any_number.starts(actor, letter, about=about)
        for other in others:
            yield actor, letter, any_number.starts(actor, letter, other, about=about)
