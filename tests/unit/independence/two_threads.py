"""Programs of two threads with one statement each, for asking whether these swap."""

from __future__ import annotations

from pathlib import Path

from threadproof.automaton import End, Instance, Letter, LetterSize, program_automaton
from threadproof.encoding.transitions import Encoder, Space
from threadproof.frontend import FrontendOptions, load
from threadproof.independence import InstanceLetter, Keeps, SwapAnswer, Swaps
from threadproof.passes.pipeline import normalise
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
"""
MAIN = """
void *one(void *p) { %s return 0; }
void *two(void *p) { %s return 0; }
int main(void) { pthread_t s, t; %s pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0); %s return 0; }
"""


class TwoThreads:
    def __init__(
        self,
        path: Path,
        declared: str,
        first: str,
        second: str,
        *,
        before: str = "",
        after: str = "",
        most: int = 2,
        keeps: Keeps = Keeps.ERRORS,
    ) -> None:
        path.write_text(HEAD + declared + MAIN % (first, second, before, after), encoding="utf-8")
        self.program = normalise(load([str(path)], FrontendOptions()))
        self.automaton = program_automaton(self.program, size=LetterSize.SMALL)
        self.terms = Terms()
        self.space = Space(self.terms, self.program, self.automaton, dict.fromkeys(self.automaton.templates, most))
        self.encoder = Encoder(self.space)
        self.swaps = Swaps(self.encoder, keeps=keeps)

    def visible(self, template: str) -> list[Letter]:
        """Letters that others can notice, without the end of the thread."""
        letters = self.automaton.templates[template].letters
        return [one for one in letters if one.visible is not None and one.target.at is not End.FINISHED]

    def letter(self, template: str, index: int = 0, number: int = 0) -> InstanceLetter:
        return InstanceLetter(Instance(template, number), self.visible(template)[index])

    def swap(self, *given: Term) -> SwapAnswer:
        return self.swaps.swap(self.letter("one"), self.letter("two"), given)

    def back(self, *given: Term) -> SwapAnswer:
        return self.swaps.swap(self.letter("two"), self.letter("one"), given)

    def word(self, name: str, offset: int = 0, width: int = 32) -> Term:
        return self.terms.bv_var(f"{name}+{offset}", width)
