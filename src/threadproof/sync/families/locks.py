"""What threads wait for: mutexes, read-write locks, spin locks, barriers, condition variables, semaphores."""

from __future__ import annotations

from threadproof.sync.families.common import (
    ERRNO,
    HELD,
    LATE,
    NOTED,
    PREVIOUS,
    SPURIOUS,
    at,
    does,
    waits,
    with_attribute,
)
from threadproof.sync.rows import Does, Fidelity, Gives, InRuntime, Row, Use

_NO_CLOCK = "not CLOCK_REALTIME or CLOCK_MONOTONIC: EINVAL"
_NO_TIME = "no time: EINVAL if it would wait"
ROBUST = ("pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np")
_ROBUST_WAITS = "robust: as lock does; unsupported in programs with pthread_cancel"
_DEAD = "robust: EOWNERDEAD if the owner has ended, ENOTRECOVERABLE after an unlock without consistent"
_MUTEXES = (
    Row(
        "pthread_mutex_init",
        does("mutex_init", 0, 1),
        "free, of the attribute's kind",
        looks=with_attribute("pthread_mutex_t", "pthread_mutexattr_t"),
    ),
    Row(
        "pthread_mutex_destroy",
        does("mutex_destroy", 0),
        "EBUSY if it is held, else nothing: using it afterwards is not noticed",
        looks=at("pthread_mutex_t"),
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_mutex_lock",
        does("mutex_lock", 0),
        "takes the mutex (counts, if recursive)",
        HELD,
        f"a normal mutex locked twice by one thread blocks it for ever; errorcheck: EDEADLK; {_DEAD}",
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_mutex_trylock",
        does("mutex_trylock", 0),
        "takes the mutex, or EBUSY exactly if it is held",
        misuse=_DEAD,
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_mutex_timedlock",
        does("mutex_timedlock", 0, LATE),
        "as lock, or ETIMEDOUT while it waits",
        HELD,
        f"{_NO_TIME}; {_DEAD}",
        time_arg=1,
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_mutex_clocklock",
        does("mutex_timedlock", 0, LATE),
        "as timedlock",
        HELD,
        f"{_NO_TIME}; {_NO_CLOCK}; {_DEAD}",
        time_arg=2,
        clock_arg=1,
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_mutex_unlock",
        does("mutex_unlock", 0),
        "frees the mutex",
        misuse=f"{NOTED}; robust: EPERM",
        runtime_if=ROBUST,
    ),
    *(
        Row(
            name,
            does("robust_consistent", 0),
            "what a robust mutex protects is in order again",
            misuse="not robust, or in order: EINVAL",
            looks=at("pthread_mutex_t"),
        )
        for name in ("pthread_mutex_consistent", "pthread_mutex_consistent_np")
    ),
    Row("pthread_mutexattr_init", does("attr_init", 0), "normal kind"),
    Row("pthread_mutexattr_destroy", Gives(), "nothing", looks=at("pthread_mutexattr_t")),
    Row(
        "pthread_mutexattr_settype",
        does("attr_set", 0, 1),
        "normal, recursive, errorcheck or adaptive; another: EINVAL",
    ),
    Row("pthread_mutexattr_gettype", does("attr_get", 0, 1), "the kind"),
)

