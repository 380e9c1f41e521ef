"""Which programs cannot tell their threads apart."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from threadproof.analysis.footprints.futures import futures
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import normalise

HEAD = """#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, locks[2]; pthread_t shared; sem_t s; int x;
"""


def symmetric(routine: str, main: str = "", before: str = "") -> bool:
    text = f"""{HEAD}{before}
void *f(void *p) {{ {routine} return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); {main} pthread_exit(0); }}
"""
    return of(text)


def of(text: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(text, encoding="utf-8")
        found = futures(normalise(load([str(path)], FrontendOptions())))
    assert found is not None
    return found.symmetric


@pytest.mark.parametrize(
    "routine",
    [
        "x++;",
        "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
        "if (!pthread_mutex_trylock(&m)) { pthread_mutex_unlock(&m); } pthread_mutex_lock(&m);",
        "sem_wait(&s); x = 1; sem_post(&s);",
    ],
)
def test_alike(routine: str) -> None:
    assert symmetric(routine)


@pytest.mark.parametrize(
    "routine",
    [
        "x = (int)pthread_self();",
        "pthread_detach(pthread_self());",
        "x = (int)shared;",
        "x = (int)__atomic_exchange_n(&shared, 0, 5);",
        "pthread_mutex_lock(&locks[x]);",
        "if (!pthread_mutex_trylock(&m)) x = *(int *)&m;",
        "pthread_mutex_lock(&m); x = ((int *)&m)[x];",
        "pthread_t u; if (x < 2) pthread_create(&u, 0, f, 0);",
        "static __thread int own; own++; x = own;",
        "int a[2]; a[x & 1] = 1; x = a[0];",
    ],
)
def test_told_apart(routine: str) -> None:
    assert not symmetric(routine, "pthread_create(&shared, 0, f, 0);", "void *f(void *);")


def test_joined_threads_are_told_apart() -> None:
    assert not symmetric("x++;", "pthread_join(t, 0);")


def test_nothing_to_permute() -> None:
    """Threads that run different routines are never each other's permutation."""
    program = f"""{HEAD}
void *f(void *p) {{ x++; return 0; }}
void *g(void *p) {{ x--; return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_exit(0); }}
"""
    assert not of(program)
    assert of(program.replace("0, g, 0", "0, f, 0"))
