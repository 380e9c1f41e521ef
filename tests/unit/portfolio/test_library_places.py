"""Reasons that lie inside our C library name the function and the program's own call."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify

WAITS = """
#include <pthread.h>
#include <time.h>
pthread_mutex_t m; pthread_cond_t c; int ready;
void *first(void *p) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  pthread_mutex_lock(&m);
  while (!ready && !pthread_cond_timedwait(&c, &m, &t));
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t a; pthread_create(&a, 0, first, 0); pthread_join(a, 0); }
"""


@pytest.mark.parametrize("engine", ["explicit", "deadlocks"])
def test_no_line_of_the_library(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "main.c"
    file.write_text(WAITS, encoding="utf-8")
    (answer,) = verify(str(file), ["no-deadlock"], engine=engine, timeout=60)
    assert answer.reason
    assert "<runtime>" not in answer.reason
    assert " at ?" not in answer.reason
    if engine == "explicit":
        assert f"in clock_gettime, called at {file}:7)" in answer.reason
