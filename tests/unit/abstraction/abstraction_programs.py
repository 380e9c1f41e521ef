"""Programs as automata with formulas, and paths through them: what the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from threadproof.abstraction.path import LetterPath, PathGoal, path_of
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.trace_check import TraceCheck
from threadproof.abstraction.triples import Triples
from threadproof.automaton import End, Instance, Kind, Letter, program_automaton
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import normalise
from threadproof.smt.context import Context
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

HEAD = """#include <pthread.h>
extern void reach_error(void); extern void abort(void); extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y; unsigned u; int a[4];
"""
TWINS = """
void *up(void *p) { for (int i = 0; i < 3; i++) x = x + 1; return 0; }
void *down(void *p) { for (int i = 0; i < 3; i++) x = x - 1; return 0; }
int main(void) {
    pthread_t s, t; pthread_create(&s, 0, up, 0); pthread_create(&t, 0, down, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    if (x > 3) reach_error();
    return 0;
}
"""
"""Safe; every path to the error is infeasible."""


class Abstracted:
    """With all services over it."""

    def __init__(self, folder: Path, text: str, most: int = 2) -> None:
        file = folder / "main.c"
        file.write_text(HEAD + text, encoding="utf-8")
        self.program = normalise(load([str(file)], FrontendOptions()))
        self.automaton = program_automaton(self.program)
        self.terms = Terms()
        self.space = Space(self.terms, self.program, self.automaton, dict.fromkeys(self.automaton.templates, most))
        self.encoder = Encoder(self.space)
        self.context = Context(self.terms)
        self.predicates = Predicates(self.context)
        self.triples = Triples(self.predicates, self.space.facts())
        self.trace_check = TraceCheck(self.space, self.context)

    def word(self, name: str) -> Term:
        return self.terms.bv_var(f"{name}+0", 32)

    def number(self, value: int) -> Term:
        return self.terms.bv(value, 32)

    def letter_writing(self, template: str, name: str) -> tuple[Letter, Transition]:
        for letter in self.automaton.templates[template].letters:
            if not letter.forks:
                transition = self.encoder.transition(Instance(template, 0), letter)
                if self.word(name) in transition.writes:
                    return letter, transition
        raise AssertionError(name)

    def random_paths(self, rng: Random, tries: int, most: int = 60) -> Iterator[LetterPath]:
        """To the error; joins only where threads have ended."""
        for _ in range(tries):
            letters = self._random_path(rng, most)
            if letters and letters[-1][1].kind is Kind.ERROR:
                yield path_of(self.encoder, letters)

    def _random_path(self, rng: Random, most: int) -> list[tuple[Instance, Letter]]:
        places, path = self.automaton.initial(), list[tuple[Instance, Letter]]()
        while len(path) < most:
            open_threads = [one for one, at in places.threads[1:] if at.at is not End.FINISHED]
            ways = [
                (instance, letter)
                for instance, letter in self.automaton.letters_from(places)
                if letter.target.at is not End.HALTED and not (letter.joins and open_threads)
            ]
            if not ways:
                break
            path.append(rng.choice(ways))
            places = self.automaton.after(places, *path[-1])
            if path[-1][1].kind is Kind.ERROR:
                break
        return path

    def straight(self, *instances: Instance, goal: PathGoal = PathGoal.LETTERS) -> LetterPath:
        """The only letter of each of these instances, in turn."""
        places, letters = self.automaton.initial(), list[tuple[Instance, Letter]]()
        for instance in instances:
            [letter] = self.automaton.templates[instance.template].letters_from(places.at(instance))
            letters.append((instance, letter))
            places = self.automaton.after(places, instance, letter)
        return path_of(self.encoder, letters, goal)
