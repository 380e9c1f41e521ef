"""What threads wait for: mutexes, read-write locks, spin locks, barriers, condition variables, semaphores."""

from __future__ import annotations

from threadproof.sync.families.common import HELD, NOTED, PREVIOUS, SPURIOUS, does, waits
from threadproof.sync.rows import Does, Fidelity, Gives, NoMeaning, Row, Use

_MUTEXES = (
    Row("pthread_mutex_init", does("mutex_init", 0, 1), "free, of the attribute's kind"),
    Row("pthread_mutex_destroy", Gives(), "nothing: using it afterwards is not noticed"),
    Row("pthread_mutex_lock", does("mutex_lock", 0), "takes the mutex (counts, if recursive)", HELD,
        "a normal mutex locked twice by one thread blocks it for ever; errorcheck: EDEADLK"),
    Row("pthread_mutex_trylock", does("mutex_trylock", 0), "takes the mutex, or EBUSY exactly if it is held"),
    Row("pthread_mutex_timedlock", does("mutex_timedlock", 0), "as lock, or ETIMEDOUT at any moment", HELD),
    Row("pthread_mutex_clocklock", does("mutex_timedlock", 0), "as timedlock", HELD),
    Row("pthread_mutex_unlock", does("mutex_unlock", 0), "frees the mutex", misuse=NOTED),
    Row("pthread_mutexattr_init", does("attr_init", 0), "normal kind"),
    Row("pthread_mutexattr_destroy", Gives(), "nothing"),
    Row("pthread_mutexattr_settype", does("attr_set", 0, 1), "normal, recursive or errorcheck"),
    Row("pthread_mutexattr_gettype", does("attr_get", 0, 1), "the kind"),
    Row("pthread_mutexattr_setpshared", Gives(), "nothing"),
    Row("pthread_mutexattr_setprotocol", Gives(), "nothing"),
)  # fmt: skip

_WRITTEN, _USED = "while a writer holds it", "while anybody holds it"
_AGAIN = "a thread that is the writer already: EDEADLK"
_RWLOCKS = (
    Row("pthread_rwlock_init", does("rw_init", 0), "free"),
    Row("pthread_rwlock_destroy", Gives(), "nothing: using it afterwards is not noticed"),
    Row("pthread_rwlock_rdlock", does("rw_rdlock", 0), "one more reader", _WRITTEN, _AGAIN),
    Row("pthread_rwlock_tryrdlock", does("rw_tryrdlock", 0), "one more reader, or EBUSY exactly if a writer holds it"),
    Row("pthread_rwlock_timedrdlock", does("rw_timedrdlock", 0), "as rdlock, or ETIMEDOUT at any moment", _WRITTEN),
    Row("pthread_rwlock_wrlock", does("rw_wrlock", 0), "the writer", _USED, f"{_AGAIN}; a reader waits for ever"),
    Row("pthread_rwlock_trywrlock", does("rw_trywrlock", 0), "the writer, or EBUSY exactly if anybody holds it"),
    Row("pthread_rwlock_timedwrlock", does("rw_timedwrlock", 0), "as wrlock, or ETIMEDOUT at any moment", _USED),
    Row("pthread_rwlock_unlock", does("rw_unlock", 0), "the writer leaves, or one reader", misuse=NOTED),
)

_SPINLOCKS = (
    Row("pthread_spin_init", does("spin_init", 0), "free"),
    Row("pthread_spin_destroy", Gives(), "nothing"),
    Row(
        "pthread_spin_lock", does("spin_lock", 0), "takes the lock", HELD, "locked twice by one thread: blocks for ever"
    ),
    Row("pthread_spin_trylock", does("spin_trylock", 0), "takes the lock, or EBUSY exactly if it is held"),
    Row("pthread_spin_unlock", does("spin_unlock", 0), "frees the lock", misuse=NOTED),
)

_BARRIERS = (
    Row("pthread_barrier_init", does("barrier_init", 0, 2), "for that many threads; 0: EINVAL"),
    Row("pthread_barrier_destroy", Gives(), "nothing"),
    Row("pthread_barrier_wait", Does((Use("barrier_arrive", (0,)), Use("barrier_pass", (0, PREVIOUS)))),
        "arrives, then passes; the last to arrive gets PTHREAD_BARRIER_SERIAL_THREAD", "until all have arrived"),
)  # fmt: skip


_CONDITIONS = (
    Row("pthread_cond_init", Gives(), "nothing: who waits is part of the threads"),
    Row("pthread_cond_destroy", Gives(), "nothing"),
    Row("pthread_cond_wait", waits("cond_relock"), "waits and unlocks in one step, then locks again", SPURIOUS),
    Row("pthread_cond_timedwait", waits("cond_relock_timed"), "as wait, or ETIMEDOUT at any moment", SPURIOUS),
    Row("pthread_cond_clockwait", waits("cond_relock_timed"), "as timedwait", SPURIOUS),
    Row("pthread_cond_signal", does("cond_signal", 0), "wakes one waiter, any of them; none: nothing happens"),
    Row("pthread_cond_broadcast", does("cond_broadcast", 0), "wakes all waiters"),
    Row("pthread_condattr_init", Gives(), "nothing"),
    Row("pthread_condattr_destroy", Gives(), "nothing"),
    Row("pthread_condattr_setclock", Gives(), "nothing"),
)

_SEMAPHORES = (
    Row("sem_init", does("sem_init", 0, 2), "holds the given value"),
    Row("sem_destroy", Gives(), "nothing"),
    Row("sem_wait", does("sem_wait", 0), "takes one", "while it is zero"),
    Row("sem_trywait", does("sem_trywait", 0), "takes one, or -1 exactly if it is zero (errno is not modelled)"),
    Row(
        "sem_timedwait",
        does("sem_timedwait", 0),
        "takes one, or -1 at any moment (errno is not modelled)",
        "while it is zero",
    ),
    Row("sem_post", does("sem_post", 0), "gives one back"),
    Row("sem_getvalue", does("sem_getvalue", 0, 1), "the value now"),
    Row("sem_open", NoMeaning(), "named semaphores", fidelity=Fidelity.UNSUPPORTED),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Mutexes": _MUTEXES,
    "Read-write locks": _RWLOCKS,
    "Spin locks": _SPINLOCKS,
    "Barriers": _BARRIERS,
    "Condition variables": _CONDITIONS,
    "Semaphores": _SEMAPHORES,
}
