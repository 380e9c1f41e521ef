"""The C types of synchronisation objects: people name them as a whole, never by their fields."""

from __future__ import annotations

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

STATE_OF = (
    ("mutex_", "pthread_mutex_t"),
    ("rw_", "pthread_rwlock_t"),
    ("spin_", "pthread_spinlock_t"),
    ("sem_", "sem_t"),
    ("barrier_", "pthread_barrier_t"),
    ("once_", "pthread_once_t"),
)
"""How the names of operations begin that keep their state in an object of this type."""

SYNC_TYPES = frozenset(
    {
        "pthread_mutex_t",
        "pthread_cond_t",
        "pthread_rwlock_t",
        "pthread_barrier_t",
        "pthread_spinlock_t",
        "pthread_once_t",
        "sem_t",
        "mtx_t",
        "cnd_t",
        "once_flag",
    }
)
