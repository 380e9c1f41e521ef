"""Threads: pthread and C11."""

from __future__ import annotations

from threadproof.sync.families.common import HELD, LATE, NOTED, SPURIOUS, at, does, waits
from threadproof.sync.rows import Fidelity, Gives, InRuntime, Look, Results, Row

C11 = Results.C11
ENDS = ("pthread_cancel", "pthread_exit", "thrd_exit")  # how a thread ends other than by returning

DETACHED = "PTHREAD_CREATE_DETACHED"  # in `runtime_if`: the program may give threads this attribute
_MASKS = ("pthread_sigmask", "sigprocmask", "kill")  # a new thread has its creator's, and kill asks for those of all
_NO_KEY = "no such key: EINVAL"
_NO_TIME = "no time: EINVAL"
_THREADS = (
    Row(
        "pthread_create",
        does("thread_create", 0, 2, 3),
        "starts a thread; always succeeds; of its attributes nothing matters but whether it is detached",
        looks=(Look(1, "pthread_attr_t", optional=True),),
        runtime_if=(*_MASKS, DETACHED),
    ),
    Row(
        "pthread_join",
        does("thread_join", 0, 1),
        "takes the thread's result",
        "until the thread has ended",
        "no such thread: ESRCH; oneself: EDEADLK; detached: unsupported; two that join each other wait for ever; "
        "joined before: succeeds again",
    ),
    Row("pthread_detach", does("thread_detach", 0), "the thread will not be joined", misuse="again: EINVAL"),
    Row("pthread_exit", does("thread_exit", 0), "ends the thread (of main: the others go on)"),
    Row("pthread_self", does("thread_self"), "the caller's handle"),
    Row("pthread_equal", does("handle_equal", 0, 1), "whether two handles are the same"),
    Row("pthread_once", InRuntime(), "the first caller runs the routine", "while the first caller runs it"),
    Row(
        "pthread_cancel",
        does("thread_cancel", 0),
        "the thread ends at its next cancellation point: a wait, a join, "
        "a sleep, pthread_testcancel; asynchronous cancellation ends it only there too",
        fidelity=Fidelity.FEWER,
    ),
    Row(
        "__pthread_register_cancel",
        InRuntime(),
        "pthread_cleanup_push: the handler runs if the thread is cancelled or exits, the newest first, before the "
        "destructors of keys; it takes one key of the 1024",
    ),
    Row("__pthread_unregister_cancel", InRuntime(), "pthread_cleanup_pop"),
    Row("pthread_testcancel", does("cancel_point"), "ends the caller if it was cancelled"),
    Row(
        "pthread_setcancelstate",
        does("cancel_state", 0, 1),
        "enables or disables cancellation",
        misuse="another state: EINVAL",
    ),
    Row(
        "pthread_setcanceltype",
        InRuntime(),
        "deferred, as it is anyway; PTHREAD_CANCEL_ASYNCHRONOUS is unsupported when reached",
        misuse="another type: EINVAL",
    ),
    Row("pthread_atfork", Gives(), "nothing: fork is unsupported"),
    Row(
        "syscall",
        InRuntime(),
        "SYS_futex with FUTEX_WAIT or FUTEX_WAKE, private or not; how many are woken is any number of those asked for; "
        "SYS_gettid as gettid; "
        "other system calls are unsupported when reached",
        "FUTEX_WAIT: while the word has the value, until woken (spurious wake-ups as for condition variables)",
        fidelity=Fidelity.MORE,
    ),
    Row("pthread_key_create", does("key_create", 0, 1), "a new key, null in every thread; EAGAIN if there are 1024"),
    Row("pthread_key_delete", does("key_delete", 0), "the key's destructor does not run any more", misuse=_NO_KEY),
    Row("pthread_setspecific", does("key_set", 0, 1), "sets the caller's value of the key", misuse=_NO_KEY),
    Row("pthread_getspecific", does("key_get", 0), "the caller's value of the key"),
    Row("pthread_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("sched_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("sleep", does("cancel_point"), "takes no time that matters; a cancellation point"),
    Row("usleep", does("cancel_point"), "takes no time that matters; a cancellation point"),
    Row("nanosleep", InRuntime(), "reads the time, which then does not matter; a cancellation point", misuse=_NO_TIME),
)

_C11 = (
    Row("thrd_create", does("thread_create", 0, 1, 2), "starts a thread; thrd_success", runtime_if=_MASKS),
    Row(
        "thrd_join",
        does("thread_join_int", 0, 1),
        "takes the thread's int result",
        "until the thread has ended",
        results=C11,
    ),
    Row("thrd_detach", does("thread_detach", 0), "the thread will not be joined", results=C11),
    Row("thrd_exit", does("thread_exit", 0), "ends the thread"),
    Row("thrd_current", does("thread_self"), "the caller's handle"),
    Row("thrd_equal", does("handle_equal", 0, 1), "whether two handles are the same"),
    Row("thrd_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("thrd_sleep", InRuntime(), "reads the time, which then does not matter", misuse="no time: -2"),
    Row("mtx_init", does("mutex_init_type", 0, 1), "free, of the given kind", results=C11, looks=at("mtx_t")),
    Row("mtx_destroy", Gives(), "nothing", looks=at("mtx_t")),
    Row("mtx_lock", does("mutex_lock", 0), "takes the mutex", HELD, results=C11),
    Row("mtx_trylock", does("mutex_trylock", 0), "takes the mutex, or thrd_busy exactly if it is held", results=C11),
    Row(
        "mtx_timedlock",
        does("mutex_timedlock", 0, LATE),
        "as lock, or thrd_timedout while it waits",
        HELD,
        time_arg=1,
        results=C11,
    ),
    Row("mtx_unlock", does("mutex_unlock", 0), "frees the mutex", misuse=NOTED, results=C11),
    Row("cnd_init", Gives(), "nothing", looks=at("cnd_t")),
    Row("cnd_destroy", Gives(), "nothing", looks=at("cnd_t")),
    Row("cnd_wait", waits("cond_relock"), "as pthread_cond_wait", SPURIOUS, results=C11),
    Row(
        "cnd_timedwait",
        waits("cond_relock_timed"),
        "as pthread_cond_timedwait, thrd_timedout",
        SPURIOUS,
        time_arg=2,
        results=C11,
    ),
    Row("cnd_signal", does("cond_signal", 0), "wakes one waiter"),
    Row("cnd_broadcast", does("cond_broadcast", 0), "wakes all waiters"),
    Row("call_once", InRuntime(), "the first caller runs the routine", "while the first caller runs it"),
    Row("tss_create", does("key_create", 0, 1), "a new key", results=C11),
    Row("tss_delete", does("key_delete", 0), "the key's destructor does not run any more"),
    Row("tss_set", does("key_set", 0, 1), "sets the caller's value", results=C11),
    Row("tss_get", does("key_get", 0), "the caller's value"),
)

_INTERNAL = (
    *(
        Row(
            f"__threadproof_{operation}",
            does(operation, 0, 2, 3),
            "for pthread_create of programs that set signal masks, or detach threads by their attributes",
            looks=(Look(1, "pthread_attr_t", optional=True),),
        )
        for operation in ("thread_create", "thread_create_detached")
    ),
    Row("__threadproof_is_detached", Gives(), "0, if no attributes say so", runtime_if=(DETACHED,)),
    Row("__threadproof_passes_masks", Gives(), "0, if the program has none", runtime_if=_MASKS),
    Row("__threadproof_pass_mask_to", Gives(), "nothing, if the program sets none", runtime_if=_MASKS),
    Row("__threadproof_once_enter", does("once_enter", 0), "first half of pthread_once"),
    Row("__threadproof_once_give_up", does("once_give_up", 0), "pthread_once whose thread ended: as if never called"),
    Row("__threadproof_once_guard", Gives(), "gives the routine up if the thread ends in it", runtime_if=ENDS),
    Row("__threadproof_once_unguard", Gives(), "the routine is over", runtime_if=ENDS),
    Row("__threadproof_once_leave", does("once_leave", 0), "second half of pthread_once"),
    Row("__threadproof_sem_init", does("sem_init", 0, 2), "for sem_init with errno"),
    Row("__threadproof_sem_trywait", does("sem_trywait", 0), "for sem_trywait with errno"),
    Row("__threadproof_sem_timedwait", does("sem_timedwait", 0, LATE), "for sem_timedwait with errno", time_arg=1),
    Row("__threadproof_sem_getvalue", does("sem_getvalue", 0, 1), "for sem_getvalue of what may be closed"),
    Row("__threadproof_sem_must_be_open", Gives(), "nothing, if no semaphore is closed", runtime_if=("sem_close",)),
    Row("__threadproof_sem_post", does("sem_post", 0), "for sem_post with errno"),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Threads": _THREADS,
    "C11 threads": _C11,
    "Internal": _INTERNAL,
}
