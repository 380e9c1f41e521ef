"""Why there is no formula."""

from __future__ import annotations


class CannotEncode(Exception):
    """The program has no formula; the text says why."""
