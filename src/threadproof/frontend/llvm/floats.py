"""LLVM's ways to write a floating-point constant, as bit patterns."""

from __future__ import annotations

import struct

from threadproof.frontend.llvm.types import FloatType

_SHORT_HEX = {"0xH": 16, "0xR": 16, "0xK": 80, "0xM": 128}
_SPECIAL = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf")}


def float_bits(token: str, type_: FloatType) -> int | None:
    """The bit pattern of a float constant, None if this is not a literal."""
    if token[:3] in _SHORT_HEX:
        return int(token[3:], 16)
    if token[:3] == "0xL":  # the low word comes first
        low, high = token[3:19], token[19:]
        return int(high, 16) << 64 | int(low, 16)
    if token[:3] == "f0x":
        return int(token[3:], 16)
    if token[:2] == "0x":
        pattern = int(token, 16)
        return pattern if type_.bits != 32 else _narrow(pattern)
    try:
        number = _SPECIAL.get(token) or float(token)
    except ValueError:
        return None
    return _pack(number, type_.bits)


def _narrow(pattern: int) -> int | None:
    """LLVM writes a float's bits as those of the double of the same value; a NaN keeps its payload."""
    if pattern >> 52 & 0x7FF == 0x7FF:
        return pattern >> 63 << 31 | 0xFF << 23 | pattern >> 29 & 0x7FFFFF
    return _pack(struct.unpack("<d", pattern.to_bytes(8, "little"))[0], 32)


def _pack(number: float, bits: int) -> int | None:
    if bits not in (16, 32, 64):
        return None
    try:
        data = struct.pack({16: "<e", 32: "<f", 64: "<d"}[bits], number)
    except OverflowError:
        return None
    return int.from_bytes(data, "little")
