"""Text: error numbers and their words, formats, printing."""

from __future__ import annotations

from threadproof.sync.rows import Extra, GivesAny, InRuntime, Prints, Row

_ERRORS = (
    Row("__errno_location", InRuntime(), "errno: one per thread, 0 when the thread starts"),
    Row("strerror", InRuntime(), "the text of glibc; of an unknown number in memory that belongs to the thread"),
    Row("strerror_r", InRuntime(), "as in glibc, for programs with _GNU_SOURCE"),
    Row("__xpg_strerror_r", InRuntime(), "strerror_r of POSIX: copies the text; 0, EINVAL or ERANGE"),
    Row("perror", InRuntime(), "reads the string it prints; errno stays as it is"),
)

_PRINTED = "reads its format and the strings it prints; the length of the text, or -1 and EIO as a choice"
_LONG_DOUBLE = "long doubles in hexadecimal or beyond the range of doubles, wide characters: unsupported when reached"
_PRINTING = (
    *(Row(name, Prints(arg), f"{_PRINTED}; {_LONG_DOUBLE}")
      for name, arg in (("printf", 0), ("fprintf", 1), ("dprintf", 1), ("printk", 0), ("__printf_chk", 1),
                        ("__fprintf_chk", 2))),
    *(Row(name, Prints(arg, Extra.LIST), f"as printf: {_PRINTED}")
      for name, arg in (("vprintf", 0), ("vfprintf", 1), ("vdprintf", 1), ("__vprintf_chk", 1),
                        ("__vfprintf_chk", 2))),
    *(Row(name, InRuntime(), f"the text of glibc in the C locale, exactly; {_LONG_DOUBLE}")
      for name in ("sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf", "vasprintf")),
    *(Row(name, InRuntime(), "as without _chk; ends the program if the room is too small")
      for name in ("__sprintf_chk", "__snprintf_chk", "__vsprintf_chk", "__vsnprintf_chk", "__asprintf_chk",
                   "__vasprintf_chk")),
    Row("syslog", Prints(1), "reads its format and the strings it would log"),
    Row("vsyslog", Prints(1, Extra.LIST), "as syslog"),
    Row("puts", InRuntime(), "reads the string it prints; its length and one, or EOF as a choice"),
    Row("fputs", InRuntime(), "reads the string it prints; 1, or EOF as a choice"),
    *(Row(name, InRuntime(), "the character, or EOF as a choice")
      for name in ("putchar", "putchar_unlocked", "putc", "fputc")),
    Row("fflush", GivesAny(-1, 0), "0, or EOF as a choice"),
    Row("__threadproof_fails", GivesAny(0, 1), "whether something outside of the program fails"),
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Error numbers": _ERRORS,
    "Printing": _PRINTING,
}
