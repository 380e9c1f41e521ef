"""Progress of long work: a status line on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from threadproof.core.observer import Observer, Silent

_INTERVAL = 0.1  # seconds between redraws: engines may report as often as they like


@contextmanager
def observing() -> Generator[Observer]:
    """An observer for the work inside the block. It writes to stderr: stdout is the answer alone."""
    if not sys.stderr.isatty():
        yield Silent()
        return
    from rich.console import Console

    with Console(stderr=True).status("starting", spinner="dots") as status:
        yield StatusLine(status.update)


class StatusLine:
    """Shows the last thing reported, at most ten times a second."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._started = time.monotonic()
        self._last = 0.0

    def progress(self, what: str, **figures: float) -> None:
        now = time.monotonic()
        if now - self._last < _INTERVAL:
            return
        self._last = now
        self._show(describe(what, figures, now - self._started))


def describe(what: str, figures: dict[str, float], seconds: float) -> str:
    """`exploring · 12,345 states · 3.2 s`"""
    shown = [f"{_number(value)} {name.replace('_', ' ')}" for name, value in figures.items()]
    return " · ".join([what, *shown, f"{seconds:.1f} s"])


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
