"""examples/projects: how long every property takes, and every seeded bug.

    PYTHONPATH=src python benchmarks/projects.py [--timeout 30] [--only NAME ...] [--bugs | --properties]

Each cell is one command, `threadproof verify FOLDER -p PROPERTY --no-cache`: the verdict's first letter, seconds of
wall time and of the processor for all processes together. The last lines name what was not decided, or not as
expected, in time.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

PROJECTS = Path(__file__).parents[1] / "examples" / "projects"
PROPERTIES = ("unreach-call", "no-data-race", "no-deadlock", "no-overflow", "valid-memsafety", "valid-memcleanup")
BUGS = [
    ("channel", "BUG_IF", "unreach-call"),
    ("channel", "BUG_CLOSE", "no-deadlock"),
    ("pool", "BUG_STOP", "no-data-race"),
    ("pool", "BUG_DONE", "no-data-race"),
    ("cache", "BUG_HITS", "no-data-race"),
    ("cache", "BUG_EVICT", "valid-memsafety"),
    ("logger", "BUG_OUTSIDE", "valid-memsafety"),
    ("logger", "BUG_LEVEL", "no-data-race"),
    ("stack", "BUG_FREE", "valid-memsafety"),
    ("stack", "BUG_CHECK", "valid-memsafety"),
    ("eventloop", "BUG_ORDER", "unreach-call"),
    ("eventloop", "BUG_LOCK", "no-data-race"),
]
VERDICTS = {0: "true", 1: "false", 2: "unknown"}


class Run(NamedTuple):
    verdict: str
    wall: float
    cpu: float

    def cell(self) -> str:
        return f"{self.verdict[0]} {self.wall:5.1f} ({self.cpu:5.1f})"


def asked(project: str, prop: str, timeout: float, *options: str) -> Run:
    words = ["verify", str(PROJECTS / project), "-p", prop, "--timeout", f"{timeout:g}", "--no-cache", *options]
    began, before = time.monotonic(), _cpu()
    done = subprocess.run([sys.executable, "-m", "threadproof", *words], capture_output=True, check=False)
    verdict = VERDICTS.get(done.returncode, f"exit code {done.returncode}")
    return Run(verdict, time.monotonic() - began, _cpu() - before)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def properties(projects: list[str], timeout: float) -> list[str]:
    """Prints a row per project; what was not `true`."""
    missed: list[str] = []
    print(f"{'':10}" + "".join(f"{prop:>19}" for prop in PROPERTIES))
    for project in projects:
        print(f"{project:10}", end="", flush=True)
        for prop in PROPERTIES:
            run = asked(project, prop, timeout)
            missed += [] if run.verdict == "true" else [f"{project} {prop}: {run.verdict}"]
            print(f"{run.cell():>19}", end="", flush=True)
        print()
    return missed


def bugs(projects: list[str], timeout: float) -> list[str]:
    """Prints a row per bug; what was not `false`."""
    missed: list[str] = []
    for project, bug, prop in BUGS:
        if project in projects:
            run = asked(project, prop, timeout, f"-D{bug}")
            missed += [] if run.verdict == "false" else [f"{project} {bug} {prop}: {run.verdict}"]
            print(f"{project:10}{bug:13}{prop:17}{run.cell():>17}", flush=True)
    return missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--only", nargs="+", default=sorted(one.name for one in PROJECTS.iterdir() if one.is_dir()))
    parser.add_argument("--bugs", action="store_true", help="only these")
    parser.add_argument("--properties", action="store_true", help="only these")
    given = parser.parse_args()
    missed: list[str] = []
    if not given.bugs:
        missed += properties(given.only, given.timeout)
    if not given.properties:
        missed += bugs(given.only, given.timeout)
    print("\n".join(missed) or "all as expected")


if __name__ == "__main__":
    main()
