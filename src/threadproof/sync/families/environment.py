"""Sorting, time, input and output, and the rest of the world."""

from __future__ import annotations

from threadproof.sync.rows import Fidelity, Gives, GivesAny, InRuntime, Row, Scans

_ANY_ORDER = "by some correct sequence of comparisons; which of several equal elements comes first is decided"
_ANY_TIME = "any time from 1970 on, a new one each time; it can be set, so it may go backwards"
_CLOCK = "a clock that can be set: any time; another: never backwards; EINVAL if there is no such clock"
_UTC = "as glibc where the local time is UTC"
_ONE_FOR_ALL = "threads that use it at the same time race"
_SORTING_AND_TIME = (
    Row("qsort", InRuntime(), f"sorts, {_ANY_ORDER}", fidelity=Fidelity.FEWER),
    Row("qsort_r", InRuntime(), f"sorts, {_ANY_ORDER}", fidelity=Fidelity.FEWER),
    Row("lfind", InRuntime(), "the first element that compares equal"),
    Row("lsearch", InRuntime(), "as lfind; puts a missing element at the end"),
    Row("bsearch", InRuntime(), f"finds, {_ANY_ORDER}", fidelity=Fidelity.FEWER),
    *(Row(name, InRuntime(), _ANY_TIME, fidelity=Fidelity.MORE) for name in ("time", "gettimeofday", "timespec_get")),
    Row("clock_gettime", InRuntime(), _CLOCK, fidelity=Fidelity.MORE),
    Row("clock", InRuntime(), "the processor time: any, never backwards, or -1", fidelity=Fidelity.MORE),
    Row("clock_getres", InRuntime(), "a nanosecond, 4 ms for coarse clocks", fidelity=Fidelity.FEWER),
    Row("difftime", InRuntime(), "the difference"),
    *(Row(name, InRuntime(), "as glibc") for name in ("gmtime_r", "timegm", "asctime_r")),
    *(Row(name, InRuntime(), f"as glibc; {_ONE_FOR_ALL}") for name in ("gmtime", "asctime")),
    *(Row(name, InRuntime(), _UTC, fidelity=Fidelity.FEWER) for name in ("localtime_r", "mktime", "ctime_r")),
    *(Row(name, InRuntime(), f"{_UTC}; {_ONE_FOR_ALL}", fidelity=Fidelity.FEWER) for name in ("localtime", "ctime")),
    Row("strftime", InRuntime(), "as glibc in the C locale; weeks of the year are unsupported"),
)

_CHANGES = ("setenv", "unsetenv", "putenv", "clearenv")
_NO_NAME = "no name: EINVAL"
_ENVIRONMENT = (
    *(Row(name, Scans(arg), "stores arbitrary values as far as the format tells; any number of items")
      for name, arg in (("scanf", 0), ("__isoc99_scanf", 0), ("__isoc23_scanf", 0), ("fscanf", 1),
                        ("__isoc99_fscanf", 1), ("__isoc23_fscanf", 1))),
    *(Row(name, InRuntime(), "as glibc in the C locale; unfinished numbers and allocated strings are unsupported")
      for name in ("sscanf", "vsscanf", "__isoc99_sscanf", "__isoc23_sscanf", "__isoc99_vsscanf", "__isoc23_vsscanf")),
    *(Row(name, InRuntime(), "what was set last; at the start null or any text of less than 1024 characters",
          fidelity=Fidelity.FEWER) for name in ("getenv", "secure_getenv")),
    *(Row(name, InRuntime(), "changes the environment, of at most eight names that are asked for; threads that do so "
          "beside others that use it race", misuse=misuse)
      for name, misuse in (("setenv", _NO_NAME), ("unsetenv", _NO_NAME), ("putenv", ""), ("clearenv", ""))),
    Row("__threadproof_look_at_environment", Gives(), "nothing, if the program never changes it", runtime_if=_CHANGES),
    *(Row(name, InRuntime(), "as glibc where POSIXLY_CORRECT is not set; the words of argv change places",
          misuse="-W with long options: unsupported", fidelity=Fidelity.FEWER)
      for name in ("getopt", "getopt_long", "getopt_long_only")),
    Row("getchar", GivesAny(-1, 255), "any character or EOF"),
    Row("rand", GivesAny(0, 0x7FFFFFFF), "any value, whatever the seed", fidelity=Fidelity.MORE),
    Row("random", GivesAny(0, 0x7FFFFFFF), "any value, whatever the seed", fidelity=Fidelity.MORE),
    Row("srand", Gives(), "nothing"),
    Row("srandom", Gives(), "nothing"),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Sorting and time": _SORTING_AND_TIME,
    "Input, output and the rest of the world": _ENVIRONMENT,
}
