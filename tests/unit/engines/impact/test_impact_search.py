"""Small programs that only abstraction proves, and what the engine says where it gives up."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.engines.impact import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
UNDER_A_LOCK = """
int x;
void *t(void *a) {
    while (__VERIFIER_nondet_bool()) { pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m); }
    return 0;
}
int main(void) {
    pthread_t h, g;
    pthread_create(&h, 0, t, 0);
    pthread_create(&g, 0, t, 0);
    pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);
    return 0;
}
"""
TICKETS = """
unsigned next, serving; int in;
#define TAKE unsigned my = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST); \\
    while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != my);
void *t(void *a) {
    while (1) { TAKE in = 1; in = 0; __atomic_fetch_add(&serving, 1, __ATOMIC_SEQ_CST); }
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    while (1) { TAKE assert(in == 0); __atomic_fetch_add(&serving, 1, __ATOMIC_SEQ_CST); }
}
"""
INPUT_BELOW_A_BOUND = """
unsigned n;
void *t(void *a) {
    while (1) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < n); assert(i < 10); }
    return 0;
}
int main(void) {
    pthread_t h;
    n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 11);
    pthread_create(&h, 0, t, 0);
    return 0;
}
"""
CREATED_IN_A_LOOP = """
int x;
void *t(void *a) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t h;
    for (int i = 0; i < 3; i++) pthread_create(&h, 0, t, 0);
    pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);
    return 0;
}
"""
ONE_THREAD = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < n; i++);
    assert(i == n);
    return 0;
}
"""
OVERRUN = """
int v[2], k;
void *t(void *a) { k = 2; k = 0; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); v[k] = 1; return 0; }
"""


MANY_SEMAPHORES = """
sem_t s[3]; int x;
void *t(void *a) { unsigned i = __VERIFIER_nondet_uint() % 2; sem_wait(s + i); x = 1; sem_post(s + i); return 0; }
int main(void) {
    pthread_t h;
    for (int i = 0; i < 3; i++) sem_init(s + i, 0, i);
    pthread_create(&h, 0, t, 0);
    sem_wait(s + 1); assert(x == 0); sem_post(s + 1); sem_post(s);
    return 0;
}
"""

