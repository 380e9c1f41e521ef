"""Threads, keys, cancellation, C11 threads: programs with one outcome whatever the schedule."""

from __future__ import annotations

import random

from library_case import Case, Kind
from library_values import attacked, hangs, safe, spread

GIVES = "static void *t@(void *p) { return p; }"
JOIN = "pthread_t h; int made = pthread_create(&h, 0, t@, {}); void *r = 0; obs(pthread_join(h, &r)); obs(made);"


def cases(rng: random.Random) -> list[Case]:
    return _threads(rng) + _keys() + _cancelled() + _attributes(rng) + _together() + _c11(rng)


def _threads(rng: random.Random) -> list[Case]:
    found = spread(rng, "pthread_create", JOIN.format("(void *)${n}l") + " obs((long)r);", top=GIVES, n=(0, 1, -1, 77))
    found += spread(
        rng,
        "pthread_exit",
        JOIN.format("(void *)${n}l") + " obs((long)r);",
        top="static void *t@(void *p) { pthread_exit(p); }",
        n=(0, 1, -1),
    )
    found += safe("pthread_join", "pthread_t h; pthread_create(&h, 0, t@, 0); obs(pthread_join(h, 0));", top=GIVES)
    found += safe("pthread_self", "obs(pthread_equal(pthread_self(), pthread_self()) != 0);")
    found += safe(
        "pthread_equal",
        "pthread_t h; pthread_create(&h, 0, t@, 0); obs(pthread_equal(h, pthread_self()) != 0); obs(pthread_equal(h, h) != 0); pthread_join(h, 0);",
        top=GIVES,
    )
    found += safe("pthread_join", "obs(pthread_join(pthread_self(), 0));")
    found += safe(
        "pthread_detach", "pthread_t h; pthread_create(&h, 0, t@, 0); obs(pthread_detach(h)); obs(1);", top=GIVES
    )
    found += safe("pthread_detach", "obs(pthread_detach(pthread_self())); obs(pthread_detach(pthread_self()));")
    waiting = "static sem_t go@; static void *t@(void *p) { sem_wait(&go@); return p; }"
    made = "sem_init(&go@, 0, 0); pthread_t h; pthread_create(&h, 0, t@, (void *)5); void *r = 0;"
    found += safe(
        "pthread_tryjoin_np",
        f"{made} obs(pthread_tryjoin_np(h, &r)); sem_post(&go@); obs(pthread_join(h, &r)); obs((long)r);",
        top=waiting,
    )
    found += safe(
        "pthread_timedjoin_np",
        f"{made} struct timespec t = {{1, 0}}; obs(pthread_timedjoin_np(h, &r, &t)); sem_post(&go@); obs(pthread_join(h, &r));",
        top=waiting,
    )
    found += hangs(
        "pthread_join",
        "pthread_t h; sem_init(&go@, 0, 0); pthread_create(&h, 0, t@, 0); pthread_join(h, 0);",
        top=waiting,
    )
    found += [Case("pthread_create", f"{bad} pthread_create({out}, {attr}, t@, 0);", GIVES, Kind.ASK)
              for bad in ("void *bad = 0;", "char *bad = malloc(64); memset(bad, 0, 64); free(bad);", "void *bad = malloc(1);")
              for out, attr in (("bad", "0"),)]  # fmt: skip
    found += [Case("pthread_join", f"pthread_t h; pthread_create(&h, 0, t@, 0); {bad} pthread_join(h, bad); obs(1);", GIVES, Kind.ASK)
              for bad in ("void *bad = 0;", "char *bad = malloc(64); memset(bad, 0, 64); free(bad);", "void *bad = malloc(1);")]  # fmt: skip
    once = "static pthread_once_t o@ = PTHREAD_ONCE_INIT; static int n@; static void f@(void) { n@++; } static void *t@(void *p) { pthread_once(&o@, f@); return p; }"
    found += safe("pthread_once", "obs(pthread_once(&o@, f@)); obs(pthread_once(&o@, f@)); obs(n@);",
                  "pthread_t h; pthread_create(&h, 0, t@, 0); pthread_once(&o@, f@); pthread_join(h, 0); obs(n@);", top=once)  # fmt: skip
    found += safe("sched_yield", "obs(sched_yield());")
    found += safe("pthread_yield", "obs(pthread_yield());")
    found += spread(
        rng,
        "pthread_setname_np",
        "obs(pthread_setname_np(pthread_self(), $s));",
        s=('"a"', '"123456789012345"', '"1234567890123456"', '""'),
    )
    found += safe("pthread_getname_np", 'char b[16]; obs(pthread_setname_np(pthread_self(), "abc")); obs(pthread_getname_np(pthread_self(), b, 16)); obs_text(b);',
                  "char b[8]; obs(pthread_getname_np(pthread_self(), b, 8));")  # fmt: skip
    found += attacked("pthread_setname_np", "", ("pthread_self()", "0"), (1,))
    found += spread(rng, "pthread_setconcurrency", "obs(pthread_setconcurrency($n));", n=(0, 3, -1))
    return found


