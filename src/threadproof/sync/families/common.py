"""Words and shapes that rows of several families share."""

from __future__ import annotations

from threadproof.sync.rows import Does, Use

PREVIOUS = -1  # in Use.args: the result of the operation before

HELD = "while another thread holds it"
NOTED = "unlocking what is not locked by the caller: noted in the trace, see the operation"
SPURIOUS = "until woken (spurious wake-ups happen, except under no-deadlock) and the mutex is free"


def does(op: str, *args: int) -> Does:
    return Does((Use(op, args),))


def waits(relock: str) -> Does:
    """On a condition variable: waits and unlocks in one step, then locks again."""
    return Does((Use("cond_enqueue", (0, 1)), Use(relock, (0, 1))))
