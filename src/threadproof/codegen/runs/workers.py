"""Several native workers on one search: a round is one call of each, in threads of Python's, which C lets go of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Workers(Generic[Answer]):
    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count - 1) if count > 1 else None

    def round(self, calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
        """What each of them answers. This thread makes the first; an interrupt waits for the end of all."""
        if self._pool is None:
            return [call() for call in calls]
        others = [self._pool.submit(call) for call in calls[1:]]
        try:
            first = calls[0]()
        finally:
            wait(others)
        return [first, *(other.result() for other in others)]

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
