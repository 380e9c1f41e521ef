"""A command line in one piece of text, as people write it into options and files."""

from __future__ import annotations

import shlex

from threadproof.core.errors import InputError


def words_of(text: str, where: str) -> list[str]:
    """Its words, as a shell splits them. Raises InputError, which begins with `where` the text stands."""
    try:
        return shlex.split(text)
    except ValueError:  # a quotation or an escape that does not end
        raise InputError(f"{where}: a quotation mark or backslash in it has no end: {text}") from None
