"""Floating-point functions: those with one correct result, bit by bit; the others as far as the model goes."""

from __future__ import annotations

import random

from library_case import Case
from library_values import spread

VALUES = ("0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3.7", "-3.2", "1e300", "-1e300", "1e-310", "INFINITY", "-INFINITY", "NAN",
          "4503599627370497.5", "9007199254740993.0", "123456.789", "2147483648.5", "0.49999999999999994")  # fmt: skip
SMALL = tuple(v for v in VALUES if v not in ("1e300", "-1e300", "INFINITY", "-INFINITY", "NAN"))
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
        given = f"{kind} x = $x, y = $y;"
        for name in ONE:
            found += spread(rng, name + end, f"{kind} x = $x; obs_{shown}({name}{end}(x));", 9, x=VALUES)
        for name in TWO:
            found += spread(rng, name + end, f"{given} obs_{shown}({name}{end}(x, y));", 9, x=VALUES, y=VALUES)
        for name in INTO:
            found += spread(rng, name + end, f"{kind} x = $x; obs({name}{end}(x));", 6, x=SMALL)
        for name in HARD:
            found += spread(rng, name + end, f"{kind} x = $x; obs_{shown}({name}{end}(x));", 3, x=VALUES)
        for name in ("pow", "atan2", "hypot"):
            found += spread(rng, name + end, f"{given} obs_{shown}({name}{end}(x, y));", 4, x=VALUES, y=VALUES)
        found += spread(rng, f"fma{end}", f"{given} obs_{shown}(fma{end}(x, y, 1));", 8, x=VALUES, y=VALUES)
        for name, second in (("ldexp", "int"), ("scalbn", "int"), ("scalbln", "long")):
            found += spread(
                rng,
                name + end,
                f"{kind} x = $x; obs_{shown}({name}{end}(x, ({second})$n));",
                9,
                x=VALUES,
                n=(0, 1, -1, 52, -1074, 1023, 3000, -3000),
            )
        found += spread(
            rng, f"frexp{end}", f"{kind} x = $x; int e = 0; obs_{shown}(frexp{end}(x, &e)); obs(e);", 9, x=SMALL
        )
        found += spread(
            rng, f"modf{end}", f"{kind} x = $x, i; obs_{shown}(modf{end}(x, &i)); obs_{shown}(i);", 9, x=VALUES
        )
        found += spread(rng, f"ilogb{end}", f"{kind} x = $x; obs(ilogb{end}(x));", 9, x=VALUES)
        both = f"{kind} x = $x, s, c; sincos{end}(x, &s, &c); obs_{shown}(s); obs_{shown}(c);"
        found += spread(rng, f"sincos{end}", both, 4, x=VALUES)
        found += spread(
            rng,
            f"remquo{end}",
            f"{given} int q = 0; obs_{shown}(remquo{end}(x, y, &q)); obs(q);",
            6,
            x=SMALL,
            y=("1.0", "2.5", "-3.0", "0.1"),
        )
    return found
