"""How a program is read, in words that command lines have too: apart from the program, so that they come quickly."""

from __future__ import annotations

from enum import Enum


class DataModel(Enum):
    ILP32 = "ILP32"
    LP64 = "LP64"

    @property
    def pointer_bits(self) -> int:
        return 32 if self is DataModel.ILP32 else 64

    @property
    def pointer_bytes(self) -> int:
        return self.pointer_bits // 8


class Taken(Enum):
    """What a function without a body and without a model is taken to do."""

    UNKNOWN = "unknown"  # nobody knows: reaching a call is unsupported
    PURE = "pure"  # returns any value of its type and changes nothing
    HAVOC = "havoc"  # returns any value, and gives what it can reach any content


class Spurious(Enum):
    """Whether a thread waiting on a condition variable may wake without a signal."""

    ON = "on"
    OFF = "off"
