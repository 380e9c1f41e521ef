"""A sweep that is killed again and again loses no row and has none twice.

python tests/differential/sweep_kills.py WHAT... [--tasks 300] [--kills 10] [--timeout 1] [--seconds 480]

Asks about the first so many tasks of WHAT (as `threadproof sweep`, every one of them with the property unreach-call),
kills the sweep with SIGKILL after a random share of the rows, looks at the file, and goes on; then lets it end.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from threadproof.core.property import Property
from threadproof.sweep.tasks import tasks_of

ASKED = Property.UNREACH_CALL


def rows(results: Path) -> list[tuple[str, ...]]:
    """As SQLite itself reads them, each with when it was written."""
    if not results.exists():
        return []
    try:
        with closing(sqlite3.connect(f"file:{results}?mode=ro", uri=True, timeout=30.0)) as connection:
            return connection.execute("SELECT task, property, verdict, wall_s FROM results").fetchall()
    except sqlite3.OperationalError:  # killed before it had a table
        return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+")
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    files = [name for one in asked.what for name in definitions(Path(one))]
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch) / "results.db"
        chosen, tasks = [], 0
        for file in files:
            if tasks < asked.tasks and (found := len(tasks_of(file, [ASKED]))):
                chosen.append(file)
                tasks += found
        command = [sys.executable, "-m", "threadproof", "sweep", *chosen, "-p", ASKED.value, "--results", str(results)]
        command += ["--timeout", f"{asked.timeout:g}", "--jobs", str(asked.jobs)]
        return killed(command, results, tasks, asked.kills, random.Random(asked.seed))


def definitions(place: Path) -> list[str]:
    return [str(place)] if place.is_file() else [str(one) for one in sorted(place.rglob("*.yml"))]


def killed(command: list[str], results: Path, tasks: int, kills: int, rng: random.Random) -> int:
    lost = changed = again = 0
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    stops = sorted(rng.sample(range(1, tasks), kills))
    for stop in [*stops, tasks]:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        assert process.stderr is not None
        for line in process.stderr:  # a line for each row, after it is in the file
            if line.startswith(b"[") and len(rows(results)) >= stop and stop < tasks:
                time.sleep(rng.random() * 0.3)
                os.kill(process.pid, signal.SIGKILL)
                break
        process.stderr.read()
        process.wait()
        now = {row[:2]: row for row in rows(results)}
        again += len(rows(results)) - len(now)
        lost += len(known.keys() - now.keys())
        changed += sum(now.get(key, row) != row for key, row in known.items())
        known = now
        print(f"{len(known)} of {tasks} rows, exit code {process.returncode}", flush=True)
    whole = len(known) == tasks and not (lost or changed or again)
    print(
        f"{tasks} tasks, {kills} kills: {tasks - len(known)} missing, {lost} lost, {again} twice, {changed} asked again"
    )
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
