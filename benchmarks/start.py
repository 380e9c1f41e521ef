"""From command to verdict on tiny programs: what starting costs.

    python benchmarks/start.py [SRC ...]

Runs `threadproof verify` on each program, `RUNS` times, with the code of each folder (`src` of a checkout; default: the
one that is installed), one after the other so that all meet the same machine. Prints medians: seconds of wall time, and
of the processor for all processes together, which says more on a machine that has other work.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

RUNS = 9
_COUNTER = """#include <assert.h>
#include <pthread.h>
int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) {{ {lock} n++; {unlock} return 0; }}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, f, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  return 0;
}}
"""
PROGRAMS = {
    "empty": "int main(void) { return 0; }\n",
    "counter": _COUNTER.format(lock="pthread_mutex_lock(&m);", unlock="pthread_mutex_unlock(&m);"),
    "racy counter": _COUNTER.format(lock="", unlock=""),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "auto": (),
    "explicit": ("--engine", "explicit"),
    "bmc": ("--engine", "bmc"),
    "races": ("--property", "no-data-race"),
}


def main(sources: list[str]) -> None:
    trees = sources or [""]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            file = Path(folder) / f"{name.replace(' ', '_')}.c"
            file.write_text(text)
            for kind, options in COMMANDS.items():
                _row(name, kind, [str(file), *options], trees, folder)


def _row(name: str, kind: str, words: list[str], trees: list[str], folder: str) -> None:
    figures: dict[str, list[tuple[float, float]]] = {tree: [] for tree in trees}
    for tree in trees:
        _seconds(words, tree, folder)  # what is compiled once is compiled now
    for _ in range(RUNS):
        for tree in trees:
            figures[tree].append(_seconds(words, tree, folder))
    for tree in trees:
        wall, cpu = (median(column) for column in zip(*figures[tree], strict=True))
        print(f"{name:14}{kind:10}{wall:7.3f} s{cpu:8.3f} s of the processor  {tree}", flush=True)


def _seconds(words: list[str], tree: str, folder: str) -> tuple[float, float]:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": os.path.join(folder, "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    if tree:
        environment["PYTHONPATH"] = os.path.abspath(tree)
    began, before = time.monotonic(), _cpu()
    command = [sys.executable, "-m", "threadproof", "verify", *words]
    subprocess.run(
        command, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return time.monotonic() - began, _cpu() - before


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
