"""Wrong proofs are planted, for every property and memory model: random runs must refute them, and only them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import CompleteExploration, Covered
from threadproof.core.property import Property
from threadproof.core.result import Safe, Verdict
from threadproof.core.schedule import Schedule
from threadproof.evidence.runs import Contradiction, contradiction
from threadproof.evidence.walks import StayingStrategy, Walks
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import ProofRefuted, judge, time_for_runs

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u;
"""
LIE = Safe(CompleteExploration(Covered.STATES))
LOST_UPDATE = """
int x;
void *f(void *p) { int was = x; x = was + 1; return 0; }
int main(void) { pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); if (x != 2) reach_error(); return 0; }"""
LOCKED = LOST_UPDATE.replace("int was", "pthread_mutex_lock(&a); int was").replace(
    "was + 1;", "was + 1; pthread_mutex_unlock(&a);"
)
CROSSED = """
void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) { pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); pthread_join(t, 0); return 0; }"""
IN_ORDER = CROSSED.replace("lock(&b); pthread_mutex_lock(&a);", "lock(&a); pthread_mutex_lock(&b);", 1)
OVERFLOW = """
int x = 2147483640;
void *f(void *p) { x += 4; return 0; }
int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); x -= 4; return 0; }"""
USE_AFTER_FREE = """
int *p;
void *f(void *q) { free(p); return 0; }
int main(void) { p = malloc(4); *p = 1; pthread_create(&t, 0, f, 0); int v = *p; pthread_join(t, 0); return v; }"""
LEAK = """
int *p;
void *f(void *q) { p = malloc(4); return 0; }
int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
  pthread_join(t, 0); pthread_join(u, 0); free(p); return 0; }"""
DOUBLE_FREE = """
int *p;
void *f(void *q) { free(p); return 0; }
int main(void) { p = malloc(4); pthread_create(&t, 0, f, 0); if (__VERIFIER_nondet_int() == 77) free(p); return 0; }"""
DEKKER = """
int x, y, r, s;
void *f(void *p) { x = 1; r = y; return 0; }
int main(void) { pthread_create(&t, 0, f, 0); y = 1; s = x; pthread_join(t, 0);
  if (!r && !s) reach_error(); return 0; }"""
MESSAGE = """
int x, y;
void *f(void *p) { x = 1; y = 1; return 0; }
int main(void) { pthread_create(&t, 0, f, 0); if (y && !x) reach_error(); pthread_join(t, 0); return 0; }"""
SC, TSO, PSO = MemoryModel.SC, MemoryModel.TSO, MemoryModel.PSO
WRONG = {
    "a lost update": (Property.UNREACH_CALL, SC, LOST_UPDATE, ""),
    "a race": (Property.NO_DATA_RACE, SC, LOST_UPDATE, ""),
    "a deadlock": (Property.NO_DEADLOCK, SC, CROSSED, ""),
    "an overflow": (Property.NO_OVERFLOW, SC, OVERFLOW, ""),
    "a use after free": (Property.VALID_MEMSAFETY, SC, USE_AFTER_FREE, "valid-deref"),
    "a double free": (Property.VALID_MEMSAFETY, SC, DOUBLE_FREE, "valid-free"),
    "lost memory": (Property.VALID_MEMSAFETY, SC, LEAK, "valid-memtrack"),
    "stores that wait under TSO": (Property.UNREACH_CALL, TSO, DEKKER, ""),
    "stores that wait under PSO": (Property.UNREACH_CALL, PSO, DEKKER, ""),
    "stores that overtake": (Property.UNREACH_CALL, PSO, MESSAGE, ""),
    "a race under TSO": (Property.NO_DATA_RACE, TSO, LOST_UPDATE, ""),
    "a race under PSO": (Property.NO_DATA_RACE, PSO, LOST_UPDATE, ""),
    "a deadlock under TSO": (Property.NO_DEADLOCK, TSO, CROSSED, ""),
    "a deadlock under PSO": (Property.NO_DEADLOCK, PSO, CROSSED, ""),
    "an overflow under TSO": (Property.NO_OVERFLOW, TSO, OVERFLOW, ""),
    "an overflow under PSO": (Property.NO_OVERFLOW, PSO, OVERFLOW, ""),
    "lost memory under TSO": (Property.VALID_MEMSAFETY, TSO, LEAK, "valid-memtrack"),
    "a use after free under PSO": (Property.VALID_MEMSAFETY, PSO, USE_AFTER_FREE, "valid-deref"),
}
RIGHT = {
    "locked": (Property.UNREACH_CALL, SC, LOCKED),
    "no race": (Property.NO_DATA_RACE, SC, LOCKED),
    "no deadlock": (Property.NO_DEADLOCK, SC, IN_ORDER),
    "no deadlock under PSO": (Property.NO_DEADLOCK, PSO, IN_ORDER),
    "no overflow": (Property.NO_OVERFLOW, SC, LOST_UPDATE),
    "no error of memory": (Property.VALID_MEMSAFETY, TSO, LOST_UPDATE),
    "nothing waits under SC": (Property.UNREACH_CALL, SC, DEKKER),
    "stores that do not overtake": (Property.UNREACH_CALL, TSO, MESSAGE),
    "locks drain": (Property.UNREACH_CALL, PSO, LOCKED),
}


