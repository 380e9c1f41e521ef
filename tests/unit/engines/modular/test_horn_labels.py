"""Labels that only Spacer finds, their proofs, and programs with an error that look much the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown
from threadproof.engines import modular
from threadproof.engines.modular import engine, horn_search
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.smt.horn import HornClause, NoSolution, Settings
from threadproof.smt.terms import Terms

Asked = Callable[[str], tuple[Program, Result]]
PROP = Property.UNREACH_CALL
HEAD = """#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int a = 1, b = 2, c = 3;
"""
MUTEX = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void take(void) { pthread_mutex_lock(&m); }
void give(void) { pthread_mutex_unlock(&m); }
"""
SPIN = """_Atomic int word;
void take(void) { int no = 0; while (!atomic_compare_exchange_strong(&word, &no, 1)) no = 0; }
void give(void) { word = 0; }
"""
NO_LOCK = """void take(void) {}
void give(void) {}
"""
TURNED = """void *turn(void *unused) {
  take(); int old = a; a = b; b = c; c = LAST; give();
  return 0;
}
int main(void) {
  pthread_t h;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, turn, 0);
  take(); if (a == b) reach_error(); give();
}
"""
ONCE = """_Atomic int begun;
void *turn(void *unused) {
  take(); if (!begun) { INIT } give();
  take(); if (begun) { int old = a; a = b; b = c; c = old; if (a == b) reach_error(); } give();
  return 0;
}
int main(void) {
  pthread_t h;
  a = b = c = 0;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, turn, 0);
  if (!begun) { take(); if (!begun) { a = 4; b = 5; c = 6; begun = 1; } give(); }
}
"""
FIRST = """void *turn(void *unused) {
  take(); int old = a; a = b; b = c; c = old; give();
  return 0;
}
int main(void) {
  pthread_t h; SET
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, turn, 0);
  take(); if (a == b) reach_error(); give();
}
"""
TICKETS = """_Atomic unsigned next, served; int inside;
void *turn(void *unused) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (served != mine) ;
  inside = 1; if (inside != 1) reach_error(); inside = 0; served = mine + 1;
  return 0;
}
int main(void) {
  pthread_t h;
  while (__VERIFIER_nondet_bool()) pthread_create(&h, 0, turn, 0);
}
"""


PROVED = {
    "three values take turns under a mutex": MUTEX + TURNED.replace("LAST", "old"),
    "and under a lock made by hand": SPIN + TURNED.replace("LAST", "old"),
    "once somebody has set them": SPIN + ONCE.replace("INIT", "a = 1; b = 2; c = 3; begun = 1;"),
    "other values before the first creation": MUTEX + FIRST.replace("SET", "c = 4;"),
}
WRONG = {
    "a value is lost": MUTEX + TURNED.replace("LAST", "b"),
    "it is said too soon that they are set": SPIN
    + ONCE.replace("INIT", "begun = 1; give(); take(); a = 1; b = 2; c = 3;"),
    "nothing is locked": NO_LOCK + TURNED.replace("LAST", "old"),
    "two are the same before the first creation": MUTEX + FIRST.replace("SET", "c = 2;"),
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Without labels of pairs, which have tests of their own."""
    monkeypatch.setattr(engine, "answer_of", lambda *_: None)

    def answer(source: str) -> tuple[Program, Result]:
        file = tmp_path / "main.c"
        file.write_text(HEAD + source, encoding="utf-8")
        program = prepare([str(file)], PROP, FrontendOptions())
        return program, modular.check(Task(program, PROP), Budget(900), Silent())

    return answer


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_relations_that_stand_nowhere_in_the_program(asked: Asked, source: str) -> None:
    program, result = asked(source)
    assert isinstance(result, Safe)
    assert result.stats["labels_by_horn"] == 1
    assert isinstance(check_proof(program, PROP, result.proof, Budget(300)), Accepted)


@pytest.mark.parametrize("source", WRONG.values(), ids=WRONG.keys())
def test_errors_are_not_proved_away(asked: Asked, source: str) -> None:
    _, result = asked(source)
    assert isinstance(result, Unknown)
    assert result.stats["labels_by_horn"] == 0


def test_that_two_threads_differ_is_said_of_no_single_one(asked: Asked) -> None:
    """Each label is about one thread: Spacer says soon that there are none. Two threads have one ticket here, when the
    numbers wrap, so those of pairs do not suffice either (`test_pairs_of_threads.py`)."""
    _, result = asked(TICKETS)
    assert isinstance(result, Unknown)
    assert result.stats["horn_clauses"] > 0


def test_the_time_of_the_engine_is_the_time_of_the_solver(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """No try begins after the end, and none is given more than what is left."""
    given: list[float] = []

    def never(terms: Terms, clauses: Sequence[HornClause], seconds: float, *, settings: Settings) -> NoSolution:
        given.append(seconds)
        return NoSolution.LIMIT

    monkeypatch.setattr(horn_search, "solve", never)
    _, result = asked(PROVED["three values take turns under a mutex"])
    assert isinstance(result, Unknown)
    assert len(given) == 4
    assert max(given) <= 900 / 2
