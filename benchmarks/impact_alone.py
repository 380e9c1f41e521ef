"""Tasks of a corpus that `impact` proves and that neither `bmc`, `explicit` nor `dpor` solve.

    PYTHONPATH=src python benchmarks/impact_alone.py CORPUS OUT.csv [--timeout S] [--only GLOB] [--property NAME]

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). Every engine has so many seconds for
each task, of wall time: run it when nothing else does. The others are asked only where `impact` says `true`, and
only until one of them solves the task. A row is written as soon as it is known, and tasks that OUT.csv has are not
asked again: stop it and start it again as you like. `--only-count` prints what there is so far.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

OTHERS = ("bmc", "explicit", "dpor")
COLUMNS = ("id", "expected", "impact", "impact_s", "reason", *OTHERS, "alone")
SOLVED = ("true", "false")
GRACE = 1.2
"""Of the time: then a process is ended."""
Row = dict[str, str]


def tasks(corpus: Path, only: str, expected: str, prop: str) -> list[Row]:
    with (corpus / "INDEX.csv").open(newline="", encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text) if row["property"] == prop and fnmatch(row["id"], only)]
    return sorted((row for row in rows if expected in ("all", row["expected"])), key=lambda row: row["id"])


def asked(engine: str, corpus: Path, task: Row, seconds: float, memory_mb: int) -> tuple[str, str, float]:
    """Verdict, reason and seconds of an engine in a process of its own."""

    def limited() -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(corpus / task["path"]), "--engine", engine]
        command += ["--property", task["property"], "--data-model", task["data_model"] or "ILP32"]
        command += ["--undefined", "pure", "--timeout", str(int(seconds)), "--json", str(out)]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limited)
        try:
            process.wait(GRACE * seconds + 5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        took = time.monotonic() - start
        try:
            found = json.loads(out.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "error", f"exit code {process.returncode}", took
        return str(found["verdict"]), str(found.get("reason") or "")[:160], took


def row_of(corpus: Path, task: Row, seconds: float, memory_mb: int) -> Row:
    verdict, reason, took = asked("impact", corpus, task, seconds, memory_mb)
    row = dict.fromkeys(COLUMNS, "") | {"id": task["id"], "expected": task["expected"]}
    row |= {"impact": verdict, "impact_s": f"{took:.1f}", "reason": "" if verdict in SOLVED else reason}
    if verdict == "true":
        row["alone"] = "yes"
        for engine in OTHERS:
            row[engine] = asked(engine, corpus, task, seconds, memory_mb)[0]
            if row[engine] in SOLVED:
                row["alone"] = "no"
                break
    return row


def written(out: Path) -> list[Row]:
    if not out.exists():
        return []
    with out.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def count(rows: list[Row]) -> int:
    """Prints what there is; how many verdicts are wrong."""
    for (expected, verdict), often in sorted(Counter((row["expected"], row["impact"]) for row in rows).items()):
        print(f"{often:5} expected {expected}, impact says {verdict}")
    alone = [row["id"] for row in rows if row["alone"] == "yes"]
    for name in alone:
        print(f"  alone: {name}")
    said = [(row, engine) for row in rows for engine in ("impact", *OTHERS) if row[engine] in SOLVED]
    wrong = [(row, engine) for row, engine in said if row[engine] != row["expected"]]
    for row, engine in wrong:
        print(f"  WRONG: {engine} says {row[engine]} of {row['id']}")
    print(f"{len(rows)} tasks, {len(alone)} solved by impact alone, {len(wrong)} wrong")
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--memory", type=int, default=8000, help="MB of addresses for each process")
    parser.add_argument("--only", default="svcomp25/*", help="glob over ids of tasks")
    parser.add_argument("--expected", choices=("true", "false", "all"), default="true")
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--only-count", action="store_true")
    options = parser.parse_args()
    done = written(options.out)
    known = {row["id"] for row in done}
    asked_for = tasks(options.corpus, options.only, options.expected, options.property)
    todo = [task for task in asked_for if task["id"] not in known]
    with options.out.open("a", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, COLUMNS)
        if not done:
            writer.writeheader()
        for task in [] if options.only_count else todo:
            done.append(row_of(options.corpus, task, options.timeout, options.memory))
            writer.writerow(done[-1])
            text.flush()
    return int(count(done) > 0)


if __name__ == "__main__":
    sys.exit(main())
