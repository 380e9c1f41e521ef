"""Membranes of reduced products: letters of other threads are left out, and no error with them.

Each wrong one is what an engine would make that forgets a kind of edge of weakly persistent sets; the checker refuses
it, and a checker that forgets the same would not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from value_products import MadeLetter, ProductBuilder, by_thread, never, rightly

from threadproof.automaton import Instance, Location, Places
from threadproof.core.budget import Budget
from threadproof.core.proofs import ReducedProduct
from threadproof.core.property import Property
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.evidence.proofs.membranes import MembraneChecks
from threadproof.evidence.proofs.products import _ProductChecker  # pyright: ignore[reportPrivateUsage]
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare
from threadproof.smt.term import Term

PROP = Property.UNREACH_CALL
HEAD = """
#include <pthread.h>
extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
"""
TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  if (END) reach_error();
  return 0;
}
"""
SAFE = TWO.replace("END", "x != 2 || y != 1")
UNSAFE = TWO.replace("END", "x + y == 3")
ALONE = TWO.replace("pthread_join(a, 0); pthread_join(b, 0);", "").replace("END", "y < 0 && 0")
APART = """
void *f(void *p) { x = 1; x = 2; return 0; }
void *g(void *p) { y = 1; return 0; }"""
ENDLESS = """
void *f(void *p) { while (1) { x = 1 - x; if (x > 1) reach_error(); } }
void *g(void *p) { reach_error(); return 0; }"""
JOINED = """
void *f(void *p) { y = 1; return 0; }
void *g(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0);
  if (x != 1 || y != 1) reach_error();
  return 0;
}
"""
STARTED = """
void *g(void *p) { x = 1; return 0; }
void *f(void *p) { pthread_t b; pthread_create(&b, 0, g, 0); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  if (x) reach_error();
  return 0;
}
"""
FOR_NOW = """
void *f(void *p) { if (x) reach_error(); return 0; }
void *g(void *p) { y = 1; __VERIFIER_atomic_begin(); x = y; __VERIFIER_atomic_end(); return 0; }"""
READER = """
void *f(void *p) { if (x) reach_error(); return 0; }
void *g(void *p) { x = 1; return 0; }"""


class Preferring(ProductBuilder):
    """The thread that is preferred goes first wherever it can, whatever the others do."""

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        return (awake[0][0],) if len({one for one, _ in awake}) > 1 else ()


class LastFirst(Preferring):
    """Against the order, whose letters sleep as if they had been made."""

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        return (awake[-1][0],) if len({one for one, _ in awake}) > 1 else ()

    def preferred(
        self, made: MadeLetter, awake: Sequence[MadeLetter], inside: Sequence[MadeLetter]
    ) -> Sequence[MadeLetter]:
        return awake[: awake.index(made)]


Compiled = Callable[[str], Program]


@pytest.fixture(scope="module")
def compiled_text(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    known: dict[str, Program] = {}

    def program_of(text: str) -> Program:
        if text not in known:
            file = tmp_path_factory.mktemp("membranes") / "main.c"
            file.write_text(HEAD + text, encoding="utf-8")
            known[text] = prepare([str(file)], PROP, FrontendOptions())
        return known[text]

    return program_of


def rejected(program: Program, proof: ReducedProduct) -> str:
    found = check_proof(program, PROP, proof, Budget(900))
    assert isinstance(found, Rejected), found
    return found.why


def test_threads_that_have_nothing_in_common_go_one_after_the_other(compiled_text: Compiled) -> None:
    program = compiled_text(APART + SAFE)
    everything = ProductBuilder(program, by_thread("f", "g", "main"), rightly).build()
    membranes = Preferring(program, by_thread("f", "g", "main"), rightly).build()
    assert isinstance(check_proof(program, PROP, membranes, Budget(900)), Accepted)
    assert len(membranes.nodes) < len(everything.nodes)
    assert not any(node.asleep for node in membranes.nodes)


def test_threads_of_a_membrane_are_there_and_have_not_finished(compiled_text: Compiled) -> None:
    program = compiled_text(APART + SAFE)

    class Absent(ProductBuilder):
        def membrane(self, *given: object) -> tuple[Instance, ...]:
            return (Instance("g", 1),)

    class Finished(ProductBuilder):
        def membrane(self, places: Places, *given: object) -> tuple[Instance, ...]:
            over = [one for one, at in places.threads if not self.automaton.templates[one.template].letters_from(at)]
            return tuple(over[:1])

    for builder, why in ((Absent, "is not there"), (Finished, "has finished")):
        assert why in rejected(program, builder(program, by_thread("main", "f", "g"), never).build())


# --- wrong ones -------------------------------------------------------------------------------------------------------


def no_error(self: _ProductChecker, key: LetterKey) -> Term:
    return self._checks.terms.false  # pyright: ignore[reportPrivateUsage]


def everything_stays(self: MembraneChecks, places: Places, label: Term, others: object) -> Term:
    return label


def starts_nobody(self: AllLetters, key: LetterKey) -> list[tuple[Instance, Location]]:
    return [(key[0], self.letters[key].target)]


def swaps_always(self: MembraneChecks, *given: object) -> None:
    return None


def sleeps_always(self: _ProductChecker, *given: object) -> None:
    return None


Fault = tuple[object, str, Callable[..., object]]
WRONG: dict[str, tuple[str, type[ProductBuilder], tuple[str, ...], str, Fault]] = {
    "no edge to errors": (
        ENDLESS + ALONE,
        Preferring,
        ("main", "f", "g"),
        "may go wrong",
        (_ProductChecker, "_wrong", no_error),
    ),
    "joins are dropped": (
        JOINED,
        Preferring,
        ("g", "f", "main"),
        "may go wrong",
        (MembraneChecks, "_known", everything_stays),
    ),
    "threads to come are forgotten": (
        STARTED,
        Preferring,
        ("main", "f", "g"),
        "does not commute",
        (AllLetters, "_following", starts_nobody),
    ),
    "letters swap for now": (
        FOR_NOW + ALONE,
        Preferring,
        ("f", "g", "main"),
        "does not commute",
        (MembraneChecks, "_known", everything_stays),
    ),
    "letters do not swap": (
        READER + ALONE,
        Preferring,
        ("main", "f", "g"),
        "does not commute",
        (MembraneChecks, "_against", swaps_always),
    ),
    "what was not made puts others to sleep": (
        APART + UNSAFE,
        LastFirst,
        ("main", "f", "g"),
        "was not preferred",
        (_ProductChecker, "_check_asleep", sleeps_always),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_kind_of_edge_that_is_forgotten(compiled_text: Compiled, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text, builder, order, why, fault = WRONG[name]
    program = compiled_text(text)
    proof = builder(program, by_thread(*order), rightly).build()
    assert why in rejected(program, proof)
    monkeypatch.setattr(*fault)
    assert isinstance(check_proof(program, PROP, proof, Budget(900)), Accepted)
