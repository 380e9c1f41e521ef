"""Functions that C programs name without saying what they mean: by a forgotten header, or against clang's own idea."""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.frontend.forgotten import PROTOTYPES
from threadproof.frontend.link import Unit
from threadproof.frontend.llvm.module import LOCAL_LINKAGES, LlvmFunction
from threadproof.frontend.llvm.types import Arity

# What clang computes itself where it sees the name, at -O0 too. A program's own body is called instead.
_EXPANDED = frozenset((
    "abs", "labs", "llabs", "alloca", "bcmp", "bcopy", "bzero", "memchr", "memcmp", "memcpy", "memmove", "mempcpy",
    "memset", "printf", "stpcpy", "strcat", "strchr", "strcmp", "strcpy", "strlen", "strncmp", "strncpy", "wcslen",
    "wmemchr", "wmemcmp", "wmemcpy", "wmemmove", "finite", "isinf", "isnan", "signbit", "acos", "asin", "atan",
    "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "exp", "exp2", "exp10", "expm1", "fabs", "fdim",
    "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ldexp", "lgamma", "llrint", "llround", "log", "log10",
    "log1p", "log2", "logb", "lrint", "lround", "modf", "nearbyint", "pow", "remainder", "rint", "round",
    "roundeven", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "ffs", "ffsl", "ffsll",
))  # fmt: skip


def own_functions(units: Iterable[Unit]) -> tuple[str, ...]:
    """Functions that the program defines for all its files and clang would not call."""
    defined = (f for unit in units for f in unit.module.functions.values() if f.lines is not None)
    return tuple(sorted({f.name for f in defined if f.name in _EXPANDED and f.linkage not in LOCAL_LINKAGES}))


def undeclared(units: Iterable[Unit]) -> tuple[str, ...]:
    """Functions of the C library that are called without a declaration, and need one."""
    units = list(units)
    declared = {f.name for unit in units for f in unit.module.functions.values() if without_prototype(f)}
    defined = {f.name for unit in units for f in unit.module.functions.values() if f.lines is not None}
    return tuple(sorted((declared - defined) & PROTOTYPES.keys()))


def without_prototype(function: LlvmFunction) -> bool:
    return function.lines is None and function.arity is Arity.VARIADIC and not function.params
