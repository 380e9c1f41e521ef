"""Operations in words, for traces: `{}` is the object, or the thread, that they are about."""

from __future__ import annotations

from threadproof.sync.facts import WAITS_FOR_MUTEX, WAITS_FOR_SIGNAL, WAITS_FOR_THREAD

PHRASES = {
    "mutex_lock": "locks {}",
    "mutex_trylock": "tries to lock {}",
    "mutex_timedlock": "locks {} for a time",
    "mutex_unlock": "unlocks {}",
    "mutex_init": "initialises {}",
    "robust_lock": "locks {}",
    "robust_trylock": "tries to lock {}",
    "robust_timedlock": "locks {} for a time",
    "robust_unlock": "unlocks {}",
    "robust_consistent": "makes {} consistent",
    "robust_give_up": "ends while it holds {}",
    "rw_rdlock": "read-locks {}",
    "rw_wrlock": "write-locks {}",
    "rw_unlock": "unlocks {}",
    "spin_lock": "locks {}",
    "spin_unlock": "unlocks {}",
    "sem_wait": "takes one from {}",
    "sem_post": "gives one to {}",
    "sem_init": "initialises {}",
    "rw_init": "initialises {}",
    "barrier_init": "initialises {}",
    "spin_init": "initialises {}",
    "barrier_arrive": "arrives at {}",
    "barrier_pass": "passes {}",
    "cond_enqueue": "begins to wait on {}",
    "cond_relock": "wakes from waiting on {}",
    "cond_relock_timed": "wakes from waiting on {}",
    "cond_signal": "signals {}",
    "cond_broadcast": "broadcasts {}",
    "once_enter": "enters once {}",
    "once_leave": "leaves once {}",
    "once_give_up": "gives up once {}",
    "thread_exit": "ends",
    "free": "frees {}",
}
WAITS = {
    WAITS_FOR_MUTEX: "waits for mutex {}",
    "robust_lock": "waits for mutex {}",
    WAITS_FOR_THREAD: "waits for the end of {}",
    WAITS_FOR_SIGNAL: "waits for a signal on {}",
    "sem_wait": "waits for semaphore {}",
    "barrier_pass": "waits for others at barrier {}",
}
