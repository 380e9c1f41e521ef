"""The end of the program: exit and what runs then."""

from __future__ import annotations

from threadproof.sync.families.common import does
from threadproof.sync.rows import Fidelity, InRuntime, NoMeaning, Row

_LAST_FIRST = "to run at the end, the last one registered first; the other threads go on meanwhile"
_ENDS = (
    Row("exit", InRuntime(), "runs the functions registered for it, then ends all threads",
        "while another thread ends the program",
        "called by such a function: goes on with the rest, as glibc; after main has left by pthread_exit: unsupported"),
    Row("quick_exit", InRuntime(), "runs those of at_quick_exit, then ends all threads",
        "while another thread ends the program"),
    Row("atexit", InRuntime(), f"a function {_LAST_FIRST}; so do functions marked as destructors"),
    Row("on_exit", InRuntime(), f"a function {_LAST_FIRST}; it gets the status"),
    Row("at_quick_exit", InRuntime(), "as atexit, for quick_exit"),
    Row("__threadproof_self", does("thread_self"), "the running thread's handle; 1 is main's"),
    Row("__threadproof_wait_for_ever", does("spin_lock", 0), "a lock that nobody frees"),
    *(Row(f"__threadproof_arbitrary_{what}", NoMeaning(), "lowered by the front end: unknown content, chosen when read",
          fidelity=Fidelity.UNSUPPORTED)
      for what in ("byte", "word")),
    *(Row(f"__threadproof_look_at_{what}", NoMeaning(), "lowered by the front end: a read, of no matter what",
          fidelity=Fidelity.UNSUPPORTED)
      for what in ("byte", "word")),
    Row("__threadproof_unsupported", NoMeaning(), "lowered by the front end: fails when reached, with these words",
        fidelity=Fidelity.UNSUPPORTED),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Ends of programs": _ENDS,
}
