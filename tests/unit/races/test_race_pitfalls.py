"""What a race prover must get right to be sound: each pitfall with a program that is free of races and one that is not.

A racy one must never be proved; what `PROVED` lists must be. The search of states confirms both where it can.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import explicit, races
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

HEAD = """
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#define CREATE(t, f, a) pthread_create(&t, 0, f, a)
#define JOIN(t) pthread_join(t, 0)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_t t, u;
int x, y;
"""
TWO = "int main(void) { CREATE(t, f, 0); CREATE(u, f, 0); JOIN(t); JOIN(u); return 0; }"

PARTS = """
    int next, len, d[8];
    void *f(void *a) { int c = 0, end = 0; LOCK(&m); if (next + 2 <= len) { c = next; end = next + 2; next = end; }
      UNLOCK(&m); while (c < end) { d[c] = 1; c++; } return 0; }
    int main(void) { next = 0; len = __VERIFIER_nondet_int(); LIMIT; CREATE(t, f, 0); CREATE(u, f, 0); return 0; }"""

PROVED = {
    "one lock": "void *f(void *a) { LOCK(&m); x++; UNLOCK(&m); return 0; }" + TWO,
    "lock through a pointer that is one object": """
        pthread_mutex_t *p = &m;
        void *f(void *a) { LOCK(p); x++; UNLOCK(p); return 0; }"""
    + TWO,
    "lock in a wrapper": """
        void take(pthread_mutex_t *l) { LOCK(l); } void give(pthread_mutex_t *l) { UNLOCK(l); }
        void *f(void *a) { take(&m); x++; give(&m); take(&k); y++; give(&k); return 0; }"""
    + TWO,
    "trylock where it succeeded": """
        void *f(void *a) { if (pthread_mutex_trylock(&m) == 0) { x++; UNLOCK(&m); } return 0; }"""
    + TWO,
    "trylock in a loop": """
        void *f(void *a) { while (pthread_mutex_trylock(&m)) ; x++; UNLOCK(&m); return 0; }"""
    + TWO,
    "read lock for reading, write lock for writing": """
        pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
        void *f(void *a) { pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw); return 0; }
        void *g(void *a) { pthread_rwlock_rdlock(&rw); int l = x; pthread_rwlock_unlock(&rw); return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "waiting gives the mutex back": """
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        void *f(void *a) { LOCK(&m); while (!x) pthread_cond_wait(&c, &m); x--; UNLOCK(&m); return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); x = 1; pthread_cond_signal(&c); UNLOCK(&m); return 0; }""",
    "a semaphore with one permit": """
        sem_t s;
        void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 1); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "locked and used on the same paths": """
        void *f(void *a) { int c = __VERIFIER_nondet_int(); if (c) LOCK(&m); y; if (c) x++; if (c != 0) UNLOCK(&m);
          return 0; }"""
    + TWO,
    "locked and used on the same paths, the condition computed anew": """
        void *f(void *a) { int c = __VERIFIER_nondet_int(); if (c) LOCK(&m); c++; if (c - 1) x++; c--;
          if (c) UNLOCK(&m); return 0; }"""
    + TWO,
    "two locks taken together, one given back": """
        void *f(void *a) { LOCK(&k); LOCK(&m); x = 1; UNLOCK(&m); x = 2; UNLOCK(&k); return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); LOCK(&m); UNLOCK(&k); int r = x; UNLOCK(&m); return r; }""",
    "parts of an array": """
        int v[8], n, *p = v;
        void *f(void *a) { for (int i = 0; i < n; i++) p[i] = 1; return 0; }
        void *g(void *a) { for (int i = n; i < 8; i++) p[i] = 2; return 0; }
        int main(void) { n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 8); CREATE(t, f, 0);
          CREATE(u, g, 0); return 0; }""",
    "parts of an array, the border a constant": """
        int v[8];
        void *f(void *a) { for (unsigned i = 0; i < 3; i++) v[i] = 1; return 0; }
        void *g(void *a) { for (unsigned i = 3; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "a condition on a thread-local": """
        _Thread_local int own;
        void *f(void *a) { own = 1; if (own == 1) LOCK(&m); x++; if (own == 1) UNLOCK(&m); return 0; }"""
    + TWO,
    "a state that only one thread knows": """
        int state;
        void *f(void *a) { x = 1; return 0; }
        void *g(void *a) { while (__VERIFIER_nondet_int()) {
          if (__VERIFIER_nondet_bool()) { if (!state) { CREATE(t, f, 0); state = 1; } }
          else if (state) { JOIN(t); state = 0; x = 2; } }
          return 0; }
        int main(void) { CREATE(u, g, 0); return 0; }""",
    "a value that is there whenever the lock is free": """
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v = 0; v = 1; UNLOCK(&m);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value counted up and down under the lock": """
        int v;
        void *f(void *a) { LOCK(&m); int was = v; UNLOCK(&m); if (was > 0) v = 5; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v++; LOCK(&k); v--; UNLOCK(&k); UNLOCK(&m); return 0; }""",
    "joined if it was created": """
        void *f(void *a) { x = 1; return 0; }
        int start(void) { if (__VERIFIER_nondet_bool()) return -1; CREATE(t, f, 0); return 0; }
        int main(void) { if (start() == 0) JOIN(t); x = 2; return 0; }""",
    "its own element by number": """
        int *d;
        void *f(void *a) { d[(long)a] = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); d = malloc(12);
          for (int i = 0; i < n; i++) CREATE(t, f, (void *)(long)i); return 0; }""",
    "its own element by address": """
        int d[8];
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3);
          for (int i = 0; i < n; i++) CREATE(t, f, &d[i]); return 0; }""",
    "its own block": """
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) { int *p = malloc(4);
          CREATE(t, f, p); } return 0; }""",
    "all of a loop joined": """
        void *f(void *a) { LOCK(&m); x = 1; UNLOCK(&m); return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0); for (int i = 0; i < n; i++) JOIN(ts[i]); x = 2;
          return 0; }""",
    "the lock behind a pointer set before creation": """
        struct s { int v; pthread_mutex_t l; } *p;
        void *f(void *a) { LOCK(&p->l); p->v++; UNLOCK(&p->l); return 0; }
        int main(void) { p = calloc(1, sizeof *p); p->v = 1; CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "handed over by a flag": """
        _Atomic int ready;
        void *f(void *a) { x = 1; ready = 1; return 0; } void *g(void *a) { if (ready) x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "set up once under a lock": """
        int done;
        void *f(void *a) { LOCK(&m); if (!done) { x = 1; done = 1; } UNLOCK(&m); int l = x; return 0; }"""
    + TWO,
    "a lock made of a compare and exchange": """
        int l;
        void *f(void *a) { while (!__sync_bool_compare_and_swap(&l, 0, 1)) ; x++;
          __atomic_store_n(&l, 0, __ATOMIC_SEQ_CST); return 0; }"""
    + TWO,
    "a lock made of an exchange": """
        int l;
        void *f(void *a) { while (__sync_lock_test_and_set(&l, 1)) ; x++; __sync_lock_release(&l); return 0; }"""
    + TWO,
    "a lock made of an atomic block": """
        int l;
        void *f(void *a) { __VERIFIER_atomic_begin(); __VERIFIER_assume(l == 0); l = 1; __VERIFIER_atomic_end(); x++;
          __VERIFIER_atomic_begin(); l = 0; __VERIFIER_atomic_end(); return 0; }"""
    + TWO,
    "an element drawn from a counter": """
        int next, d[8];
        void *f(void *a) { LOCK(&m); if (next + 1 > 6) { UNLOCK(&m); return 0; } int i = next; next += 2; UNLOCK(&m);
          d[i] = 1; d[i + 1] = 2; return 0; }"""
    + TWO,
    "parts drawn from a counter": PARTS.replace("LIMIT", "__VERIFIER_assume(len < 9)"),
    "joined before": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); x = 2; return 0; }""",
    "one thread after the other through one handle": """
        void *f(void *a) { x++; return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); CREATE(t, f, 0); JOIN(t); return x; }""",
    "a loop that joins each thread before the next": """
        void *f(void *a) { x++; return 0; }
        int main(void) { while (__VERIFIER_nondet_bool()) { CREATE(t, f, 0); JOIN(t); } return x; }""",
    "written before creation": """
        void *f(void *a) { int l = x; return 0; }
        int main(void) { x = 1; CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "a child joins its own child": """
        void *g(void *a) { x = 1; return 0; }
        void *f(void *a) { pthread_t v; CREATE(v, g, 0); JOIN(v); return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); x = 2; return 0; }""",
    "array of handles": """
        void *f(void *a) { x++; return 0; }
        int main(void) { pthread_t ts[3]; CREATE(ts[0], f, 0); JOIN(ts[0]); CREATE(ts[1], f, 0); JOIN(ts[1]);
          return x; }""",
    "a local nobody else knows": """
        void *f(void *a) { int l = 0; int *p = &l; (*p)++; return 0; }"""
    + TWO,
    "a block per thread": """
        void *f(void *a) { int *p = malloc(sizeof *p); *p = 1; free(p); return 0; }"""
    + TWO,
    "a block written before it is given away": """
        void *f(void *a) { int l = *(int *)a; return 0; }
        int main(void) { while (__VERIFIER_nondet_bool()) { int *p = malloc(sizeof *p); *p = 1; CREATE(t, f, p); }
          return 0; }""",
    "a lock in each object": """
        struct s { pthread_mutex_t l; int v; } a[4];
        void *f(void *arg) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= 0 && i < 4);
          LOCK(&a[i].l); a[i].v++; UNLOCK(&a[i].l); return 0; }"""
    + TWO,
    "different fields": """
        struct { int a, b; } s;
        void *f(void *arg) { s.a = 1; return 0; } void *g(void *arg) { s.b = 1; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "atomic blocks on both sides": """
        void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }"""
    + TWO,
    "a function named atomic": """
        void __VERIFIER_atomic_add(void) { x++; }
        void *f(void *a) { __VERIFIER_atomic_add(); return 0; }"""
    + TWO,
    "thread-local": "__thread int v; void *f(void *a) { v++; return 0; }" + TWO,
    "values of a key": """
        pthread_key_t key;
        void *f(void *a) { int *p = malloc(sizeof *p); pthread_setspecific(key, p);
          *(int *)pthread_getspecific(key) = 1; return 0; }
        int main(void) { pthread_key_create(&key, 0); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "main goes on after pthread_exit elsewhere": """
        void *f(void *a) { x = 1; pthread_exit(0); x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); x = 3; pthread_exit(0); }""",
    "set up again between two uses": """
        pthread_mutex_t l;
        void *f(void *a) { LOCK(&l); x++; UNLOCK(&l); return 0; }
        int main(void) { pthread_mutex_init(&l, 0); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
}

