"""Strings and blocks of memory."""

from __future__ import annotations

import random

from library_case import Case, Kind
from library_values import TEXTS, attacked, spread, unsafe

NEEDLES = ('""', '"a"', '"b"', '"bc"', '"l"', '"zz"', '"world"', r'"\x80"')
CHARS = ("'a'", "'b'", "'l'", "'z'", "0", "0x80", "-1", "256 + 'a'", "' '")
LENGTHS = (0, 1, 2, 5, 8, 17, 64)
BUFFER = "char d[64]; memset(d, '#', 63); d[20] = d[63] = 0;"

LENGTH = {"strlen": "strlen($s)", "strnlen": "strnlen($s, $n)"}
COMPARED = {  # only the sign of these is the standard's
    "strcmp": "strcmp($s, $t)", "strcasecmp": "strcasecmp($s, $t)", "strncmp": "strncmp($s, $t, $n)",
    "strncasecmp": "strncasecmp($s, $t, $n)", "strcoll": "strcoll($s, $t)",
}  # fmt: skip
FOUND = {
    "strchr": "strchr(s, $c)", "strrchr": "strrchr(s, $c)", "strstr": "strstr(s, $t)", "strpbrk": "strpbrk(s, $t)",
    "strchrnul": "strchrnul(s, $c)", "memchr": "memchr(s, $c, strlen(s))", "memrchr": "memrchr(s, $c, strlen(s))",
    "rawmemchr": "rawmemchr(s, s[strlen(s) / 2])", "strcasestr": "strcasestr(s, $t)", "index": "index(s, $c)",
    "rindex": "rindex(s, $c)", "basename": "basename(s)",
}  # fmt: skip
SPANS = {"strspn": "strspn($s, $t)", "strcspn": "strcspn($s, $t)"}
WRITTEN = {
    "strcpy": "strcpy(d, $s)", "stpcpy": "stpcpy(d, $s)", "strncpy": "strncpy(d, $s, $n % 60)",
    "stpncpy": "stpncpy(d, $s, $n % 60)", "memcpy": "memcpy(d, $s, sizeof $s)", "mempcpy": "mempcpy(d, $s, sizeof $s)",
    "memccpy": "memccpy(d, $s, $c, sizeof $s)", "memset": "memset(d, $c, $n % 60)", "memmove": "memmove(d + 3, d, $n % 50)",
    "strcat": "strcat(d, $t)", "strncat": "strncat(d, $t, $n)",
}  # fmt: skip
DUPLICATED = {"strdup": "strdup($s)", "strndup": "strndup($s, $n)"}

# Calls with good pointers; each is then tried with bad ones.
CALLS = {
    "strlen": ("s",), "strnlen": ("s", "9"), "strcmp": ("s", "t"), "strncmp": ("s", "t", "5"), "strcasecmp": ("s", "t"),
    "strncasecmp": ("s", "t", "5"), "strchr": ("s", "'q'"), "strrchr": ("s", "'q'"), "strstr": ("s", "t"),
    "strpbrk": ("s", "t"), "strspn": ("s", "t"), "strcspn": ("s", "t"), "strcpy": ("s", "t"), "stpcpy": ("s", "t"),
    "strncpy": ("s", "t", "5"), "strcat": ("s", "t"), "strncat": ("s", "t", "5"), "memcpy": ("s", "t", "5"),
    "mempcpy": ("s", "t", "5"), "memmove": ("s", "t", "5"), "memset": ("s", "0", "5"), "memcmp": ("s", "s", "5"),
    "memchr": ("s", "'q'", "5"), "bcopy": ("s", "t", "5"), "bzero": ("s", "5"), "bcmp": ("s", "s", "5"),
}  # fmt: skip


def cases(rng: random.Random) -> list[Case]:
    given = {"s": TEXTS, "t": NEEDLES, "c": CHARS, "n": LENGTHS}

    def of(calls: dict[str, str], body: str, most: int = 12) -> list[Case]:
        made: list[Case] = []
        for name, call in calls.items():
            whole = body.replace("CALL", call)
            made += spread(rng, name, whole, most, **{key: v for key, v in given.items() if f"${key}" in whole})
        return made

    found = of(LENGTH, "obs(CALL);") + of(COMPARED, "obs(sign(CALL));") + of(SPANS, "obs(CALL);")
    found += of(FOUND, "char *s = $s; obs_at(CALL, s);")
    found += of(WRITTEN, BUFFER + " obs_at(CALL, d); obs_bytes(d, 64);")
    found += of(DUPLICATED, "char *p = CALL; obs_text(p); free(p);", 8)
    found += _blocks(rng)
    for name, arguments in CALLS.items():
        before = 'char s[16] = "abcdef", t[16] = "xyzuvw";'
        found += attacked(name, before, arguments, [at for at, text in enumerate(arguments) if text in "st"])
    return found + _errors()