def _keys() -> list[Case]:
    key = "pthread_key_t k; obs(pthread_key_create(&k, 0));"
    found = safe("pthread_key_create", f"{key} obs(pthread_getspecific(k) == 0);")
    found += safe("pthread_setspecific", f"{key} int x; obs(pthread_setspecific(k, &x)); obs(pthread_getspecific(k) == &x);",
                  "obs(pthread_setspecific(900, 0));", "int x; obs(pthread_setspecific(900, &x)); obs(pthread_setspecific(5000, &x));")  # fmt: skip
    found += safe("pthread_getspecific", "obs(pthread_getspecific(900) == 0); obs(pthread_getspecific(5000) == 0);",
                  f"{key} int x; pthread_setspecific(k, &x); pthread_key_delete(k); obs(pthread_getspecific(k) == 0);")  # fmt: skip
    found += safe(
        "pthread_key_delete",
        f"{key} obs(pthread_key_delete(k)); obs(pthread_key_delete(k)); obs(pthread_setspecific(k, 0));",
        "obs(pthread_key_delete(500)); obs(pthread_key_delete(5000));",
    )
    found += attacked("pthread_key_create", "", ("0", "0"), (0,))
    destroyed = "static pthread_key_t k@; static int n@; static void d@(void *p) { obs((long)p); if (n@++ < $n) pthread_setspecific(k@, p); } " \
                "static void *t@(void *p) { pthread_setspecific(k@, (void *)7); $e }"  # fmt: skip
    run = "pthread_key_create(&k@, d@); pthread_t h; pthread_create(&h, 0, t@, 0); pthread_join(h, 0); obs(n@);"
    return found + spread(
        random.Random(0),
        "pthread_key_create",
        run,
        top=destroyed,
        n=(0, 2, 9),
        e=("return 0;", "pthread_exit(0);", "pthread_setspecific(k@, 0); return 0;"),
    )


