"""Every function that is given a synchronisation object, on a block that is too small, freed, or null: undefined."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Choose, Moved, Outcome, UndefinedBehaviour

CALLS = """
pthread_mutex_init(p, 0) pthread_mutex_destroy(p) pthread_mutex_lock(p) pthread_mutex_trylock(p) pthread_mutex_unlock(p)
pthread_mutex_timedlock(p,&time) pthread_mutex_clocklock(p,0,&time) pthread_mutex_init(&m,p)
pthread_mutexattr_init(p) pthread_mutexattr_destroy(p) pthread_mutexattr_settype(p,0) pthread_mutexattr_gettype(p,&n)
pthread_rwlock_init(p,0) pthread_rwlock_destroy(p) pthread_rwlock_rdlock(p) pthread_rwlock_tryrdlock(p)
pthread_rwlock_timedrdlock(p,&time) pthread_rwlock_clockrdlock(p,0,&time) pthread_rwlock_wrlock(p)
pthread_rwlock_trywrlock(p) pthread_rwlock_timedwrlock(p,&time) pthread_rwlock_unlock(p)
pthread_spin_init(p,0) pthread_spin_destroy(p) pthread_spin_lock(p) pthread_spin_trylock(p) pthread_spin_unlock(p)
pthread_barrier_init(p,0,1) pthread_barrier_destroy(p) pthread_barrier_wait(p)
pthread_cond_init(p,0) pthread_cond_destroy(p) pthread_cond_signal(p) pthread_cond_broadcast(p)
pthread_cond_wait(p,&m) pthread_cond_timedwait(p,&m,&time) pthread_cond_clockwait(p,&m,0,&time)
pthread_cond_wait(&c,p) pthread_cond_timedwait(&c,p,&time) pthread_cond_timedwait(&c,&m,p)
sem_init(p,0,1) sem_destroy(p) sem_wait(p) sem_trywait(p) sem_timedwait(p,&time) sem_clockwait(p,0,&time) sem_post(p)
sem_getvalue(p,&n) sem_getvalue(&s,p)
pthread_once(p,once) pthread_key_create(p,0) pthread_create(p,0,start,0)
mtx_init(p,0) mtx_lock(p) mtx_trylock(p) mtx_timedlock(p,&time) mtx_unlock(p) mtx_destroy(p)
cnd_init(p) cnd_signal(p) cnd_broadcast(p) cnd_wait(p,&x) cnd_timedwait(p,&x,&time) cnd_destroy(p) cnd_wait(&d,p)
call_once(p,once) tss_create(p,0)
""".replace(", ", ",").split()

OPTIONAL = {"pthread_mutex_init(&m,p)"}  # null is the default

TEXT = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
unsigned char __VERIFIER_nondet_uchar(void);
pthread_mutex_t m; pthread_cond_t c; sem_t s; mtx_t x; cnd_t d;
void once(void) {{}}
void *start(void *arg) {{ return 0; }}
int main(void) {{
    struct timespec time = {{ 1, 0 }};
    int n;
    void *p{set};
    pthread_mutex_lock(&m); mtx_lock(&x);
    switch (__VERIFIER_nondet_uchar()) {{
    {cases}
    }}
    return 0;
}}
"""
SET = {"too small": " = malloc(1)", "freed": " = malloc(64); free(p)", "null": " = 0"}


@pytest.mark.parametrize("block", SET)
def test_undefined(block: str, tmp_path: Path) -> None:
    cases = "\n    ".join(f"case {number}: {call}; break;" for number, call in enumerate(CALLS))
    (tmp_path / "main.c").write_text(TEXT.format(set=SET[block], cases=cases), encoding="utf-8")
    program = prepare([str(tmp_path / "main.c")], Property.VALID_MEMSAFETY, FrontendOptions())
    expected = [call for call in CALLS if not (block == "null" and call in OPTIONAL)]
    found = [call for number, call in enumerate(CALLS) if isinstance(_end(program, number), UndefinedBehaviour)]
    assert found == expected


def _end(program: Program, number: int) -> Outcome:
    """How main ends that makes this choice."""
    machine = Machine(program)
    state, choices = machine.initial(), ()
    while True:
        outcome = machine.step(state, 0, choices)
        match outcome:
            case Choose(high=high):
                choices = (*choices, number if high == 255 else 0)
            case Moved():
                state, choices = outcome.state, ()
            case _:
                return outcome