def _blocks(rng: random.Random) -> list[Case]:
    pairs = ('"abcd", "abcd", 4', '"abcd", "abce", 4', '"abcd", "abce", 3', r'"\xff", "\x01", 1', r'"a\0b", "a\0c", 3')
    overlapping = ("s, s + 2, 5", "s + 2, s, 5", "s, s, 5", "s + 1, s, 0")
    block = 'char s[12] = "0123456789";'
    made = spread(rng, "memcmp", "obs(sign(memcmp($p)));", p=pairs)
    made += spread(rng, "bcmp", "obs(bcmp($p) != 0);", p=pairs)
    made += spread(rng, "memmove", block + " obs_at(memmove($p), s); obs_bytes(s, 12);", p=overlapping)
    made += spread(rng, "bcopy", block + " bcopy($p); obs_bytes(s, 12);", p=overlapping)
    made += spread(rng, "bzero", block + " bzero(s + $a, $n); obs_bytes(s, 12);", a=(0, 3), n=(0, 1, 4, 9))
    made += spread(rng, "explicit_bzero", block + " explicit_bzero(s + $a, $n); obs_bytes(s, 12);", a=(0,), n=(0, 9))
    made += spread(rng, "memmem", 'char *s = "abcabd"; obs_at(memmem(s, $n, $t, $m), s);', n=(0, 3, 6), t=('"abd"', '"c"'),
                   m=(0, 1))  # fmt: skip
    return made + spread(rng, "swab", block + " char d[12] = {0}; swab(s, d, $n); obs_bytes(d, 12);", n=(0, 1, 6, 10))


def _errors() -> list[Case]:
    """Too small, not terminated, freed."""
    small = "char *d = malloc(4); memset(d, 'x', 4);"
    bodies = {
        "strlen": ("obs(strlen(d));",), "strcpy": ('strcpy(d, "abcd");', "char e[9]; strcpy(e, d);"),
        "strcat": ('d[3] = 0; strcat(d, "a");',), "strncpy": ('strncpy(d, "a", 5);',), "strdup": ("strdup(d);",),
        "memcpy": ('memcpy(d, "abcdefgh", 5);', "char e[9]; memcpy(e, d, 5);"), "memset": ("memset(d, 0, 5);",),
        "memmove": ("memmove(d + 1, d, 4);",), "strchr": ("obs((long long)strchr(d, 'q'));",), "strcmp": ('obs((long long)strcmp(d, "xxxxx"));',),
        "stpcpy": ('stpcpy(d, "abcd");',), "strncat": ('d[2] = 0; strncat(d, "abc", 2);',), "memchr": ("obs((long long)memchr(d, 'q', 5));",),
        "strstr": ('obs((long long)strstr(d, "xy"));',), "strrchr": ("obs((long long)strrchr(d, 'x'));",), "strspn": ('obs((long long)strspn(d, "x"));',),
        "mempcpy": ('mempcpy(d, "abcde", 5);',), "bzero": ("bzero(d, 5);",), "memcmp": ('obs((long long)memcmp(d, "xxxxx", 5));',),
        "strnlen": ("obs(strnlen(d, 5));",), "strndup": ("strndup(d, 5);",), "strcspn": ('obs((long long)strcspn(d, "q"));',),
    }  # fmt: skip
    made = [case for name, texts in bodies.items() for text in texts for case in unsafe(name, f"{small} {text}")]
    exact = {
        "strnlen": "obs(strnlen(d, 4));",
        "memchr": "obs_at(memchr(d, 'q', 4), d);",
        "memcmp": 'obs(memcmp(d, "xxxx", 4));',
    }
    return made + [Case(name, f"{small} {text} free(d);", kind=Kind.SAFE) for name, text in exact.items()]
