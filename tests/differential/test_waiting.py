"""Loops that wait on condition variables end where waits may end spuriously, and nothing is lost by that."""

from __future__ import annotations

import pytest
from native_reductions import compare_native
from reductions import compare_reductions
from waiting import waiting_program

from threadproof.semantics.run import Spurious

# A thread stops with the mutex, the other waits for it, main sleeps: what is given up there has races too.
GIVEN_UP = """
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int x, y;
void *one(void *arg) {
    pthread_mutex_lock(&m); while (y == 0) pthread_cond_wait(&cv, &m); y = 1; pthread_mutex_unlock(&m); return 0; }
void *two(void *arg) {
    pthread_mutex_lock(&m); while (y == 1) pthread_cond_wait(&cv, &m); pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); y = 0; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    if (x == 1 && y == 0) reach_error();
    return x + y;
}
"""


def test_source_sets_of_executions_given_up() -> None:
    found = compare_native(GIVEN_UP, Spurious.ON)
    assert not found.differences
    assert not found.too_large


@pytest.mark.parametrize("seed", range(16))
def test_same_traces_ends_and_verdicts(seed: int) -> None:
    source = waiting_program(seed)
    found = compare_native(source, Spurious.ON, limit=600)
    if found.too_large:
        pytest.skip("too many interleavings")
    found.differences += compare_reductions(source, Spurious.ON, limit=600).differences
    assert not found.differences, "\n".join([*found.differences, source])
