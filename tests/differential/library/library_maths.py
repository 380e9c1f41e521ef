"""Floating-point functions: those with one correct result, bit by bit; the others as far as the model goes. And errno."""

from __future__ import annotations

import random

from library_case import Case
from library_values import spread

VALUES = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3.7", "-3.2", "1e300", "-1e300", "1e-310", "INFINITY", "-INFINITY", "NAN",
          "4503599627370497.5", "9007199254740993.0", "123456.789", "2147483648.5", "0.49999999999999994", "DBL_MAX", "-DBL_MAX", "DBL_MIN", "5e-324",
          "FLT_MAX", "FLT_MIN", "1e-45f", "LDBL_MAX", "LDBL_MIN")  # fmt: skip
HUGE = ("1e300", "-1e300", "INFINITY", "-INFINITY", "NAN", "DBL_MAX", "-DBL_MAX", "FLT_MAX", "LDBL_MAX")
SMALL = tuple(v for v in VALUES if v not in HUGE)
ONE = ("sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "roundeven", "logb")
TWO = ("fmin", "fmax", "copysign", "fdim", "fmod", "remainder", "nextafter", "drem")
INTO = ("lround", "llround", "lrint", "llrint")
HARD = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "cbrt", "erf", "erfc", "tgamma",
        "lgamma", "asinh", "acosh", "atanh", "exp10")  # fmt: skip
SHOWN = {"": "double", "f": "float", "l": "long_double"}


def cases(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    for end, shown in SHOWN.items():
        kind = shown.replace("_", " ")

        def of(name: str, call: str, count: int, more: str = "", **values: tuple[object, ...]) -> list[Case]:
            """The result and what the call leaves in errno."""
            given = "".join(f"{kind} {letter} = ${letter};" for letter in values if letter != "n")  # noqa: B023
            return spread(rng, name + end, f"{given} errno = 0; {call} obs(errno); {more}", count, **values)  # noqa: B023

        for name in ONE:
            found += of(name, f"obs_{shown}({name}{end}(x));", 9, x=VALUES)
        for name in TWO:
            found += of(name, f"obs_{shown}({name}{end}(x, y));", 12, x=VALUES, y=VALUES)
        for name in INTO:
            found += of(name, f"obs({name}{end}(x));", 6, x=SMALL)
        for name in HARD:
            found += of(name, f"obs_{shown}({name}{end}(x));", 3, x=VALUES)
        for name in ("pow", "atan2", "hypot"):
            found += of(name, f"obs_{shown}({name}{end}(x, y));", 4, x=VALUES, y=VALUES)
        found += of("fma", f"obs_{shown}(fma{end}(x, y, 1));", 8, x=VALUES, y=VALUES)
        for name, second in (("ldexp", "int"), ("scalbn", "int"), ("scalbln", "long")):
            call = f"obs_{shown}({name}{end}(x, ({second})$n));"
            found += of(name, call, 9, x=VALUES, n=(0, 1, -1, 52, -1074, 1023, 3000, -3000, 20000, -20000))
        found += of("frexp", f"int e = 0; obs_{shown}(frexp{end}(x, &e)); obs(e);", 9, x=SMALL)
        found += of("modf", f"{kind} i; obs_{shown}(modf{end}(x, &i));", 9, f"obs_{shown}(i);", x=VALUES)
        found += of("ilogb", f"obs(ilogb{end}(x));", 9, x=VALUES)
        both = f"{kind} s, c; sincos{end}(x, &s, &c);"
        found += of("sincos", both, 4, f"obs_{shown}(s); obs_{shown}(c);", x=VALUES)
        quotients = ("1.0", "2.5", "-3.0", "0.1")
        found += of("remquo", f"int q = 0; obs_{shown}(remquo{end}(x, y, &q)); obs(q);", 6, x=SMALL, y=quotients)
    return found