def _cancelled() -> list[Case]:
    found: list[Case] = []
    points = {
        "pthread_testcancel": "pthread_testcancel();", "sem_wait": "sem_t e; sem_init(&e, 0, 1); sem_wait(&e);", "usleep": "usleep(1);",
        "nanosleep": "struct timespec t = {0, 1}; nanosleep(&t, 0);", "sleep": "sleep(0);",
        "pthread_cond_wait": "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
        "pthread_mutex_lock": "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);",
        "sched_yield": "sched_yield();",
    }  # fmt: skip
    for point in points.values():
        top = f"static int at@; static void *t@(void *p) {{ pthread_cancel(pthread_self()); at@ = 1; {point} at@ = 2; return (void *)3; }}"
        found += safe("pthread_cancel", JOIN.format("0") + " obs(r == PTHREAD_CANCELED); obs(at@);", top=top)
    off = "static int at@; static void *t@(void *p) { int o; obs(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &o)); obs(o); pthread_cancel(pthread_self()); " \
          "pthread_testcancel(); at@ = 1; obs(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &o)); obs(o); pthread_testcancel(); at@ = 2; return 0; }"  # fmt: skip
    found += safe("pthread_setcancelstate", JOIN.format("0") + " obs(at@);", top=off)
    found += safe(
        "pthread_setcancelstate",
        "int o = -7; obs(pthread_setcancelstate(77, &o)); obs(o);",
        "obs(pthread_setcancelstate(0, 0));",
    )
    found += safe(
        "pthread_setcanceltype",
        "int o = -7; obs(pthread_setcanceltype(77, &o)); obs(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &o)); obs(o);",
    )
    found += safe("pthread_testcancel", "pthread_testcancel(); obs(1);")
    clean = "static void c@(void *p) { obs((long)p); } static void *t@(void *p) { pthread_cleanup_push(c@, (void *)1); pthread_cleanup_push(c@, (void *)2); $s " \
            "pthread_cleanup_pop($a); pthread_cleanup_pop($b); return 0; }"  # fmt: skip
    ways = ("pthread_exit(0);", "pthread_cancel(pthread_self()); pthread_testcancel();", ";")
    found += spread(random.Random(0), "pthread_cleanup_push", JOIN.format("0"), top=clean, s=ways, a=(0, 1), b=(0, 1))
    twice = "static pthread_once_t o@; static int n@; static void f@(void) { if (n@++ == 0) { pthread_cancel(pthread_self()); pthread_testcancel(); } } " \
            "static void *t@(void *p) { pthread_once(&o@, f@); return 0; }"  # fmt: skip
    return found + safe(
        "pthread_once",
        JOIN.format("0") + " obs(r == PTHREAD_CANCELED); obs(pthread_once(&o@, f@)); obs(n@);",
        top=twice,
    )


def _attributes(rng: random.Random) -> list[Case]:
    first = "pthread_attr_t a; obs(pthread_attr_init(&a)); int v = -7; size_t z = 0;"
    found = safe("pthread_attr_init", first)
    found += safe("pthread_attr_destroy", f"{first} obs(pthread_attr_destroy(&a));")
    for name in ("detachstate", "scope", "inheritsched", "schedpolicy"):
        get, put = f"pthread_attr_get{name}", f"pthread_attr_set{name}"
        found += safe(get, f"{first} obs({get}(&a, &v)); obs(v);")
        found += spread(rng, put, f"{first} obs({put}(&a, $n)); obs({get}(&a, &v)); obs(v);", n=(0, 1, 2, 3, 55, -1))
        found += attacked(put, first, ("&a", "0"), (0,)) + attacked(get, first, ("&a", "&v"), (0, 1))
    for name in ("stacksize", "guardsize"):
        get, put = f"pthread_attr_get{name}", f"pthread_attr_set{name}"
        found += spread(
            rng,
            put,
            f"{first} int e = {put}(&a, $n); obs(e); if (!e) {{ obs({get}(&a, &z)); obs(z); }}",
            n=(0, 1, 16383, 16384, 65536, 1048576),
        )
        found += attacked(get, first, ("&a", "&z"), (0, 1)) + attacked(put, first, ("&a", "65536"), (0,))
    found += attacked("pthread_attr_init", "", ("0",), (0,)) + attacked("pthread_attr_destroy", "", ("0",), (0,))
    detached = f"{first} pthread_attr_setdetachstate(&a, 1); pthread_t h; obs(pthread_create(&h, &a, t@, 0));"
    return found + safe("pthread_attr_setdetachstate", detached, top=GIVES)


