"""Thread identity: a thread is its place in the tree of creations, never the order a schedule made it in.

`()` is main, `(0,)` the first thread main creates, `(0, 2)` the third thread that one creates.
"""

from __future__ import annotations

import math

ThreadId = tuple[int, ...]

MAIN: ThreadId = ()


def number(thread: ThreadId) -> int:
    """A small number for every identity: main is 0, main's n-th child 2n+1, all others even.

    Children of main are dense because most programs create threads only there. For deeper ones, the first three
    children of each thread are near their parent's number, so that chains of creations stay small; the rest use
    Cantor's pairing of the parent's number with the child's index.
    """
    if not thread:
        return 0
    *parent, index = thread
    if not parent:
        return 2 * index + 1
    above = number(tuple(parent)) - 1
    if index < 3:
        return 2 * (4 * above + index) + 2
    diagonal = above + index - 3
    return 2 * (4 * (diagonal * (diagonal + 1) // 2 + index - 3) + 3) + 2


def identity(code: int) -> ThreadId:
    """The identity a number belongs to: the inverse of `number`."""
    if code == 0:
        return MAIN
    if code % 2:
        return (code // 2,)
    near, index = divmod((code - 2) // 2, 4)
    if index < 3:
        return (*identity(near + 1), index)
    diagonal = (math.isqrt(8 * near + 1) - 1) // 2
    index = near - diagonal * (diagonal + 1) // 2
    return (*identity(diagonal - index + 1), index + 3)


def name(thread: ThreadId) -> str:
    """What people read: `main`, `T1`, `T1.3`."""
    if not thread:
        return "main"
    return "T" + ".".join(str(index + 1) for index in thread)


def handle(thread: ThreadId) -> int:
    """The `pthread_t` value: never 0, a function of the identity alone."""
    return number(thread) + 1
