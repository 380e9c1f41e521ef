"""The sync table: one row per C library function Threadproof gives a meaning to.

Rows are data for the front end, the documentation (`docs/library.md` is generated from them) and the tests. A
function that is not here and has no body is an external: unsupported when reached if it takes a pointer, else an
arbitrary value.
"""

from __future__ import annotations

from threadproof.ir.instr import ErrorKind, Fill, HaltKind
from threadproof.sync.rows import (
    Allocates,
    Asserts,
    Assumes,
    Does,
    Effect,
    Fails,
    Fidelity,
    Frees,
    Gives,
    GivesAny,
    Halts,
    InRuntime,
    NoMeaning,
    Prints,
    Row,
    Scans,
    Use,
)

PREVIOUS = -1  # in Use.args: the result of the operation before


def _op(op: str, *args: int) -> Does:
    return Does((Use(op, args),))


_HELD = "while another thread holds it"
_NOTED = "unlocking what is not locked by the caller: noted in the trace, see the operation"
_MORE, _FEWER = Fidelity.MORE, Fidelity.FEWER

_THREADS = (
    Row("pthread_create", _op("thread_create", 0, 2, 3), "starts a thread; always succeeds; attributes do not matter"),
    Row("pthread_join", _op("thread_join", 0, 1), "takes the thread's result", "until the thread has ended",
        "no such thread: ESRCH; a thread joining itself waits for ever"),
    Row("pthread_detach", _op("thread_detach", 0), "the thread will not be joined"),
    Row("pthread_exit", _op("thread_exit", 0), "ends the thread (of main: the others go on)"),
    Row("pthread_self", _op("thread_self"), "the caller's handle"),
    Row("pthread_equal", _op("handle_equal", 0, 1), "whether two handles are the same"),
    Row("pthread_once", InRuntime(), "the first caller runs the routine", "while the first caller runs it"),
    Row("pthread_cancel", _op("thread_cancel", 0), "the thread ends at its next cancellation point: a wait, a join, "
        "a sleep, pthread_testcancel; asynchronous cancellation ends it only there too", fidelity=_FEWER),
    Row("pthread_testcancel", _op("cancel_point"), "ends the caller if it was cancelled"),
    Row("pthread_setcancelstate", _op("cancel_state", 0, 1), "enables or disables cancellation"),
    Row("pthread_setcanceltype", NoMeaning(), "asynchronous cancellation", fidelity=Fidelity.UNSUPPORTED),
    Row("pthread_key_create", _op("key_create", 0, 1), "a new key, null in every thread"),
    Row("pthread_key_delete", _op("key_delete", 0), "the key's destructor does not run any more"),
    Row("pthread_setspecific", _op("key_set", 0, 1), "sets the caller's value of the key"),
    Row("pthread_getspecific", _op("key_get", 0), "the caller's value of the key"),
    Row("pthread_attr_init", Gives(), "nothing"),
    Row("pthread_attr_destroy", Gives(), "nothing"),
    Row("pthread_attr_setdetachstate", Gives(), "nothing: joining a thread detached so is not noticed"),
    Row("pthread_attr_setstacksize", Gives(), "nothing"),
    Row("pthread_attr_setscope", Gives(), "nothing"),
    Row("pthread_setconcurrency", Gives(), "nothing"),
    Row("pthread_setschedparam", Gives(), "nothing: every schedule is possible anyway"),
    Row("pthread_setname_np", Gives(), "nothing"),
    Row("pthread_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("sched_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("sleep", _op("cancel_point"), "takes no time that matters; a cancellation point"),
    Row("usleep", _op("cancel_point"), "takes no time that matters; a cancellation point"),
    Row("nanosleep", _op("cancel_point"), "takes no time that matters; a cancellation point"),
)  # fmt: skip

_MUTEXES = (
    Row("pthread_mutex_init", _op("mutex_init", 0, 1), "free, of the attribute's kind"),
    Row("pthread_mutex_destroy", Gives(), "nothing: using it afterwards is not noticed"),
    Row("pthread_mutex_lock", _op("mutex_lock", 0), "takes the mutex (counts, if recursive)", _HELD,
        "a normal mutex locked twice by one thread blocks it for ever; errorcheck: EDEADLK"),
    Row("pthread_mutex_trylock", _op("mutex_trylock", 0), "takes the mutex, or EBUSY exactly if it is held"),
    Row("pthread_mutex_timedlock", _op("mutex_timedlock", 0), "as lock, or ETIMEDOUT at any moment", _HELD),
    Row("pthread_mutex_clocklock", _op("mutex_timedlock", 0), "as timedlock", _HELD),
    Row("pthread_mutex_unlock", _op("mutex_unlock", 0), "frees the mutex", misuse=_NOTED),
    Row("pthread_mutexattr_init", _op("attr_init", 0), "normal kind"),
    Row("pthread_mutexattr_destroy", Gives(), "nothing"),
    Row("pthread_mutexattr_settype", _op("attr_set", 0, 1), "normal, recursive or errorcheck"),
    Row("pthread_mutexattr_gettype", _op("attr_get", 0, 1), "the kind"),
    Row("pthread_mutexattr_setpshared", Gives(), "nothing"),
    Row("pthread_mutexattr_setprotocol", Gives(), "nothing"),
)  # fmt: skip

_WRITTEN, _USED = "while a writer holds it", "while anybody holds it"
_AGAIN = "a thread that is the writer already: EDEADLK"
_RWLOCKS = (
    Row("pthread_rwlock_init", _op("rw_init", 0), "free"),
    Row("pthread_rwlock_destroy", Gives(), "nothing: using it afterwards is not noticed"),
    Row("pthread_rwlock_rdlock", _op("rw_rdlock", 0), "one more reader", _WRITTEN, _AGAIN),
    Row("pthread_rwlock_tryrdlock", _op("rw_tryrdlock", 0), "one more reader, or EBUSY exactly if a writer holds it"),
    Row("pthread_rwlock_timedrdlock", _op("rw_timedrdlock", 0), "as rdlock, or ETIMEDOUT at any moment", _WRITTEN),
    Row("pthread_rwlock_wrlock", _op("rw_wrlock", 0), "the writer", _USED, f"{_AGAIN}; a reader waits for ever"),
    Row("pthread_rwlock_trywrlock", _op("rw_trywrlock", 0), "the writer, or EBUSY exactly if anybody holds it"),
    Row("pthread_rwlock_timedwrlock", _op("rw_timedwrlock", 0), "as wrlock, or ETIMEDOUT at any moment", _USED),
    Row("pthread_rwlock_unlock", _op("rw_unlock", 0), "the writer leaves, or one reader", misuse=_NOTED),
)

_SPINLOCKS = (
    Row("pthread_spin_init", _op("spin_init", 0), "free"),
    Row("pthread_spin_destroy", Gives(), "nothing"),
    Row(
        "pthread_spin_lock", _op("spin_lock", 0), "takes the lock", _HELD, "locked twice by one thread: blocks for ever"
    ),
    Row("pthread_spin_trylock", _op("spin_trylock", 0), "takes the lock, or EBUSY exactly if it is held"),
    Row("pthread_spin_unlock", _op("spin_unlock", 0), "frees the lock", misuse=_NOTED),
)

_BARRIERS = (
    Row("pthread_barrier_init", _op("barrier_init", 0, 2), "for that many threads; 0: EINVAL"),
    Row("pthread_barrier_destroy", Gives(), "nothing"),
    Row("pthread_barrier_wait", Does((Use("barrier_arrive", (0,)), Use("barrier_pass", (0, PREVIOUS)))),
        "arrives, then passes; the last to arrive gets PTHREAD_BARRIER_SERIAL_THREAD", "until all have arrived"),
)  # fmt: skip


def _wait(relock: str) -> Does:
    return Does((Use("cond_enqueue", (0, 1)), Use(relock, (0, 1))))


_SPURIOUS = "until woken (spurious wake-ups happen, except under no-deadlock) and the mutex is free"
_CONDITIONS = (
    Row("pthread_cond_init", Gives(), "nothing: who waits is part of the threads"),
    Row("pthread_cond_destroy", Gives(), "nothing"),
    Row("pthread_cond_wait", _wait("cond_relock"), "waits and unlocks in one step, then locks again", _SPURIOUS),
    Row("pthread_cond_timedwait", _wait("cond_relock_timed"), "as wait, or ETIMEDOUT at any moment", _SPURIOUS),
    Row("pthread_cond_clockwait", _wait("cond_relock_timed"), "as timedwait", _SPURIOUS),
    Row("pthread_cond_signal", _op("cond_signal", 0), "wakes one waiter, any of them; none: nothing happens"),
    Row("pthread_cond_broadcast", _op("cond_broadcast", 0), "wakes all waiters"),
    Row("pthread_condattr_init", Gives(), "nothing"),
    Row("pthread_condattr_destroy", Gives(), "nothing"),
    Row("pthread_condattr_setclock", Gives(), "nothing"),
)

_SEMAPHORES = (
    Row("sem_init", _op("sem_init", 0, 2), "holds the given value"),
    Row("sem_destroy", Gives(), "nothing"),
    Row("sem_wait", _op("sem_wait", 0), "takes one", "while it is zero"),
    Row("sem_trywait", _op("sem_trywait", 0), "takes one, or -1 exactly if it is zero (errno is not modelled)"),
    Row(
        "sem_timedwait",
        _op("sem_timedwait", 0),
        "takes one, or -1 at any moment (errno is not modelled)",
        "while it is zero",
    ),
    Row("sem_post", _op("sem_post", 0), "gives one back"),
    Row("sem_getvalue", _op("sem_getvalue", 0, 1), "the value now"),
    Row("sem_open", NoMeaning(), "named semaphores", fidelity=Fidelity.UNSUPPORTED),
)

_C11 = (
    Row("thrd_create", _op("thread_create", 0, 1, 2), "starts a thread; thrd_success"),
    Row("thrd_join", _op("thread_join_int", 0, 1), "takes the thread's int result", "until the thread has ended"),
    Row("thrd_detach", _op("thread_detach", 0), "the thread will not be joined"),
    Row("thrd_exit", _op("thread_exit", 0), "ends the thread"),
    Row("thrd_current", _op("thread_self"), "the caller's handle"),
    Row("thrd_equal", _op("handle_equal", 0, 1), "whether two handles are the same"),
    Row("thrd_yield", Gives(), "nothing: every schedule is possible anyway"),
    Row("thrd_sleep", _op("cancel_point"), "takes no time that matters"),
    Row("mtx_init", _op("mutex_init_type", 0, 1), "free, of the given kind"),
    Row("mtx_destroy", Gives(), "nothing"),
    Row("mtx_lock", _op("mutex_lock", 0), "takes the mutex", _HELD),
    Row("mtx_trylock", InRuntime(), "takes the mutex, or thrd_busy exactly if it is held"),
    Row("mtx_timedlock", InRuntime(), "as lock, or thrd_timedout at any moment", _HELD),
    Row("mtx_unlock", _op("mutex_unlock", 0), "frees the mutex", misuse=_NOTED),
    Row("cnd_init", Gives(), "nothing"),
    Row("cnd_destroy", Gives(), "nothing"),
    Row("cnd_wait", _wait("cond_relock"), "as pthread_cond_wait", _SPURIOUS),
    Row("cnd_timedwait", InRuntime(), "as pthread_cond_timedwait, thrd_timedout", _SPURIOUS),
    Row("cnd_signal", _op("cond_signal", 0), "wakes one waiter"),
    Row("cnd_broadcast", _op("cond_broadcast", 0), "wakes all waiters"),
    Row("call_once", InRuntime(), "the first caller runs the routine", "while the first caller runs it"),
    Row("tss_create", _op("key_create", 0, 1), "a new key"),
    Row("tss_delete", _op("key_delete", 0), "the key's destructor does not run any more"),
    Row("tss_set", _op("key_set", 0, 1), "sets the caller's value"),
    Row("tss_get", _op("key_get", 0), "the caller's value"),
)

_INTERNAL = (
    Row("__threadproof_once_enter", _op("once_enter", 0), "first half of pthread_once"),
    Row("__threadproof_once_leave", _op("once_leave", 0), "second half of pthread_once"),
    Row("__threadproof_mutex_trylock", _op("mutex_trylock", 0), "for mtx_trylock"),
    Row("__threadproof_mutex_timedlock", _op("mutex_timedlock", 0), "for mtx_timedlock"),
    Row("__threadproof_cond_timedwait", _wait("cond_relock_timed"), "for cnd_timedwait"),
)

_ATOMIC_BLOCKS = tuple(
    Row(name, _op("atomic_begin" if name.endswith("begin") else "atomic_end"), "brackets a block no other thread "
        "interrupts; does not nest", "an operation inside that cannot proceed ends the path")
    for end in ("begin", "end")
    for name in (f"__VERIFIER_atomic_{end}", f"__CPROVER_atomic_{end}", f"__ESBMC_atomic_{end}")
)  # fmt: skip

_NONDET_TYPES: dict[str, tuple[int | None, int | None]] = {
    # name: (low, high); None: that end of the result type, read as signed unless low is 0
    "bool": (0, 1), "_Bool": (0, 1),
    "char": (None, None), "short": (None, None), "int": (None, None), "long": (None, None),
    "longlong": (None, None), "loff_t": (None, None), "int128": (None, None),
    "uchar": (0, None), "ushort": (0, None), "uint": (0, None), "unsigned": (0, None), "ulong": (0, None),
    "ulonglong": (0, None), "uint128": (0, None), "size_t": (0, None), "u8": (0, None), "u16": (0, None),
    "u32": (0, None), "u64": (0, None), "sector_t": (0, None), "unsigned_int": (0, None),
    "unsigned_char": (0, None), "unsigned_long": (0, None),
    "pchar": (0, None), "pointer": (0, None), "pthread_t": (0, None),
    "float": (0, None), "double": (0, None),
}  # fmt: skip

_NONDET = tuple(
    Row(f"{prefix}{kind}", GivesAny(*bounds), "any value of its type")
    for prefix in ("__VERIFIER_nondet_", "nondet_", "__ESBMC_nondet_")
    for kind, bounds in _NONDET_TYPES.items()
)

_VERDICTS = (
    Row("reach_error", Fails(ErrorKind.REACH_ERROR), "the error of unreach-call; the body is not executed"),
    Row("__VERIFIER_error", Fails(ErrorKind.REACH_ERROR), "the error of unreach-call"),
    Row("__assert_fail", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert_rtn", Fails(ErrorKind.ASSERTION), "a failed assert()"),
    Row("__assert_perror_fail", Fails(ErrorKind.ASSERTION), "a failed assert_perror()"),
    Row("__VERIFIER_assert", Asserts(0), "an error if the argument is zero"),
    Row("__CPROVER_assert", Asserts(0), "an error if the argument is zero"),
    Row("__ESBMC_assert", Asserts(0), "an error if the argument is zero"),
    Row("__VERIFIER_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__CPROVER_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__ESBMC_assume", Assumes(0), "ends the path if the argument is zero"),
    Row("__ESBMC_yield", Gives(), "nothing"),
    Row("abort", Halts(HaltKind.ABORT), "ends all threads"),
    Row("exit", Halts(HaltKind.EXIT), "ends all threads; functions registered with atexit are unsupported"),
    Row("_exit", Halts(HaltKind.EXIT), "ends all threads"),
    Row("_Exit", Halts(HaltKind.EXIT), "ends all threads"),
    Row("quick_exit", Halts(HaltKind.EXIT), "ends all threads"),
    Row("atexit", NoMeaning(), "functions to run at exit", fidelity=Fidelity.UNSUPPORTED),
)

_WIDE = "unsupported if the block does not happen to lie as asked; it always lies at a multiple of 16"
_MEMORY = (
    Row("malloc", Allocates((0,), Fill.ARBITRARY), "a fresh block, or one freed before of the same size; never fails; "
        "its bytes are arbitrary"),
    Row("calloc", Allocates((0, 1), Fill.ZERO), "as malloc, zeroed"),
    *(Row(name, InRuntime(), f"as malloc; {_WIDE}") for name in ("aligned_alloc", "memalign", "posix_memalign")),
    Row("valloc", InRuntime(), f"as memalign to 4096: {_WIDE}"),
    Row("realloc", InRuntime(), "always moves: a fresh block, the old content, the old block freed", fidelity=_FEWER),
    Row("reallocarray", InRuntime(), "as realloc", fidelity=_FEWER),
    Row("free", Frees(0), "gives the block back; null: nothing", misuse="double or invalid free: undefined behaviour"),
    Row("cfree", Frees(0), "as free"),
    Row("__threadproof_object_size", NoMeaning(), "lowered by the front end to ObjectSize"),
    Row("__threadproof_wide_alignment", NoMeaning(), "an alignment above 16 that the block does not have"),
)  # fmt: skip

_IN_C = tuple(
    Row(name, InRuntime(), "as in the C library, in accesses of at most a word")
    for name in (
        "memcpy", "memmove", "memset", "memcmp", "memchr", "bcopy", "bzero", "bcmp", "mempcpy", "strlen", "strnlen",
        "strcpy", "stpcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strcasecmp", "strncasecmp",
        "strchr", "strrchr", "strstr", "strdup", "strndup", "strspn", "strcspn", "strpbrk", "atoi", "atol", "atoll",
        "abs", "labs", "llabs", "ffs", "ffsl", "ffsll", "isdigit", "isalpha", "isalnum", "isspace", "isupper",
        "islower", "isprint", "isgraph", "ispunct", "iscntrl", "isblank", "isxdigit", "__ctype_b_loc", "toupper",
        "tolower", "isascii", "toascii", "imaxabs", "div", "ldiv", "lldiv", "htonl", "htons", "ntohl", "ntohs",
    )
)  # fmt: skip

_FLOATS = tuple(
    Row(f"{name}{suffix}", NoMeaning(), "floating-point functions other than the exact ones (sqrt, fabs, floor, ...)",
        fidelity=Fidelity.UNSUPPORTED)
    for name in (
        "pow", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
        "atan2", "sinh", "cosh", "tanh", "hypot", "cbrt", "fmod", "remainder", "ldexp", "scalbn", "logb", "erf",
        "tgamma", "lgamma", "nextafter", "fdim", "lround", "llround", "lrint", "llrint",
    )
    for suffix in ("", "f", "l")
)  # fmt: skip

_ANY_ORDER = "by some correct sequence of comparisons; which of several equal elements comes first is decided"
_ANY_TIME = "any time, a new one each time; may go backwards"
_SORTING_AND_TIME = (
    Row("qsort", InRuntime(), f"sorts, {_ANY_ORDER}", fidelity=_FEWER),
    Row("bsearch", InRuntime(), f"finds, {_ANY_ORDER}", fidelity=_FEWER),
    *(Row(name, InRuntime(), _ANY_TIME, fidelity=_MORE) for name in ("time", "gettimeofday", "clock_gettime")),
)

_ENVIRONMENT = (
    *(Row(name, Prints(arg), "reads the strings it prints; any non-negative result; writes nothing to memory",
          fidelity=_MORE)
      for name, arg in (("printf", 0), ("fprintf", 1), ("dprintf", 1), ("printk", 0), ("__printf_chk", 1),
                        ("__fprintf_chk", 2))),
    *(Row(name, Scans(arg), "stores arbitrary values as far as the format tells; any number of items")
      for name, arg in (("scanf", 0), ("__isoc99_scanf", 0), ("__isoc23_scanf", 0), ("fscanf", 1),
                        ("__isoc99_fscanf", 1), ("__isoc23_fscanf", 1))),
    *(Row(name, NoMeaning(), "what it converts follows from its text, which is not modelled",
          fidelity=Fidelity.UNSUPPORTED)
      for name in ("sscanf", "__isoc99_sscanf", "__isoc23_sscanf")),
    *(Row(name, InRuntime(), "reads the string it prints; any result", fidelity=_MORE) for name in ("puts", "fputs")),
    *(Row(name, GivesAny(), "prints; any result", fidelity=_MORE)
      for name in ("putchar", "putchar_unlocked", "putc", "fputc")),
    Row("perror", InRuntime(), "reads the string it prints"),
    Row("strerror", InRuntime(), "some text", fidelity=_FEWER),
    Row("fflush", Gives(), "nothing"),
    Row("getchar", GivesAny(-1, 255), "any character or EOF"),
    Row("rand", GivesAny(0, 0x7FFFFFFF), "any value, whatever the seed", fidelity=_MORE),
    Row("random", GivesAny(0, 0x7FFFFFFF), "any value, whatever the seed", fidelity=_MORE),
    Row("srand", Gives(), "nothing"),
    Row("srandom", Gives(), "nothing"),
    Row("getpid", GivesAny(1, 0x7FFFFFFF), "any value, a new one each time", fidelity=_MORE),
    Row("__errno_location", NoMeaning(), "errno", fidelity=Fidelity.UNSUPPORTED),
    *(Row(name, NoMeaning(), "control flow or processes outside the model", fidelity=Fidelity.UNSUPPORTED)
      for name in ("setjmp", "_setjmp", "__sigsetjmp", "longjmp", "fork", "vfork", "execve", "signal", "sigaction",
                   "raise", "kill", "pthread_kill", "alarm", "system", "pthread_atfork", "pthread_sigmask")),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Threads": _THREADS,
    "Mutexes": _MUTEXES,
    "Read-write locks": _RWLOCKS,
    "Spin locks": _SPINLOCKS,
    "Barriers": _BARRIERS,
    "Condition variables": _CONDITIONS,
    "Semaphores": _SEMAPHORES,
    "C11 threads": _C11,
    "Atomic blocks": _ATOMIC_BLOCKS,
    "Arbitrary values": _NONDET,
    "Errors, assumptions and ends": _VERDICTS,
    "Memory": _MEMORY,
    "Strings, characters and numbers": _IN_C,
    "Floating-point functions": _FLOATS,
    "Sorting and time": _SORTING_AND_TIME,
    "Input, output and the rest of the world": _ENVIRONMENT,
    "Internal": _INTERNAL,
}

TABLE: dict[str, Row] = {row.name: row for rows in GROUPS.values() for row in rows}


def lookup(name: str) -> Row | None:
    """The row of a C function, or None if Threadproof gives it no meaning of its own."""
    return TABLE.get(name)


def effect_of(name: str) -> Effect | None:
    row = TABLE.get(name)
    return None if row is None else row.effect
