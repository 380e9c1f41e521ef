"""Floating-point functions."""

from __future__ import annotations

from threadproof.ir.maths import MATH
from threadproof.sync.families.common import ERRNO
from threadproof.sync.rows import Computes, Fidelity, Gives, InRuntime, NoMeaning, Row

# Operations of the program model; fabs, floor, ceil and trunc, which leave errno alone, need no rows.
_OPERATIONS = ("sqrt", "fmod")
# Written in C.
_TO_INTEGERS = (
    "round", "rint", "nearbyint", "roundeven", "lround", "llround", "lrint", "llrint", "fdim", "modf",
)  # fmt: skip
_BY_PARTS = (
    "frexp", "ilogb", "logb", "scalbn", "scalbln", "ldexp", "nextafter", "remainder", "drem",
)  # fmt: skip
_EXACT = "the exact value, rounding to nearest; errno as glibc sets it"

_FLOATS = (
    *(
        Row(f"{name}{suffix}", InRuntime(), f"{_EXACT}, which most leave alone")
        for name in (*_TO_INTEGERS, *_BY_PARTS)
        for suffix in ("", "f", "l")
    ),
    *(
        Row(f"{name}{suffix}", Computes(), f"{_EXACT}: EDOM", runtime_if=ERRNO)
        for name in _OPERATIONS
        for suffix in ("", "f", "l")
    ),
    *(
        Row(name, Computes(), "as this machine's C library computes it; bmc of known numbers only", runtime_if=ERRNO)
        for name in MATH
    ),
    *(Row(f"remquo{end}", InRuntime(), "the exact value, and the quotient as glibc") for end in ("", "f", "l")),
    *(Row(f"sincos{end}", InRuntime(), "as sin and cos") for end in ("", "f", "l")),
    Row("fma", InRuntime(), "the exact value, rounded once"),
    Row("fmaf", InRuntime(), "the exact value, rounded once"),
    Row("__threadproof_maths_error", Gives(), "nothing, if the program never looks at errno", runtime_if=ERRNO),
)

_ENVIRONMENT = (
    Row("fegetround", Gives(0), "to nearest"),
    *(
        Row(name, NoMeaning(), "other rounding modes and floating-point exceptions", fidelity=Fidelity.UNSUPPORTED)
        for name in (
            "fesetround",
            "feclearexcept",
            "feraiseexcept",
            "fetestexcept",
            "feenableexcept",
            "fedisableexcept",
        )
    ),
)

GROUPS: dict[str, tuple[Row, ...]] = {
    "Floating-point functions": _FLOATS,
    "Floating-point environment": _ENVIRONMENT,
}
