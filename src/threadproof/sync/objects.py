"""The C types of synchronisation objects: people name them as a whole, never by their fields."""

from __future__ import annotations

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
