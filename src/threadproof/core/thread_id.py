"""Thread identity: a thread is its place in the tree of creations, never the order a schedule made it in.

`()` is main, `(0,)` the first thread main creates, `(0, 2)` the third thread that one creates.
"""

from __future__ import annotations

ThreadId = tuple[int, ...]

MAIN: ThreadId = ()


def number(thread: ThreadId) -> int:
    """A small number for every identity: main is 0, main's n-th child 2n+1, all others even.

    Children of main are dense because most programs create threads only there; deeper ones use
    Cantor's pairing of the parent's number with the child's index.
    """
    if not thread:
        return 0
    *parent, index = thread
    if not parent:
        return 2 * index + 1
    above = number(tuple(parent)) - 1
    diagonal = above + index
    return diagonal * (diagonal + 1) // 2 * 2 + 2 * index + 2


def name(thread: ThreadId) -> str:
    """What people read: `main`, `T1`, `T1.3`."""
    if not thread:
        return "main"
    return "T" + ".".join(str(index + 1) for index in thread)


def handle(thread: ThreadId) -> int:
    """The `pthread_t` value: never 0, a function of the identity alone."""
    return number(thread) + 1
