"""Mutexes, read-write locks, spin locks, barriers, condition variables, semaphores: what one thread sees of them."""

from __future__ import annotations

import random

from library_case import Case
from library_values import attacked, hangs, safe, spread

KINDS = ("PTHREAD_MUTEX_NORMAL", "PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_DEFAULT")
MUTEX = "pthread_mutex_t m; pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, $k); pthread_mutex_init(&m, &a);"
PAST = "struct timespec t = {1, 0};"
WRONG_TIMES = ("{1, -1}", "{1, 1000000000}", "{9999999999, 2000000000}")

# Calls with good pointers; each is tried with bad ones.
OBJECTS = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutexattr_t ma; pthread_mutexattr_init(&ma); int n; " \
          "pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; pthread_spinlock_t s; pthread_spin_init(&s, 0); " \
          "pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t e; sem_init(&e, 0, 1); pthread_barrier_t b; " \
          "pthread_barrier_init(&b, 0, 1); pthread_condattr_t ca; pthread_condattr_init(&ca); pthread_rwlockattr_t wa; " \
          "pthread_rwlockattr_init(&wa); pthread_barrierattr_t ba; pthread_barrierattr_init(&ba);"  # fmt: skip
CALLS = {
    "pthread_mutex_init": ("&m", "&ma"), "pthread_mutex_destroy": ("&m",), "pthread_mutex_lock": ("&m",),
    "pthread_mutex_trylock": ("&m",), "pthread_mutex_unlock": ("&m",), "pthread_mutexattr_init": ("&ma",),
    "pthread_mutexattr_destroy": ("&ma",), "pthread_mutexattr_settype": ("&ma", "1"),
    "pthread_mutexattr_gettype": ("&ma", "&n"), "pthread_mutexattr_setpshared": ("&ma", "0"),
    "pthread_mutexattr_setprotocol": ("&ma", "0"), "pthread_mutexattr_setrobust": ("&ma", "0"),
    "pthread_mutexattr_getrobust": ("&ma", "&n"), "pthread_mutexattr_getpshared": ("&ma", "&n"),
    "pthread_rwlock_init": ("&w", "&wa"), "pthread_rwlock_destroy": ("&w",), "pthread_rwlock_rdlock": ("&w",),
    "pthread_rwlock_tryrdlock": ("&w",), "pthread_rwlock_wrlock": ("&w",), "pthread_rwlock_trywrlock": ("&w",),
    "pthread_rwlock_unlock": ("&w",), "pthread_rwlockattr_init": ("&wa",), "pthread_rwlockattr_setpshared": ("&wa", "0"),
    "pthread_spin_init": ("&s", "0"), "pthread_spin_destroy": ("&s",), "pthread_spin_lock": ("&s",),
    "pthread_spin_trylock": ("&s",), "pthread_spin_unlock": ("&s",), "pthread_cond_init": ("&c", "&ca"),
    "pthread_cond_destroy": ("&c",), "pthread_cond_signal": ("&c",), "pthread_cond_broadcast": ("&c",),
    "pthread_condattr_init": ("&ca",), "pthread_condattr_destroy": ("&ca",), "pthread_condattr_setclock": ("&ca", "0"),
    "sem_init": ("&e", "0", "1"), "sem_destroy": ("&e",), "sem_wait": ("&e",), "sem_trywait": ("&e",), "sem_post": ("&e",),
    "sem_getvalue": ("&e", "&n"), "pthread_barrier_init": ("&b", "&ba", "1"), "pthread_barrier_destroy": ("&b",),
    "pthread_barrier_wait": ("&b",), "pthread_barrierattr_init": ("&ba",), "pthread_barrierattr_setpshared": ("&ba", "0"),
}  # fmt: skip


