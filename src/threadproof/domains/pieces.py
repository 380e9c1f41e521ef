"""Arithmetic of integer ranges, before they wrap around."""

from __future__ import annotations

from collections.abc import Callable

Range = tuple[int, int]
"""From and to, both included."""


def add(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def subtract(a: Range, b: Range) -> Range:
    return a[0] - b[1], a[1] - b[0]


def multiply(a: Range, b: Range) -> Range:
    return corners(lambda x, y: x * y, a, b)


def corners(operation: Callable[[int, int], int], a: Range, b: Range) -> Range:
    """Of an operation that is monotone in each operand (which way may depend on the other's sign, not on its size)."""
    found = [operation(x, y) for x in a for y in b]
    return min(found), max(found)


def truncated(a: int, b: int) -> int:
    """Division as C rounds it."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def bit_or(a: Range, b: Range) -> Range:
    """Of non-negative ranges: at least the larger one, at most all bits that either can have."""
    bits = max(a[1].bit_length(), b[1].bit_length())
    return max(a[0], b[0]), (1 << bits) - 1


def bit_and(a: Range, b: Range) -> Range:
    return 0, min(a[1], b[1])


def bit_xor(a: Range, b: Range) -> Range:
    return 0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
