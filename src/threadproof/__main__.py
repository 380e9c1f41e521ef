"""`python -m threadproof` is the same as the `threadproof` command: the command line, and Ctrl-C before it is there."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # importing `typing` takes a moment
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Importing the command line takes a moment, in which nobody could catch an interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    from threadproof.cli.quick_dataclasses import compile_methods_later

    compile_methods_later()
    from threadproof.cli.main import main as command_line

    command_line()


def _leave(*_: object) -> NoReturn:
    os.write(2, b"threadproof: interrupted: unknown\n")
    os._exit(130)


if __name__ == "__main__":
    main()
