"""What random programs may be about, and what each feature needs: headers, declarations, variables, set-up."""

from __future__ import annotations

from enum import Enum


class Feature(Enum):
    LOOP = "loop"
    ARRAY = "array"
    POINTER = "pointer"
    STRUCT = "struct"
    BIT_FIELD = "bit-field"
    UNION = "union"
    FLOAT = "float"
    MUTEX = "mutex"
    RECURSIVE = "recursive"
    ERRORCHECK = "errorcheck"
    ATOMIC = "atomic"
    FLAG = "flag"
    BUILTIN = "builtin"
    BLOCK = "block"
    CONDITION = "condition"
    SEMAPHORE = "semaphore"
    RWLOCK = "rwlock"
    BARRIER = "barrier"
    SPIN = "spin"
    SPINLOCK = "spinlock"
    TIMED = "timed"
    NONDET = "nondet"
    HEAP = "heap"
    CALL = "call"
    THREAD_LOCAL = "thread-local"
    OVERFLOW = "overflow"
    EXIT = "exit"
    CHILD = "child"
    CREATE_LOOP = "create-loop"
    ARGUMENT = "argument"
    RESULT = "result"
    HANDLE = "handle"
    ONCE = "once"
    KEY = "key"
    CANCEL = "cancel"


GLOBALS: dict[Feature, tuple[list[str], list[str]]] = {
    # lines, and the places in them that can be assigned
    Feature.ARRAY: (["int v[3] = {1, 0, 2};"], ["v[x & 1]", "v[2]", "v[y & 1]"]),
    Feature.POINTER: (["int *p = &x;", "int *q = &y;", "int **far = &p;"], ["*p", "*q", "**far"]),
    Feature.STRUCT: (["struct pair { int a; char b; } s, t = {1, 2};"], ["s.a", "t.b"]),
    Feature.BIT_FIELD: (["struct { unsigned low : 3; int high : 5; } bits;"], ["bits.low", "bits.high"]),
    Feature.UNION: (["union { int whole; short half[2]; char part[4]; } u;"], ["u.whole", "u.half[1]", "u.part[1]"]),
    Feature.FLOAT: (["double f = 0.5;"], []),
    Feature.CALL: (["int help(int given);", "int (*hook)(int) = help;"], []),
    Feature.MUTEX: (["pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_t n;"], []),
    Feature.RECURSIVE: (["pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;"], []),
    Feature.ERRORCHECK: (["pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;"], []),
    Feature.ATOMIC: (["_Atomic int a = 0;"], ["a"]),
    Feature.FLAG: (["atomic_flag flag = ATOMIC_FLAG_INIT;"], []),
    Feature.CONDITION: (["pthread_cond_t cv = PTHREAD_COND_INITIALIZER;"], []),
    Feature.SEMAPHORE: (["sem_t sem;"], []),
    Feature.RWLOCK: (["pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;"], []),
    Feature.BARRIER: (["pthread_barrier_t barrier;"], []),
    Feature.SPINLOCK: (["pthread_spinlock_t lock;"], []),
    Feature.TIMED: (["struct timespec soon;", "pthread_cond_t late = PTHREAD_COND_INITIALIZER;"], []),
    Feature.HEAP: (["int *h;"], ["*h"]),
    Feature.THREAD_LOCAL: (["_Thread_local int own = 1;"], ["own"]),
    Feature.OVERFLOW: (["int big = 2147483646;"], ["big"]),
    Feature.HANDLE: (["pthread_t held;"], []),
    Feature.ONCE: (["pthread_once_t once = PTHREAD_ONCE_INIT;"], []),
    Feature.KEY: (["pthread_key_t key;"], []),
}

HEADERS: dict[Feature, tuple[str, ...]] = {
    Feature.RECURSIVE: ("#define _GNU_SOURCE",),
    Feature.ERRORCHECK: ("#define _GNU_SOURCE",),
    Feature.FLAG: ("#include <stdatomic.h>",),
    Feature.ATOMIC: ("#include <stdatomic.h>",),
    Feature.SEMAPHORE: ("#include <semaphore.h>",),
    Feature.SPIN: ("#include <sched.h>",),
    Feature.TIMED: ("#include <time.h>",),
    Feature.STRUCT: ("#include <string.h>",),
    Feature.HEAP: ("#include <stdlib.h>",),
    Feature.EXIT: ("#include <stdlib.h>",),
}

DECLARATIONS: dict[Feature, tuple[str, ...]] = {
    Feature.BLOCK: ("extern void __VERIFIER_atomic_begin(void);", "extern void __VERIFIER_atomic_end(void);"),
    Feature.NONDET: (
        "extern _Bool __VERIFIER_nondet_bool(void);",
        "extern char __VERIFIER_nondet_char(void);",
        "extern unsigned char __VERIFIER_nondet_uchar(void);",
        "extern short __VERIFIER_nondet_short(void);",
        "extern int __VERIFIER_nondet_int(void);",
        "extern unsigned __VERIFIER_nondet_uint(void);",
        "extern void __VERIFIER_assume(int);",
    ),
}

SETUP: dict[Feature, tuple[str, ...]] = {
    # first lines of main
    Feature.SEMAPHORE: ("sem_init(&sem, 0, 1);",),
    Feature.BARRIER: ("pthread_barrier_init(&barrier, 0, THREADS);",),
    Feature.SPINLOCK: ("pthread_spin_init(&lock, 0);",),
    Feature.HEAP: ("h = malloc(sizeof *h);", "*h = 1;"),
    Feature.HANDLE: ("held = pthread_self();",),
    Feature.KEY: ("pthread_key_create(&key, last);",),
}