UNINITIALISED = """
int x;
void *t(void *a) { int v; x = v; return 0; }
int main(void) {
    int w[3], *p = malloc(8);
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    assert(!p || x != 77 || w[1] != 5 || p[1] != w[2] + 1);
    return 0;
}
"""
RACE = """
int v[4], n;
void *t(void *a) { for (int i = 0; i < n; i++) v[i] = 1; return 0; }
int main(void) {
    pthread_t h;
    n = LIMIT;
    pthread_create(&h, 0, t, 0);
    for (int j = 2; j < 4; j++) v[j] = 2;
    return 0;
}
"""
ORDER = """
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&FIRST); pthread_mutex_lock(&SECOND);
        pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_mutex_lock(&m); pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    return 0;
}
"""
WAKES = """
pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *t(void *a) {
    pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    pthread_mutex_lock(&m); HOW pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
    return 0;
}
"""
IN_STEP = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, x = 0;
    while (i < n) { i++; x++; }
    assert(x == n);
    return 0;
}
"""
EVEN = "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_bool()) x += 2; assert(x != 7); return 0; }"
BOUNDED = """
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) { if (x < 1000) { x++; y++; } else { x = 0; y = 0; } }
    assert(y <= 1000 && y >= 0);
    return 0;
}
"""
TWO_IN_STEP = """
unsigned n, x, y;
void *t(void *a) { for (unsigned i = 0; i < n; i++) x++; return 0; }
int main(void) {
    pthread_t h;
    n = __VERIFIER_nondet_uint();
    pthread_create(&h, 0, t, 0);
    for (unsigned j = 0; j < n; j++) y++;
    pthread_join(h, 0);
    assert(x == y);
    return 0;
}
"""
ENDED = "int main(void) { int *p, n = 2; { int a[n]; a[0] = 1; p = a; } return *p; }"


def asked(folder: Path, source: str, prop: Property = Property.UNREACH_CALL, **options: str) -> Answer:
    path = folder / "main.c"
    path.write_text(HEAD + source, encoding="utf-8")
    program = prepare([str(path)], prop, FrontendOptions())
    result = check(Task(program, prop, options=options), Budget(300.0), Silent())
    return judge(program, prop, "impact", result, Budget(300.0))


@pytest.mark.parametrize(
    "source",
    [UNDER_A_LOCK, TICKETS, INPUT_BELOW_A_BOUND, CREATED_IN_A_LOOP, ONE_THREAD],
    ids=["under a lock", "tickets", "input below a bound", "created in a loop", "one thread"],
)
def test_unbounded_loops_are_proved(tmp_path: Path, source: str) -> None:
    answer = asked(tmp_path, source)
    assert answer.verdict is Verdict.TRUE, answer.reason


def test_semaphores_in_an_array_are_written(tmp_path: Path) -> None:
    answer = asked(tmp_path, MANY_SEMAPHORES)
    assert answer.verdict is Verdict.FALSE, answer.reason


def test_uninitialised_values_are_those_of_the_model(tmp_path: Path) -> None:
    answer = asked(tmp_path, UNINITIALISED)
    assert answer.verdict is Verdict.FALSE, answer.reason


def test_an_array_of_variable_length_ends_with_its_block(tmp_path: Path) -> None:
    answer = asked(tmp_path, ENDED)
    assert answer.verdict is Verdict.UNKNOWN
    assert "local of a finished function" in answer.reason


@pytest.mark.parametrize(("limit", "verdict"), [("2", Verdict.TRUE), ("3", Verdict.FALSE)])
def test_races_are_asked_of_two_threads(tmp_path: Path, limit: str, verdict: Verdict) -> None:
    answer = asked(tmp_path, RACE.replace("LIMIT", limit), Property.NO_DATA_RACE)
    assert answer.verdict is verdict, answer.reason


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (ORDER.replace("FIRST", "m").replace("SECOND", "n"), Verdict.TRUE),
        (ORDER.replace("FIRST", "n").replace("SECOND", "m"), Verdict.FALSE),
        (WAKES.replace("HOW", "while (!ready)"), Verdict.TRUE),
        (WAKES.replace("HOW", ""), Verdict.FALSE),
    ],
    ids=["one order of locks", "two orders of locks", "waits in a loop", "waits once"],
)
def test_deadlocks_are_asked_of_all_threads(tmp_path: Path, source: str, verdict: Verdict) -> None:
    answer = asked(tmp_path, source, Property.NO_DEADLOCK)
    assert answer.verdict is verdict, answer.reason


@pytest.mark.parametrize(
    ("source", "sources"),
    [(IN_STEP, "relations"), (EVEN, "bounds"), (BOUNDED, "all"), (TWO_IN_STEP, "all")],
    ids=["in step", "even", "bounded", "two threads in step"],
)
def test_what_every_round_keeps_becomes_a_label(tmp_path: Path, source: str, sources: str) -> None:
    answer = asked(tmp_path, source, sources=sources)
    assert answer.verdict is Verdict.TRUE, answer.reason
    assert answer.stats["generalised"] > 0


def test_labels_by_sources_where_an_input_decides(tmp_path: Path) -> None:
    assert asked(tmp_path, INPUT_BELOW_A_BOUND).stats["refinements_by_sources"] > 0


def test_undefined_behaviour_is_told(tmp_path: Path) -> None:
    answer = asked(tmp_path, OVERRUN)
    assert answer.verdict is Verdict.UNKNOWN
    assert "undefined behaviour" in answer.reason
    assert answer.trace is not None


def test_undefined_behaviour_violates_memory_safety(tmp_path: Path) -> None:
    answer = asked(tmp_path, OVERRUN, Property.VALID_MEMSAFETY)
    assert answer.verdict is Verdict.FALSE, answer.reason
    assert answer.violated == "valid-deref"