def _together() -> list[Case]:
    """Two threads and a lock, a barrier, a semaphore, a condition."""
    tops = {
        "pthread_mutex_lock": ("static pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; static int x@;", "pthread_mutex_lock(&m@); x@ += 2; pthread_mutex_unlock(&m@);", "obs(x@);"),
        "pthread_spin_lock": ("static pthread_spinlock_t m@; static int x@;", "pthread_spin_lock(&m@); x@ += 2; pthread_spin_unlock(&m@);", "obs(x@);"),
        "pthread_rwlock_wrlock": ("static pthread_rwlock_t m@ = PTHREAD_RWLOCK_INITIALIZER; static int x@;", "pthread_rwlock_wrlock(&m@); x@ += 2; pthread_rwlock_unlock(&m@);", "obs(x@);"),
        "pthread_barrier_wait": ("static pthread_barrier_t b@; static _Atomic int x@;", "if (pthread_barrier_wait(&b@) == PTHREAD_BARRIER_SERIAL_THREAD) x@++;", "obs(x@);"),
        "sem_post": ("static sem_t e@; static int x@;", "sem_post(&e@);", "sem_wait(&e@); sem_wait(&e@); obs(sem_trywait(&e@));"),
        "pthread_cond_wait": ("static pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c@ = PTHREAD_COND_INITIALIZER; static int x@;",
                              "pthread_mutex_lock(&m@); if (++x@ == 2) pthread_cond_broadcast(&c@); else while (x@ < 2) pthread_cond_wait(&c@, &m@); pthread_mutex_unlock(&m@);", "obs(x@);"),
        "pthread_cond_signal": ("static pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c@ = PTHREAD_COND_INITIALIZER; static int x@;",
                                "pthread_mutex_lock(&m@); if (++x@ == 2) pthread_cond_signal(&c@); else while (x@ < 2) pthread_cond_wait(&c@, &m@); pthread_mutex_unlock(&m@);", "obs(x@);"),
    }  # fmt: skip
    found: list[Case] = []
    for name, (top, inside, after) in tops.items():
        setup = (
            "pthread_barrier_init(&b@, 0, 2);" if "barrier" in name else "sem_init(&e@, 0, 0);" if "sem" in name else ""
        )
        setup = "pthread_spin_init(&m@, 0);" if "spin" in name else setup
        text = f"{setup} pthread_t h, g; pthread_create(&h, 0, t@, 0); pthread_create(&g, 0, t@, 0); pthread_join(h, 0); pthread_join(g, 0); {after}"
        found += safe(name, text, top=f"{top} static void *t@(void *p) {{ {inside} return 0; }}")
    other = "static pthread_mutex_t m@; static void *t@(void *p) { obs(pthread_mutex_trylock(&m@)); obs(pthread_mutex_unlock(&m@)); return 0; }"
    kinds = ("PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_RECURSIVE")
    body = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, $k); pthread_mutex_init(&m@, &a); pthread_mutex_lock(&m@); " \
           "pthread_t h; pthread_create(&h, 0, t@, 0); pthread_join(h, 0); obs(pthread_mutex_unlock(&m@));"  # fmt: skip
    found += spread(random.Random(0), "pthread_mutex_unlock", body, top=other, k=kinds)
    robust = "static pthread_mutex_t m@; static void *t@(void *p) { pthread_mutex_lock(&m@); return 0; }"
    body = "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&m@, &a); " \
           "pthread_t h; pthread_create(&h, 0, t@, 0); pthread_join(h, 0); obs(pthread_mutex_lock(&m@)); $c obs(pthread_mutex_unlock(&m@)); obs(pthread_mutex_lock(&m@));"  # fmt: skip
    return found + spread(
        random.Random(0), "pthread_mutex_consistent", body, top=robust, c=("obs(pthread_mutex_consistent(&m@));", "")
    )


