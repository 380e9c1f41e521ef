"""The C types of synchronisation objects: people name them as a whole, never by their fields."""

from __future__ import annotations

from threadproof.sync.facts.words import Family

SIZES: dict[str, tuple[int, int]] = {
    "pthread_mutex_t": (24, 40),
    "pthread_cond_t": (48, 48),
    "pthread_rwlock_t": (32, 56),
    "pthread_barrier_t": (20, 32),
    "pthread_spinlock_t": (4, 4),
    "pthread_once_t": (4, 4),
    "sem_t": (16, 32),
    "mtx_t": (24, 40),
    "cnd_t": (48, 48),
    "once_flag": (4, 4),
    "pthread_attr_t": (36, 56),
    "pthread_mutexattr_t": (4, 4),
    "pthread_condattr_t": (4, 4),
    "pthread_rwlockattr_t": (8, 8),
    "pthread_barrierattr_t": (4, 4),
}
"""Bytes of glibc's types, ILP32 and LP64."""

STATE_OF = {
    Family.MUTEX: "pthread_mutex_t",
    Family.RWLOCK: "pthread_rwlock_t",
    Family.SPIN: "pthread_spinlock_t",
    Family.SEMAPHORE: "sem_t",
    Family.BARRIER: "pthread_barrier_t",
    Family.ONCE: "pthread_once_t",
}
"""In which type operations keep their state."""

LOOKED_AT = {
    Family.CONDITION: "pthread_cond_t",
    Family.SEMAPHORE: "sem_t",
    Family.RWLOCK: "pthread_rwlock_t",
    Family.BARRIER: "pthread_barrier_t",
}
"""Types of which the C library uses more than the state we keep: operations look at the whole object first."""

FAMILY_OF = {
    "pthread_mutex_t": Family.MUTEX,
    "mtx_t": Family.MUTEX,
    "pthread_cond_t": Family.CONDITION,
    "cnd_t": Family.CONDITION,
    "pthread_rwlock_t": Family.RWLOCK,
    "pthread_barrier_t": Family.BARRIER,
    "pthread_spinlock_t": Family.SPIN,
    "pthread_once_t": Family.ONCE,
    "once_flag": Family.ONCE,
    "sem_t": Family.SEMAPHORE,
}
SYNC_TYPES = frozenset(FAMILY_OF)
