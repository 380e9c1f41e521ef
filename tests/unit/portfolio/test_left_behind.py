"""However the command is ended, no process and no folder of it stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

DEADLINE_S = 300.0  # however busy the machine is; the command itself would go on for longer
ENDLESS = """
#include <pthread.h>
unsigned long long a, b;
void *f(void *p) { while (1) a += b + 1; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (1) b += a + 1; }
"""


def descendants(root: int) -> list[int]:
    """All processes below `root`."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents[int(name)] = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [root]
    for one in found:
        found += [pid for pid, parent in parents.items() if parent == one]
    return found[1:]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return true()


def _listens() -> None:
    """A suite that runs in the background was told to ignore interrupts; what it starts must not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
@pytest.mark.parametrize("whom", ["command", "worker"])
@pytest.mark.parametrize("early", [True, False], ids=["reading", "searching"])
def test_nothing_is_left_behind(tmp_path: Path, how: signal.Signals, whom: str, early: bool) -> None:
    file, scratch = tmp_path / "main.c", tmp_path / "scratch"
    file.write_text(ENDLESS, encoding="utf-8")
    scratch.mkdir()
    command = [sys.executable, "-m", "threadproof", "verify", str(file), "--timeout", "900"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_listens
    )
    assert wait_for(lambda: len(descendants(process.pid)) >= (1 if early else 3))
    started = descendants(process.pid)
    os.kill(process.pid if whom == "command" else started[0], how)
    process.communicate(timeout=DEADLINE_S)
    if whom == "worker":
        assert process.returncode == 2
    elif how is signal.SIGINT:
        assert process.returncode == 130
    assert wait_for(lambda: not any(alive(pid) for pid in started))
    assert wait_for(lambda: not list(scratch.iterdir()))
