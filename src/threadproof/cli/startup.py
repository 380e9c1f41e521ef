"""How long the interpreter took before the command began: `--timeout` is the wall time of the whole command."""

from __future__ import annotations

from threadproof.core.budget import since_start

seconds = 0.0  # stays 0 when a longer-lived process calls the command line as a function


def measure() -> None:
    global seconds
    seconds = since_start()
