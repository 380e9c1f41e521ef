"""What it takes to verify 100,000 programs on 1,000 workers: a simulation of discrete events (docs/scale.md).

python benchmarks/distribution.py RESULTS... [--programs 100000] [--workers 1000] [--seed 1] [--plots docs/images]
python benchmarks/distribution.py --dispatch 2000

Times of tasks are drawn from the rows of sweeps (their files, or the CSV that `--export` writes). Workers take
handfuls of tasks from one scheduler, which needs time for each; they fail, and what they had begins anew; a share of
the tasks is in the cache. Everything follows from the seed.

`--dispatch` measures what the scheduler's side needs: so many handfuls of nothing given to a cluster in this process,
and so many rows written.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from threadproof.cluster.crew import Crew, PieceOrder
from threadproof.core.property import Property
from threadproof.report.growth import draw_growth
from threadproof.sweep.away import ENOUGH_S, MOST_AT_ONCE, ROUNDS
from threadproof.sweep.store import SweepRow, opened, read
from threadproof.sweep.tasks import SweepTask

HOUR = 3600.0
DISPATCH_S, ROW_S = 0.0036, 0.0002
"""As `--dispatch` measures them."""


@dataclass(frozen=True, slots=True)
class Setting:
    programs: int = 100_000
    properties: int = 5
    workers: int = 1_000
    budget_s: float = 60.0  # of each task
    hits: float = 0.0  # share of tasks whose answer is in the cache
    hit_s: float = 1.0  # to read the program and replay
    fails_h: float = 500.0  # hours between two failures of a worker
    back_s: float = 120.0  # until it is there again
    at_once: int = MOST_AT_ONCE  # tasks of a handful, at most
    dispatch_s: float = DISPATCH_S  # of the client, the scheduler and what it costs a worker, for a handful
    row_s: float = ROW_S  # of the client, for each task
    slow_share: float = 0.02  # workers that are slow, and how slow
    slow: float = 3.0
    copies: bool = True  # at the end idle workers do again what others are late with
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    hours: float
    busy: float  # share of the workers' time
    again: int  # tasks begun anew after a failure
    tail_h: float  # from when no task was waiting to the end
    scheduler: float  # share of its time


def simulate(times: list[float], how: Setting) -> Outcome:
    rng = random.Random(how.seed)
    tasks = how.programs * how.properties
    speed = [how.slow if rng.random() < how.slow_share else 1.0 for _ in range(how.workers)]
    idle = [(0.0, worker) for worker in range(how.workers)]  # when each is free
    heapq.heapify(idle)
    scheduler_free = work = end = handed = 0.0  # handed: time that the scheduler's side was busy
    again, last_begin, left = 0, 0.0, tasks
    while left:
        free, worker = heapq.heappop(idle)
        size = max(1, min(how.at_once, left // (ROUNDS * how.workers)))
        scheduler_free = max(free, scheduler_free) + how.dispatch_s
        handed += how.dispatch_s
        now = begin = last_begin = scheduler_free
        failure = begin + rng.expovariate(1 / (how.fails_h * HOUR))
        pace = 1.0 if how.copies and left < how.workers else speed[worker]
        done = 0
        while done < size and now < begin + ENOUGH_S and now < failure:
            now += pace * (how.hit_s if rng.random() < how.hits else min(rng.choice(times), how.budget_s))
            done += 1
        work += min(now, failure) - begin
        if failure < now:
            again, now = again + done, failure + how.back_s
        else:
            left, end = left - done, max(end, now)
            scheduler_free += done * how.row_s
            handed += done * how.row_s
        heapq.heappush(idle, (now, worker))
    tail = end - last_begin
    return Outcome(end / HOUR, work / (how.workers * end), again, tail / HOUR, handed / end)


def dispatch(count: int) -> None:
    """Processor seconds of everything that is not a worker's work."""
    import distributed  # pyright: ignore[reportMissingTypeStubs]

    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": 50, "protocol": "tcp", "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(n_workers=4, threads_per_worker=1, processes=False, **quiet) as cluster,  # pyright: ignore
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        crew = Crew(client)
        for at_once in (1, MOST_AT_ONCE):
            handful = [(SweepTask("a/path/to/main.c", ("a/path/to/main.c",), Property.UNREACH_CALL, ""), "f" * 64)]
            began = time.process_time()
            for _ in crew.results(len, ((handful * at_once,) for _ in range(count)), PieceOrder.AS_DONE):
                pass
            spent = (time.process_time() - began) / count
            print(f"{count} handfuls of {at_once}: {1000 * spent:.2f} ms each")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "main.c"
        file.write_text("int main(void) { return 0; }\n" * 100, encoding="utf-8")
        row = SweepRow("", "unreach-call", "", "f" * 64, "true", "auto", "", 1.0, 1.0, 50.0)
        with opened(str(Path(folder) / "results.db")) as store:
            began = time.monotonic()
            for number in range(count):
                task = SweepTask(str(number), (str(file),), Property.UNREACH_CALL, "")
                store.add(replace(row, task=task.name, content=task.content()))
            print(f"{count} rows: {1000 * (time.monotonic() - began) / count:.2f} ms each, waiting for the disk")


