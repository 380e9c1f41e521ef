"""Characters, integers, and numbers in texts."""

from __future__ import annotations

import random

from library_case import Case
from library_values import INTS, LONGS, attacked, safe, spread, unsafe

CLASSES = ("isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isprint", "isgraph", "ispunct", "iscntrl",
           "isblank", "isxdigit", "isascii")  # fmt: skip
MAPPED = ("toupper", "tolower", "toascii")
NOT_THE_SMALLEST = tuple(value for value in LONGS if "MIN" not in str(value))
WHOLE = {
    "abs": ("obs(abs($n));", tuple(v for v in INTS if v != "INT_MIN")), "labs": ("obs(labs($n));", NOT_THE_SMALLEST),
    "llabs": ("obs(llabs($n));", NOT_THE_SMALLEST), "imaxabs": ("obs(imaxabs($n));", NOT_THE_SMALLEST),
    "ffs": ("obs(ffs($n));", INTS), "ffsl": ("obs(ffsl($n));", LONGS), "ffsll": ("obs(ffsll($n));", LONGS),
    "htonl": ("obs(htonl($n));", INTS), "ntohl": ("obs(ntohl($n));", INTS), "htons": ("obs(htons($n));", INTS),
    "ntohs": ("obs(ntohs($n));", INTS),
}  # fmt: skip
DIVISIONS = {"div": "div_t", "ldiv": "ldiv_t", "lldiv": "lldiv_t", "imaxdiv": "imaxdiv_t"}
NUMERALS = ('"0"', '"42"', '"-17"', '"  +9"', r'"\t\n 12ab"', '"abc"', '""', '"-"', '"2147483647"', '"-2147483648"', '"007"',
            '"1 2"', '"- 3"', '"+-4"', r'"\v\f\r5"')  # fmt: skip
LARGE = ('"9223372036854775807"', '"-9223372036854775808"', '"1234567890123"')
BASES = (0, 2, 8, 10, 16, 36, 1, 37, -5)
STRTO_TEXTS = ('"0x1fg"', '"0X"', '"077"', '"08"', '"zZ"', '"-0x10"', '"  +12 "', '""', '" "', '"+"', '"1010102"', '"0b11"',
               '"9223372036854775807"', '"9223372036854775808"', '"-9223372036854775808"', '"-9223372036854775809"',
               '"18446744073709551615"', '"18446744073709551616"', '"-1"', '"-18446744073709551616"', '"0x"', '"0xg"')  # fmt: skip
STRTO = {"strtol": "long", "strtoll": "long long", "strtoul": "unsigned long", "strtoull": "unsigned long long",
         "strtoimax": "intmax_t", "strtoumax": "uintmax_t", "strtoq": "long long"}  # fmt: skip
REALS = ('"0"', '"-0"', '"1.5"', '"3.14159"', '"-2e10"', '"1e308"', '"1e309"', '"1e-320"', '"1e-400"', '"0x1.8p3"', '"inf"',
         '"-infinity"', '"nan"', '"  .5x"', '"."', '"e5"', '"1e"', '"1e+"', '"123456789012345678901234567890"', '"0.1"',
         '"2.2250738585072014e-308"', '"4.9e-324"', '"1.7976931348623157e308"', '"0x"', '"nan(12)z"', '""')  # fmt: skip


def cases(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    chars = (*range(-1, 128), 128, 160, 200, 255)
    for name in (*CLASSES, *MAPPED):
        shown = f"{name}({{}})" if name in MAPPED else f"{name}({{}}) != 0"
        body = " ".join(f"obs({shown.format(f'$c{i}')});" for i in range(4))
        draws = {f"c{i}": [rng.choice(chars) for _ in range(2)] for i in range(4)}
        found += spread(rng, name, body, 10, **draws)
    for name, (body, values) in WHOLE.items():
        found += spread(rng, name, body, 12, n=values)
    for name, record in DIVISIONS.items():
        body = f"{record} r = {name}($a, $b); obs(r.quot); obs(r.rem);"
        found += spread(rng, name, body, 10, a=(0, 7, -7, 100, "INT_MAX", "INT_MIN"), b=(1, 2, -3, 10, "INT_MAX"))
    for name in ("atoi", "atol", "atoll"):
        texts = NUMERALS if name == "atoi" else (*NUMERALS, *LARGE)
        found += spread(rng, name, f"obs({name}($s));", 16, s=texts)
        found += attacked(name, "", ("bad",), (0,))
        found += unsafe(name, f"char *d = malloc(2); d[0] = d[1] = '1'; obs({name}(d));")
    return found + _strto(rng)


def _strto(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    whole = "char *s = $s, *e = 0; errno = 0; obs((long long){}(s, &e, $b)); obs_at(e, s); obs(errno);"
    for name in STRTO:
        found += spread(rng, name, whole.format(name), 30, s=STRTO_TEXTS, b=BASES)
        found += safe(name, f'obs((long long){name}("12", 0, 10));')
        found += attacked(name, "char *e;", ('"12"', "&e", "10"), (0, 1))
    real = "char *s = $s, *e = 0; errno = 0; obs_{}({}(s, &e)); obs_at(e, s); obs(errno);"
    for name, shown in (("strtod", "double"), ("strtof", "float"), ("strtold", "long_double")):
        found += spread(rng, name, real.format(shown, name), 20, s=REALS)
        found += attacked(name, "char *e;", ('"1.5"', "&e"), (0, 1))
    return found + spread(rng, "atof", "obs_double(atof($s));", 12, s=REALS)
