"""What is said of the blocks that a loop allocates is said of the same blocks of another thread.

Of such blocks there are a few with variables of their own. When all of them stood for the first one of the other
thread, "one holds 1 and one holds 2" became "the first holds 1 and 2", which is never so, and whatever that thread did
was as if nobody did it. Registers and blocks cannot be looked at in runs, and proofs of the engines said nothing of
these blocks, so nothing caught it.
"""

from __future__ import annotations

from pathlib import Path

from threadproof.automaton import Instance, for_letters, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.evidence.proofs.modular import check_modular
from threadproof.evidence.proofs.outcome import Rejected
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.semantics.violations import spurious_for
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term

PROP = Property.UNREACH_CALL
SOURCE = """#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
atomic_int x, g;
void *t(void *a) {
  int v = (int)(long)a;
  for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i + 1; }
  x = v;
  if (x != v) g = 1;
  return 0;
}
void *s(void *a) {
  if (g == 1 && __VERIFIER_nondet_uint() * 2654435761u == 0x12345678u) reach_error();
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, (void *)1); pthread_create(&h, 0, t, (void *)2); pthread_create(&h, 0, s, 0);
}
"""
T, OTHER = Instance("t", 0), Instance("t", 1)


def read(tmp_path: Path) -> tuple[Program, AnyNumber]:
    """Both instances of the thread are known afterwards, with their registers."""
    file = tmp_path / "main.c"
    file.write_text(SOURCE, encoding="utf-8")
    program = prepare([str(file)], PROP, FrontendOptions())
    read = for_letters(program, PROP)
    any_number = AnyNumber(read, program_automaton(read), frozenset({"t"}), spurious_for(PROP, read))
    for letter in any_number.automaton.letters:
        actor = any_number.one(letter.template)
        any_number.transition(actor, letter, any_number.starts(actor, letter))
    return program, any_number


def test_blocks_stay_apart(tmp_path: Path) -> None:
    _, any_number = read(tmp_path)
    found = any_number.space.counterparts(T, OTHER)
    assert len(set(found.values())) == len(found)
    back = any_number.space.counterparts(OTHER, T)
    assert {one: back[two] for one, two in found.items()} == {one: one for one in found}
    blocks = [one for one in any_number.space.objects if one.owner == T and "malloc" in one.root.name]
    assert len(blocks) > 1
    for block in blocks:
        [cell] = any_number.space.objects.cells(block)
        assert (" 2@" in cell.term.name) == (" 2@" in found[cell.term].name)


def test_labels_of_several_blocks_are_about_these(tmp_path: Path) -> None:
    """`t` may go wrong here (its third block is not looked at), but nothing is asked of that; `s` goes wrong if `t`
    does not keep what a label of `t` says of `x`. Somebody else with another value changes `x`."""
    program, any_number = read(tmp_path)
    labels = WrongLabels(any_number)
    proof = ThreadModularProof(script(labels.texts), tuple(labels.at), many=("t",))
    found = check_modular(program, PROP, proof, Budget(900), about={"s"})
    assert isinstance(found, Rejected)
    assert "does not keep the label" in found.why


class WrongLabels:
    """Those that were accepted: all of them hold of single threads, and would be kept by others if no two threads
    could have filled their blocks."""

    def __init__(self, any_number: AnyNumber) -> None:
        self._any, terms = any_number, any_number.terms
        self._terms = terms
        objects = any_number.space.objects
        blocks = sorted(
            (one for one in objects if one.owner == T and "malloc" in one.root.name), key=lambda one: one.number
        )
        self._cells = [objects.cells(one)[0].term for one in blocks]
        self._lives = [one.life for one in blocks if one.life is not None]
        self._g, self._x = (self._word(name) for name in "gx")
        variables = {v.name: v for v in any_number.owners()}
        self._i, self._v = variables["t:t.i"], variables["t:t.v"]
        nobody = self._is(self._g, 0)
        started = any_number.space.threads[Instance("s", 0)].started
        filled = terms.or_(
            self._is(self._i, 0),
            terms.or_(terms.and_(self._is(self._i, 1), self._first()), terms.and_(self._is(self._i, 2), self._both())),
        )
        apart = terms.and_(terms.ult(self._i, terms.bv(3, 32)), terms.ult(terms.bv(5, 32), self._i))
        kept = terms.and_(terms.eq(self._x, self._v), self._both())
        of_main, of_t = [terms.and_(nobody, terms.not_(started)), terms.true], [terms.true, filled, kept, apart]
        self.texts = [*of_main, *of_t, nobody]
        self.at = [("main", 0, 0), ("main", 1, 1), *(("t", number, 2 + number) for number in range(4)), ("s", 0, 6)]

    def _word(self, name: str) -> Term:
        return next(word for word in self._any.space.global_words() if word.name == f"{name}+0")

    def _is(self, term: Term, value: int) -> Term:
        return self._terms.eq(term, self._terms.bv(value, term.width))

    def _first(self) -> Term:
        """Some block that has been allocated holds 1."""
        alive = [self._terms.not_(self._is(life, 0)) for life in self._lives]
        return self._terms.any(
            self._terms.all([self._is(cell, 1), *alive[: number + 1]]) for number, cell in enumerate(self._cells)
        )

    def _both(self) -> Term:
        """One block holds 1, and a later one 2."""
        cells = self._cells
        pairs = [(a, b) for index, a in enumerate(cells) for b in cells[index + 1 :]]
        return self._terms.any(self._terms.and_(self._is(a, 1), self._is(b, 2)) for a, b in pairs)
