"""Text and numbers: errno and its words."""

from __future__ import annotations

from threadproof.sync.rows import InRuntime, Row

_ERRORS = (
    Row("__errno_location", InRuntime(), "errno: one per thread, 0 when the thread starts"),
    Row("strerror", InRuntime(), "the text of glibc; of an unknown number in memory that belongs to the thread"),
    Row("strerror_r", InRuntime(), "as in glibc, for programs with _GNU_SOURCE"),
    Row("__xpg_strerror_r", InRuntime(), "strerror_r of POSIX: copies the text; 0, EINVAL or ERANGE"),
    Row("perror", InRuntime(), "reads the string it prints"),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Error numbers": _ERRORS,
}
