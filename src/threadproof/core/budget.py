"""Time and memory an engine may use. Polled by loops; the parent process enforces the same limits from outside."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

clock = time.monotonic
"""In one place, so that tests can put another in its place."""


@dataclass(frozen=True, slots=True)
class Budget:
    seconds: float | None = None
    memory_mb: int | None = None
    started: float = field(default_factory=lambda: clock())

    def elapsed(self) -> float:
        return clock() - self.started

    def left(self) -> float:
        return float("inf") if self.seconds is None else self.seconds - self.elapsed()

    def exhausted(self) -> str | None:
        """`time` or `memory` when that limit is used up, else None."""
        if self.left() <= 0:
            return "time"
        if self.memory_mb is not None and resident_mb() > self.memory_mb:
            return "memory"
        return None

    def part(self, fraction: float) -> Budget:
        """A budget for a sub-task: that fraction of the time that is left, the same memory."""
        if self.seconds is None:
            return self
        return Budget(max(0.0, self.left()) * fraction, self.memory_mb)


def since_start() -> float:
    """Seconds since this process began, the interpreter's start included; 0.0 where the system does not tell."""
    try:
        with open("/proc/self/stat", encoding="ascii") as stat:
            ticks = int(stat.read().rpartition(")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, IndexError, ValueError, AttributeError):
        return 0.0


def resident_mb() -> float:
    """Memory this process holds now, 0.0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0
