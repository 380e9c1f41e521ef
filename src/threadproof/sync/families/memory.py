"""Memory, strings, characters and numbers."""

from __future__ import annotations

from threadproof.ir.instr import Fill, Owner
from threadproof.sync.rows import Allocates, Fidelity, Frees, InRuntime, NoMeaning, Row

_WIDE = "unsupported if the block does not happen to lie as asked; it always lies at a multiple of 16"
_MEMORY = (
    Row("malloc", Allocates((0,), Fill.ARBITRARY), "a fresh block, or one freed before of the same size; never fails; "
        "its bytes are arbitrary"),
    Row("calloc", Allocates((0, 1), Fill.ZERO), "as malloc, zeroed"),
    Row("aligned_alloc", InRuntime(), f"as malloc; {_WIDE}",
        misuse="no power of two: the next one, or null and EINVAL (versions of glibc differ)"),
    Row("memalign", InRuntime(), f"as malloc; {_WIDE}", misuse="no power of two: the next one"),
    Row("posix_memalign", InRuntime(), f"as malloc; {_WIDE}",
        misuse="no power of two, or no multiple of the size of a pointer: EINVAL"),
    Row("valloc", InRuntime(), f"as memalign to 4096: {_WIDE}"),
    Row("realloc", InRuntime(), "always moves: a fresh block, the old content, the old block freed",
        fidelity=Fidelity.FEWER),
    Row("reallocarray", InRuntime(), "as realloc", misuse="a product that is too large: null and ENOMEM",
        fidelity=Fidelity.FEWER),
    Row("free", Frees(0), "gives the block back; null: nothing", misuse="double or invalid free: undefined behaviour"),
    Row("cfree", Frees(0), "as free"),
    Row("__threadproof_system_block", Allocates((0,), Fill.ZERO, Owner.SYSTEM), "a block that nobody has to free"),
    Row("__threadproof_object_size", NoMeaning(), "lowered by the front end to ObjectSize"),
    Row("__threadproof_wide_alignment", NoMeaning(), "an alignment above 16 that the block does not have"),
)  # fmt: skip

_COMPARED = tuple(
    Row(name, InRuntime(), "reads all bytes of both blocks, also behind a difference") for name in ("memcmp", "bcmp")
)
_SPLIT = (Row("strtok", InRuntime(), "as in the C library; threads that use it at the same time race"),)
_PARSED = tuple(
    Row(name, InRuntime(), "as glibc in the C locale; out of range: the nearest value and ERANGE; a bad base: EINVAL")
    for name in (
        "strtol", "strtoll", "strtoq", "strtoimax", "strtoul", "strtoull", "strtouq", "strtoumax", "__isoc23_strtol",
        "__isoc23_strtoll", "__isoc23_strtoimax", "__isoc23_strtoul", "__isoc23_strtoull", "__isoc23_strtoumax",
        "__strtol_internal", "__strtoll_internal", "__strtoul_internal", "__strtoull_internal", "atoi", "atol", "atoll",
    )
) + tuple(
    Row(name, InRuntime(), "exactly the nearest number, to even; ERANGE as glibc; a NaN with a payload is unsupported")
    for name in ("strtod", "strtof", "atof")
)  # fmt: skip
_RANDOM = tuple(
    Row(name, InRuntime(), "the sequence of glibc, from the caller's seed")
    for name in ("rand_r", "erand48", "nrand48", "jrand48")
) + tuple(
    Row(name, InRuntime(), "the sequence of glibc; threads that use it at the same time race")
    for name in ("drand48", "lrand48", "mrand48", "srand48")
)

_IN_C = tuple(
    Row(name, InRuntime(), "as in the C library, in accesses of at most a word")
    for name in (
        "memcpy", "memmove", "memset", "memchr", "bcopy", "bzero", "mempcpy", "strlen", "strnlen",
        "strcpy", "stpcpy", "strncpy", "strcat", "strncat", "strcmp", "strncmp", "strcasecmp", "strncasecmp",
        "strchr", "strrchr", "strstr", "strdup", "strndup", "strspn", "strcspn", "strpbrk",
        "abs", "labs", "llabs", "ffs", "ffsl", "ffsll", "isdigit", "isalpha", "isalnum", "isspace", "isupper",
        "islower", "isprint", "isgraph", "ispunct", "iscntrl", "isblank", "isxdigit", "__ctype_b_loc", "toupper",
        "tolower", "isascii", "toascii", "imaxabs", "div", "ldiv", "lldiv", "htonl", "htons", "ntohl", "ntohs",
        "explicit_bzero", "memrchr", "rawmemchr", "memccpy", "memmem", "strtok_r", "__strtok_r", "strsep", "strlcpy",
        "strlcat", "stpncpy", "strchrnul", "index", "rindex", "strcasestr", "strcoll", "strxfrm", "strverscmp",
        "basename", "__xpg_basename", "dirname", "imaxdiv", "__ctype_tolower_loc", "__ctype_toupper_loc", "wcslen",
        "wcscpy", "wcscat", "wcscmp", "wcsncmp", "wcschr", "wmemcpy", "wmemset", "wmemcmp",
    )
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Memory": _MEMORY,
    "Strings, characters and numbers": (*_IN_C, *_COMPARED, *_SPLIT),
    "Numbers from text and at random": (*_PARSED, *_RANDOM),
}
