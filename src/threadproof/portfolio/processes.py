"""The processes of one run form a session of their own, which is measured and ended as a whole.

A session keeps what a tree of parents loses: a compiler whose engine was killed still belongs to it. Where the system
has no /proc, memory is not measured, and ending reaches only the leader's process group.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

_PR_SET_PDEATHSIG = 1
_ENDING_S = 2.0  # a killed process is gone within milliseconds, unless it held gigabytes
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    parent: int
    session: int
    resident_mb: float


def die_with_parent(how: signal.Signals) -> None:
    """Ask for this signal when the parent is gone, however it went; to be called by a child that was just forked."""
    parent = os.getppid()
    with suppress(OSError, AttributeError):  # another system than Linux
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(how), 0, 0, 0)
    if os.getppid() != parent or parent == 1:
        os.kill(os.getpid(), how)


def of_session(leader: int) -> list[Process]:
    return [one for one in _running() if one.session == leader]


def below(root: int, processes: Iterable[Process]) -> list[Process]:
    """The process `root`, its children, theirs, and so on."""
    children: dict[int, list[Process]] = {}
    for one in processes:
        children.setdefault(one.parent, []).append(one)
    found = [one for one in processes if one.pid == root]
    for one in found:
        found += children.get(one.pid, ())
    return found


def processor_s(pid: int) -> float | None:
    """What it has used of the processors, with its children that have ended; None where nobody tells."""
    fields = _fields(pid)
    return None if fields is None else sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory_mb(processes: Collection[Process], limit: float) -> float:
    """What they hold together. Pages they share count once, but that is only asked where it may matter."""
    resident = sum(one.resident_mb for one in processes)
    return resident if resident <= limit else sum(_proportional_mb(one) for one in processes)


def kill(processes: Iterable[Process]) -> None:
    for one in processes:
        with suppress(ProcessLookupError):
            os.kill(one.pid, signal.SIGKILL)


def end_session(leader: int, spare: Collection[int] = ()) -> None:
    """Kill all that belong to the session, those started meanwhile too, and wait until they are gone."""
    until = time.monotonic() + _ENDING_S
    while time.monotonic() < until:
        left = [one for one in of_session(leader) if one.pid not in spare]
        if not left:
            return
        kill(left)
        time.sleep(0.002)


def _running() -> list[Process]:
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    return [found for pid in pids if (found := _read(pid)) is not None]


def _fields(pid: int) -> list[bytes] | None:
    """Of a process, from its state on; see proc_pid_stat(5)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _read(pid: int) -> Process | None:
    fields = _fields(pid)
    if fields is None or fields[0] in (b"Z", b"X"):
        return None
    return Process(pid, int(fields[1]), int(fields[3]), int(fields[21]) * _PAGE_MB)


def _proportional_mb(process: Process) -> float:
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb") as rollup:
            for line in rollup:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024 / 1e6
    except OSError:  # it ended meanwhile, or the system does not tell
        return 0.0
    return process.resident_mb
