"""The states seen so far, exactly: a state is kept as the numbers of its parts (SPIN's collapse compression).

Paper: G. Holzmann, State compression in SPIN, SPIN workshop 1997. Differs: parts are memory chunks and threads.
"""

from __future__ import annotations

from array import array
from typing import Any

from threadproof.semantics.state import State


class StateTable:
    """Gives every distinct state a number; nothing is ever hashed lossily."""

    def __init__(self) -> None:
        self._parts: dict[Any, int] = {}
        self._states: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._states)

    def key(self, state: State) -> bytes:
        """Equal exactly for equal states."""
        parts = self._parts
        numbers = [parts.setdefault(item, len(parts)) for item in state.memory.items()]
        numbers.sort()
        threads = [parts.setdefault(item, len(parts)) for item in state.threads.items()]
        threads.sort()
        rest = parts.setdefault((state.keys, state.atomic), len(parts))
        return array("I", [len(numbers), *numbers, *threads, rest]).tobytes()

    def __contains__(self, key: bytes) -> bool:
        return key in self._states

    def add(self, key: bytes) -> tuple[int, bool]:
        """The state's number, and whether it is new."""
        fresh = len(self._states)
        number = self._states.setdefault(key, fresh)
        return number, number == fresh
