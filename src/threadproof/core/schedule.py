"""A schedule: which thread moves next, and which values its choices take. A small value that can be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from threadproof.core.thread_id import ThreadId


@dataclass(frozen=True, slots=True)
class Move:
    """One step of one thread; `choices` are the answers to the step's questions, in order."""

    thread: ThreadId
    choices: tuple[int, ...] = ()


Schedule = tuple[Move, ...]


def context_switches(schedule: Schedule) -> int:
    return sum(1 for a, b in pairwise(schedule) if a.thread != b.thread)


def to_json(schedule: Schedule) -> list[dict[str, list[int]]]:
    return [{"thread": list(move.thread), "choices": list(move.choices)} for move in schedule]


def from_json(data: list[dict[str, list[int]]]) -> Schedule:
    return tuple(Move(tuple(move["thread"]), tuple(move["choices"])) for move in data)
