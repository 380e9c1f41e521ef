"""The order of locks, with many threads: circles are never called harmless, gated ones are."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines.deadlocks import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

HEAD = """#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, set_up;
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
int x, jobs;
#define L(m) pthread_mutex_lock(&m);
#define U(m) pthread_mutex_unlock(&m);
"""
MANY = """
void *f(void *arg) { %s return 0; }
void *g(void *arg) { %s return 0; }
int main(void) {
  pthread_t t; pthread_mutex_init(&set_up, 0);
  for (int i = 0; i < 10000; i++) { pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }
  %s
  return 0;
}
"""
AB, BA = "L(a) L(b) x++; U(b) U(a)", "L(b) L(a) x++; U(a) U(b)"
ONCE = """
void *f(void *arg) { L(a) L(b) U(b) U(a) return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); L(a) L(b) U(b) U(a) pthread_join(t, 0); return 0; }
"""


def verdict(tmp_path: Path, source: str) -> tuple[Verdict, str]:
    file = tmp_path / "main.c"
    file.write_text(HEAD + source, encoding="utf-8")
    program = prepare([str(file)], Property.NO_DEADLOCK, FrontendOptions())
    result = check(Task(program, Property.NO_DEADLOCK), Budget(60), Silent())
    answer = judge(program, Property.NO_DEADLOCK, "deadlocks", result, Budget(20))
    return answer.verdict, answer.reason


def many(f: str, g: str = "x++;", main: str = "") -> str:
    return MANY % (f, g, main)


SAFE = {
    "one order": many(AB, AB),
    "a gate": many(f"L(gate) {AB} U(gate)", f"L(gate) {BA} U(gate)"),
    "a gate that is set up before": many(f"L(set_up) {AB} U(set_up)", f"L(set_up) {BA} U(set_up)"),
    "one after the other": many("L(b) U(b) L(a) U(a)", AB),
    "a join after the locks": many(AB, "L(b) x++; U(b)", "L(a) U(a) pthread_join(t, 0);"),
    "workers that wait for jobs": many(
        "for (;;) { L(a) while (!jobs) pthread_cond_wait(&k, &a); jobs--; L(b) x++; U(b) U(a) }",
        AB,
        "for (;;) { L(a) jobs++; pthread_cond_signal(&k); U(a) }",
    ),
    "one thread alone": ONCE,
}
UNPROVED = {
    "two orders": many(AB, BA),
    "a circle of three": many("L(a) L(b) U(b) U(a) L(b) L(c) U(c) U(b)", "L(c) L(a) U(a) U(c)"),
    "a gate for one of them": many(f"L(gate) {AB} U(gate)", BA),
    "a gate that is left too early": many(f"L(gate) {AB} U(gate)", "L(gate) L(b) U(gate) L(a) U(a) U(b)"),
    "a gate that others open": many(f"L(gate) {AB} U(gate)", f"L(gate) {BA} U(gate)", "U(gate)"),
    "a gate that is set up in use": many(
        f"L(gate) {AB} U(gate)", f"L(gate) {BA} U(gate) pthread_mutex_init(&gate, 0);"
    ),
    "taken twice": many("L(a) L(a) U(a) U(a)"),
    "kept": many("L(a) x++;"),
    "a join with a lock": many("L(a) U(a)", "x++;", "L(a) pthread_join(t, 0); U(a)"),
    "a wait with another lock": many("L(b) L(a) pthread_cond_wait(&k, &a); U(a) U(b)", AB),
    "a join of one that waits": many("L(a) pthread_cond_wait(&k, &a); U(a)", "x++;", "pthread_join(t, 0);"),
    "main ends before": many("L(a) pthread_cond_wait(&k, &a); U(a)", "x++;", "pthread_exit(0);"),
    "a lock that is overwritten": many(AB, AB, "a = b;"),
}


@pytest.mark.parametrize("case", SAFE)
def test_no_circle(tmp_path: Path, case: str) -> None:
    assert verdict(tmp_path, SAFE[case])[0] is Verdict.TRUE, verdict(tmp_path, SAFE[case])[1]


@pytest.mark.parametrize("case", UNPROVED)
def test_a_circle_or_what_is_not_covered(tmp_path: Path, case: str) -> None:
    assert verdict(tmp_path, UNPROVED[case])[0] is Verdict.UNKNOWN