RACY = {
    "each thread has an array of locks of its own": """
        __thread pthread_mutex_t own[2]; int d[2];
        void *f(void *a) { int i = x & 1; LOCK(&own[i]); d[i]++; UNLOCK(&own[i]); return 0; }"""
    + TWO,
    "values: a semaphore that is set up again is free": """
        sem_t s; int v;
        void *f(void *a) { sem_wait(&s); if (v == 1) x = 2; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 1); sem_wait(&s); v = 1; sem_destroy(&s); sem_init(&s, 0, 1);
            CREATE(t, f, 0); x = 1; sem_wait(&s); v = 0; sem_post(&s); JOIN(t); return 0; }""",
    "values: a mutex that is stored over is free": """
        pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER; int v;
        void *f(void *a) { LOCK(&m); if (v == 1) x = 2; UNLOCK(&m); return 0; }
        int main(void) { LOCK(&m); v = 1; m = fresh;
            CREATE(t, f, 0); x = 1; LOCK(&m); v = 0; UNLOCK(&m); JOIN(t); return 0; }""",
    "a mutex that is stored over is not held": """
        void *f(void *a) { LOCK(&m); x = 2; UNLOCK(&m); return 0; }
        int main(void) { LOCK(&m); memset(&m, 0, sizeof m); CREATE(t, f, 0); x = 1; JOIN(t); return 0; }""",
    "an index that wraps": """
        int a[6]; unsigned long i = 0xAAAAAAAAAAAAAAABul;
        void *f(void *p) { *(int *)((char *)a + i * 12) = 2; return 0; }
        int main(void) { CREATE(t, f, 0); a[1] = 1; JOIN(t); return 0; }""",
    "different arguments that are shifted away": """
        int a[4];
        void *f(void *arg) { *(int *)((char *)a + ((unsigned long)arg << 63)) = 1; return 0; }
        int main(void) { for (int i = 0; i < 4; i++) CREATE(t, f, (void *)((unsigned long)i * 2)); return 0; }""",
    "different arguments whose multiples are the same": """
        int a[4];
        void *f(void *arg) { *(int *)((char *)a + (unsigned long)arg * 65536) = 1; return 0; }
        int main(void) { for (unsigned long i = 0; i < 3; i++) CREATE(t, f, (void *)(i << 48)); return 0; }""",
    "a value that is not always there when the lock is free": """
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v = 0; if (__VERIFIER_nondet_bool()) v = 1; UNLOCK(&m);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value restored only after the lock was given back for a while": """
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v = 0; UNLOCK(&m); LOCK(&m); v = 1; UNLOCK(&m);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value restored after waiting": """
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v = 0; pthread_cond_wait(&c, &m); v = 1; UNLOCK(&m);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value restored under another lock": """
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); v = 0; v = 1; UNLOCK(&k);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value changed without the lock": """
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); v = 1; UNLOCK(&m); v = 0;
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value changed through a pointer": """
        int *p = &x;
        int v = 1;
        void *f(void *a) { LOCK(&m); if (v == 1) { UNLOCK(&m); return 0; } UNLOCK(&m); v = -1; return 0; }
        int main(void) { CREATE(t, f, 0); p = &v; LOCK(&m); *p = 0; UNLOCK(&m);
          LOCK(&m); int r = v; UNLOCK(&m); return r; }""",
    "a value that is the handle of a thread": """
        pthread_t v;
        void *g(void *a) { return 0; }
        void *f(void *a) { LOCK(&m); if (v == 0) { UNLOCK(&m); return 0; } UNLOCK(&m); v = 1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); CREATE(v, g, 0); UNLOCK(&m); return v == 1; }""",
    "a value that is no longer so in a register": """
        int v = 1;
        void *f(void *a) { int was = 1; for (int i = 0; i < 3; i++) { if (was != 1) x++; LOCK(&m); was = v; v = 2;
          UNLOCK(&m); } return 0; }
        int main(void) { CREATE(t, f, 0); x++; return 0; }""",
    "a condition on a thread-local that is changed through a pointer": """
        _Thread_local int own;
        void *f(void *a) { int *p = &own; own = 1; *p = 0; if (own == 1) LOCK(&m); x++; if (own == 1) UNLOCK(&m);
          return 0; }"""
    + TWO,
    "a condition on a thread-local that changes": """
        _Thread_local int own = 1;
        void *f(void *a) { if (own == 1) LOCK(&m); x++; if (own == 1) UNLOCK(&m); return 0; }
        int main(void) { own = 0; CREATE(t, f, 0); f(0); return 0; }""",
    "a state that another thread changes": """
        _Atomic int state;
        void *f(void *a) { x = 1; return 0; }
        void *g(void *a) { CREATE(t, f, 0); if (!state) JOIN(t); x = 2; return 0; }
        int main(void) { CREATE(u, g, 0); state = 1; return 0; }""",
    "a state handed on from thread to thread": """
        int state;
        void *f(void *a) { if (!state) LOCK(&m); x++; if (!state) UNLOCK(&m); state = 1; return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); CREATE(u, f, 0); LOCK(&m); x++; UNLOCK(&m); return 0; }""",
    "a state handed on in a loop": """
        int state;
        void *f(void *a) { int was = state; state = 1; if (!was) LOCK(&m); x++; if (!was) UNLOCK(&m); return 0; }
        int main(void) { while (__VERIFIER_nondet_bool()) { CREATE(t, f, 0); LOCK(&m); x++; UNLOCK(&m); JOIN(t); }
          return 0; }""",
    "parts of an array that share an element": """
        int v[8], n = 3;
        void *f(void *a) { for (int i = 0; i <= n; i++) v[i] = 1; return 0; }
        void *g(void *a) { for (int i = n; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "parts of an array, begun too early": """
        int v[8], n = 3;
        void *f(void *a) { for (int i = 0; i < n; i++) v[i] = 1; return 0; }
        void *g(void *a) { for (int i = n - 1; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "parts of an array, the border moves": """
        int v[8], n = 3;
        void *f(void *a) { for (int i = 0; i < n; i++) v[i] = 1; return 0; }
        void *g(void *a) { for (int i = n; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); n = 5; return 0; }""",
    "parts of an array, used after the loop": """
        int v[8], n = 3;
        void *f(void *a) { int i; for (i = 0; i < n; i++) v[i] = 1; v[i] = 3; return 0; }
        void *g(void *a) { for (int i = n; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "parts of an array, an access wider than an element": """
        int v[8];
        void *f(void *a) { for (int i = 0; i < 3; i++) *(long long *)&v[i] = 1; return 0; }
        void *g(void *a) { for (int i = 3; i < 8; i++) v[i] = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "locked and used on paths that differ": """
        void *f(void *a) { int c = __VERIFIER_nondet_int(); if (c) LOCK(&m); c++; if (c + 1) x++; c--;
          if (c) UNLOCK(&m); return 0; }"""
    + TWO,
    "two locks taken together by one of them only": """
        void *f(void *a) { LOCK(&k); x = 2; UNLOCK(&k); return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); LOCK(&m); UNLOCK(&k); int r = x; UNLOCK(&m); return r; }""",
    "two locks taken together, then one of them alone": """
        void *f(void *a) { LOCK(&k); LOCK(&m); x = 1; UNLOCK(&m); UNLOCK(&k); LOCK(&k); x = 2; UNLOCK(&k); return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); LOCK(&m); UNLOCK(&k); int r = x; UNLOCK(&m); return r; }""",
    "two locks taken together on one path": """
        void *f(void *a) { LOCK(&k); if (__VERIFIER_nondet_bool()) { LOCK(&m); x = 1; UNLOCK(&m); } x = 2; UNLOCK(&k);
          return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); LOCK(&m); UNLOCK(&k); int r = x; UNLOCK(&m); return r; }""",
    "two locks taken together, one of them shared": """
        pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
        void *f(void *a) { LOCK(&k); pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w); x = 2;
          UNLOCK(&k); return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&k); pthread_rwlock_rdlock(&w); UNLOCK(&k); int r = x;
          pthread_rwlock_unlock(&w); return r; }""",
    "no lock": "void *f(void *a) { x++; return 0; }" + TWO,
    "a lock that may be one of two": """
        void *f(void *a) { pthread_mutex_t *p = __VERIFIER_nondet_bool() ? &m : &k; LOCK(p); x++; UNLOCK(p);
          return 0; }"""
    + TWO,
    "a pointer to the lock that changes": """
        pthread_mutex_t *p = &m;
        void *f(void *a) { LOCK(p); x++; UNLOCK(p); return 0; }
        int main(void) { CREATE(t, f, 0); p = &k; CREATE(u, f, 0); return 0; }""",
    "an unlock that may be of this lock": """
        void *f(void *a) { LOCK(&m); UNLOCK(__VERIFIER_nondet_bool() ? &m : &k); x++; return 0; }"""
    + TWO,
    "an unlock by somebody else": """
        void *f(void *a) { LOCK(&m); x++; UNLOCK(&m); return 0; } void *g(void *a) { UNLOCK(&m); return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, g, 0); return 0; }""",
    "a lock set up anew while it is held": """
        void *f(void *a) { LOCK(&m); x++; UNLOCK(&m); return 0; }
        int main(void) { CREATE(t, f, 0); pthread_mutex_init(&m, 0); CREATE(u, f, 0); return 0; }""",
    "a lock overwritten while it is held": """
        void *f(void *a) { LOCK(&m); x++; UNLOCK(&m); return 0; }
        int main(void) { CREATE(t, f, 0); memset(&m, 0, sizeof m); CREATE(u, f, 0); return 0; }""",
    "an ancestor holds the lock that is set up anew": """
        void *f(void *a) { pthread_mutex_init(&m, 0); LOCK(&m); x = 1; UNLOCK(&m); return 0; }
        int main(void) { LOCK(&m); CREATE(t, f, 0); x = 2; UNLOCK(&m); return 0; }""",
    "trylock that failed": """
        void *f(void *a) { if (pthread_mutex_trylock(&m)) x++; else { x++; UNLOCK(&m); } return 0; }"""
    + TWO,
    "trylock whose result nobody looks at": """
        void *f(void *a) { pthread_mutex_trylock(&m); x++; return 0; }"""
    + TWO,
    "trylock by mistake": """
        void *f(void *a) { if (pthread_mutex_trylock(&m) == 16) x++; return 0; }
        int main(void) { LOCK(&m); CREATE(t, f, 0); CREATE(u, f, 0); JOIN(t); JOIN(u); return 0; }""",
    "a wait that times out keeps no lock": """
        #include <time.h>
        void *f(void *a) { struct timespec s = {0, 0}; if (pthread_mutex_timedlock(&m, &s)) x++; return 0; }
        int main(void) { LOCK(&m); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "writing under a read lock": """
        pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
        void *f(void *a) { pthread_rwlock_rdlock(&rw); x++; pthread_rwlock_unlock(&rw); return 0; }"""
    + TWO,
    "a read lock is given back twice": """
        pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
        void *f(void *a) { pthread_rwlock_rdlock(&rw); int l = x; pthread_rwlock_unlock(&rw); return 0; }
        void *g(void *a) { pthread_rwlock_wrlock(&rw); x++; pthread_rwlock_unlock(&rw); pthread_rwlock_unlock(&rw);
          return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); pthread_t v; CREATE(v, g, 0); return 0; }""",
    "waiting with another mutex": """
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        void *f(void *a) { LOCK(&k); LOCK(&m); pthread_cond_wait(&c, &m); UNLOCK(&m); UNLOCK(&k); x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); x = 2; UNLOCK(&m); return 0; }""",
    "between waiting and waking others come in": """
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        void *f(void *a) { LOCK(&m); pthread_cond_wait(&c, &m); UNLOCK(&m); x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); LOCK(&m); x = 2; UNLOCK(&m); return 0; }""",
    "a semaphore with two permits": """
        sem_t s;
        void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 2); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "a semaphore posted by a third": """
        sem_t s;
        void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 1); CREATE(t, f, 0); CREATE(u, f, 0); sem_post(&s); return 0; }""",
    "a semaphore set up again": """
        sem_t s;
        void *f(void *a) { sem_wait(&s); x++; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 1); CREATE(t, f, 0); sem_init(&s, 0, 1); CREATE(u, f, 0); return 0; }""",
    "a semaphore whose wait may fail": """
        sem_t s;
        void *f(void *a) { sem_trywait(&s); x++; sem_post(&s); return 0; }
        int main(void) { sem_init(&s, 0, 1); CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "detached": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); pthread_detach(t); x = 2; return 0; }""",
    "locked on one path, used on another": """
        void *f(void *a) { int c = __VERIFIER_nondet_bool(); if (c) LOCK(&m); if (!c) x++; if (c) UNLOCK(&m);
          return 0; }"""
    + TWO,
    "the condition is asked anew": """
        void *f(void *a) { for (int i = 0; i < 2; i++) { int c = __VERIFIER_nondet_bool();
          if (c) LOCK(&m); c = __VERIFIER_nondet_bool(); if (c) { x++; UNLOCK(&m); } } return 0; }"""
    + TWO,
    "two loops give the same element": """
        int d[8];
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 3);
          for (int i = 0; i < n; i++) CREATE(t, f, &d[i]); for (int i = 0; i < n; i++) CREATE(t, f, &d[i]);
          return 0; }""",
    "two rounds give the same element": """
        int d[8];
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { for (int k = 0; k < 30; k++) for (int i = 0; i < __VERIFIER_nondet_bool(); i++)
          CREATE(t, f, &d[i]); return 0; }""",
    "the counter stays now and then": """
        int d[8];
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2);
          int k = 0; for (int i = 0; i < n; i++) { CREATE(t, f, &d[k]); if (__VERIFIER_nondet_bool()) k++; }
          return 0; }""",
    "elements that overlap": """
        char d[16];
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2);
          for (int i = 0; i < n; i++) CREATE(t, f, &d[i]); return 0; }""",
    "one reaches for its neighbour": """
        int d[8];
        void *f(void *a) { ((int *)a)[0] = 1; ((int *)a)[1] = 2; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2);
          for (int i = 0; i < n; i++) CREATE(t, f, &d[i]); return 0; }""",
    "the array changes in between": """
        int b[4], *d = b;
        void *f(void *a) { __VERIFIER_atomic_begin(); int *p = d; __VERIFIER_atomic_end(); p[(long)a] = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 2);
          for (int i = 0; i < n; i++) { CREATE(t, f, (void *)(long)i); __VERIFIER_atomic_begin(); d = b + 1 - i;
            __VERIFIER_atomic_end(); } return 0; }""",
    "one block for two": """
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int *p = malloc(4); for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++)
          CREATE(t, f, p); return 0; }""",
    "one less joined": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 1); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0); for (int i = 0; i < n - 1; i++) JOIN(ts[i]); x = 2;
          return 0; }""",
    "joined from one on": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 1); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0); for (int i = 1; i < n; i++) JOIN(ts[i]); x = 2;
          return 0; }""",
    "not every round joins": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 1); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0);
          for (int i = 0; i < n; i++) if (__VERIFIER_nondet_bool()) JOIN(ts[i]); x = 2; return 0; }""",
    "the joining loop is left early": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 1); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0);
          for (int i = 0; i < n; i++) { if (__VERIFIER_nondet_bool()) break; JOIN(ts[i]); } x = 2; return 0; }""",
    "a handle of the loop is overwritten": """
        void *f(void *a) { x = 1; return 0; } void *g(void *a) { return 0; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 1); pthread_t ts[3];
          for (int i = 0; i < n; i++) CREATE(ts[i], f, 0); CREATE(ts[0], g, 0);
          for (int i = 0; i < n; i++) JOIN(ts[i]); x = 2; return 0; }""",
    "the pointer to the lock is set while threads run": """
        struct s { int v; pthread_mutex_t l; } a[2], *p = a;
        void *f(void *arg) { LOCK(&p->l); a[0].v++; UNLOCK(&p->l); return 0; }
        int main(void) { CREATE(t, f, 0); p = a + 1; CREATE(u, f, 0); return 0; }""",
    "a flag that is set too early": """
        _Atomic int ready;
        void *f(void *a) { ready = 1; x = 1; return 0; } void *g(void *a) { if (ready) x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "a flag that is taken back": """
        _Atomic int ready;
        void *f(void *a) { x = 1; ready = 1; ready = 0; x = 3; return 0; }
        void *g(void *a) { if (ready) x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "a flag that two set": """
        _Atomic int ready;
        void *f(void *a) { x = 1; ready = 1; return 0; } void *g(void *a) { if (ready) x = 2; return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, g, 0); CREATE(v, f, 0); return 0; }""",
    "a flag tested the wrong way": """
        _Atomic int ready;
        void *f(void *a) { x = 1; ready = 1; return 0; } void *g(void *a) { if (!ready) x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "a flag set in the atomic block that uses the data": """
        int ready;
        void *f(void *a) { __VERIFIER_atomic_begin(); ready = 1; x = 1; __VERIFIER_atomic_end(); return 0; }
        void *g(void *a) { __VERIFIER_atomic_begin(); int r = ready; __VERIFIER_atomic_end(); if (!r) x = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "the first value was seen, then the lock given back": """
        int done;
        void *f(void *a) { LOCK(&m); int d = done; UNLOCK(&m); LOCK(&m); if (!d) x = 1; done = 1; UNLOCK(&m); x;
          int l = x; return l ? &x : 0; }"""
    + TWO,
    "a flag written in part": """
        _Atomic int ready;
        void *f(void *a) { x = 1; *(char *)&ready = 1; return 0; }
        void *h(void *a) { ((char *)&ready)[1] = 1; return 0; }
        void *g(void *a) { if (ready) x = 2; return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, g, 0); CREATE(v, h, 0); return 0; }""",
    "a hand-made lock freed by anybody": """
        int l;
        void *f(void *a) { while (!__sync_bool_compare_and_swap(&l, 0, 1)) ; x++;
          __atomic_store_n(&l, 0, __ATOMIC_SEQ_CST); return 0; }
        void *g(void *a) { __atomic_store_n(&l, 0, __ATOMIC_SEQ_CST); return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, g, 0); return 0; }""",
    "a hand-made lock freed by who did not get it": """
        int l;
        void *f(void *a) { int got = __sync_bool_compare_and_swap(&l, 0, 1); if (got) x++;
          __atomic_store_n(&l, 0, __ATOMIC_SEQ_CST); return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, f, 0); return 0; }""",
    "a hand-made lock that is tested and set in two steps": """
        int l;
        void *f(void *a) { __VERIFIER_atomic_begin(); int free = l == 0; __VERIFIER_atomic_end();
          __VERIFIER_assume(free); __VERIFIER_atomic_begin(); l = 1; __VERIFIER_atomic_end(); x++;
          __VERIFIER_atomic_begin(); l = 0; __VERIFIER_atomic_end(); return 0; }"""
    + TWO,
    "a hand-made lock that is taken although it is held": """
        int l;
        void *f(void *a) { __sync_lock_test_and_set(&l, 1); x++; __sync_lock_release(&l); return 0; }"""
    + TWO,
    "an exchange tested the wrong way": """
        int l;
        void *f(void *a) { if (__sync_lock_test_and_set(&l, 1)) x++; return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, f, 0); return 0; }""",
    "a hand-made lock exchanged with another expectation": """
        int l;
        void *f(void *a) { if (__sync_bool_compare_and_swap(&l, 0, 1)) { x++; __sync_lock_release(&l); } return 0; }
        void *g(void *a) { if (__sync_bool_compare_and_swap(&l, 1, 1)) { x++; __sync_lock_release(&l); } return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "one element more than drawn": """
        int next, d[8];
        void *f(void *a) { LOCK(&m); if (next > 5) { UNLOCK(&m); return 0; } int i = next; next += 1; UNLOCK(&m);
          d[i] = 1; d[i + 1] = 2; return 0; }"""
    + TWO,
    "a part that is longer than drawn": PARTS.replace("LIMIT", "len = 8").replace("c < end", "c <= end"),
    "a part that begins before what was drawn": PARTS.replace("LIMIT", "len = 8").replace("c = next;", "c = next - 1;"),
    "the end of a part is that of another draw": """
        int next, d[16];
        void *f(void *a) { LOCK(&m); if (next + 2 > 14) { UNLOCK(&m); return 0; } int c = next; next += 2; UNLOCK(&m);
          LOCK(&m); if (next + 2 > 14) { UNLOCK(&m); return 0; } int e = next; next += 2; UNLOCK(&m);
          for (; c < e; c++) d[c] = 1; return 0; }"""
    + TWO,
    "main sets the counter back while there are threads": PARTS.replace("LIMIT", "len = 8").replace(
        "CREATE(u, f, 0);", "next = 0; CREATE(u, f, 0);"
    ),
    "main sets the counter back and has drawn itself": """
        int next, d[8];
        int draw(void) { LOCK(&m); if (next > 5) abort(); int i = next; next += 1; UNLOCK(&m); return i; }
        void *f(void *a) { d[draw()] = 1; return 0; }
        int main(void) { int i = draw(); next = 0; CREATE(t, f, 0); d[i] = 2; return 0; }""",
    "a counter read outside of the lock": """
        int next, d[8];
        void *f(void *a) { LOCK(&m); int i = next; UNLOCK(&m); LOCK(&m); if (next > 5) { UNLOCK(&m); return 0; }
          next += 1; UNLOCK(&m); d[i] = 1; return 0; }"""
    + TWO,
    "a counter that is set back": """
        int next, d[8];
        void *f(void *a) { LOCK(&m); if (next > 5) { UNLOCK(&m); return 0; } int i = next; next += 1; UNLOCK(&m);
          d[i] = 1; return 0; }
        void *g(void *a) { LOCK(&m); next = 0; UNLOCK(&m); return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, g, 0); return 0; }""",
    "the number that says full is used": """
        int next = 1, d[8];
        void *f(void *a) { int i = 0; LOCK(&m); if (next < 2) { i = next; next += 1; } UNLOCK(&m); d[i] = 1;
          return 0; }
        int main(void) { pthread_t v; CREATE(t, f, 0); CREATE(u, f, 0); CREATE(v, f, 0); return 0; }""",
    "a counter increased by one of two": """
        int next, d[8];
        void *f(void *a) { LOCK(&m); if (next > 5) { UNLOCK(&m); return 0; } int i = next;
          if (__VERIFIER_nondet_bool()) next += 1; UNLOCK(&m); d[i] = 1; return 0; }"""
    + TWO,
    "joined the other": """
        void *f(void *a) { x = 1; return 0; } void *g(void *a) { return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); JOIN(u); x = 2; return 0; }""",
    "joined on one path only": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); if (__VERIFIER_nondet_bool()) JOIN(t); x = 2; return 0; }""",
    "the handle was overwritten": """
        void *f(void *a) { x = 1; return 0; } void *g(void *a) { return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(t, g, 0); JOIN(t); x = 2; return 0; }""",
    "the handle was read too early": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { pthread_t old = t; CREATE(t, f, 0); JOIN(old); x = 2; return 0; }""",
    "another thread changes the handle": """
        void *g(void *a) { return 0; } void *h(void *a) { CREATE(t, g, 0); return 0; }
        void *f(void *a) { x = 1; return 0; }
        int main(void) { CREATE(u, h, 0); CREATE(t, f, 0); JOIN(t); x = 2; return 0; }""",
    "only the last of the loop is joined": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { for (int i = 0; i < 3; i++) CREATE(t, f, 0); JOIN(t); x = 2; return 0; }""",
    "one of an unknown number is joined": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) CREATE(t, f, 0);
          JOIN(t); x = 2; return 0; }""",
    "a join does not join grandchildren": """
        void *g(void *a) { x = 1; return 0; }
        void *f(void *a) { pthread_t v; CREATE(v, g, 0); return 0; }
        int main(void) { CREATE(t, f, 0); JOIN(t); x = 2; return 0; }""",
    "two children of one parent": """
        void *g(void *a) { x++; return 0; }
        void *f(void *a) { pthread_t v; CREATE(v, g, 0); JOIN(v); return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "main is still there after pthread_exit of another": """
        void *f(void *a) { x = 1; pthread_exit(0); }
        int main(void) { CREATE(t, f, 0); x = 3; pthread_exit(0); }""",
    "others go on after main's pthread_exit": """
        void *f(void *a) { x = 1; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, f, 0); pthread_exit(0); }""",
    "a local given to a thread": """
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int l = 0; CREATE(t, f, &l); l = 2; JOIN(t); return l; }""",
    "a local known through a global": """
        int *p;
        void *f(void *a) { if (p) *p = 1; return 0; }
        int main(void) { int l = 0; CREATE(t, f, 0); p = &l; l = 2; return l; }""",
    "a block stored in a global before it is written": """
        int *volatile p;
        void *f(void *a) { int *q = malloc(sizeof *q); __VERIFIER_atomic_begin(); p = q; __VERIFIER_atomic_end();
          *q = 1; return 0; }
        void *g(void *a) { __VERIFIER_atomic_begin(); int *q = p; __VERIFIER_atomic_end(); if (q) *q = 2; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "one block in a loop given to two threads": """
        void *f(void *a) { *(int *)a = 1; return 0; }
        int main(void) { int *p = 0;
          for (int i = 0; i < 2; i++) { if (!p) p = malloc(sizeof *p); CREATE(t, f, p); } return 0; }""",
    "a lock of one element, the value of another": """
        struct s { pthread_mutex_t l; int v; } a[4];
        void *f(void *arg) { int i = __VERIFIER_nondet_bool(), j = __VERIFIER_nondet_bool();
          LOCK(&a[i].l); a[j].v++; UNLOCK(&a[i].l); return 0; }"""
    + TWO,
    "the index changes while the lock is held": """
        struct s { pthread_mutex_t l; int v; } a[4];
        void *f(void *arg) { int i = 0; LOCK(&a[i].l); i = 1; a[i].v++; i = 0; UNLOCK(&a[i].l); return 0; }
        void *g(void *arg) { int i = 1; LOCK(&a[i].l); a[i].v++; UNLOCK(&a[i].l); return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "the loop moved on while the lock is held": """
        struct s { pthread_mutex_t l; int v; } a[4];
        void *f(void *arg) { int i = __VERIFIER_nondet_bool(); LOCK(&a[i].l);
          for (int n = 0; n < 2; n++) { a[i].v++; i = !i; } return 0; }"""
    + TWO,
    "copying a whole structure": """
        struct { int a, b; } s, c;
        void *f(void *arg) { s.a = 1; return 0; } void *g(void *arg) { c = s; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "a wide write over two fields": """
        struct { char a, b; } s;
        void *f(void *arg) { s.b = 1; return 0; } void *g(void *arg) { *(short *)&s = 1; return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "an atomic block against a plain access": """
        void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
        int main(void) { CREATE(t, f, 0); return x; }""",
    "out of an atomic block by goto": """
        void *f(void *a) { __VERIFIER_atomic_begin(); if (y) { __VERIFIER_atomic_end(); goto out; } x++;
          __VERIFIER_atomic_end(); return 0; out: x = 3; return 0; }
        int main(void) { __VERIFIER_atomic_begin(); y = __VERIFIER_nondet_bool(); __VERIFIER_atomic_end();
          CREATE(t, f, 0); CREATE(u, f, 0); return 0; }""",
    "a thread-local whose address is known": """
        __thread int v; int *p;
        void *f(void *a) { if (p) *p = 1; return 0; }
        int main(void) { p = &v; CREATE(t, f, 0); v = 2; return 0; }""",
    "the pointer through which a function is called": """
        void h(void) {} void (*fp)(void) = h;
        void *f(void *a) { fp(); return 0; }
        int main(void) { CREATE(t, f, 0); fp = h; return 0; }""",
    "a string copied": """
        char s[8];
        void *f(void *a) { strcpy(s, "ab"); return 0; }
        int main(void) { CREATE(t, f, 0); return s[0]; }""",
    "scanf": """
        void *f(void *a) { scanf("%d", &x); return 0; }
        int main(void) { CREATE(t, f, 0); return x; }""",
    "the result of a join": """
        void *r;
        void *f(void *a) { return 0; }
        void *g(void *a) { pthread_join(t, &r); return 0; }
        int main(void) { CREATE(t, f, 0); CREATE(u, g, 0); return r != 0; }""",
    "the handle is a write too": """
        void *f(void *a) { return 0; } void *g(void *a) { return (void *)t; }
        int main(void) { CREATE(u, g, 0); CREATE(t, f, 0); return 0; }""",
    "a destructor of a key": """
        pthread_key_t key;
        void bye(void *p) { x = 1; }
        void *f(void *a) { pthread_setspecific(key, &y); return 0; }
        int main(void) { pthread_key_create(&key, bye); CREATE(t, f, 0); x = 2; return 0; }""",
    "a thread that creates its own kind": """
        void *f(void *a) { pthread_t v; if (__VERIFIER_nondet_bool()) CREATE(v, f, 0); x++; return 0; }
        int main(void) { CREATE(t, f, 0); return 0; }""",
    "a thread that creates its own kind with another argument": """
        int z[2];
        void *f(void *a) { pthread_t v; if ((long)a) CREATE(v, f, (void *)0); z[(long)a] = 1; return 0; }
        int main(void) { CREATE(t, f, (void *)1); CREATE(u, f, (void *)1); return 0; }""",
    "a cancelled thread does not join": """
        void *g(void *a) { x = 1; return 0; }
        void *f(void *a) { pthread_t v; CREATE(v, g, 0); JOIN(v); return 0; }
        int main(void) { CREATE(t, f, 0); pthread_cancel(t); JOIN(t); x = 2; return 0; }""",
    "freed and allocated again under another lock": """
        int *p;
        void *f(void *a) { LOCK(&m); *p = 1; UNLOCK(&m); return 0; }
        void *g(void *a) { LOCK(&k); *p = 1; UNLOCK(&k); return 0; }
        int main(void) { p = malloc(sizeof *p); CREATE(t, f, 0); CREATE(u, g, 0); return 0; }""",
    "volatile": "volatile int v; void *f(void *a) { v++; return 0; }" + TWO,
    "a compare and exchange against a plain read": """
        void *f(void *a) { __sync_bool_compare_and_swap(&x, 0, 1); return 0; }
        int main(void) { CREATE(t, f, 0); return x; }""",
}


def program(tmp_path: Path, text: str) -> Program:
    source = tmp_path / "main.c"
    source.write_text(HEAD + text, encoding="utf-8")
    return prepare([str(source)], Property.NO_DATA_RACE, FrontendOptions())


def proved(found: Program) -> Result:
    return races.prove(Task(found, Property.NO_DATA_RACE), Budget(900), Silent()).result


@pytest.mark.parametrize("name", PROVED)
def test_is_proved(name: str, tmp_path: Path) -> None:
    found = program(tmp_path, PROVED[name])
    result = proved(found)
    assert isinstance(result, Safe), result
    search = explicit.check(Task(found, Property.NO_DATA_RACE), Budget(2), Silent())
    assert not isinstance(search, Unsafe)


@pytest.mark.parametrize(
    "limit",
    [
        "",
        "__VERIFIER_assume(len <= 2147483646)",
        "__VERIFIER_assume(len < 9); len = __VERIFIER_nondet_int()",
    ],
    ids=["no limit", "a limit up to which numbers wrap", "a limit of what is overwritten then"],
)
def test_a_counter_that_may_wrap(limit: str, tmp_path: Path) -> None:
    """Two threads do not get there: what may go wrong takes very many draws."""
    found = program(tmp_path, PARTS.replace("LIMIT", limit).replace("d[8]", "d[16]"))
    assert isinstance(proved(found), Unknown)


@pytest.mark.parametrize("name", RACY)
def test_is_not_proved(name: str, tmp_path: Path) -> None:
    found = program(tmp_path, RACY[name])
    assert isinstance(proved(found), Unknown)
    search = explicit.check(Task(found, Property.NO_DATA_RACE), Budget(900), Silent())
    assert isinstance(search, Unsafe), f"not racy after all: {search}"
