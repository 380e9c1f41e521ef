"""`python -m threadproof` is the same as the `threadproof` command: the command line, and Ctrl-C before it is there."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys

TYPE_CHECKING = False  # importing `typing` takes a moment
if TYPE_CHECKING:
    from typing import NoReturn

_NEW_OBJECTS = 200_000
"""Before Python looks for garbage among them. Its own 700 mean hundreds of looks at modules, programs and terms that
all stay."""


def main() -> NoReturn:
    """Importing the command line takes a moment, in which nobody could catch an interrupt."""
    gc.set_threshold(_NEW_OBJECTS)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from threadproof.cli.quick_dataclasses import compile_methods_later

    compile_methods_later()
    from threadproof.cli.main import main as command_line

    try:
        command_line()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        _end(ended.code)


def _end(code: int) -> NoReturn:
    """As Python ends a program, but for freeing one by one what goes with the process anyway."""
    run_what_was_registered = getattr(atexit, "_run_exitfuncs", None)
    if run_what_was_registered is None:
        sys.exit(code)
    run_what_was_registered()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # Python would say so, and end with a code of its own
        sys.exit(code)
    os._exit(code)


def _leave(*_: object) -> NoReturn:
    os.write(2, b"threadproof: interrupted: unknown\n")
    os._exit(130)


if __name__ == "__main__":
    main()
