"""What a pointer can point to: a memory object (or function, or thread) and a set of byte offsets in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import gcd
from typing import NamedTuple

from threadproof.ir.control_flow import Site


class ObjectKind(Enum):
    GLOBAL = "global"
    THREAD_LOCAL = "thread-local"
    STACK = "stack"
    HEAP = "heap"
    FUNCTION = "function"
    THREAD = "thread"  # the handle of a thread created at `site`: a number, followed like a pointer
    ANYTHING = "anything"  # a number nobody chose: may be any address


@dataclass(frozen=True, slots=True)
class Root:
    """A memory object, or all objects that one instruction allocates."""

    kind: ObjectKind
    name: str
    site: Site | None = None

    def __str__(self) -> str:
        return self.name


ANYTHING = Root(ObjectKind.ANYTHING, "anything")


class Offsets(NamedTuple):
    """`start + k * stride` for all whole k; stride 0 is the one offset `start`. With a stride, 0 <= start < stride."""

    start: int
    stride: int

    def shifted(self, by: Offsets) -> Offsets:
        return offsets(self.start + by.start, gcd(self.stride, by.stride))

    def joined(self, other: Offsets) -> Offsets:
        return offsets(self.start, gcd(self.stride, other.stride, abs(self.start - other.start)))

    def includes(self, other: Offsets) -> bool:
        if not self.stride:
            return self == other
        return other.stride % self.stride == 0 and (other.start - self.start) % self.stride == 0


def offsets(start: int, stride: int) -> Offsets:
    return Offsets(start % stride, stride) if stride else Offsets(start, 0)


ZERO = Offsets(0, 0)
ANY_OFFSET = Offsets(0, 1)


class Place(NamedTuple):
    root: Root
    offsets: Offsets


def may_overlap(a: Offsets, a_size: int, b: Offsets, b_size: int) -> bool:
    """Whether an access of `a_size` bytes at one of `a` can touch one of `b_size` bytes at one of `b`."""
    apart = b.start - a.start
    step = gcd(a.stride, b.stride)
    if not step:
        return -b_size < apart < a_size
    apart %= step
    return apart < a_size or step - apart < b_size


def may_meet(mine: Iterable[Place], size: int, others: Iterable[Place], other_size: int) -> bool:
    """Whether accesses of these sizes, each at one of the places, may have a byte in common."""
    others = tuple(others)
    return any(
        one.root == other.root and may_overlap(one.offsets, size, other.offsets, other_size)
        for one in mine
        for other in others
    )
