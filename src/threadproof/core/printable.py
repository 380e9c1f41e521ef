"""Texts that come from a program, for people's terminals."""

from __future__ import annotations


def printable(text: str) -> str:
    """Control characters as C would write them: a terminal would obey them. Lines stay lines."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
