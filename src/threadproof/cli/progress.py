"""Progress of long work: a status line on a terminal, nothing in a pipe, JSON lines where they are asked for.

A line of `--json-lines` is `{"event": "progress", "what", "seconds", figures...}` or `{"event": "answer", ...}`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from threadproof.core.observer import Observer
from threadproof.core.result import Answer

_INTERVAL = 0.1  # seconds between redraws: engines may report as often as they like


class LastWord:
    """What was reported last: what an interrupted search had learned."""

    said = ""


@contextmanager
def observing(last: LastWord | None = None, json_lines: bool = False) -> Generator[Observer]:
    """An observer for the work inside the block. It writes to stderr: stdout is the answer alone, unless it streams."""
    heard = last or LastWord()
    if json_lines:
        yield JsonLines(heard)
        return
    if not sys.stderr.isatty():
        yield Remembering(heard)
        return
    from rich.console import Console

    with Console(stderr=True).status("starting", spinner="dots") as status:
        yield StatusLine(status.update, heard)


class Remembering:
    """Shows nothing."""

    def __init__(self, last: LastWord) -> None:
        self._last = last
        self._started = time.monotonic()

    def progress(self, what: str, **figures: float) -> None:
        self._last.said = describe(what, figures, time.monotonic() - self._started)


class JsonLines(Remembering):
    """Streams what is reported, at most ten lines a second, and always when the work changes."""

    def __init__(self, last: LastWord) -> None:
        super().__init__(last)
        self._shown, self._what = 0.0, ""

    def progress(self, what: str, **figures: float) -> None:
        super().progress(what, **figures)
        now = time.monotonic()
        if what == self._what and now - self._shown < _INTERVAL:
            return
        self._shown, self._what = now, what
        line = {"event": "progress", "what": what, "seconds": round(now - self._started, 3), **figures}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def line_of_answer(answer: Answer) -> str:
    from threadproof.report.json_report import one

    return json.dumps({"event": "answer", **one(answer)}, ensure_ascii=False, default=str)


class StatusLine:
    """Shows the last thing reported, at most ten times a second."""

    def __init__(self, show: Callable[[str], None], last: LastWord | None = None) -> None:
        self._show = show
        self._heard = last or LastWord()
        self._started = time.monotonic()
        self._last = 0.0

    def progress(self, what: str, **figures: float) -> None:
        now = time.monotonic()
        self._heard.said = describe(what, figures, now - self._started)
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
