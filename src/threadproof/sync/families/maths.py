"""Floating-point functions."""

from __future__ import annotations

from threadproof.sync.rows import Fidelity, NoMeaning, Row

_FLOATS = tuple(
    Row(f"{name}{suffix}", NoMeaning(), "floating-point functions other than the exact ones (sqrt, fabs, floor, ...)",
        fidelity=Fidelity.UNSUPPORTED)
    for name in (
        "pow", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
        "atan2", "sinh", "cosh", "tanh", "hypot", "cbrt", "fmod", "remainder", "ldexp", "scalbn", "logb", "erf",
        "tgamma", "lgamma", "nextafter", "fdim", "lround", "llround", "lrint", "llrint",
    )
    for suffix in ("", "f", "l")
)  # fmt: skip

GROUPS: dict[str, tuple[Row, ...]] = {
    "Floating-point functions": _FLOATS,
}
