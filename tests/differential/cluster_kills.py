"""Estimates on a cluster whose workers are killed at random are those of one process.

python tests/differential/cluster_kills.py [FIRST LAST] [--workers 3] [--every 3]

Of each seed one kind of estimate, on a program of Lodin's paper: a number of runs, a sequential interval, a test of a
bound, splitting with fixed and with adaptive levels. The cluster is a real one, on this machine; a nanny starts a
worker again after it was killed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "smc"))

from smc_support import fib

from threadproof.cluster.crew import Crew
from threadproof.core.estimate import Estimate
from threadproof.core.observer import Silent
from threadproof.engines.smc.options import SmcOptions, SplittingKind, SplittingOptions
from threadproof.engines.smc.run import estimate_program

ERROR = "Pr[<=200] (<> [0.VERIFIERError])"
SPLITTING = SplittingOptions(SplittingKind.FIXED, "j", ("2",), budget=100, repeat=6)
KINDS = (
    (ERROR, SmcOptions(runs=200_000)),
    (ERROR, SmcOptions(width=0.01)),
    (f"{ERROR} >= 0.5", SmcOptions()),
    (ERROR, SmcOptions(splitting=SPLITTING)),
    (ERROR, SmcOptions(splitting=replace(SPLITTING, kind=SplittingKind.ADAPTIVE, levels=()))),
)


class Killer(threading.Thread):
    """Kills one worker after the other, each at a random time."""

    def __init__(self, cluster: Any, every: float) -> None:
        super().__init__(daemon=True)
        self._cluster, self._every = cluster, every
        self.killed, self.over = 0, threading.Event()

    def run(self) -> None:
        rng = random.Random(1)
        while not self.over.wait(rng.expovariate(1 / self._every)):
            pids = [one.pid for one in list(self._cluster.workers.values()) if getattr(one, "pid", None)]
            if pids:
                with suppress(OSError):
                    os.kill(rng.choice(pids), signal.SIGKILL)
                    self.killed += 1


def content(made: Estimate) -> Any:
    """All that does not say where and how quickly it was made."""
    told = {key: made.details.get(key) for key in ("estimates", "levels", "reached")}
    return replace(made, wall_s=0.0, sampler="", details={}), told


def main() -> int:
    import distributed

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("range", type=int, nargs="*", default=[0, 200])
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two kills, on average")
    asked = parser.parse_args()
    first, last = asked.range
    different: list[int] = []
    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": 50, "memory_limit": 0, "host": "127.0.0.1"}
    import dask

    dask.config.set({"distributed.scheduler.allowed-failures": 10})
    began = time.monotonic()
    with (
        distributed.LocalCluster(n_workers=asked.workers, threads_per_worker=1, **quiet) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        killer = Killer(cluster, asked.every)
        killer.start()
        for seed in range(first, last):
            query, options = KINDS[seed % len(KINDS)]
            here = estimate_program(fib(), query, replace(options, seed=seed), Silent())
            there = estimate_program(fib(), query, replace(options, seed=seed), Silent(), Crew(client))
            if content(here) != content(there):
                different.append(seed)
                print(f"seed {seed}: {here} here, {there} on the cluster", flush=True)
        killer.over.set()
        killer.join()
    count = last - first
    print(
        f"{count} estimates, {killer.killed} workers killed, {count - len(different)} equal, "
        f"different: {different or 'none'}, {time.monotonic() - began:.0f} s"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
