"""A schedule: which thread moves next, and which values its choices take. A small value that can be replayed.

Under a weak memory model a store goes into the thread's store buffer when the thread makes it, and reaches memory in a
move of its own, a flush: `docs/algorithms/weak-memory.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from threadproof.core.thread_id import ThreadId


@dataclass(frozen=True, slots=True)
class Move:
    """One step of one thread; `choices` are the answers to the step's questions, in order.

    `flush`: no step, but the store at this place of the thread's store buffer, oldest first from 0, reaches memory.
    """

    thread: ThreadId
    choices: tuple[int, ...] = ()
    flush: int | None = None


Schedule = tuple[Move, ...]


def context_switches(schedule: Schedule) -> int:
    return sum(1 for a, b in pairwise(schedule) if a.thread != b.thread)


def to_json(schedule: Schedule) -> list[dict[str, Any]]:
    return [
        {"thread": list(move.thread), "choices": list(move.choices)}
        | ({} if move.flush is None else {"flush": move.flush})
        for move in schedule
    ]


def from_json(data: list[dict[str, Any]]) -> Schedule:
    return tuple(Move(tuple(move["thread"]), tuple(move["choices"]), move.get("flush")) for move in data)
