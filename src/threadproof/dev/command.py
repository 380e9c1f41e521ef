"""How the commands of this room end: input that cannot be used is one line on stderr and exit code 3, as everywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from threadproof.core.errors import InputError


def end(main: Callable[[], int | None]) -> NoReturn:
    try:
        sys.exit(main() or 0)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(3)