def cases(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    for name, arguments in CALLS.items():
        found += attacked(name, OBJECTS, arguments, [at for at, text in enumerate(arguments) if text.startswith("&")])
    return found + _mutexes(rng) + _rwlocks() + _others(rng) + _attributes(rng)


def _mutexes(rng: random.Random) -> list[Case]:
    found = spread(
        rng, "pthread_mutex_init", MUTEX + " obs(pthread_mutex_init(&m, &a)); obs(pthread_mutex_init(&m, 0));", k=KINDS
    )
    ended = "obs(pthread_mutex_unlock(&m));"
    for name in ("pthread_mutex_lock", "pthread_mutex_trylock"):
        found += spread(rng, name, f"{MUTEX} obs({name}(&m)); {ended}", k=KINDS)
    found += spread(
        rng,
        "pthread_mutex_trylock",
        f"{MUTEX} pthread_mutex_lock(&m); obs(pthread_mutex_trylock(&m)); {ended}",
        k=KINDS,
    )
    twice = f"{MUTEX} obs(pthread_mutex_lock(&m)); obs(pthread_mutex_lock(&m)); {ended} {ended} {ended}"
    found += spread(rng, "pthread_mutex_lock", twice, k=KINDS[1:3])
    found += hangs(
        "pthread_mutex_lock",
        *(f"{MUTEX} pthread_mutex_lock(&m); pthread_mutex_lock(&m);".replace("$k", k) for k in (KINDS[0], KINDS[3])),
    )
    found += spread(rng, "pthread_mutex_unlock", f"{MUTEX} {ended}", k=KINDS[1:3])
    found += spread(rng, "pthread_mutex_destroy", MUTEX + " obs(pthread_mutex_destroy(&m));", k=KINDS)
    found += spread(
        rng,
        "pthread_mutex_destroy",
        MUTEX + f" pthread_mutex_lock(&m); obs(pthread_mutex_destroy(&m)); {ended}",
        k=KINDS,
    )
    for name, clock in (("pthread_mutex_timedlock", ""), ("pthread_mutex_clocklock", "CLOCK_REALTIME, ")):
        call = f"{name}(&m, {clock}&t)"
        found += spread(rng, name, f"{MUTEX} {PAST} obs({call}); {ended}", k=KINDS)
        found += spread(rng, name, f"{MUTEX} {PAST} pthread_mutex_lock(&m); obs({call}); {ended}", k=KINDS)
        found += spread(rng, name, f"{MUTEX} struct timespec t = $t; obs({call}); {ended}", 4, k=KINDS, t=WRONG_TIMES)
        found += spread(
            rng,
            name,
            f"{MUTEX} struct timespec t = $t; pthread_mutex_lock(&m); obs({call}); {ended}",
            6,
            k=KINDS,
            t=WRONG_TIMES,
        )
        found += attacked(name, f"{OBJECTS} {PAST} pthread_mutex_lock(&m);", ("&m", *([clock[:-2]] if clock else []), "&t"),
                          (0, 2 if clock else 1))  # fmt: skip
    static = "pthread_mutex_t m = $i; obs(pthread_mutex_lock(&m)); obs(pthread_mutex_trylock(&m)); obs(pthread_mutex_unlock(&m));"
    kinds = (
        "PTHREAD_MUTEX_INITIALIZER",
        "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
        "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    )
    return found + spread(rng, "pthread_mutex_lock", static, i=kinds)


def _rwlocks() -> list[Case]:
    lock = "pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; struct timespec t = {1, 0};"
    rd, wr = "pthread_rwlock_rdlock(&w);", "pthread_rwlock_wrlock(&w);"
    found: list[Case] = []
    timed = {"pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock"}
    waits = {"pthread_rwlock_wrlock": (rd,)}
    for name in ("rdlock", "wrlock", "tryrdlock", "trywrlock", "timedrdlock", "timedwrlock"):
        name = f"pthread_rwlock_{name}"
        call = f"{name}(&w{', &t' if name in timed else ''})"
        for before in ("", rd, wr, rd + rd):
            made = hangs if before[: len(rd)] in waits.get(name, ()) and before else safe
            found += made(name, f"{lock} {before} obs({call}); obs(pthread_rwlock_unlock(&w));")
    for name in sorted(timed):
        found += safe(
            name, *(f"{lock} t = (struct timespec){t}; {b} obs({name}(&w, &t));" for t in WRONG_TIMES for b in ("", wr))
        )
        found += attacked(name, f"{lock} {wr}", ("&w", "&t"), (0, 1))
    found += safe(
        "pthread_rwlock_init", "pthread_rwlock_t w; obs(pthread_rwlock_init(&w, 0)); obs(pthread_rwlock_destroy(&w));"
    )
    found += safe("pthread_rwlock_unlock", f"{lock} {rd} {rd} obs(pthread_rwlock_unlock(&w)); obs(pthread_rwlock_trywrlock(&w)); "
                  "obs(pthread_rwlock_unlock(&w)); obs(pthread_rwlock_trywrlock(&w));")  # fmt: skip
    for name in ("pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock"):
        found += safe(name, *(f"{lock} {before} obs({name}(&w, CLOCK_REALTIME, &t));" for before in ("", wr)))
    return found


def _others(rng: random.Random) -> list[Case]:
    spin = "pthread_spinlock_t s; obs(pthread_spin_init(&s, 0));"
    found = safe("pthread_spin_init", f"{spin} obs(pthread_spin_destroy(&s));")
    found += safe(
        "pthread_spin_lock",
        f"{spin} obs(pthread_spin_lock(&s)); obs(pthread_spin_trylock(&s)); obs(pthread_spin_unlock(&s));",
    )
    found += safe("pthread_spin_trylock", f"{spin} obs(pthread_spin_trylock(&s)); obs(pthread_spin_trylock(&s)); obs(pthread_spin_unlock(&s)); "
                  "obs(pthread_spin_trylock(&s));")  # fmt: skip
    found += spread(
        rng,
        "pthread_barrier_init",
        "pthread_barrier_t b; obs(pthread_barrier_init(&b, 0, $n));",
        n=(0, 1, 2, 2147483647, "2147483648u", "-1"),
    )
    found += safe(
        "pthread_barrier_wait",
        "pthread_barrier_t b; pthread_barrier_init(&b, 0, 1); obs(pthread_barrier_wait(&b)); obs(pthread_barrier_wait(&b));",
    )
    found += safe(
        "pthread_barrier_destroy",
        "pthread_barrier_t b; pthread_barrier_init(&b, 0, 2); obs(pthread_barrier_destroy(&b));",
    )
    found += hangs(
        "pthread_barrier_wait", "pthread_barrier_t b; pthread_barrier_init(&b, 0, 2); pthread_barrier_wait(&b);"
    )
    cond = "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct timespec t = {1, 0};"
    check = "pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec t = {1, 0};"
    found += safe(
        "pthread_cond_signal",
        f"{cond} obs(pthread_cond_signal(&c)); obs(pthread_cond_broadcast(&c)); obs(pthread_cond_destroy(&c));",
    )
    found += safe("pthread_cond_init", "pthread_cond_t c; obs(pthread_cond_init(&c, 0)); obs(pthread_cond_signal(&c));")
    found += hangs("pthread_cond_wait", f"{cond} pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
                   f"{cond} pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_cond_wait(&c, &m);")  # fmt: skip
    found += safe("pthread_cond_wait", f"{check} obs(pthread_cond_wait(&c, &m));")
    for name, clock in (("pthread_cond_timedwait", ""), ("pthread_cond_clockwait", "CLOCK_REALTIME, ")):
        call = f"{name}(&c, &m, {clock}&t)"
        # A spurious wake-up is allowed where a time-out is seen.
        found += safe(name, f"{cond} pthread_mutex_lock(&m); obs({call}); obs(pthread_mutex_unlock(&m));", among=True)
        found += safe(name, f"{check} obs({call});")
        found += safe(
            name, *(f"{cond} t = (struct timespec){t}; pthread_mutex_lock(&m); obs({call});" for t in WRONG_TIMES[:2])
        )
        found += attacked(
            name,
            f"{cond} pthread_mutex_lock(&m);",
            ("&c", "&m", *([clock[:-2]] if clock else []), "&t"),
            (0, 1, 3 if clock else 2),
        )
    return found + _semaphores(rng)


def _semaphores(rng: random.Random) -> list[Case]:
    show = "int v = -7; obs(sem_getvalue(&e, &v)); obs(v);"
    found = spread(rng, "sem_init", f"sem_t e; errno = 0; int r = sem_init(&e, 0, $n); obs(r); obs(errno); if (!r) {{ {show} }}",
                   n=(0, 1, 5, 2147483647, "2147483648u", "-1"))  # fmt: skip
    found += spread(
        rng,
        "sem_post",
        f"sem_t e; sem_init(&e, 0, $n); errno = 0; obs(sem_post(&e)); obs(errno); {show}",
        n=(0, 1, 2147483646, 2147483647),
    )
    found += spread(rng, "sem_wait", f"sem_t e; sem_init(&e, 0, $n); obs(sem_wait(&e)); {show}", n=(1, 2, 2147483647))
    found += hangs("sem_wait", "sem_t e; sem_init(&e, 0, 0); sem_wait(&e);")
    found += spread(
        rng,
        "sem_trywait",
        f"sem_t e; sem_init(&e, 0, $n); errno = 0; obs(sem_trywait(&e)); obs(errno); {show}",
        n=(0, 1, 2),
    )
    timed = "sem_t e; sem_init(&e, 0, $n); struct timespec t = $t; errno = 0; obs(sem_timedwait(&e, &t)); obs(errno); "
    found += spread(rng, "sem_timedwait", timed + show, n=(0, 1), t=("{1, 0}", *WRONG_TIMES))
    found += attacked("sem_timedwait", "struct timespec t = {1, 0}; sem_t e; sem_init(&e, 0, 0);", ("&e", "&t"), (0, 1))
    found += spread(
        rng,
        "sem_clockwait",
        timed.replace("sem_timedwait(&e", "sem_clockwait(&e, CLOCK_REALTIME") + show,
        n=(0, 1),
        t=("{1, 0}",),
    )
    found += safe("sem_destroy", "sem_t e; sem_init(&e, 0, 3); obs(sem_destroy(&e));")
    return found + safe("sem_getvalue", f"sem_t e; sem_init(&e, 0, 3); {{ {show} }} sem_post(&e); {show}")


def _attributes(rng: random.Random) -> list[Case]:
    """(family, get and set, values): what is set is what one gets; what cannot be set is refused."""
    numbers = (0, 1, 2, 3, 4, 55, -1)
    names = {
        "mutexattr": ("type", "pshared", "protocol", "robust"), "rwlockattr": ("pshared", "kind_np"),
        "condattr": ("pshared", "clock"), "barrierattr": ("pshared",),
    }  # fmt: skip
    found: list[Case] = []
    for group, settings in names.items():
        first = f"pthread_{group}_t a; obs(pthread_{group}_init(&a)); int v = -7;"
        found += safe(f"pthread_{group}_init", first)
        found += safe(f"pthread_{group}_destroy", f"{first} obs(pthread_{group}_destroy(&a));")
        for setting in settings:
            get, put = f"pthread_{group}_get{setting}", f"pthread_{group}_set{setting}"
            found += safe(get, f"{first} obs({get}(&a, &v)); obs(v);")
            found += spread(rng, put, f"{first} obs({put}(&a, $n)); obs({get}(&a, &v)); obs(v);", n=numbers)
    return found
