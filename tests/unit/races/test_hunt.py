"""Hunting: races that need a certain order, input or number of threads are found, replay, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Unknown, Unsafe, Verdict
from threadproof.engines import races
from threadproof.engines.races.hunt import Hunt
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

HEAD = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u;
int x, left;
"""
RACY = {
    "two writers": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { pthread_create(&t, 0, f, 0); x = 2; return 0; }""",
    "main creates for ever": """
        void *f(void *a) { x++; return 0; }
        int main(void) { while (1) pthread_create(&t, 0, f, 0); }""",
    "only for one input": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); pthread_create(&t, 0, f, 0);
          if (n == 77) x = 2; pthread_join(t, 0); return 0; }""",
    "an atomic block against a plain access": """
        void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
        int main(void) { pthread_create(&t, 0, f, 0); return x; }""",
    "a counter that stands for joins, counted down too early": """
        void *f(void *a) { pthread_mutex_lock(&m); left--; pthread_mutex_unlock(&m); x = 1; return 0; }
        int main(void) { left = 2; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
          while (1) { pthread_mutex_lock(&m); int done = !left; pthread_mutex_unlock(&m); if (done) break; }
          return x; }""",
    "threads that cannot be written out": """
        int sum(int n) { return n ? x + sum(n - 1) : 0; }
        void *f(void *a) { sum(3); return 0; }
        int main(void) { pthread_create(&t, 0, f, 0); x = 1; return 0; }""",
}
FREE = {
    "recursion under a lock": """
        int sum(int n) { return n ? x + sum(n - 1) : 0; }
        void *f(void *a) { pthread_mutex_lock(&m); sum(3); pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);
          return 0; }""",
    "ordered by a value": """
        void *f(void *a) { x = 1; pthread_mutex_lock(&m); left -= 3; pthread_mutex_unlock(&m); return 0; }
        int main(void) { left = 3; pthread_create(&t, 0, f, 0);
          while (1) { pthread_mutex_lock(&m); int done = left < 2; pthread_mutex_unlock(&m); if (done) break; }
          return x; }""",
}


def program(tmp_path: Path, text: str) -> Program:
    source = tmp_path / "main.c"
    source.write_text(HEAD + text, encoding="utf-8")
    return prepare([str(source)], Property.NO_DATA_RACE, FrontendOptions())


@pytest.mark.parametrize("name", RACY)
def test_is_found_and_replays(name: str, tmp_path: Path) -> None:
    found, budget = program(tmp_path, RACY[name]), Budget(900)
    result = races.check(Task(found, Property.NO_DATA_RACE), budget, Silent())
    assert isinstance(result, Unsafe), result
    assert judge(found, Property.NO_DATA_RACE, "races", result, budget).verdict is Verdict.FALSE


@pytest.mark.parametrize("name", FREE)
def test_is_not_found(name: str, tmp_path: Path, counted_time: Callable[[float], None]) -> None:
    found = program(tmp_path, FREE[name])
    counted_time(5000)
    result = races.check(Task(found, Property.NO_DATA_RACE), Budget(2), Silent())
    assert isinstance(result, Unknown), result
    assert result.stats["runs"] > 0


def test_runs_are_those_of_the_seed(tmp_path: Path) -> None:
    found = program(tmp_path, RACY["main creates for ever"])
    schedules = {Hunt(found, (), seed).find(Budget(900)) for seed in (1, 1, 2)}
    assert None not in schedules
    assert len(schedules) == 2
