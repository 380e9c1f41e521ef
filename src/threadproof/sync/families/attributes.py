"""Attributes of threads and synchronisation objects."""

from __future__ import annotations

from threadproof.sync.families.common import at
from threadproof.sync.rows import Gives, InRuntime, Row

_DEFAULTS = "sets the defaults"


def _pair(prefix: str, name: str, says: str, wrong: str = "another value: EINVAL") -> tuple[Row, ...]:
    """The two functions of a setting: set and get."""
    setter = Row(f"{prefix}_set{name}", InRuntime(), f"sets {says}", misuse=wrong)
    return setter, Row(f"{prefix}_get{name}", InRuntime(), f"gets {says}")


_THREAD = (
    Row("pthread_attr_init", InRuntime(), f"{_DEFAULTS} (a stack of 8 MiB)"),
    Row("pthread_attr_destroy", Gives(), "nothing", looks=at("pthread_attr_t")),
    *_pair("pthread_attr", "detachstate", "whether it is detached"),
    *_pair("pthread_attr", "inheritsched", "where the priority comes from"),
    *_pair("pthread_attr", "schedpolicy", "the policy: every schedule is possible anyway"),
    *_pair("pthread_attr", "schedparam", "the priority", "outside the policy's range: EINVAL"),
    *_pair("pthread_attr", "scope", "the scope", "PTHREAD_SCOPE_PROCESS: ENOTSUP; another value: EINVAL"),
    *_pair("pthread_attr", "guardsize", "the size of the guard", ""),
    *_pair("pthread_attr", "stacksize", "the size of the stack", "less than 16384: EINVAL"),
    *_pair("pthread_attr", "stack", "place and size of the stack, which is not used", "less than 16384: EINVAL"),
    Row("sched_get_priority_min", InRuntime(), "1 for SCHED_FIFO and SCHED_RR, else 0", misuse="no policy: -1, EINVAL"),
    Row(
        "sched_get_priority_max", InRuntime(), "99 for SCHED_FIFO and SCHED_RR, else 0", misuse="no policy: -1, EINVAL"
    ),
)

_OTHERS = (
    *_pair("pthread_mutexattr", "pshared", "whether processes share it: there is one process"),
    *_pair("pthread_mutexattr", "protocol", "the protocol: priorities do not matter"),
    *_pair("pthread_mutexattr", "prioceiling", "the ceiling", "less than 1 or more than 99: EINVAL"),
    *(
        row
        for name in ("robust", "robust_np")
        for row in _pair("pthread_mutexattr", name, "whether the next owner learns that the owner ended")
    ),
    Row("pthread_condattr_init", InRuntime(), _DEFAULTS),
    Row("pthread_condattr_destroy", Gives(), "nothing", looks=at("pthread_condattr_t")),
    *_pair("pthread_condattr", "pshared", "whether processes share it: there is one process"),
    *_pair("pthread_condattr", "clock", "the clock: time does not matter"),
    Row("pthread_rwlockattr_init", InRuntime(), _DEFAULTS),
    Row("pthread_rwlockattr_destroy", Gives(), "nothing", looks=at("pthread_rwlockattr_t")),
    *_pair("pthread_rwlockattr", "pshared", "whether processes share it: there is one process"),
    *_pair("pthread_rwlockattr", "kind_np", "who goes first: readers; a lock that prefers writers is unsupported"),
    Row("pthread_barrierattr_init", InRuntime(), _DEFAULTS),
    Row("pthread_barrierattr_destroy", Gives(), "nothing", looks=at("pthread_barrierattr_t")),
    *_pair("pthread_barrierattr", "pshared", "whether processes share it: there is one process"),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Attributes of threads": _THREAD,
    "Attributes of synchronisation objects": _OTHERS,
}
