"""Table 5.2 of the Theta report beside ours, and how many abstract states each reduction has.

    PYTHONPATH=src python benchmarks/theta.py CORPUS OUT [--sample N] [--seed N] [--timeout S] [--only GLOB]
    PYTHONPATH=src python benchmarks/theta.py CORPUS OUT --only-count

The corpus is a folder with INDEX.csv (id, path, property, expected, data_model). The report: about 700 concurrent tasks
of SV-COMP 2022, explicit values, 900 s. Ours: a sample of the tasks of `unreach-call`; each is asked in every way of
`WAYS`, with so many seconds (of wall time) for each, in a process of its own: 60 tasks in seven ways with 10 s take an
hour at most if nothing else runs. OUT is a folder for results, a file of a sweep for each way; what they have is not
asked again: stop it and start it again as you like. `--only-count` prints the tables of what there is so far.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from corpus import chosen

from threadproof.sweep.runner import HowToAsk
from threadproof.sweep.session import swept
from threadproof.sweep.store import SweepRow, read
from threadproof.sweep.tasks import SweepTask

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
Ways = Mapping[str, Mapping[str, SweepRow]]
"""Rows by the name of the way and of the task."""


def file_of(out: Path, way: str) -> Path:
    return out / f"{way.replace(', ', '-').replace(' ', '-')}.db"


def ask_all(out: Path, tasks: Sequence[SweepTask], seconds: float) -> None:
    for task in tasks:
        for way, words in WAYS.items():
            how = HowToAsk(("--engine", "cegar", *words), seconds)
            swept([task], how, str(file_of(out, way)), tell=lambda row, way=way: told(way, row))


def told(way: str, row: SweepRow) -> None:
    print(row.task, row.expected, way, row.verdict, _states(row), f"{row.wall_s:.1f}", row.reason[:160], flush=True)


def print_tables(out: Path) -> None:
    known = {way: read(str(file_of(out, way))) if file_of(out, way).exists() else [] for way in WAYS}
    ways = {way: {row.task: row for row in rows} for way, rows in known.items()}
    _print_solved(ways)
    _print_states(ways)


def _states(row: SweepRow) -> int:
    return int(row.figure("nodes"))


def _print_solved(ways: Ways) -> None:
    print("\nTable 5.2\n\n| | tasks | correct safe | correct unsafe | total | incorrect | states | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (safe, unsafe, wrong) in PAPER.items():
        print(f"| the report, {name}, AAPOR on | about 700 | {safe} | {unsafe} | {safe + unsafe} | {wrong} | | |")
    for name, way in TABLE_5_2.items():
        rows = list(ways[way].values())
        right = [row for row in rows if row.is_right]
        wrong = sum(row.is_wrong for row in rows)
        safe = sum(row.verdict == "true" for row in right)
        states, seconds = sum(map(_states, right)), sum(row.wall_s for row in rows)
        counts = f"{len(rows)} | {safe} | {len(right) - safe} | {len(right)} | {wrong}"
        print(f"| ours, {name} | {counts} | {states:,} of those solved | {seconds:,.0f} |")


def _print_states(ways: Ways) -> None:
    """Only tasks that all reductions solve compare."""
    every = [ways[way] for way in REDUCTIONS]
    common = [one for one in every[0] if all(one in rows and rows[one].is_solved for rows in every)]
    print(f"\nAbstract states, of the {len(common)} tasks that all reductions solve\n")
    print(f"| task | expected | {' | '.join(REDUCTIONS)} |\n|---|---|{'---|' * len(REDUCTIONS)}")
    for one in common:
        states = " | ".join(f"{_states(rows[one])}" for rows in every)
        print(f"| {one.removesuffix('#unreach-call')} | {every[0][one].expected} | {states} |")
    shared = [[rows[one] for one in common] for rows in every]
    for what, sums in (
        ("states, safe", [sum(_states(row) for row in rows if row.expected == "true") for rows in shared]),
        ("states, unsafe", [sum(_states(row) for row in rows if row.expected == "false") for rows in shared]),
        ("seconds", [sum(row.wall_s for row in rows) for rows in shared]),
    ):
        print(f"| all: {what} | | {' | '.join(f'{one:,.0f}' for one in sums)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--only", default="svcomp25/*")
    parser.add_argument("--only-count", action="store_true")
    options = parser.parse_args()
    if not options.only_count:
        options.out.mkdir(parents=True, exist_ok=True)
        wanted = chosen(options.corpus, "unreach-call", options.only, sample=options.sample, seed=options.seed)
        ask_all(options.out, wanted, options.timeout)
    print_tables(options.out)


if __name__ == "__main__":
    main()
