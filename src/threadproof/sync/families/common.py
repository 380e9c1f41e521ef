"""Words and shapes that rows of several families share."""

from __future__ import annotations

from threadproof.sync.rows import Does, Look, Use

PREVIOUS = -1  # in Use.args: the result of the operation before
LATE = -2  # in Use.args: what running out of time gives: ETIMEDOUT, or EINVAL if the time is none
ERRNO = ("__errno_location",)  # who asks for errno

HELD = "while another thread holds it"
NOTED = "unlocking what is not locked by the caller: noted in the trace, see the operation"
SPURIOUS = "until woken (spurious wake-ups happen, except under no-deadlock) and the mutex is free"


def does(op: str, *args: int) -> Does:
    return Does((Use(op, args),))


def at(type_name: str, arg: int = 0) -> tuple[Look, ...]:
    return (Look(arg, type_name),)


def with_attribute(type_name: str, attribute: str) -> tuple[Look, ...]:
    """An object and its attributes, which may be null."""
    return (Look(0, type_name), Look(1, attribute, optional=True))


def waits(relock: str) -> Does:
    """On a condition variable: waits and unlocks in one step, then locks again."""
    return Does((Use("cond_enqueue", (0, 1)), Use(relock, (0, 1))))
