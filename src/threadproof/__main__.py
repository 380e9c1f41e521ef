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

_INTERNAL = 4  # as `cli.main.ExitCode`, which may not be there
_NEW_OBJECTS = 200_000
"""Before Python looks for garbage among them, until a worker begins: its own 700 mean hundreds of looks at modules that
all stay."""


def main() -> NoReturn:
    """Importing the command line takes a moment, in which nobody could catch an interrupt.

    Python ends with 1 when nobody catches an exception. That is `false` here: so nothing gets past this function.
    """
    gc.set_threshold(_NEW_OBJECTS)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    try:
        from threadproof.cli.quick_dataclasses import compile_methods_later

        compile_methods_later()
        from threadproof.cli.main import main as command_line

        command_line()
    except SystemExit as ended:
        _end(ended.code if isinstance(ended.code, int) else _INTERNAL)
    except KeyboardInterrupt:
        _leave()
    except BaseException as error:  # no memory to import with, for one
        _write(f"threadproof: internal error: {type(error).__name__}: {' '.join(str(error).split())[:300]}\n")
        if "--debug" in sys.argv:
            sys.excepthook(type(error), error, error.__traceback__)
        os._exit(_INTERNAL)


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
    _write("threadproof: interrupted: unknown\n")
    os._exit(130)


def _write(text: str) -> None:
    from contextlib import suppress

    with suppress(OSError):  # the exit code says it, too
        os.write(2, text.encode("utf-8", "backslashreplace"))


if __name__ == "__main__":
    main()
