"""Checks the membranes of a reduced product: nothing goes wrong before one of their threads moves, and that may as well
be at once.

Let T be the threads of a membrane, and the others whoever stands there or is started by one of them. As long as none of
T moves, none has finished, and what the label says of variables that no letter of the others writes goes on to hold.
With that:
- of the letters that the others come to, none goes wrong;
- a letter x that they may make, and a letter b of T that is not futile, can be exchanged: what x;b can do from there,
  b;x can do as well (see `products.py`, 4).
Which letters the others come to follows from the control flow of the threads, without those that cannot be made. A join
of a thread of T is one of these, since it has not finished; a thread that is started on the way is one of the others
with all its letters; that an error is among them is the first item. So the edges of the literature's weakly persistent
sets need no rules of their own here. Swaps are asked where only what goes on to hold is known: what the label says
besides may be over when x is made.

What holds because of where the threads stand alone is asked first, and kept: many nodes have the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from threadproof.automaton import End, Instance, Location, Places
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.evidence.proofs.labels import WrongProof
from threadproof.evidence.proofs.questions import ProofQuestions
from threadproof.smt.context import conjuncts
from threadproof.smt.term import Term, variables

Wrong = Callable[[LetterKey], Term]
"""When a letter goes wrong."""
Swap = Callable[[LetterKey, LetterKey, Transition, Transition], Term]
"""When what the first does and then the second, the other order cannot do."""


class MembraneChecks:
    def __init__(
        self, letters: AllLetters, futile: frozenset[LetterKey], questions: ProofQuestions, wrong: Wrong, swap: Swap
    ) -> None:
        self._letters = letters
        self._futile = futile
        self._questions = questions
        self._wrong = wrong
        self._swap = swap
        self._terms = letters.encoder.space.terms
        self._by_places: dict[tuple[frozenset[object], frozenset[Instance]], str | None] = {}

    def check(self, where: str, places: Places, standing: Term, label: Term, threads: Sequence[Instance]) -> None:
        """`standing`: the part of the label that follows from the places."""
        at = dict(places.threads)
        for thread in threads:
            if thread not in at:
                raise WrongProof(f"{where}: {thread}, which is said to move first, is not there")
            if at[thread].at is End.FINISHED:
                raise WrongProof(f"{where}: {thread}, which is said to move first, has finished")
        key = (frozenset(places.threads), frozenset(threads))
        if key not in self._by_places:
            self._by_places[key] = self._why_not(places, standing, threads)
        why_not = self._by_places[key] and self._why_not(places, label, threads)
        if why_not:
            raise WrongProof(f"{where} has no such membrane: {why_not}")

    def _why_not(self, places: Places, label: Term, threads: Sequence[Instance]) -> str | None:
        """In states with the label."""
        own = [key for one in places.threads if one[0] in threads for key in self._letters.at(*one)]
        others = [one for one in places.threads if one[0] not in threads]
        known = self._known(places, label, others)
        possible: dict[LetterKey, bool] = {}

        def is_possible(key: LetterKey) -> bool:
            if key not in possible:
                possible[key] = key not in self._futile and self._questions.possible(known, self._guard(key))
            return possible[key]

        for key in self._letters.ahead(others, is_possible):
            if key not in self._futile and self._questions.possible(known, self._wrong(key)):
                return f"letter {key[1]} of {key[0]} may go wrong"
            against = self._against(key, [one for one in own if one not in self._futile], known)
            if against is not None and is_possible(key):
                return against
        return None

    def _known(self, places: Places, label: Term, others: list[tuple[Instance, Location]]) -> Term:
        """What holds there and goes on to hold. The label says that the threads have not finished."""
        every = set(self._letters.ahead(others, lambda key: key not in self._futile)) - self._futile
        written = frozenset[Term]().union(*(self._letters.writes[key] for key in every))
        stable = [one for one in conjuncts(label) if written.isdisjoint(variables([one]))]
        threads = self._letters.encoder.space.threads
        started = [threads[one].started for one, _ in places.threads]  # nobody takes that back
        return self._terms.all((*stable, *started))

    def _guard(self, key: LetterKey) -> Term:
        return self._terms.any(one.guard for one in self._letters.transitions[key])

    def _against(self, key: LetterKey, own: Sequence[LetterKey], known: Term) -> str | None:
        """Why it cannot be exchanged with all of these."""
        first = self._letters.letters[key]
        for mine in own:
            if first.forks and self._letters.letters[mine].forks:
                return f"letters {key[1]} and {mine[1]} start threads"
            for one in self._letters.transitions[key]:
                for other in self._letters.transitions[mine]:
                    if self._questions.possible(known, self._swap(key, mine, one, other)):
                        return f"letter {mine[1]} of {mine[0]} does not commute with {key[1]} of {key[0]}"
        return None