_WRITTEN, _USED = "while a writer holds it", "while anybody holds it"
_WRONG_TIME = "no time: EINVAL"
_AGAIN = "a thread that is the writer already: EDEADLK"
_RWLOCKS = (
    Row(
        "pthread_rwlock_init",
        does("rw_init", 0),
        "free",
        looks=with_attribute("pthread_rwlock_t", "pthread_rwlockattr_t"),
    ),
    Row("pthread_rwlock_destroy", Gives(), "nothing: using it afterwards is not noticed", looks=at("pthread_rwlock_t")),
    Row("pthread_rwlock_rdlock", does("rw_rdlock", 0), "one more reader", _WRITTEN, _AGAIN),
    Row("pthread_rwlock_tryrdlock", does("rw_tryrdlock", 0), "one more reader, or EBUSY exactly if a writer holds it"),
    Row(
        "pthread_rwlock_timedrdlock",
        does("rw_timedrdlock", 0, LATE),
        "as rdlock, or ETIMEDOUT while it waits",
        _WRITTEN,
        _WRONG_TIME,
        time_arg=1,
    ),
    Row(
        "pthread_rwlock_clockrdlock",
        does("rw_timedrdlock", 0, LATE),
        "as timedrdlock",
        _WRITTEN,
        f"{_WRONG_TIME}; {_NO_CLOCK}",
        time_arg=2,
        clock_arg=1,
    ),
    Row("pthread_rwlock_wrlock", does("rw_wrlock", 0), "the writer", _USED, f"{_AGAIN}; a reader waits for ever"),
    Row("pthread_rwlock_trywrlock", does("rw_trywrlock", 0), "the writer, or EBUSY exactly if anybody holds it"),
    Row(
        "pthread_rwlock_timedwrlock",
        does("rw_timedwrlock", 0, LATE),
        "as wrlock, or ETIMEDOUT while it waits",
        _USED,
        _WRONG_TIME,
        time_arg=1,
    ),
    Row(
        "pthread_rwlock_clockwrlock",
        does("rw_timedwrlock", 0, LATE),
        "as timedwrlock",
        _USED,
        f"{_WRONG_TIME}; {_NO_CLOCK}",
        time_arg=2,
        clock_arg=1,
    ),
    Row("pthread_rwlock_unlock", does("rw_unlock", 0), "the writer leaves, or one reader", misuse=NOTED),
)

_SPINLOCKS = (
    Row("pthread_spin_init", does("spin_init", 0), "free", looks=at("pthread_spinlock_t")),
    Row("pthread_spin_destroy", Gives(), "nothing", looks=at("pthread_spinlock_t")),
    Row(
        "pthread_spin_lock", does("spin_lock", 0), "takes the lock", HELD, "locked twice by one thread: blocks for ever"
    ),
    Row("pthread_spin_trylock", does("spin_trylock", 0), "takes the lock, or EBUSY exactly if it is held"),
    Row("pthread_spin_unlock", does("spin_unlock", 0), "frees the lock", misuse=NOTED),
)

_BARRIERS = (
    Row(
        "pthread_barrier_init",
        does("barrier_init", 0, 2),
        "for that many threads; 0 or more than 2147483646: EINVAL",
        looks=with_attribute("pthread_barrier_t", "pthread_barrierattr_t"),
    ),
    Row("pthread_barrier_destroy", Gives(), "nothing", looks=at("pthread_barrier_t")),
    Row(
        "pthread_barrier_wait",
        Does((Use("barrier_arrive", (0,)), Use("barrier_pass", (0, PREVIOUS)))),
        "arrives, then passes; the last to arrive gets PTHREAD_BARRIER_SERIAL_THREAD",
        "until all have arrived",
    ),
)


_NOT_HELD = "an errorcheck or recursive mutex that is not held: EPERM"
_CONDITIONS = (
    Row(
        "pthread_cond_init",
        Gives(),
        "nothing: who waits is part of the threads",
        looks=with_attribute("pthread_cond_t", "pthread_condattr_t"),
    ),
    Row("pthread_cond_destroy", Gives(), "nothing", looks=at("pthread_cond_t")),
    Row(
        "pthread_cond_wait",
        waits("cond_relock"),
        "waits and unlocks in one step, then locks again",
        SPURIOUS,
        f"{_NOT_HELD}; {_ROBUST_WAITS}",
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_cond_timedwait",
        waits("cond_relock_timed"),
        "as wait, or ETIMEDOUT at any moment",
        SPURIOUS,
        f"{_WRONG_TIME}; {_NOT_HELD}; {_ROBUST_WAITS}",
        time_arg=2,
        runtime_if=ROBUST,
    ),
    Row(
        "pthread_cond_clockwait",
        waits("cond_relock_timed"),
        "as timedwait",
        SPURIOUS,
        f"{_WRONG_TIME}; {_NO_CLOCK}; {_NOT_HELD}; {_ROBUST_WAITS}",
        time_arg=3,
        clock_arg=2,
        runtime_if=ROBUST,
    ),
    Row("pthread_cond_signal", does("cond_signal", 0), "wakes one waiter, any of them; none: nothing happens"),
    Row("pthread_cond_broadcast", does("cond_broadcast", 0), "wakes all waiters"),
)

