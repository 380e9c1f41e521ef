"""Time and memory an engine may use. Polled by loops; the parent process enforces the same limits from outside."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

clock = time.monotonic
"""In one place, so that tests can put another in its place."""


def processor_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])


@dataclass(frozen=True, slots=True)
class Budget:
    """`processor_s`: what this process and its children may use of the processor. On a busy machine that takes longer,
    and the same work is done as on an idle one."""

    seconds: float | None = None
    memory_mb: int | None = None
    started: float = field(default_factory=lambda: clock())
    processor_s: float | None = None
    used_before: float = field(default_factory=processor_seconds)

    def elapsed(self) -> float:
        return clock() - self.started

    def left(self) -> float:
        left = float("inf") if self.seconds is None else self.seconds - self.elapsed()
        if self.processor_s is None:
            return left
        return min(left, self.processor_s - (processor_seconds() - self.used_before))

    def exhausted(self) -> str | None:
        """`time` or `memory` when that limit is used up, else None."""
        if self.left() <= 0:
            return "time"
        if self.memory_mb is not None and resident_mb() > self.memory_mb:
            return "memory"
        return None

    def part(self, fraction: float) -> Budget:
        """A budget for a sub-task: that fraction of the time that is left, the same memory."""
        left = self.left()
        return self if left == float("inf") else Budget(max(0.0, left) * fraction, self.memory_mb)


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
