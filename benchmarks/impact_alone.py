"""Tasks of a corpus that `impact` proves and that neither `bmc`, `explicit` nor `dpor` solve.

    PYTHONPATH=src python benchmarks/impact_alone.py CORPUS OUT [--timeout S] [--only GLOB] [--property NAME]

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). Every engine has so many seconds for
each task, of wall time: run it when nothing else does. The others are asked only where `impact` says `true`, and
only until one of them solves the task. OUT is a folder for results, a file of a sweep for each engine; what they have
is not asked again: stop it and start it again as you like. `--only-count` prints what there is so far.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from corpus import chosen

from threadproof.sweep.runner import HowToAsk
from threadproof.sweep.session import swept
from threadproof.sweep.store import read
from threadproof.sweep.tasks import SweepTask

OTHERS = ("bmc", "explicit", "dpor")


def ask_all(tasks: Sequence[SweepTask], out: Path, seconds: float, memory_mb: int) -> None:
    for task in tasks:
        for engine in ("impact", *OTHERS):
            how = HowToAsk(("--engine", engine), seconds, memory_mb)
            [row] = swept([task], how, str(out / f"{engine}.db"))
            if (row.verdict != "true") if engine == "impact" else row.is_solved:
                break


def count(out: Path) -> int:
    """Prints what there is; how many verdicts are wrong."""
    files = {engine: out / f"{engine}.db" for engine in ("impact", *OTHERS)}
    rows = {engine: read(str(file)) if file.exists() else [] for engine, file in files.items()}
    for (expected, verdict), often in sorted(Counter((row.expected, row.verdict) for row in rows["impact"]).items()):
        print(f"{often:5} expected {expected}, impact says {verdict}")
    solved = {row.task for engine in OTHERS for row in rows[engine] if row.is_solved}
    asked = [{row.task for row in rows[engine]} for engine in OTHERS]
    proved = [row.task for row in rows["impact"] if row.verdict == "true" and row.task not in solved]
    alone = [name for name in proved if all(name in one for one in asked)]
    for name in alone:
        print(f"  alone: {name}")
    wrong = [(engine, row) for engine, every in rows.items() for row in every if row.is_wrong]
    for engine, row in wrong:
        print(f"  WRONG: {engine} says {row.verdict} of {row.task}")
    print(f"{len(rows['impact'])} tasks, {len(alone)} solved by impact alone, {len(wrong)} wrong")
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--memory", type=int, default=8000, help="MB for each task")
    parser.add_argument("--only", default="svcomp25/*", help="glob over ids of tasks")
    parser.add_argument("--expected", choices=("true", "false", "all"), default="true")
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--only-count", action="store_true")
    options = parser.parse_args()
    if not options.only_count:
        options.out.mkdir(parents=True, exist_ok=True)
        tasks = chosen(options.corpus, options.property, options.only, options.expected)
        ask_all(tasks, options.out, options.timeout, options.memory)
    return int(count(options.out) > 0)


if __name__ == "__main__":
    sys.exit(main())