_CLOSES = ("sem_close",)  # then a semaphore may be gone
_CLOSED = "one that was closed: undefined"
_SEMAPHORES = (
    Row(
        "sem_init",
        does("sem_init", 0, 2),
        "holds the given value; EINVAL from 2147483648 on",
        looks=at("sem_t"),
        runtime_if=ERRNO,
    ),
    Row("sem_destroy", Gives(), "nothing: using it afterwards is not noticed", looks=at("sem_t")),
    Row("sem_wait", does("sem_wait", 0), "takes one", "while it is zero", _CLOSED, runtime_if=_CLOSES),
    Row(
        "sem_trywait",
        does("sem_trywait", 0),
        "takes one, or EAGAIN exactly if it is zero",
        runtime_if=(*ERRNO, *_CLOSES),
    ),
    Row(
        "sem_timedwait",
        does("sem_timedwait", 0, LATE),
        "takes one, or ETIMEDOUT while it waits",
        "while it is zero",
        _WRONG_TIME,
        time_arg=1,
        runtime_if=(*ERRNO, *_CLOSES),
    ),
    Row(
        "sem_clockwait",
        InRuntime(),
        "as sem_timedwait; EINVAL unless the clock is CLOCK_REALTIME or CLOCK_MONOTONIC",
        "while it is zero",
        _WRONG_TIME,
    ),
    Row("sem_post", does("sem_post", 0), "gives one back; EOVERFLOW at 2147483647", runtime_if=(*ERRNO, *_CLOSES)),
    Row("sem_getvalue", does("sem_getvalue", 0, 1), "the value now", runtime_if=_CLOSES),
    Row(
        "sem_open",
        InRuntime(),
        "a named semaphore of this process; none exist at its start; at most eight, with names of up to 63 characters",
        misuse="EEXIST, ENOENT, EINVAL",
        fidelity=Fidelity.FEWER,
    ),
    Row(
        "sem_close",
        InRuntime(),
        "closes it; closed as often as opened it is gone, and using it undefined",
        misuse="not open: EINVAL",
    ),
    Row("sem_unlink", InRuntime(), "the name is free again", misuse="no such name: ENOENT", fidelity=Fidelity.FEWER),
)

_ROBUST_PARTS = (
    Row("__threadproof_robust_lock", does("robust_lock", 0), "for pthread_mutex_lock"),
    Row("__threadproof_robust_trylock", does("robust_trylock", 0), "for pthread_mutex_trylock"),
    Row(
        "__threadproof_robust_timedlock",
        does("robust_timedlock", 0, LATE),
        "for pthread_mutex_timedlock",
        time_arg=1,
    ),
    Row("__threadproof_robust_unlock", does("robust_unlock", 0), "for pthread_mutex_unlock"),
    Row("__threadproof_robust_give_up", does("robust_give_up", 0), "the owner ends"),
    Row("__threadproof_robust_destroy", does("robust_destroy", 0), "for pthread_mutex_destroy"),
    Row("__threadproof_robust_asked", does("robust_asked", 0), "whether a mutex is robust"),
    Row("__threadproof_own_lock", does("mutex_lock", 0), "for waiting with a robust mutex"),
    Row("__threadproof_own_unlock", does("mutex_unlock", 0), "for waiting with a robust mutex"),
    Row("__threadproof_cond_begin", does("cond_enqueue", 0, 1), "for waiting with a robust mutex"),
    Row("__threadproof_cond_end", does("cond_relock", 0, 1), "for waiting with a robust mutex"),
    Row("__threadproof_cond_end_timed", does("cond_relock_timed", 0, 1), "for waiting with a robust mutex"),
    Row("__threadproof_cancels", Gives(), "0, if the program cancels no thread", runtime_if=("pthread_cancel",)),
    Row("__threadproof_cond_wait", waits("cond_relock"), "for pthread_cond_wait"),
    Row("__threadproof_cond_timedwait", waits("cond_relock_timed"), "for pthread_cond_timedwait", time_arg=2),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Mutexes": _MUTEXES,
    "Read-write locks": _RWLOCKS,
    "Spin locks": _SPINLOCKS,
    "Barriers": _BARRIERS,
    "Condition variables": _CONDITIONS,
    "Semaphores": _SEMAPHORES,
    "Robust mutexes, inside": _ROBUST_PARTS,
}
