"""Estimates on a cluster whose workers are killed at random are those of one process.

python tests/differential/cluster_kills.py [FIRST LAST] [--workers 4]

Of each seed one kind of estimate, on a program of Lodin's paper: a number of runs, a sequential interval, a test of a
bound, splitting with fixed and with adaptive levels. The cluster is a real one, on this machine. During each estimate a
worker that has a piece of it is killed, at a random time; a nanny starts it again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "smc"))

from smc_support import fib

from threadproof.cluster.connect import BACK_S
from threadproof.cluster.crew import PATIENCE_S, Crew, PieceOrder
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
FORK = "distributed.worker.multiprocessing-method"
"""A worker that begins again is a fork of a process that has imported everything."""
LOST = "distributed.deploy.lost-worker-timeout"
RENEWED = 20
"""Seeds after which there is a new cluster: dask has no new worker for one that is killed while it begins."""
LATEST = 6
"""Piece after which a worker is killed; if there are fewer, while the last of them are done."""
LOOK_S = 0.2
TRIES = 10
"""All pieces may have been done when somebody is to be killed: then the estimate is made again."""


class StruckCrew(Crew):
    """Loses a worker in the middle of what it is asked for."""

    def __init__(self, cluster: Any, client: Any, rng: random.Random) -> None:
        super().__init__(client)
        self._cluster, self._dask, self._rng = cluster, client, rng
        self.killed = 0

    def results(
        self,
        function: Callable[..., Any],
        pieces: Iterable[tuple[Any, ...]],
        order: PieceOrder = PieceOrder.AS_ASKED,
        here: Callable[..., Any] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> Generator[tuple[int, Any], None, None]:
        return super().results(function, self._struck(pieces), order, here, patience_s)

    def _struck(self, pieces: Iterable[tuple[Any, ...]]) -> Generator[tuple[Any, ...], None, None]:
        at, struck = self._rng.randrange(LATEST), False
        for number, piece in enumerate(pieces):
            yield piece
            if number >= at and not struck:
                struck = self._strike()
        if not struck:
            self._strike()

    def _strike(self) -> bool:
        """Whether a worker with something to do was found and killed."""
        until = time.monotonic() + LOOK_S
        while time.monotonic() < until:
            busy = {address for address, keys in self._dask.processing().items() if keys}
            pids = [one.pid for one in list(self._cluster.workers.values()) if one.worker_address in busy and one.pid]
            if pids:
                with suppress(OSError):
                    os.kill(self._rng.choice(pids), signal.SIGKILL)
                    self.killed += 1
                    return True
            time.sleep(0.001)
        return False


def content(made: Estimate) -> Any:
    """All that does not say where and how quickly it was made."""
    told = {key: made.details.get(key) for key in ("estimates", "levels", "reached")}
    return replace(made, wall_s=0.0, sampler="", details={}), told


@dataclass(slots=True)
class Struck:
    """What came of all seeds so far."""

    different: list[int] = field(default_factory=list[int])
    kills: int = 0
    seeds: int = 0  # in which somebody was killed
    made: int = 0


def compare(cluster: Any, client: Any, seed: int, told: Struck) -> None:
    query, options = KINDS[seed % len(KINDS)]
    asked = replace(options, seed=seed)
    here = estimate_program(fib(), query, asked, Silent())
    crew = StruckCrew(cluster, client, random.Random(seed))
    for _ in range(TRIES):
        there = estimate_program(fib(), query, asked, Silent(), crew)
        told.made += 1
        if content(here) != content(there):
            told.different.append(seed)
            print(f"seed {seed}: {here} here, {there} on the cluster", flush=True)
        if crew.killed:
            break
    told.kills += crew.killed
    told.seeds += crew.killed > 0


def main() -> int:
    import dask
    import distributed

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("range", type=int, nargs="*", default=[0, 200])
    parser.add_argument("--workers", type=int, default=4)
    chosen = parser.parse_args()
    first, last = chosen.range
    quiet: dict[str, Any] = {"dashboard_address": ":0", "silence_logs": 50, "memory_limit": 0, "host": "127.0.0.1"}
    dask.config.set({"distributed.scheduler.allowed-failures": 10, FORK: "forkserver", LOST: f"{BACK_S} s"})
    told, began = Struck(), time.monotonic()
    for begin in range(first, last, RENEWED):
        with (
            distributed.LocalCluster(n_workers=chosen.workers, threads_per_worker=1, **quiet) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            for seed in range(begin, min(last, begin + RENEWED)):
                compare(cluster, client, seed, told)
                print(
                    f"seed {seed}: {told.kills} killed, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True
                )
    print(
        f"{last - first} seeds, {told.made} estimates, workers killed in {told.seeds} of the seeds, "
        f"{told.kills} in all, different: {told.different or 'none'}, {time.monotonic() - began:.0f} s"
    )
    return 1 if told.different else 0


if __name__ == "__main__":
    sys.exit(main())
