"""The one error tree. Only `cli` catches broadly; everyone else lets these pass."""

from __future__ import annotations


class ThreadproofError(Exception):
    """Root of everything Threadproof raises on purpose."""


class InputError(ThreadproofError):
    """The input or the options cannot be used (exit code 3). The text names file, line and cause."""


class NotThereYet(InputError):
    """A command or option of the contract that no release implements yet (exit code 3)."""


class InternalError(ThreadproofError):
    """Threadproof contradicts itself (exit code 4): always a bug of ours. The commands show it again."""

    def __init__(self, message: str, reproduce: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reproduce = reproduce
