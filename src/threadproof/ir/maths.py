"""Functions of math.h that are not exact: each C library rounds them in its own ways.

They mean what the C library of this machine computes, where it has them; a verdict that rests on them says so.
`value` and `error` call it.
"""

from __future__ import annotations

import ctypes
import platform
import struct
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from typing import Any

_ONE = (
    "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "tgamma", "lgamma",
)  # fmt: skip
_TWO = ("pow", "atan2", "hypot")


@dataclass(frozen=True, slots=True)
class MathShape:
    arity: int
    width: int  # of the numbers


MATH: dict[str, MathShape] = {
    f"{name}{suffix}": MathShape(arity, width)
    for arity, names in ((1, _ONE), (2, _TWO))
    for name in names
    for suffix, width in (("", 64), ("f", 32), ("l", 80))
} | {"fmal": MathShape(3, 80)}
NAMES = tuple(MATH)
_FORMATS = {32: "<f", 64: "<d"}
_NAN = {32: 0x7FC00000, 64: 0x7FF8000000000000, 80: 0x7FFFC000000000000000}
_X87 = platform.machine() in ("x86_64", "AMD64") and ctypes.sizeof(ctypes.c_longdouble) == 16


class _LongDouble(ctypes.c_longdouble):
    """Handed over bit by bit: ctypes takes only plain numbers for Python's floats."""


def is_here(name: str) -> bool:
    """Whether this machine has the function."""
    return (_X87 or MATH[name].width != 80) and _address(name) != 0 and _address("__errno_location") != 0


def value(name: str, args: tuple[int, ...]) -> int:
    """The bits of the result; of what is no number always the same ones."""
    width = MATH[name].width
    result = _function(name)(*_numbers(args, width))
    if isinstance(result, _LongDouble):
        bits = int.from_bytes(bytes(result)[:10], "little")
        return _NAN[80] if result.value != result.value else bits
    return _NAN[width] if result != result else int.from_bytes(struct.pack(_FORMATS[width], result), "little")


def error(name: str, args: tuple[int, ...]) -> int:
    """What errno is after the call, if it was 0 before."""
    ctypes.set_errno(0)
    _function(name)(*_numbers(args, MATH[name].width))
    return ctypes.get_errno()


def addresses() -> list[int]:
    """Of the function that says where errno is, and of all the others; 0 where there is none."""
    return [_address("__errno_location"), *map(_address, NAMES)]


def _numbers(args: tuple[int, ...], width: int) -> list[Any]:
    if width == 80:
        return [_LongDouble.from_buffer_copy(bits.to_bytes(16, "little")) for bits in args]
    return [struct.unpack(_FORMATS[width], bits.to_bytes(width // 8, "little"))[0] for bits in args]


def _address(name: str) -> int:
    try:
        return ctypes.cast(getattr(_library(), name), ctypes.c_void_p).value or 0
    except AttributeError:
        return 0


@cache
def _function(name: str) -> Any:
    found = getattr(_library(), name)
    kind = {32: ctypes.c_float, 64: ctypes.c_double, 80: _LongDouble}[MATH[name].width]
    found.argtypes, found.restype = (kind,) * MATH[name].arity, kind
    return found


@cache
def _library() -> ctypes.CDLL:
    """glibc's name first: looking for others takes its time. At last whatever the process itself has."""
    try:
        return ctypes.CDLL("libm.so.6", use_errno=True)
    except OSError:
        return ctypes.CDLL(find_library("m"), use_errno=True)
