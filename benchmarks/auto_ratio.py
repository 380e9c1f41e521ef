"""`auto` against its best single engine, on small programs whose names say what is expected.

    PYTHONPATH=src python benchmarks/auto_ratio.py FOLDER OUT.csv [--timeout S] [--only GLOB] [--property NAME]

The folder has files like `fib4_true.c`. Every engine is asked in a process of its own; seconds are wall time, the front
end and the check of what was found included: run it when nothing else does. (Priorities do not help where the system
groups processes by session: see /proc/sys/kernel/sched_autogroup_enabled.) Of `--times` measurements the least
counts (the first may compile what the others find in the cache). `processor` is what a command and those of its
processes used that it has waited for: `--by processor` tells something on a busy machine, too. A row is written as
soon as it is known, and rows that OUT.csv has are not asked again: stop it and start it again as you like.
`--only-count` prints the table of what there is so far. The ratio is that of `auto` to the engine that was right the
soonest.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path

ENGINES = ("auto", "bmc", "explicit", "dpor", "trace", "modular", "random", "impact", "cegar")
COLUMNS = ("program", "expected", "engine", "verdict", "seconds", "processor")
GOAL = 1.5
GRACE = 1.2
"""Of the time: then a process is ended."""
Row = dict[str, str]


def expected_of(file: Path) -> str:
    return "true" if file.stem.endswith("_true") else "false"


def best_of(times: int, engine: str, file: Path, prop: str, seconds: float) -> Row:
    """One that was not answered is not asked again."""
    rows = [asked(engine, file, prop, seconds)]
    while len(rows) < times and rows[-1]["verdict"] == rows[-1]["expected"]:
        rows.append(asked(engine, file, prop, seconds))
    return min(rows, key=lambda row: (row["verdict"] != row["expected"], float(row["seconds"])))


def asked(engine: str, file: Path, prop: str, seconds: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(file), "--engine", engine, "--property", prop]
        command += ["--timeout", str(int(seconds)), "--json", str(out)]
        start, used = time.monotonic(), sum(os.times()[2:4])
        try:
            subprocess.run(command, capture_output=True, timeout=GRACE * seconds + 5, check=False)
            verdict = str(json.loads(out.read_text(encoding="utf-8"))["verdict"])
        except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
            verdict = "error"
        took = time.monotonic() - start
    processor = sum(os.times()[2:4]) - used
    values = (file.name, expected_of(file), engine, verdict, f"{took:.2f}", f"{processor:.2f}")
    return dict(zip(COLUMNS, values, strict=True))


def written(out: Path) -> list[Row]:
    if not out.exists():
        return []
    with out.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def table(rows: list[Row], by: str) -> int:
    """Prints it; how many verdicts are wrong."""
    by_program: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_program.setdefault(row["program"], {})[row["engine"]] = row
    engines = [one for one in ENGINES if any(one in found for found in by_program.values())]
    print("| program |", " | ".join(engines), "| best | ratio |")
    print("|" + "---|" * (len(engines) + 3))
    ratios: list[float] = []
    for name, found in by_program.items():
        right = {engine: float(row[by]) for engine, row in found.items() if row["verdict"] == row["expected"]}
        alone = {engine: took for engine, took in right.items() if engine != "auto"}
        best = min(alone, key=lambda engine: alone[engine], default=None)
        cells = [f"{right[one]:.1f}" if one in right else "-" for one in engines]
        ratio = right["auto"] / alone[best] if best is not None and "auto" in right else None
        ratios += [] if ratio is None else [ratio]
        print(f"| {name} |", " | ".join(cells), f"| {best or '-'} | {'-' if ratio is None else f'{ratio:.2f}'} |")
    wrong = [row for row in rows if row["verdict"] in ("true", "false") and row["verdict"] != row["expected"]]
    for row in wrong:
        print(f"WRONG: {row['engine']} says {row['verdict']} of {row['program']}")
    within = sum(one <= GOAL for one in ratios)
    print(f"{within} of {len(by_program)} programs within {GOAL} times the best engine; {len(wrong)} wrong verdicts")
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
    done = written(options.out)
    known = {(row["program"], row["engine"]) for row in done}
    files = sorted(file for file in options.folder.glob("*.c") if fnmatch(file.name, options.only))
    with options.out.open("a", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, COLUMNS)
        if not done:
            writer.writeheader()
        for file in [] if options.only_count else files:
            for engine in options.engines.split(","):
                if (file.name, engine) not in known:
                    done.append(best_of(options.times, engine, file, options.property, options.timeout))
                    writer.writerow(done[-1])
                    text.flush()
    return int(table(done, options.by) > 0)


if __name__ == "__main__":
    sys.exit(main())
