"""Table 5.2 of the Theta report beside ours, and how many abstract states each reduction has.

    PYTHONPATH=src python benchmarks/theta.py CORPUS [--sample N] [--seed N] [--timeout S] [--only GLOB]

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). The report: about 700 concurrent tasks
of SV-COMP 2022, explicit values, 900 s. Ours: a sample of the tasks of `unreach-call`, each in a process of its own,
with pointers never tracked and tracked where needed, and with each reduction. Rows are printed as they are known.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

PAPER = {"baseline": (54, 193, 0), "with pointers": (54, 238, 0)}
"""Table 5.2: correct safe, correct unsafe, incorrect."""
WAYS: dict[str, tuple[str, ...]] = {
    "without pointers": ("--pointers", "off"),
    "with pointers": ("--por", "aa-pointers"),
    "por none": ("--por", "none"),
    "por static": ("--por", "static"),
    "por aa": ("--por", "aa"),
}
Row = dict[str, str]


def asked(corpus: Path, task: Row, seconds: int, options: tuple[str, ...]) -> tuple[str, int, float]:
    """Verdict, abstract states and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        command = [sys.executable, "-m", "threadproof", "verify", str(corpus / task["path"]), "--engine", "cegar"]
        command += ["--data-model", task["data_model"] or "ILP32", "--undefined", "pure", "--timeout", str(seconds)]
        start = time.monotonic()
        subprocess.run([*command, "--json", str(out), *options], capture_output=True, check=False)
        took = time.monotonic() - start
        try:
            found = json.loads(out.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "error", 0, took
        return str(found["verdict"]), int(found.get("stats", {}).get("nodes", 0)), took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--only", default="svcomp25/*")
    options = parser.parse_args()
    with (options.corpus / "INDEX.csv").open(newline="", encoding="utf-8") as text:
        rows = [row for row in csv.DictReader(text) if row["property"] == "unreach-call"]
    tasks = sorted((row for row in rows if fnmatch(row["id"], options.only)), key=lambda row: row["id"])
    random.Random(options.seed).shuffle(tasks)
    counts: dict[str, Counter[str]] = {name: Counter() for name in WAYS}
    states: dict[str, list[int]] = {name: [] for name in WAYS}
    for task in tasks[: options.sample]:
        found = {name: asked(options.corpus, task, options.timeout, way) for name, way in WAYS.items()}
        print(task["id"], task["expected"], found, flush=True)
        for name, (verdict, _, took) in found.items():
            right = "unsolved" if verdict not in ("true", "false") else verdict
            counts[name]["incorrect" if right not in ("unsolved", task["expected"]) else right] += 1
            counts[name]["seconds"] += round(took)
        if all(verdict == task["expected"] for verdict, _, _ in found.values()):  # only those that all solve compare
            for name, (_, nodes, _) in found.items():
                states[name].append(nodes)
    print("\n| | correct safe | correct unsafe | total | incorrect | seconds | states, of tasks that all solve |")
    print("|---|---|---|---|---|---|---|")
    for name, (safe, unsafe, wrong) in PAPER.items():
        print(f"| the report, {name} (of about 700) | {safe} | {unsafe} | {safe + unsafe} | {wrong} | | |")
    for name, count in counts.items():
        total = count["true"] + count["false"]
        figures = f"{count['true']} | {count['false']} | {total} | {count['incorrect']} | {count['seconds']}"
        print(f"| ours, {name} (of {min(options.sample, len(tasks))}) | {figures} | {sum(states[name])} |")


if __name__ == "__main__":
    main()