def _c11(rng: random.Random) -> list[Case]:
    gives = "static int t@(void *p) { return (int)(long)p; }"
    run = "thrd_t h; obs(thrd_create(&h, t@, (void *)${n}l)); int r = -7; obs(thrd_join(h, &r)); obs(r);"
    found = spread(rng, "thrd_create", run, top=gives, n=(0, 1, -1, 300))
    found += spread(rng, "thrd_exit", run, top="static int t@(void *p) { thrd_exit((int)(long)p); }", n=(0, 1, -1))
    found += safe("thrd_join", "thrd_t h; thrd_create(&h, t@, 0); obs(thrd_join(h, 0));", top=gives)
    found += safe("thrd_detach", "thrd_t h; thrd_create(&h, t@, 0); obs(thrd_detach(h));", top=gives)
    found += safe("thrd_current", "obs(thrd_equal(thrd_current(), thrd_current()) != 0);")
    found += safe(
        "thrd_equal",
        "thrd_t h; thrd_create(&h, t@, 0); obs(thrd_equal(h, thrd_current()) != 0); thrd_join(h, 0);",
        top=gives,
    )
    found += safe("thrd_yield", "thrd_yield(); obs(1);")
    found += spread(
        rng,
        "thrd_sleep",
        "struct timespec t = $t; int r = thrd_sleep(&t, 0); obs(r);",
        t=("{0, 0}", "{0, 1}", "{0, -1}", "{0, 1000000000}"),
    )
    kinds = ("mtx_plain", "mtx_recursive", "mtx_timed", "mtx_timed | mtx_recursive")
    mutex = "mtx_t m; obs(mtx_init(&m, $k));"
    found += spread(rng, "mtx_init", f"{mutex} mtx_destroy(&m);", k=(*kinds, "55"))
    found += spread(rng, "mtx_lock", f"{mutex} obs(mtx_lock(&m)); obs(mtx_unlock(&m));", k=kinds)
    found += spread(
        rng, "mtx_trylock", f"{mutex} obs(mtx_trylock(&m)); obs(mtx_trylock(&m)); obs(mtx_unlock(&m));", k=kinds
    )
    found += spread(
        rng,
        "mtx_timedlock",
        f"{mutex} struct timespec t = {{1, 0}}; mtx_lock(&m); obs(mtx_timedlock(&m, &t)); obs(mtx_unlock(&m));",
        k=kinds[2:],
    )
    found += spread(
        rng,
        "mtx_unlock",
        f"{mutex} mtx_lock(&m); mtx_lock(&m); obs(mtx_unlock(&m)); obs(mtx_unlock(&m)); obs(mtx_trylock(&m));",
        k=kinds[1:2],
    )
    found += hangs("mtx_lock", "mtx_t m; mtx_init(&m, mtx_plain); mtx_lock(&m); mtx_lock(&m);")
    cond = "cnd_t c; mtx_t m; mtx_init(&m, mtx_plain); obs(cnd_init(&c));"
    found += safe("cnd_init", f"{cond} cnd_destroy(&c);")
    found += safe("cnd_signal", f"{cond} obs(cnd_signal(&c));")
    found += safe("cnd_broadcast", f"{cond} obs(cnd_broadcast(&c));")
    found += hangs("cnd_wait", f"{cond} mtx_lock(&m); cnd_wait(&c, &m);")
    found += safe(
        "cnd_timedwait",
        f"{cond} struct timespec t = {{1, 0}}; mtx_lock(&m); obs(cnd_timedwait(&c, &m, &t));",
        among=True,
    )
    found += safe(
        "call_once",
        "call_once(&o@, f@); call_once(&o@, f@); obs(n@);",
        top="static once_flag o@ = ONCE_FLAG_INIT; static int n@; static void f@(void) { n@++; }",
    )
    key = "tss_t k; obs(tss_create(&k, 0));"
    found += safe("tss_create", f"{key} obs(tss_get(k) == 0);")
    found += safe(
        "tss_set", f"{key} int x; obs(tss_set(k, &x)); obs(tss_get(k) == &x);", "int x; obs(tss_set(900, &x));"
    )
    found += safe("tss_get", f"{key} int x; tss_set(k, &x); tss_set(k, 0); obs(tss_get(k) == 0);")
    found += safe("tss_delete", f"{key} tss_delete(k); int x; obs(tss_set(k, &x));")
    objects = "mtx_t m; mtx_init(&m, mtx_plain); cnd_t c; cnd_init(&c); struct timespec t = {1, 0}; int x; tss_t k;"
    calls = {"mtx_init": ("&m", "0"), "mtx_lock": ("&m",), "mtx_trylock": ("&m",), "mtx_unlock": ("&m",), "mtx_destroy": ("&m",), "cnd_init": ("&c",),
             "cnd_signal": ("&c",), "cnd_broadcast": ("&c",), "cnd_destroy": ("&c",), "tss_create": ("&k", "0")}  # fmt: skip
    for name, arguments in calls.items():
        found += attacked(name, objects, arguments, (0,))
    return found
