"""Random programs whose threads take locks, in any order and nesting, wait on conditions and join."""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
extern int __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t k = PTHREAD_COND_INITIALIZER;
struct timespec soon = {1, 0};
int x, go;
"""
AGAIN = ("pthread_rwlock_tryrdlock(&r);", "if (!pthread_rwlock_tryrdlock(&r)) pthread_rwlock_unlock(&r);")
TAKE = {name: f"pthread_mutex_lock(&{name});" for name in "abc"} | {"r": "pthread_rwlock_wrlock(&r);"}
GIVE = {name: f"pthread_mutex_unlock(&{name});" for name in "abc"} | {"r": "pthread_rwlock_unlock(&r);"}


def lock_program(seed: int) -> str:
    rng = Random(f"locks {seed}")
    kinds = rng.choice((1, 2, 2))
    text = HEAD + "".join(f"void *t{n}(void *arg) {{\n{_body(rng)}return 0;\n}}\n" for n in range(kinds))
    text += "int main(void) {\npthread_t h[4];\n"
    created = 0
    for n in range(kinds):
        times = rng.choice((1, 1, 2))
        text += f"for (int i = 0; i < {times}; i++) pthread_create(&h[{created} + i], 0, t{n}, 0);\n"
        created += times
    inside = rng.random() < 0.15
    text += _body(rng) if rng.random() < 0.5 else ""
    text += TAKE["a"] + "\n" if inside else ""
    if rng.random() < 0.5:
        text += f"for (int i = 0; i < {created}; i++) pthread_join(h[i], 0);\n"
    text += GIVE["a"] + "\n" if inside else ""
    return text + ("pthread_exit(0);\n" if rng.random() < 0.1 else "") + "return 0;\n}\n"


def _body(rng: Random) -> str:
    """Locks in the order of their names in most programs, so that some have no deadlock."""
    text, ordered = "", rng.random() < 0.6
    for _ in range(rng.choice((1, 1, 2))):
        names = rng.sample("abcr", rng.choice((1, 2, 2, 3)))
        names = sorted(names) if ordered else names
        gate = rng.random() < 0.2
        lines = ["pthread_mutex_lock(&c);"] * gate + [_taken(rng, name) for name in names if not gate or name != "c"]
        inner = "x++;\n" if rng.random() < 0.8 else _wait(rng, names)
        given = [GIVE[name] for name in reversed(names) if not gate or name != "c"] + [
            "pthread_mutex_unlock(&c);"
        ] * gate
        if rng.random() < 0.07:
            given = given[1:]
        if rng.random() < 0.1:
            given.reverse()
        text += "\n".join(lines) + "\n" + inner + "\n".join(given) + "\n"
    return f"while (__VERIFIER_nondet_bool()) {{\n{text}}}\n" if rng.random() < 0.2 else text


def _taken(rng: Random, name: str) -> str:
    if name == "r" and rng.random() < 0.5:
        again = rng.random() < 0.3
        return "pthread_rwlock_rdlock(&r);" + rng.choice(AGAIN) * again
    if name != "r" and rng.random() < 0.1:
        return f"if (pthread_mutex_trylock(&{name})) return 0;"
    return TAKE[name]


def _wait(rng: Random, names: list[str]) -> str:
    mutexes = [name for name in names if name != "r"]
    if not mutexes or rng.random() < 0.5:
        return "go = 1; pthread_cond_signal(&k);\n"
    late = rng.random() < 0.2
    return f"if (!go) pthread_cond_{'timed' * late}wait(&k, &{mutexes[0]}{', &soon' * late});\n"
