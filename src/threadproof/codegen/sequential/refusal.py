"""What cannot be written as a sequential program."""

from __future__ import annotations

from threadproof.core.errors import InputError


class Refused(InputError):
    """The program, or the wish, has no sequentialization here; the text says why."""


class NoC(Exception):
    """An instruction has no C here. The text is written again with one that says so when it is reached."""
