"""What threads add to a counter bounds it: accepted if every step is within what the proof says, and only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import AddedRange, ThreadModularProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe
from threadproof.engines import modular
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

pytestmark = pytest.mark.usefixtures("without_pairs")

PROP = Property.NO_OVERFLOW
COUNTING = """#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *t(void *a) { LOCK x ADDS; UNLOCK return 0; }
int main(void) {
  pthread_t h;
  CREATING pthread_create(&h, 0, t, 0);
  LOCK x--; UNLOCK
}
"""
LOOP = "for (int i = 0; i < 1000; i++)"


def program_of(folder: Path, adds: str = "++", creating: str = LOOP, lock: bool = True) -> Program:
    source = COUNTING.replace("ADDS", adds).replace("CREATING", creating)
    source = source.replace("UNLOCK", "pthread_mutex_unlock(&m);" if lock else "")
    file = folder / "main.c"
    file.write_text(source.replace("LOCK", "pthread_mutex_lock(&m);" if lock else ""), encoding="utf-8")
    return prepare([str(file)], PROP, FrontendOptions())


def asked(program: Program) -> Result:
    return modular.check(Task(program, PROP), Budget(300), Silent())


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, ThreadModularProof]:
    program = program_of(tmp_path_factory.mktemp("sums"))
    found = asked(program)
    assert isinstance(found, Safe)
    assert isinstance(found.proof, ThreadModularProof)
    return program, found.proof


def test_a_thousand_threads_add_a_thousand_at_most(counting: tuple[Program, ThreadModularProof]) -> None:
    program, proof = counting
    assert AddedRange("x+0", "t", 0, 1) in proof.added
    assert dict(proof.threads) == {"t": 1000}
    assert isinstance(check_proof(program, PROP, proof, Budget(300)), Accepted)


@pytest.mark.parametrize(
    ("added", "threads", "why"),
    [
        ([], 1000, "may go wrong"),
        ([("t", 0, 0), ("main", -1, 0)], 1000, "adds more"),
        ([("t", 0, 1)], 1000, "adds more"),
        ([("t", 0, 1), ("main", -1, 0)], 999, "more threads"),
        ([("t", 0, 1), ("main", -1, 0)], None, "how many"),
        ([("t", 0, 1), ("t", 0, 2)], 1000, "twice"),
        ([("t", 0, 1 << 40), ("main", -1, 0)], 1000, "that much"),
        ([("nobody", 0, 1)], 1000, "none of"),
    ],
)
def test_bounds_that_are_none(
    counting: tuple[Program, ThreadModularProof], added: list[tuple[str, int, int]], threads: int | None, why: str
) -> None:
    program, proof = counting
    said = tuple(AddedRange("x+0", *one) for one in added)
    wrong = replace(proof, added=said, threads=() if threads is None else (("t", threads),))
    checked = check_proof(program, PROP, wrong, Budget(300))
    assert isinstance(checked, Rejected)
    assert why in checked.why


def test_another_word(counting: tuple[Program, ThreadModularProof]) -> None:
    program, proof = counting
    said = tuple(replace(one, cell="y+0") for one in proof.added)
    assert isinstance(check_proof(program, PROP, replace(proof, added=said), Budget(300)), Rejected)


def test_a_proof_for_other_programs(counting: tuple[Program, ThreadModularProof], tmp_path: Path) -> None:
    """More is added, more threads, or without the lock: an increment of an old value may be any change."""
    for other in (
        program_of(tmp_path, adds="+= 2"),
        program_of(tmp_path, creating="for (int i = 0; i < 1001; i++)"),
        program_of(tmp_path, lock=False),
    ):
        assert isinstance(check_proof(other, PROP, counting[1], Budget(300)), Rejected)


@pytest.mark.parametrize(("adds", "creating"), [("+= 3000000", LOOP), ("++", "while (__VERIFIER_nondet_bool())")])
def test_counters_that_may_overflow(tmp_path: Path, adds: str, creating: str) -> None:
    assert not isinstance(asked(program_of(tmp_path, adds, creating)), Safe)


BEHIND_A_POINTER = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, g = PTHREAD_MUTEX_INITIALIZER;
int x, *p = &x, *q;
#define LOCKED(what) pthread_mutex_lock(&g); what; pthread_mutex_unlock(&g);
void *t(void *a) { pthread_mutex_lock(&m); LOCKED((*p)++) LOCKED((*p)--) pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t h[1000];
  for (int i = 0; i < 1000; i++) pthread_create(&h[i], 0, t, 0);
  q = p;
  LOCKED(if (*q) return 1)
}
"""


def test_equations_that_no_sum_tells_are_not_taken_for_proved(tmp_path: Path) -> None:
    """A counter that is chosen by a pointer is no sum; its equations had been believed, and the check said no."""
    file = tmp_path / "main.c"
    file.write_text(BEHIND_A_POINTER, encoding="utf-8")
    program = prepare([str(file)], PROP, FrontendOptions())
    found = asked(program)
    assert isinstance(found, Safe)
    assert isinstance(check_proof(program, PROP, found.proof, Budget(300)), Accepted)


LIKE_IT = """#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x, y;
void *t(void *a) {
  pthread_t h;
  int mine = x + 1;
  if (__VERIFIER_nondet_bool()) pthread_create(&h, 0, t, 0);
  y = mine - x;
  return 0;
}
int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); x = 7; return 0; }
"""


def test_what_is_known_of_a_creator_is_not_said_of_the_new_thread(tmp_path: Path) -> None:
    """A thread that starts its like is another one than the labels are about."""
    file = tmp_path / "main.c"
    file.write_text(LIKE_IT, encoding="utf-8")
    program = prepare([str(file)], PROP, FrontendOptions())
    found = asked(program)
    assert isinstance(found, Safe)
    assert isinstance(check_proof(program, PROP, found.proof, Budget(300)), Accepted)