@pytest.fixture
def program(tmp_path: Path) -> Callable[[Property, str], Program]:
    def read(prop: Property, text: str) -> Program:
        source = tmp_path / "main.c"
        source.write_text(HEAD + text, encoding="utf-8")
        return prepare([str(source)], prop, FrontendOptions())

    return read


Read = Callable[[Property, str], Program]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on how busy the machine is."""
    for name in ("CHECKING_S", "CHECKING_LEAST_S"):
        monkeypatch.setattr(f"threadproof.portfolio.judge.{name}", 600.0)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_proof_is_refuted_by_a_run_that_replays(what: str, program: Read) -> None:
    prop, model, text, violated = WRONG[what]
    with pytest.raises(ProofRefuted, match=r"liar says .* is true, but a run") as caught:
        judge(program(prop, text), prop, "liar", LIE, Budget(900), model)
    found = caught.value.found
    assert found is not None
    assert (found.verdict, found.property, found.violated) == (Verdict.FALSE, prop, violated)
    assert found.trace is not None
    assert found.trace.model is model


@pytest.mark.parametrize("what", RIGHT)
def test_a_right_proof_is_accepted(what: str, program: Read) -> None:
    prop, model, text = RIGHT[what]
    assert judge(program(prop, text), prop, "honest", LIE, Budget(900), model).verdict is Verdict.TRUE


@pytest.mark.usefixtures("patience")
def test_who_has_looked_at_all_runs_has_met_what_is_undefined(program: Read) -> None:
    text = "int x; void *f(void *p) { x = 0; return 0; }"
    text += "int main(void) { x = 1; pthread_create(&t, 0, f, 0); int y = 4 / x; return y; }"
    with pytest.raises(ProofRefuted, match="undefined behaviour: division by zero") as caught:
        judge(program(Property.UNREACH_CALL, text), Property.UNREACH_CALL, "liar", LIE, Budget(900))
    assert caught.value.found is None


@pytest.mark.usefixtures("patience")
def test_who_has_looked_at_all_runs_has_met_what_is_unsupported(program: Read) -> None:
    text = 'int main(void) { if (__VERIFIER_nondet_int() > 5) __asm__("cli"); return 0; }'
    with pytest.raises(ProofRefuted, match="unsupported"):
        judge(program(Property.UNREACH_CALL, text), Property.UNREACH_CALL, "liar", LIE, Budget(900))


def shown(program: Program, prop: Property, seed: int, model: MemoryModel = SC) -> Schedule:
    found = contradiction(program, prop, LIE.proof, Budget(900), model, seed)
    assert isinstance(found, Contradiction)
    return found.schedule


def test_the_seed_decides(program: Read) -> None:
    read = program(Property.UNREACH_CALL, DEKKER)
    schedules = [shown(read, Property.UNREACH_CALL, seed, PSO) for seed in range(5)]
    assert schedules == [shown(read, Property.UNREACH_CALL, seed, PSO) for seed in range(5)]
    assert len(set(schedules)) > 1


LATE = """
_Atomic int begun, count;
void *f(void *p) { begun = 1; return (void *)(long)count; }
int main(void) { pthread_create(&t, 0, f, 0); while (count < 40) count++;
  if (!begun) reach_error(); return 0; }"""


def test_a_thread_that_is_late_is_found_by_priorities(program: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    read = program(Property.UNREACH_CALL, LATE)
    assert contradiction(read, Property.UNREACH_CALL, LIE.proof, Budget(900)) is not None

    def uniform(walks: Walks, number: int, chance: random.Random) -> StayingStrategy:
        return StayingStrategy(chance, 1, 0.0)

    monkeypatch.setattr(Walks, "_strategy", uniform)
    monkeypatch.setattr("threadproof.evidence.runs.RUNS", 40)
    assert contradiction(read, Property.UNREACH_CALL, LIE.proof, Budget(900)) is None


def test_a_program_without_choices_runs_once(program: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[int] = []
    usual = Walks._strategy

    def counted(self: Walks, number: int, chance: random.Random) -> object:
        walks.append(number)
        return usual(self, number, chance)

    monkeypatch.setattr(Walks, "_strategy", counted)
    text = "int main(void) { int x = 0; for (int i = 0; i < 9; i++) x += i; if (x != 36) reach_error(); return 0; }"
    assert contradiction(program(Property.UNREACH_CALL, text), Property.UNREACH_CALL, LIE.proof, Budget(900)) is None
    assert walks == [0]


def test_the_time_for_runs_is_a_share_of_that_for_the_proof() -> None:
    now = time.monotonic()
    assert time_for_runs(Budget(900, started=now)).left() <= 0.1
    assert 0.1 < time_for_runs(Budget(900, started=now - 2)).left() <= 0.5
    assert time_for_runs(Budget(900, started=now - 400)).left() <= 0.5
    assert time_for_runs(Budget(1, started=now)).left() <= 0.1
    assert time_for_runs(Budget(1, started=now - 1)).left() <= 0.0


def test_runs_keep_to_their_time(program: Read) -> None:
    text = "unsigned x; void *f(void *p) { while (1) x++; }"
    text += "int main(void) { pthread_create(&t, 0, f, 0); while (1) x--; }"
    budget = Budget(0.2)
    assert contradiction(program(Property.UNREACH_CALL, text), Property.UNREACH_CALL, LIE.proof, budget) is None
    assert budget.elapsed() < 100  # however busy the machine is
