"""Witnesses that are not built as their format says, in words instead of Python's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What reading the parts of a witness may raise: they may be anything."""


class Malformed(ValueError):
    """Says what is wrong."""


def is_whole_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def whole_number(found: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = found.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | str) or not is_whole_number(str(value)):
        raise Malformed(f"{key} is missing" if value is None else f"{key} is {str(value)[:40]}, which is no number")
    return int(value)


def why_unreadable(error: Exception) -> str:
    """Of what is in `UNREADABLE`."""
    match error:
        case Malformed():
            return str(error)
        case KeyError():
            return f"{error.args[0]} is missing"
        case _:
            return "its parts are not nested as the format says"
