"""Files that the user names: whether they can be read, asked before the work starts."""

from __future__ import annotations

import os

from threadproof.core.errors import InputError


def require_readable(file: str) -> None:
    """Raises InputError, which says why not."""
    if not file.isprintable():  # bytes that are no UTF-8 come as signs that no report could hold
        raise InputError(f"not a file name to be used here: {file!r}: it must be UTF-8 without control characters")
    if not file:
        raise InputError("cannot read a file without a name: a file name is empty")
    if os.path.isdir(file):
        raise InputError(f"cannot read {file}: it is a directory")
    if os.path.exists(file) and not os.path.isfile(file):
        raise InputError(f"cannot read {file}: it is not a regular file")
    try:
        with open(file, "rb"):
            return
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"not a file name: {file!r}") from None
