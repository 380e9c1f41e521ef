"""Names, processors, policies of threads; joins that do not wait for ever."""

from __future__ import annotations

from threadproof.sync.rows import Fidelity, InRuntime, Row

_MORE = Fidelity.MORE
_ANYWAY = "every schedule is possible anyway"
_GONE = "a thread that has done its last step may take any time to be gone"
_JOINS = (
    Row("pthread_tryjoin_np", InRuntime(), f"takes the thread's result, or EBUSY: {_GONE}",
        misuse="oneself: EBUSY; detached: unsupported"),
    *(Row(name, InRuntime(), f"takes the thread's result, or ETIMEDOUT: {_GONE}; null: as pthread_join",
          "until the thread has ended or the time has come",
          "oneself: EDEADLK; detached, or a time that is none: unsupported")
      for name in ("pthread_timedjoin_np", "pthread_clockjoin_np")),
)  # fmt: skip

_WRONG = "a priority outside of the policy's range: EINVAL"
_SET = f"reads the priority, which does not matter: {_ANYWAY}; real-time policies may be refused (EPERM)"
_GET = "SCHED_OTHER with priority 0; after a real-time policy was set: unsupported"
_SETTINGS = (
    Row("pthread_setname_np", InRuntime(), "reads the name, and keeps one's own", misuse="16 characters: ERANGE"),
    Row("pthread_getname_np", InRuntime(), "the name one gave oneself, else any of at most 15 characters",
        misuse="a buffer of less than 16 bytes: ERANGE", fidelity=_MORE),
    *(Row(name, InRuntime(), _SET, misuse=_WRONG, fidelity=_MORE)
      for name in ("pthread_setschedparam", "pthread_setschedprio", "sched_setscheduler", "sched_setparam")),
    *(Row(name, InRuntime(), _GET) for name in ("pthread_getschedparam", "sched_getscheduler", "sched_getparam")),
    Row("sched_rr_get_interval", InRuntime(), "any interval", fidelity=_MORE),
    Row("pthread_setconcurrency", InRuntime(), "keeps the number", misuse="negative: EINVAL"),
    Row("pthread_getconcurrency", InRuntime(), "the number set last, or 0"),
    *(Row(name, InRuntime(), f"reads the mask; may fail with EINVAL; {_ANYWAY}", fidelity=_MORE)
      for name in ("pthread_setaffinity_np", "sched_setaffinity")),
    *(Row(name, InRuntime(), "any mask; EINVAL if it may be too small", fidelity=_MORE)
      for name in ("pthread_getaffinity_np", "sched_getaffinity")),
    Row("pthread_getattr_np", InRuntime(), "the defaults; whether it is detached, place and size of the stack: any",
        fidelity=_MORE),
    Row("pthread_getcpuclockid", InRuntime(), "a number; asking that clock is unsupported when reached"),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Joins that do not wait for ever": _JOINS,
    "Settings of threads": _SETTINGS,
}
