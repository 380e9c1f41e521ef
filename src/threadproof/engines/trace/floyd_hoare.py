"""Floyd-Hoare automata: for each path that was refuted, one that accepts all words its assertions refute.

A state is a conjunction of the path's predicates (a bit set). From a state, a letter leads to all of them that hold
behind it; where it cannot be made, to the contradiction, which no word leaves. Nothing is built ahead: what a letter
leads to is found out when a search asks, and kept.

Paper: M. Heizmann, J. Hoenicke, A. Podelski, Refinement of Trace Abstraction, SAS 2009 (interpolant automata; on demand
as DeterministicInterpolantAutomaton of Ultimate). Differs: predicates do not speak of what follows from where the
threads stand, which is put into letters, and added to what is known before them.
Invariants: what a state says holds behind every word that leads there: each edge is a triple that was proved.
"""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.abstraction.predicates import CONTRADICTION, NOTHING
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.triples import Triples, Truth
from threadproof.automaton import Places
from threadproof.encoding.transitions import Transition
from threadproof.smt.term import Op, Term

Assertion = tuple[int, ...]
"""A state of each automaton."""


class FloydHoareAutomata:
    def __init__(self, product: ThreadProduct, triples: Triples) -> None:
        self._product = product
        self._triples = triples
        self._predicates = triples.predicates
        self._facts = product.space.facts()
        self._pools: list[int] = []
        self._mentioned: list[frozenset[Term]] = []
        self._after: dict[tuple[int, int, Places, Transition], int] = {}
        self._standing: dict[tuple[int, Places], int] = {}

    def __len__(self) -> int:
        return len(self._pools)

    def add(self, formulas: Iterable[Term]) -> None:
        """One more automaton, of the assertions along a path. They may contradict each other: they hold in different
        places."""
        pool = NOTHING
        for formula in formulas:
            pool |= self._predicates.unify(formula).bit
        pool &= ~CONTRADICTION
        self._pools.append(pool)
        self._mentioned.append(frozenset[Term]().union(*(one.variables for one in self._predicates.members(pool))))

    def ask_again(self) -> None:
        """What letters lead to: some of it may have been undecided. Triples that were decided are known."""
        self._after.clear()

    def initial(self) -> Assertion:
        return tuple(self._initially(pool) for pool in self._pools)

    def after(self, assertion: Assertion, places: Places, transition: Transition) -> Assertion | None:
        """Behind a letter that is made where the threads stand so. None: it cannot be made."""
        if transition.guard.op is Op.FALSE:
            return None
        found: list[int] = []
        for number, state in enumerate(assertion):
            target = self._target(number, state, places, transition)
            if target == CONTRADICTION:
                return None
            found.append(target)
        return tuple(found)

    def excludes(self, assertion: Assertion, places: Places, transition: Transition) -> bool:
        """Whether nothing goes wrong in the letter there."""
        before = NOTHING
        for number, state in enumerate(assertion):
            before |= state | self._known(number, places)
        return self._triples.no_trap(before, transition).truth is Truth.YES

    def label(self, assertion: Assertion) -> list[Term]:
        said = NOTHING
        for state in assertion:
            said |= state
        return self._predicates.terms_of(said)

    def _initially(self, pool: int) -> int:
        start, found = self._product.space.initial(), NOTHING
        for one in self._predicates.members(pool):
            if self._triples.initially(start, one) is Truth.YES:
                found |= one.bit
        return found

    def _target(self, number: int, state: int, places: Places, transition: Transition) -> int:
        key = (number, state, places, transition)
        found = self._after.get(key)
        if found is None:
            before = state | self._known(number, places)
            found = self._after[key] = self._triples.post(before, transition, self._pools[number])
        return found

    def _known(self, number: int, places: Places) -> int:
        """Of what follows from where the threads stand: what this automaton's predicates speak of, and that threads
        which were started have different handles."""
        found = self._standing.get((number, places))
        if found is None:
            known, mentioned, terms = self._product.known(places), self._mentioned[number], self._product.terms
            said = [terms.eq(variable, value) for variable, value in known.items() if variable in mentioned]
            found = NOTHING
            for one in (*said, *terms.substitute(self._facts, known)):
                found |= self._predicates.unify(one).bit
            found = self._standing[number, places] = self._predicates.normal(found)
        return found
