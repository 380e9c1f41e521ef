"""`auto` against its best single engine, on small programs whose names say what is expected.

    PYTHONPATH=src python benchmarks/auto_ratio.py FOLDER OUT [--timeout S] [--only GLOB] [--property NAME]

The folder has files like `fib4_true.c`. Every engine is asked in a process of its own; seconds are wall time, the front
end and the check of what was found included: run it when nothing else does. (Priorities do not help where the system
groups processes by session: see /proc/sys/kernel/sched_autogroup_enabled.) Of `--times` measurements the least
counts (the first may compile what the others find in the cache). `processor` is what a verdict and the processes it
has waited for used: `--by processor` tells something on a busy machine, too. OUT is a folder for results, a file of a
sweep for each engine and measurement; what they have is not asked again: stop it and start it again as you like.
`--only-count` prints the table of what there is so far. The ratio is that of `auto` to the engine that was right the
soonest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from threadproof.core.property import parse_property
from threadproof.sweep.runner import HowToAsk
from threadproof.sweep.session import swept
from threadproof.sweep.store import SweepRow, read
from threadproof.sweep.tasks import SweepTask, tasks_of

ENGINES = ("auto", "bmc", "explicit", "dpor", "trace", "modular", "random", "impact", "cegar")
GOAL = 1.5
SECONDS: dict[str, Callable[[SweepRow], float]] = {
    "seconds": lambda row: row.wall_s,
    "processor": lambda row: row.cpu_s,
}


def tasks_in(folder: Path, only: str, prop: str) -> list[SweepTask]:
    files = sorted(file for file in folder.glob("*.c") if fnmatch(file.name, only))
    found = [task for file in files for task in tasks_of(str(file), [parse_property(prop)])]
    return [replace(task, name=Path(task.name).name, expected=expected_of(Path(task.name))) for task in found]


def expected_of(file: Path) -> str:
    return "true" if file.stem.endswith("_true") else "false"


def ask_all(tasks: Sequence[SweepTask], out: Path, engines: Sequence[str], times: int, seconds: float) -> None:
    """One that was not answered is not asked again."""
    for task in tasks:
        for engine in engines:
            how = HowToAsk(("--engine", engine), seconds)
            for number in range(times):
                [row] = swept([task], how, str(out / f"{engine}-{number}.db"))
                if not row.is_right:
                    break


def table(out: Path, by: str) -> int:
    """Prints it; how many verdicts are wrong."""
    rows = {
        engine: [row for file in sorted(out.glob(f"{engine}-*.db")) for row in read(str(file))] for engine in ENGINES
    }
    programs = sorted({row.task for every in rows.values() for row in every})
    engines = [engine for engine in ENGINES if rows[engine]]
    print("| program |", " | ".join(engines), "| best | ratio |")
    print("|" + "---|" * (len(engines) + 3))
    ratios: list[float] = []
    for name in programs:
        times = {
            engine: [SECONDS[by](row) for row in rows[engine] if row.task == name and row.is_right]
            for engine in engines
        }
        right = {engine: min(took) for engine, took in times.items() if took}
        alone = {engine: took for engine, took in right.items() if engine != "auto"}
        best = min(alone, key=lambda engine: alone[engine], default=None)
        cells = [f"{right[one]:.1f}" if one in right else "-" for one in engines]
        ratio = right["auto"] / alone[best] if best is not None and "auto" in right else None
        ratios += [] if ratio is None else [ratio]
        print(f"| {name} |", " | ".join(cells), f"| {best or '-'} | {'-' if ratio is None else f'{ratio:.2f}'} |")
    wrong = [(engine, row) for engine, every in rows.items() for row in every if row.is_wrong]
    for engine, row in wrong:
        print(f"WRONG: {engine} says {row.verdict} of {row.task}")
    within = sum(one <= GOAL for one in ratios)
    print(f"{within} of {len(programs)} programs within {GOAL} times the best engine; {len(wrong)} wrong verdicts")
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--only", default="*", help="glob over names of files")
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--only-count", action="store_true")
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--by", choices=("seconds", "processor"), default="seconds")
    options = parser.parse_args()
    if not options.only_count:
        options.out.mkdir(parents=True, exist_ok=True)
        tasks = tasks_in(options.folder, options.only, options.property)
        ask_all(tasks, options.out, options.engines.split(","), options.times, options.timeout)
    return int(table(options.out, options.by) > 0)


if __name__ == "__main__":
    sys.exit(main())
