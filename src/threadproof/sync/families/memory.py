"""Memory, strings, characters and numbers."""

from __future__ import annotations

from threadproof.ir.instr import Fill
from threadproof.sync.rows import Allocates, Fidelity, Frees, InRuntime, NoMeaning, Row

_WIDE = "unsupported if the block does not happen to lie as asked; it always lies at a multiple of 16"
_MEMORY = (
    Row("malloc", Allocates((0,), Fill.ARBITRARY), "a fresh block, or one freed before of the same size; never fails; "
        "its bytes are arbitrary"),
    Row("calloc", Allocates((0, 1), Fill.ZERO), "as malloc, zeroed"),
    *(Row(name, InRuntime(), f"as malloc; {_WIDE}") for name in ("aligned_alloc", "memalign", "posix_memalign")),
    Row("valloc", InRuntime(), f"as memalign to 4096: {_WIDE}"),
    Row("realloc", InRuntime(), "always moves: a fresh block, the old content, the old block freed",
        fidelity=Fidelity.FEWER),
    Row("reallocarray", InRuntime(), "as realloc", fidelity=Fidelity.FEWER),
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

GROUPS: dict[str, tuple[Row, ...]] = {
    "Memory": _MEMORY,
    "Strings, characters and numbers": _IN_C,
}
