"""Progress of long work: some lines on a terminal, nothing in a pipe, JSON lines where they are asked for.

On a terminal the first line says how long it takes and may take, and each engine has a line with what it said last.
They come after a moment only, and go when the answer comes. A line of `--json-lines` is
`{"event": "progress", "engine", "what", "seconds", figures...}` or `{"event": "answer", ...}`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from threadproof.core.observer import Observer
from threadproof.core.result import Answer
from threadproof.engines.rows import ENGINES

_INTERVAL = 0.1  # seconds between lines: engines may report as often as they like
_PATIENCE_S = 0.4  # before anything is shown: most answers come sooner
_TICK_S = 0.25
_WORDS = {
    "bound": "bound {}",
    "percent_done": "about {} % of them",
    "low": "at least {}",
    "high": "at most {}",
    "level": "level {}",
    "repetition": "repetition {}",
    "estimate": "estimate {}",
}


class LastWord:
    """What was reported last, by each engine: what an interrupted search had learned."""

    def __init__(self) -> None:
        self._about = ""
        self._engines: dict[str, str] = {}

    def hear(self, what: str, figures: dict[str, float], seconds: float) -> None:
        engine, doing = by_engine(what)
        if engine:
            self._engines[engine] = describe(doing, figures)
        else:
            self._about, self._engines = describe(doing, figures, seconds), {}

    @property
    def said(self) -> str:
        """`reading the program · 0.3 s`, or `bmc: unwinding · bound 3; dpor: exploring · 32 executions`."""
        return "; ".join(f"{engine}: {said}" for engine, said in self._engines.items()) or self._about


@contextmanager
def observing(
    last: LastWord | None = None, json_lines: bool = False, limit_s: float | None = None
) -> Generator[Observer]:
    """An observer for the work inside the block. It writes to stderr: stdout is the answer alone, unless it streams."""
    heard = last or LastWord()
    if json_lines:
        yield JsonLines(heard)
    elif not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield Remembering(heard)
    else:
        lines = StatusLines(heard, limit_s)
        try:
            yield lines
        finally:
            lines.close()


class Remembering:
    """Shows nothing."""

    def __init__(self, last: LastWord) -> None:
        self._last = last
        self._started = time.monotonic()

    def progress(self, what: str, **figures: float) -> None:
        self._last.hear(what, figures, time.monotonic() - self._started)


class JsonLines(Remembering):
    """Streams what is reported, at most ten lines a second of each engine, and always when its work changes."""

    def __init__(self, last: LastWord) -> None:
        super().__init__(last)
        self._shown: dict[str, tuple[str, float]] = {}

    def progress(self, what: str, **figures: float) -> None:
        super().progress(what, **figures)
        now, (engine, doing) = time.monotonic(), by_engine(what)
        before, shown = self._shown.get(engine, ("", 0.0))
        if doing == before and now - shown < _INTERVAL:
            return
        self._shown[engine] = (doing, now)
        who = {"engine": engine} if engine else {}
        line = {"event": "progress", **who, "what": doing, "seconds": round(now - self._started, 3), **figures}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def line_of_answer(answer: Answer) -> str:
    from threadproof.report.json_report import one

    return json.dumps({"event": "answer", **one(answer)}, ensure_ascii=False, default=str)


class StatusLines(Remembering):
    """What each engine said last, drawn over what was drawn before; the time goes on while nobody says anything."""

    def __init__(
        self, last: LastWord, limit_s: float | None = None, write: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(last)
        self._limit_s = limit_s
        self._write = write or _to_stderr
        self._about = ""
        self._engines: dict[str, str] = {}
        self._drawn = 0
        self._end = threading.Event()
        self._clock = threading.Thread(target=self._tick, daemon=True)
        self._clock.start()

    def progress(self, what: str, **figures: float) -> None:
        super().progress(what, **figures)
        engine, doing = by_engine(what)
        shown = describe(doing, figures)
        if engine:
            self._engines = {**self._engines, engine: shown}
        else:
            self._about, self._engines = shown, {}

    def close(self) -> None:
        self._end.set()
        self._clock.join()
        self._write(self._erase())

    def _tick(self) -> None:
        if self._end.wait(_PATIENCE_S):
            return
        while not self._end.is_set():
            self.draw()
            self._end.wait(_TICK_S)

    def draw(self) -> None:
        lines = self.lines()
        self._write(self._erase() + "".join(f"{line}\n" for line in lines))
        self._drawn = len(lines)

    def lines(self) -> list[str]:
        took = f"{time.monotonic() - self._started:.1f} s"
        limit = "" if self._limit_s is None else f" of at most {self._limit_s:g} s"
        engines = self._engines
        width = max((len(name) for name in engines), default=0)
        rows = [f"  {name:{width}}  {said}" for name, said in engines.items()]
        head = f"{took}{limit}" + (f" · {self._about}" if self._about and not rows else "")
        columns = _columns()
        return [line if len(line) < columns else f"{line[: columns - 2]}…" for line in (head, *rows)]

    def _erase(self) -> str:
        return f"\x1b[{self._drawn}A\r\x1b[J" if self._drawn else ""


def by_engine(what: str) -> tuple[str, str]:
    """`bmc: unwinding` -> bmc, unwinding."""
    engine, _, doing = what.partition(": ")
    return (engine, doing) if engine in ENGINES and doing else ("", what)


def describe(what: str, figures: dict[str, float], seconds: float | None = None) -> str:
    """`exploring · 12,345 states · 3.2 s`"""
    shown = [_figure(name, value) for name, value in figures.items()]
    return " · ".join([what, *shown, *([] if seconds is None else [f"{seconds:.1f} s"])])


def _figure(name: str, value: float) -> str:
    number = _number(value)
    return _WORDS[name].format(number) if name in _WORDS else f"{number} {name.replace('_', ' ')}"


def _number(value: float) -> str:
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.2f}" if abs(value) >= 0.01 else f"{value:.2g}"


def _columns() -> int:
    with suppress(OSError):
        return os.get_terminal_size(2).columns or 80
    return 80


def _to_stderr(text: str) -> None:
    """Without a lock that a process which is forked meanwhile would inherit."""
    if text:
        with suppress(OSError):
            os.write(2, text.encode("utf-8", errors="replace"))