def measured(files: list[str]) -> tuple[list[float], list[float]]:
    """Seconds of processor time and megabytes of every row; a row without an answer has its wall time."""
    rows = [figures for file in files for figures in _figures(file)]
    return [max(wall, cpu) for wall, cpu, _ in rows], [peak for *_, peak in rows if peak > 0]


def _figures(file: str) -> Iterator[tuple[float, float, float]]:
    if not file.endswith(".csv"):
        yield from ((row.wall_s, row.cpu_s, row.peak_mb) for row in read(file))
        return
    with Path(file).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield float(row["wall_s"]), float(row["cpu_s"]), float(row.get("peak_mb") or 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*")
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plots", metavar="FOLDER")
    parser.add_argument("--dispatch", type=int, metavar="COUNT")
    asked = parser.parse_args()
    if asked.dispatch:
        dispatch(asked.dispatch)
        return
    times, memory = measured(asked.results)
    told = statistics.quantiles(times, n=20)
    print(f"{len(times)} rows: mean {statistics.mean(times):.2f} s, median {told[9]:.2f} s, 95 % {told[18]:.2f} s")
    if len(memory) > 1:
        parts = statistics.quantiles(memory, n=20)
        print(f"memory: median {parts[9]:.0f} MB, 95 % {parts[18]:.0f} MB, most {max(memory):.0f} MB")
    base = Setting(programs=asked.programs, workers=asked.workers, seed=asked.seed)
    cases = {
        "as measured": base,
        "slow workers not helped": replace(base, copies=False),
        "workers fail every 20 h": replace(base, fails_h=20.0),
        "90 % in the cache": replace(base, hits=0.9),
        "3 s for each": replace(base, budget_s=3.0),
        "one task at a time": replace(base, at_once=1),
        "ten times the workers": replace(base, workers=10 * asked.workers),
        "and 90 % in the cache": replace(base, workers=10 * asked.workers, hits=0.9),
    }
    print(f"{'':32} {'hours':>7} {'busy':>6} {'again':>7} {'tail, s':>8} {'scheduler':>9}")
    for name, how in cases.items():
        found = simulate(times, how)
        tail = found.tail_h * HOUR
        print(f"{name:32} {found.hours:7.2f} {found.busy:6.2f} {found.again:7d} {tail:8.0f} {found.scheduler:9.2f}")
    if asked.plots:
        plot(times, base, Path(asked.plots))


def plot(times: list[float], base: Setting, folder: Path) -> None:
    workers = [10, 100, 1000, 10_000]
    lines = {
        name: [(count, simulate(times, replace(how, workers=count)).hours) for count in workers]
        for name, how in {"by handfuls": base, "one task at a time": replace(base, at_once=1)}.items()
    }
    text = draw_growth(f"{base.programs:,} programs: hours against workers", "workers", "h", lines)
    (folder / "scale-workers.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
