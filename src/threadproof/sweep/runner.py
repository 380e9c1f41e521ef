"""Tasks asked side by side, each by `verify` in a session of its own, so that nothing of one outlives it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from threadproof.portfolio.processes import die_with_parent, end_session
from threadproof.sweep.store import ERROR, NO_WORD, SweepRow
from threadproof.sweep.tasks import SweepTask

GRACE, GRACE_S = 1.2, 10.0
"""Of the limit, and beyond: `verify` ends by itself before."""
CACHED = ", cached"
"""How the engine of an answer from the cache ends: its times are not those of a verification."""
_LOOK_S = 0.01
OURS = (sys.executable, "-m", "threadproof")


@dataclass(frozen=True, slots=True)
class HowToAsk:
    options: tuple[str, ...] = ()  # of `verify`
    timeout: float = 60.0
    memory_mb: int | None = None
    jobs: int = 1
    program: tuple[str, ...] = OURS  # another version, perhaps

    def command(self, task: SweepTask, out: str) -> list[str]:
        limits = ["--timeout", f"{self.timeout:g}"]
        limits += [] if self.memory_mb is None else ["--memory-limit", str(self.memory_mb)]
        asked = ["--property", task.property.value, *task.options, *self.options]
        return [*self.program, "verify", *task.files, *asked, *limits, "--json", out]


def run_all(tasks: Iterable[SweepTask], how: HowToAsk, tell: Callable[[SweepRow], None]) -> None:
    """`tell` is called with each row as it comes. Whatever ends this ends what still runs."""
    waiting = iter(tasks)
    running: list[_Asked] = []
    try:
        while True:
            running += [_Asked(task, how) for task in islice(waiting, how.jobs - len(running))]
            if not running:
                return
            for one in list(running):
                row = one.row()
                if row is not None:
                    running.remove(one)
                    tell(row)
            time.sleep(_LOOK_S)
    finally:
        for one in running:
            one.end()


def row_there(task: SweepTask, content: str, how: HowToAsk) -> SweepRow:
    """At a worker."""
    if task.content() != content:
        return _row(task, content, None, "a worker of the cluster sees other files", 0.0)
    one = _Asked(task, how)
    try:
        while (row := one.row()) is None:
            time.sleep(_LOOK_S)
    except BaseException:
        one.end()
        raise
    return row


def lost_row(task: SweepTask, why: str) -> SweepRow:
    """Of a task that nobody could ask about."""
    return _row(task, task.content(), None, why, 0.0)


class _Asked:
    """A task whose process runs."""

    def __init__(self, task: SweepTask, how: HowToAsk) -> None:
        self._task = task
        self._content = task.content()
        self._folder = tempfile.TemporaryDirectory()
        self._out = Path(self._folder.name) / "answer.json"
        self._said = Path(self._folder.name) / "said"
        self._started = time.monotonic()
        self._until = self._started + GRACE * how.timeout + GRACE_S
        with self._said.open("wb") as err:
            self._process = subprocess.Popen(
                how.command(task, str(self._out)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
                start_new_session=True,
                preexec_fn=partial(die_with_parent, signal.SIGTERM),
            )

    def row(self) -> SweepRow | None:
        """None: it is still asked."""
        reason = ""
        if self._process.poll() is None:
            if time.monotonic() < self._until:
                return None
            reason = "did not end in time"
        seconds = time.monotonic() - self._started
        answer = _answer(self._out)
        reason = reason or _last_line(self._said) or f"{NO_WORD}{self._process.returncode}"
        self.end()
        return _row(self._task, self._content, answer, reason, seconds)

    def end(self) -> None:
        end_session(self._process.pid)
        self._process.wait()
        self._folder.cleanup()


def _answer(out: Path) -> dict[str, Any] | None:
    try:
        return json.loads(out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _last_line(said: Path) -> str:
    """The last that is an error's; what follows it is advice."""
    lines: Sequence[str] = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    own = [line.removeprefix("threadproof: ") for line in lines if line.startswith("threadproof: ")]
    return [*lines, *own][-1][:300] if lines else ""


def _row(task: SweepTask, content: str, answer: dict[str, Any] | None, reason: str, seconds: float) -> SweepRow:
    named = task.name, task.property.value, task.expected, content
    if answer is None:
        return SweepRow(*named, ERROR, "", reason, round(seconds, 3), 0.0, 0.0)
    return SweepRow(
        *named,
        str(answer["verdict"]),
        f"{answer.get('engine') or ''}{CACHED if answer.get('cached') else ''}",
        str(answer.get("reason") or ""),
        round(seconds, 3),
        float(answer.get("cpu_s", 0.0)),
        float(answer.get("peak_mb", 0.0)),
        json.dumps(answer.get("stats") or {}),
    )
