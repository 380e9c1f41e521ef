"""Table 5.2 of the Theta report beside ours, and how many abstract states each reduction has.

    PYTHONPATH=src python benchmarks/theta.py CORPUS OUT.csv [--sample N] [--seed N] [--timeout S] [--only GLOB]
    PYTHONPATH=src python benchmarks/theta.py CORPUS OUT.csv --only-count

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). The report: about 700 concurrent tasks
of SV-COMP 2022, explicit values, 900 s. Ours: a sample of the tasks of `unreach-call`; each is asked in every way of
`WAYS`, with so many seconds (of wall time) for each, in a process of its own: 60 tasks in seven ways with 10 s take an
hour at most if nothing else runs. A row is written as soon as it is known, and what OUT.csv has is not asked again:
stop it and start it again as you like. `--only-count` prints the tables of what there is so far.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

PAPER = {"without pointers": (54, 193, 0), "with pointers": (54, 238, 0)}
"""Table 5.2: correct safe, correct unsafe, incorrect. Both with abstraction-aware reduction."""
WAYS: dict[str, tuple[str, ...]] = {
    "without pointers, no reduction": ("--pointers", "off", "--por", "none"),
    "without pointers, aa": ("--pointers", "off", "--por", "aa"),
    "none": ("--por", "none"),
    "static": ("--por", "static"),
    "dynamic": ("--por", "dynamic"),
    "aa": ("--por", "aa"),
    "aa-pointers": ("--por", "aa-pointers"),
}
TABLE_5_2 = {
    "without pointers, AAPOR off": "without pointers, no reduction",
    "without pointers, AAPOR on": "without pointers, aa",
    "with pointers, AAPOR off": "none",
    "with pointers, AAPOR on": "aa-pointers",
}
REDUCTIONS = ("none", "static", "dynamic", "aa", "aa-pointers")
COLUMNS = ("id", "expected", "way", "verdict", "states", "seconds", "reason")
SOLVED = ("true", "false")
GRACE = 1.2
"""Of the time: then a process is ended."""
Row = dict[str, str]


def tasks(corpus: Path, only: str, sample: int, seed: int) -> list[Row]:
    with (corpus / "INDEX.csv").open(newline="", encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text) if row["property"] == "unreach-call" and fnmatch(row["id"], only)]
    rows.sort(key=lambda row: row["id"])
    random.Random(seed).shuffle(rows)
    return rows[:sample]


def asked(corpus: Path, task: Row, way: str, seconds: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(corpus / task["path"]), "--engine", "cegar"]
        command += ["--data-model", task["data_model"] or "ILP32", "--undefined", "pure", "--timeout", str(seconds)]
        command += ["--json", str(out), *WAYS[way]]
        start = time.monotonic()
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=os.setsid)
        try:
            process.wait(GRACE * seconds + 5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        took = time.monotonic() - start
        try:
            found = json.loads(out.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {"verdict": "error", "reason": f"exit code {process.returncode}"}
    verdict, states = str(found["verdict"]), found.get("stats", {}).get("nodes", 0)
    reason = "" if verdict in SOLVED else str(found.get("reason") or "")[:160]
    values = (task["id"], task["expected"], way, verdict, str(states), f"{took:.1f}", reason)
    return dict(zip(COLUMNS, values, strict=True))


def known(out: Path) -> list[Row]:
    if not out.exists():
        return []
    with out.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def ask_all(corpus: Path, out: Path, wanted: Sequence[Row], seconds: int) -> None:
    done = {(row["id"], row["way"]) for row in known(out)}
    with out.open("a", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, COLUMNS)
        if not done and not out.stat().st_size:
            writer.writeheader()
        for task in wanted:
            for way in WAYS:
                if (task["id"], way) not in done:
                    row = asked(corpus, task, way, seconds)
                    writer.writerow(row)
                    text.flush()
                    print(*row.values(), flush=True)


def print_tables(rows: Sequence[Row]) -> None:
    ways: dict[str, dict[str, Row]] = {name: {} for name in WAYS}
    for row in rows:
        ways[row["way"]][row["id"]] = row
    _print_solved(ways)
    _print_states(ways)


def _print_solved(ways: dict[str, dict[str, Row]]) -> None:
    print("\nTable 5.2\n\n| | tasks | correct safe | correct unsafe | total | incorrect | states | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (safe, unsafe, wrong) in PAPER.items():
        print(f"| the report, {name}, AAPOR on | about 700 | {safe} | {unsafe} | {safe + unsafe} | {wrong} | | |")
    for name, way in TABLE_5_2.items():
        rows = list(ways[way].values())
        right = [row for row in rows if row["verdict"] == row["expected"]]
        wrong = sum(row["verdict"] in SOLVED for row in rows) - len(right)
        safe = sum(row["verdict"] == "true" for row in right)
        states, seconds = sum(int(row["states"]) for row in right), sum(float(row["seconds"]) for row in rows)
        counts = f"{len(rows)} | {safe} | {len(right) - safe} | {len(right)} | {wrong}"
        print(f"| ours, {name} | {counts} | {states:,} of those solved | {seconds:,.0f} |")


def _print_states(ways: dict[str, dict[str, Row]]) -> None:
    """Only tasks that all reductions solve compare."""
    every = [ways[way] for way in REDUCTIONS]
    common = [one for one in every[0] if all(one in rows and rows[one]["verdict"] in SOLVED for rows in every)]
    print(f"\nAbstract states, of the {len(common)} tasks that all reductions solve\n")
    print(f"| task | expected | {' | '.join(REDUCTIONS)} |\n|---|---|{'---|' * len(REDUCTIONS)}")
    for one in common:
        states = " | ".join(rows[one]["states"] for rows in every)
        print(f"| {one.removesuffix('#unreach-call')} | {every[0][one]['expected']} | {states} |")
    for what, sums in (
        ("states, safe", [_sum(rows, common, "states", "true") for rows in every]),
        ("states, unsafe", [_sum(rows, common, "states", "false") for rows in every]),
        ("seconds", [_sum(rows, common, "seconds", "true") + _sum(rows, common, "seconds", "false") for rows in every]),
    ):
        print(f"| all: {what} | | {' | '.join(f'{one:,.0f}' for one in sums)} |")


def _sum(rows: dict[str, Row], common: Sequence[str], column: str, expected: str) -> float:
    return sum(float(rows[one][column]) for one in common if rows[one]["expected"] == expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--only", default="svcomp25/*")
    parser.add_argument("--only-count", action="store_true")
    options = parser.parse_args()
    if not options.only_count:
        wanted = tasks(options.corpus, options.only, options.sample, options.seed)
        ask_all(options.corpus, options.out, wanted, options.timeout)
    print_tables(known(options.out))


if __name__ == "__main__":
    main()
