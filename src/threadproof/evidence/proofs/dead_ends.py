"""Checks the dead ends of a reduced product: nothing goes wrong there before a thread moves that sleeps for ever.

Let T be those threads, and the others whoever stands there or is started by one of them. As long as none of T moves,
none has finished, and what the label says of variables that no letter of the others writes goes on to hold. With that:
- of the letters that the others come to, none goes wrong;
- a letter x that they may make, and a letter b of T that is not futile, can be exchanged: what x;b can do from there,
  b;x can do as well (see `products.py`, 4).
Which letters the others come to follows from the control flow of the threads, without those that cannot be made.
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


class DeadEndChecks:
    def __init__(
        self, letters: AllLetters, futile: frozenset[LetterKey], questions: ProofQuestions, wrong: Wrong, swap: Swap
    ) -> None:
        self._letters = letters
        self._futile = futile
        self._questions = questions
        self._wrong = wrong
        self._swap = swap
        self._terms = letters.encoder.space.terms

    def check(
        self, where: str, places: Places, label: Term, threads: Sequence[Instance], asleep: frozenset[LetterKey]
    ) -> None:
        at = dict(places.threads)
        own: list[LetterKey] = []
        for thread in threads:
            if thread not in at:
                raise WrongProof(f"{where}: {thread}, which is said to sleep there for ever, is not there")
            if at[thread].at is End.FINISHED:
                raise WrongProof(f"{where}: {thread}, which is said to sleep there for ever, has finished")
            mine = [key for key in self._letters.at(thread, at[thread]) if key not in self._futile]
            if not asleep.issuperset(mine):
                raise WrongProof(f"{where}: not all of {thread} is asleep")
            own += mine
        others = [one for one in places.threads if one[0] not in threads]
        known = self._known(places, label, others)
        possible: dict[LetterKey, bool] = {}

        def is_possible(key: LetterKey) -> bool:
            if key not in possible:
                possible[key] = key not in self._futile and self._questions.possible(known, self._guard(key))
            return possible[key]

        for key in self._letters.ahead(others, is_possible):
            self._check_letter(where, key, known)
            if is_possible(key):
                self._check_swaps(where, key, own, known)

    def _known(self, places: Places, label: Term, others: list[tuple[Instance, Location]]) -> Term:
        """What holds at the dead end and goes on to hold. The label says that the threads have not finished."""
        every = set(self._letters.ahead(others, lambda key: key not in self._futile)) - self._futile
        written = frozenset[Term]().union(*(self._letters.writes[key] for key in every))
        stable = [one for one in conjuncts(label) if written.isdisjoint(variables([one]))]
        threads = self._letters.encoder.space.threads
        started = [threads[one].started for one, _ in places.threads]  # nobody takes that back
        return self._terms.all((*stable, *started))

    def _guard(self, key: LetterKey) -> Term:
        return self._terms.any(one.guard for one in self._letters.transitions[key])

    def _check_letter(self, where: str, key: LetterKey, known: Term) -> None:
        if key in self._futile:
            return
        wrong = self._wrong(key)
        if wrong is not self._terms.false and self._questions.possible(known, wrong):
            raise WrongProof(f"{where} is no dead end: letter {key[1]} of {key[0]} may go wrong")

    def _check_swaps(self, where: str, key: LetterKey, own: list[LetterKey], known: Term) -> None:
        first = self._letters.letters[key]
        for mine in own:
            if first.forks and self._letters.letters[mine].forks:
                raise WrongProof(f"{where} is no dead end: letters {key[1]} and {mine[1]} start threads")
            for one in self._letters.transitions[key]:
                for other in self._letters.transitions[mine]:
                    lost = self._swap(key, mine, one, other)
                    if lost is not self._terms.false and self._questions.possible(known, lost):
                        what = f"letter {mine[1]} of {mine[0]} does not commute with {key[1]} of {key[0]}"
                        raise WrongProof(f"{where} is no dead end: {what}")
