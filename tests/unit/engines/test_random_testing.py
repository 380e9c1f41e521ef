"""Random testing: what each scheduler is strong at; schedules replay, time is kept, nothing is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Observer, Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Result, Unknown, Unsafe, Verdict
from threadproof.core.schedule import Schedule
from threadproof.engines.random import check
from threadproof.engines.random.strategies import Strategy
from threadproof.engines.random.testing import RandomTesting
from threadproof.engines.task import Task
from threadproof.evidence.replay import Sought, replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare
from threadproof.report.terminal import earned

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
"""
LOST_UPDATE = """
int x;
void *add(void *arg) { int seen = x; x = seen + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == 1) reach_error();
  return 0;
}
"""
# The second thread must make all its steps before the first makes one: 2^-80 for one who chooses at every step.
ORDER = """
int x, started;
void *early(void *arg) { started = 1; return 0; }
void *late(void *arg) { for (int i = 0; i < 80; i++) x++; if (!started) reach_error(); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, early, 0);
  pthread_create(&b, 0, late, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
# Each thread moves the other's next step forward: more context switches than PCT's depth has changes.
ALTERNATION = """
int x;
void *even(void *arg) { for (int i = 0; i < 4; i++) { int v = x; if (v == 2 * i) x = v + 1; } return 0; }
void *odd(void *arg) { for (int i = 0; i < 4; i++) { int v = x; if (v == 2 * i + 1) x = v + 1; } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, even, 0);
  pthread_create(&b, 0, odd, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x == 8) reach_error();
  return 0;
}
"""
# A short thread beside a long one: each of its three steps must fall into its third of the long one's.
SPREAD = """
int x, seen;
void *longer(void *arg) { for (int i = 0; i < 90; i++) x++; return 0; }
void *shorter(void *arg) {
  int a = x, b = x, c = x;
  if (a > 20 && a < 30 && b > 40 && b < 50 && c > 60 && c < 70) reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, longer, 0);
  pthread_create(&b, 0, shorter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
SPINNING = """
int go;
void *wait(void *arg) { while (!go) { } reach_error(); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, wait, 0);
  go = 1;
  pthread_join(a, 0);
  return 0;
}
"""
WITHOUT_END = """
int x;
void *add(void *arg) { x++; return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, add, 0); }
"""
CREATES_FOR_EVER = """
int x;
void *add(void *arg) { int seen = x; x = seen + 1; if (x != seen + 1) reach_error(); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, add, 0); }
"""
MANY_THREADS = """
int x;
void *add(void *arg) { x++; return 0; }
int main(void) {
  pthread_t t[40];
  for (int i = 0; i < 40; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 40; i++) pthread_join(t[i], 0);
  if (x < 40) reach_error();
  return 0;
}
"""
CONSTANT = "int v; int main(void) { v = __VERIFIER_nondet_int(); if (v == 123457) reach_error(); return 0; }"
CASE = "int main(void) { int v = __VERIFIER_nondet_int(); if (v == 123457) reach_error(); return 0; }"
LARGE_UNSIGNED = """
unsigned long v;
int main(void) { v = __VERIFIER_nondet_ulong(); if (v > 0x9000000000000000ul) reach_error(); return 0; }
"""
ALLOCATES_ANYTHING = """
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1) abort();
  char *p = malloc(n);
  p[0] = 1;
  if (n == 7) reach_error();
  return 0;
}
"""
# Values of more than 64 bits are left to the reference semantics.
NOT_NATIVE = """
int x;
void *set(void *arg) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  unsigned __int128 wide = (unsigned __int128)x << 100;
  if (wide >> 99) reach_error();
  return 0;
}
"""
DEADLOCK = """
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return 0;
}
"""
LOST = """
#include <stdlib.h>
int *p;
void *other(void *arg) { p = 0; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, other, 0); p = malloc(4); pthread_join(t, 0); free(p); return 0; }
"""
LOST_WITHOUT_END = """
#include <stdlib.h>
int *p, x;
int main(void) { p = malloc(4); p = malloc(4); for (;;) x = !x; }
"""
FREED = """
int *p;
void *drop(void *arg) { free(p); return 0; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, drop, 0);
  *p = 1;
  pthread_join(t, 0);
  return 0;
}
"""
UNREACH = Property.UNREACH_CALL


def task(source: str, folder: Path, prop: Property = UNREACH, seed: int = 0) -> Task:
    path = folder / "main.c"
    path.write_text(HEAD + source, encoding="utf-8")
    return Task(prepare([str(path)], prop, FrontendOptions()), prop, seed)


class Rounds:
    """Watches, and lets time go by only in rounds of batches, so that it does not matter how fast the machine is."""

    made = 0

    def progress(self, what: str, **figures: float) -> None:
        self.made += 1


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    watching = Rounds()
    monkeypatch.setattr(budget, "clock", lambda: float(watching.made))
    return watching


def hit_by(
    asked: Task, strategy: Strategy, most: Budget | None = None, watching: Observer | None = None
) -> Schedule | None:
    testing = RandomTesting(asked, most or Budget(900), watching or Silent(), [strategy])
    return next((hit.schedule for hit in testing.hits()), None)


def require_replay(asked: Task, result: Result) -> Schedule:
    assert isinstance(result, Unsafe), result
    assert replay_schedule(asked.program, asked.property, result.schedule) is not None
    return result.schedule


def test_the_way_to_undefined_behaviour_is_kept(tmp_path: Path, rounds: Rounds) -> None:
    asked = task(FREED, tmp_path)
    result = check(asked, Budget(20), rounds)
    assert isinstance(result, Unknown)
    assert result.met is not None
    assert replay_schedule(asked.program, UNREACH, result.met, sought=Sought.UNDEFINED) is not None


@pytest.mark.parametrize("strategy", Strategy)
def test_every_strategy_finds_the_lost_update(strategy: Strategy, tmp_path: Path) -> None:
    asked = task(LOST_UPDATE, tmp_path)
    schedule = hit_by(asked, strategy)
    assert schedule is not None
    assert replay_schedule(asked.program, UNREACH, schedule) is not None


def test_pct_finds_what_needs_one_thread_held_back(tmp_path: Path, rounds: Rounds) -> None:
    asked = task(ORDER, tmp_path)
    assert hit_by(asked, Strategy.PCT) is not None
    assert hit_by(asked, Strategy.UNIFORM, Budget(30), rounds) is None


def test_uniform_finds_what_needs_many_switches(tmp_path: Path) -> None:
    assert hit_by(task(ALTERNATION, tmp_path), Strategy.UNIFORM) is not None


def test_the_walk_spreads_a_short_thread_over_a_long_one(tmp_path: Path) -> None:
    asked = task(SPREAD, tmp_path)
    assert hit_by(asked, Strategy.WALK) is not None


def test_pct_gets_out_of_a_loop_that_waits(tmp_path: Path) -> None:
    assert hit_by(task(SPINNING, tmp_path), Strategy.PCT) is not None


@pytest.mark.parametrize(
    "source",
    [MANY_THREADS, CREATES_FOR_EVER, CONSTANT, CASE, LARGE_UNSIGNED, ALLOCATES_ANYTHING, NOT_NATIVE],
    ids=["many threads", "creates for ever", "constant", "case", "large unsigned", "allocates anything", "not native"],
)
def test_hits_replay(source: str, tmp_path: Path) -> None:
    asked = task(source, tmp_path)
    require_replay(asked, check(asked, Budget(900), Silent()))


@pytest.mark.parametrize(
    ("source", "prop"),
    [
        (DEADLOCK, Property.NO_DEADLOCK),
        (FREED, Property.VALID_MEMSAFETY),
        (LOST, Property.VALID_MEMSAFETY),
        (LOST_WITHOUT_END, Property.VALID_MEMSAFETY),
        (LOST, Property.VALID_MEMCLEANUP),
    ],
    ids=["deadlock", "free", "lost", "lost without end", "left"],
)
def test_other_properties(source: str, prop: Property, tmp_path: Path) -> None:
    asked = task(source, tmp_path, prop)
    require_replay(asked, check(asked, Budget(900), Silent()))


def test_a_creator_that_waits_for_room_is_no_deadlock(tmp_path: Path, rounds: Rounds) -> None:
    asked = task(WITHOUT_END, tmp_path, Property.NO_DEADLOCK)
    assert isinstance(check(asked, Budget(10), rounds), Unknown)


def test_nothing_found_is_unknown_and_time_is_kept(tmp_path: Path, rounds: Rounds) -> None:
    asked = task(WITHOUT_END, tmp_path)
    result = check(asked, Budget(10), rounds)
    assert isinstance(result, Unknown)
    assert result.reason.startswith("time: no violation in ")
    assert all(f"{strategy.value} " in result.reason for strategy in Strategy)
    assert sum(result.stats[f"runs_{strategy.value}"] for strategy in Strategy) == result.stats["runs"]
    assert rounds.made == 10


def test_data_races_are_not_looked_for(tmp_path: Path) -> None:
    asked = task(LOST_UPDATE, tmp_path, Property.NO_DATA_RACE)
    assert isinstance(check(asked, Budget(5), Silent()), Unknown)


# Main must have created all threads, and one of them must be in the middle.
AFTER_THOUSANDS = """
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg) { x++; x--; return 0; }
int main(void) {
  for (int i = 0; i < 3000; i++) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_detach(t); }
  if (x > 0) reach_error();
  return 0;
}
"""


def test_an_error_after_thousands_of_creations(tmp_path: Path) -> None:
    asked = task(AFTER_THOUSANDS, tmp_path)
    result = check(asked, Budget(900), Silent())
    assert isinstance(result, Unsafe)
    assert len(result.schedule) > 6000
    assert replay_schedule(asked.program, asked.property, result.schedule) is not None


TWO_ORDERS = """
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#define BOTH(m, n) pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
void *f(void *arg) { BOTH(a, b) return 0; }
void *g(void *arg) { BOTH(b, a) return 0; }
int main(void) {
  pthread_t t[1500], u[1500];
  for (int i = 0; i < 1500; i++) { pthread_create(&t[i], 0, f, 0); pthread_create(&u[i], 0, g, 0); }
  for (int i = 0; i < 1500; i++) { pthread_join(t[i], 0); pthread_join(u[i], 0); }
  return 0;
}
"""


def test_thousands_of_threads_that_all_wait(tmp_path: Path) -> None:
    asked = task(TWO_ORDERS, tmp_path, Property.NO_DEADLOCK)
    result = check(asked, Budget(900), Silent())
    assert isinstance(result, Unsafe)
    assert len(result.schedule) > 3000
    assert replay_schedule(asked.program, asked.property, result.schedule) is not None


NO_BODY = """
int outside(void);
int x;
int main(void) { x = __VERIFIER_nondet_int(); %s outside(); if (x == 77) reach_error(); return 0; }
"""


@pytest.mark.parametrize("condition", ["", "if (x % 2)"])
def test_only_runs_that_end_count_as_tested(tmp_path: Path, rounds: Rounds, condition: str) -> None:
    source = NO_BODY.replace("%s", condition)
    file = tmp_path / "outside.c"
    file.write_text(HEAD + source, encoding="utf-8")
    asked = Task(prepare([str(file)], Property.UNREACH_CALL, FrontendOptions()), Property.UNREACH_CALL)
    result = check(asked, Budget(10), rounds)
    assert isinstance(result, Unknown)
    assert "of all random runs, " in result.reason
    assert " met something unsupported" in result.reason
    (line,) = earned(Answer(Property.UNREACH_CALL, Verdict.UNKNOWN, "random", stats=result.stats))
    if not condition:
        assert result.stats["tested"] == 0
        assert line.startswith("tested: nothing: of ")
    else:
        assert 0 < result.stats["tested"] < result.stats["runs_uniform"]
        assert line.startswith("tested: none of ")
        assert line.endswith(" others came to no end")


def test_runs_that_do_not_end_make_nothing_rare(tmp_path: Path) -> None:
    file = tmp_path / "outside.c"
    file.write_text(HEAD + NO_BODY.replace("%s", ""), encoding="utf-8")
    asked = Task(prepare([str(file)], Property.UNREACH_CALL, FrontendOptions()), Property.UNREACH_CALL)
    violating, ending, others = RandomTesting(asked, Budget(1), Silent(), (Strategy.UNIFORM,)).frequency()
    assert (violating, ending) == (0, 0)
    assert others > 0


@pytest.mark.parametrize("prop", [Property.VALID_MEMSAFETY, Property.VALID_MEMCLEANUP], ids=str)
def test_lost_and_left_blocks_count_when_rarity_is_told(prop: Property, tmp_path: Path) -> None:
    """They were not asked for there: a bound was told that said nothing."""
    asked = task(LOST, tmp_path, prop)
    violating, ending, _ = RandomTesting(asked, Budget(processor_s=3.0), Silent(), (Strategy.UNIFORM,)).frequency()
    assert 0 < violating < ending
