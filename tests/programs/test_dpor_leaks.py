"""Lost memory in the engine dpor: ends of the process are looked at, and where there are others nothing is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import dpor, explicit
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
BOTH = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(p);
  return 0;
}
"""
GIVEN_BACK = """
void *one(void *arg) {
  pthread_mutex_lock(&m); if (!p) p = malloc(4); pthread_mutex_unlock(&m); return 0; }
void *two(void *arg) { return one(arg); }
""" + BOTH  # fmt: skip
IN_ONE_ORDER = """
void *one(void *arg) { pthread_mutex_lock(&m); p = malloc(4); pthread_mutex_unlock(&m); return 0; }
void *two(void *arg) { pthread_mutex_lock(&m); p = 0; pthread_mutex_unlock(&m); return 0; }
""" + BOTH  # fmt: skip
ALWAYS = """
void *one(void *arg) { malloc(4); return 0; }
void *two(void *arg) { return 0; }
""" + BOTH  # fmt: skip
# The thread holds its block in a register while it cannot go on.
IN_A_DEADLOCK = """
void *one(void *arg) {
  pthread_mutex_lock(&m); pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
void *two(void *arg) {
  pthread_mutex_lock(&n); int *q = malloc(4); q = 0; pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }
""" + BOTH  # fmt: skip
# In the execution explored first the thread has finished when main returns; in others it has not freed yet.
NOT_JOINED = """
void *one(void *arg) { int *q = malloc(4); *q = 1; p = q; p = 0; free(q); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); return 0; }
"""
NOT_JOINED_BUT_KEPT = """
void *one(void *arg) { p = malloc(4); return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); return 0; }
"""
ENDED_BY_THE_LAST = """
void *one(void *arg) { free(p); return 0; }
int main(void) { pthread_t a; p = malloc(4); pthread_create(&a, 0, one, 0); pthread_exit(0); }
"""
LOST_BY_THE_LAST = """
void *one(void *arg) { p = 0; return 0; }
int main(void) { pthread_t a; p = malloc(4); pthread_create(&a, 0, one, 0); pthread_exit(0); }
"""
ABORTED_ALONE = """
int main(void) { int *q = malloc(4); if (!q) abort(); free(q); if (p) abort(); return 0; }
"""
NOTHING_TO_LOSE = """
int x;
void *one(void *arg) { x = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); return 0; }
"""
LOCAL_OF_MAIN = """
int main(void) { int *q = malloc(4); if (q) *q = 1; return 0; }
"""


def task(text: str, folder: Path) -> Task:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return Task(prepare([str(file)], Property.VALID_MEMSAFETY, FrontendOptions()), Property.VALID_MEMSAFETY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GIVEN_BACK, Safe),
        (IN_ONE_ORDER, Unsafe),
        (ALWAYS, Unsafe),
        (IN_A_DEADLOCK, Unsafe),
        (NOT_JOINED, Unknown),
        (NOT_JOINED_BUT_KEPT, Unknown),
        (ENDED_BY_THE_LAST, Safe),
        (LOST_BY_THE_LAST, Unsafe),
        (ABORTED_ALONE, Safe),
        (NOTHING_TO_LOSE, Safe),
        (LOCAL_OF_MAIN, Unsafe),
    ],
)
def test_lost_memory(tmp_path: Path, text: str, expected: type[Result]) -> None:
    asked = task(text, tmp_path)
    result = dpor.check(asked, Budget(), Silent())
    assert isinstance(result, expected), result
    if isinstance(result, Unsafe):
        replayed = replay_schedule(asked.program, asked.property, result.schedule)
        assert replayed is not None
    if not isinstance(result, Unknown):
        assert isinstance(explicit.check(asked, Budget(), Silent()), expected)
