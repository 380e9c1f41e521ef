"""The Skink thesis's tables 5.1 to 5.4 beside ours: verdict, seconds, and how many paths were refuted.

    PYTHONPATH=src python benchmarks/skink.py [--timeout S] [--reduction R] [--table N | PROGRAM...]

Seconds are processor time of the search and of the check of its proof, or the replay. The thesis's figures are those of
its concurrent version, as its appendices C.2, C.4, D.1 and D.2 have them (the rows of table 5.1 carry other rows'
figures); its machine was an Intel Core i5 at 3.3 GHz, its limits 500 s (10,000 s in table 5.3) and 500 MB.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.engines.rows import EngineOptions
from threadproof.engines.task import Task
from threadproof.engines.trace import check
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parents[1] / "tests" / "papers" / "skink" / "programs"
PROPERTY = Property.UNREACH_CALL
Figure = tuple[str, float]
"""The thesis's answer, and its seconds."""
PAPER: dict[str, dict[str, Figure]] = {
    "5.1": {
        "array-hard-ok": ("true", 6.07),
        "array-sequence-ok": ("true", 4.21),
        "eca-like-bad": ("false", 4.04),
        "multiple-error-calls-bad": ("false", 5.03),
        "simple-function-bad": ("false", 4.16),
        "simple-function-ok": ("true", 4.43),
        "simple-if-bad": ("false", 4.23),
        "simple-if-ok": ("true", 6.10),
        "simple-loop-array-ok": ("true", 5.74),
        "simple-loop-bad": ("false", 5.20),
        "test-interpolant-ok": ("true", 5.35),
    },
    "5.2": {
        "sum01-bug02-bad": ("false", 88.5),
        "sum01-bug02-base-bad": ("true", 24.2),
        "sum01-bad": ("false", 125),
        "sum03-bad": ("timeout", 617),
        "sum04-bad": ("true", 23.4),
        "sum-array-bad": ("false", 11.8),
        "sum01-ok": ("true", 10.5),
        "sum03-ok": ("true", 26.5),
        "sum04-ok": ("true", 8.30),
        "sum-array-ok": ("true", 176),
    },
    "5.3": {
        "concurrent-loop-bad": ("false", 5.34),
        "concurrent-loop-ok": ("true", 5583),
        "sync-concurrent-loop-ok": ("true", 6.25),
        "fib-threads-bad": ("false", 4.73),
        "fib-threads-ok": ("true", 3842),
        "sync-fib-threads-ok": ("true", 27.2),
        "simple-threads-bad": ("false", 4.67),
        "simple-threads-ok": ("true", 2249),
        "sync-threads-ok": ("true", 18.9),
        "sync-threads-bad": ("false", 4.72),
    },
    "5.4": {
        "bigshot-p-bad": ("unknown", 4.51),
        "fib-bench-bad": ("timeout", 500),
        "fib-bench-longer-bad": ("timeout", 500),
        "fib-bench-longest-bad": ("timeout", 500),
        "lazy01-bad": ("false", 10.6),
        "queue-bad": ("unknown", 10.7),
        "queue-longer-bad": ("unknown", 10.8),
        "queue-longest-bad": ("unknown", 10.8),
        "reorder-2-bad": ("unknown", 8.57),
        "reorder-5-bad": ("unknown", 10.0),
        "sigma-bad": ("unknown", 5.34),
        "singleton-bad": ("unknown", 5.35),
        "stack-bad": ("unknown", 7.00),
        "stack-longer-bad": ("unknown", 7.11),
        "stack-longest-bad": ("unknown", 7.69),
        "stateful01-bad": ("false", 5.92),
        "twostage-3-bad": ("unknown", 20.4),
        "bigshot-s2-ok": ("unknown", 4.17),
        "bigshot-s-ok": ("unknown", 4.28),
        "fib-bench-longer-ok": ("timeout", 500),
        "fib-bench-longest-ok": ("timeout", 500),
        "fib-bench-ok": ("timeout", 500),
        "indexer-ok": ("timeout", 500),
        "queue-longer-ok": ("unknown", 8.78),
        "queue-longest-ok": ("unknown", 8.88),
        "queue-ok": ("unknown", 9.05),
        "stack-longer-ok": ("unknown", 6.78),
        "stack-longest-ok": ("unknown", 6.96),
        "stack-ok": ("unknown", 7.18),
        "stateful01-ok": ("true", 131),
        "sync01-ok": ("true", 403),
    },
}


def measured(name: str, seconds: float, options: EngineOptions) -> tuple[str, float, float, int]:
    """The verdict, seconds of the search, of the check, and how many paths were refuted."""
    program = prepare([str(PROGRAMS / f"{name}.c")], PROPERTY, FrontendOptions())
    start = time.process_time()
    result = check(Task(program, PROPERTY, options=options), Budget(seconds), Silent())
    searched = time.process_time() - start
    answer = judge(program, PROPERTY, "trace", result, Budget(900.0))
    checked = time.process_time() - start - searched
    paths = int(result.stats.get("refinements", 0)) + int(result.stats.get("paths", 0))
    return answer.verdict.value, searched, checked, paths


def rows(options: argparse.Namespace) -> Iterator[tuple[str, str, Figure]]:
    for table, programs in PAPER.items():
        for name, figure in programs.items():
            if (options.table or table) == table and name in (options.programs or [name]):
                yield table, name, figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--table", choices=[*PAPER])
    parser.add_argument("--timeout", type=float, default=60.0, help="processor time of each search and its check")
    parser.add_argument("--reduction", help="as of engine trace")
    options = parser.parse_args()
    budget.clock = time.process_time  # what else the machine does is not counted
    given: EngineOptions = {"reduction": options.reduction} if options.reduction else {}
    print(f"table {'program':26} | {'thesis':8} {'s':>7} | {'ours':8} {'search':>7} {'check':>6} {'paths':>5}")
    for table, name, (says, seconds) in rows(options):
        verdict, searched, checked, paths = measured(name, options.timeout, given)
        right = "" if verdict in ("unknown", "true" if name.endswith("-ok") else "false") else "  WRONG"
        ours = f"{verdict:8} {searched:7.1f} {checked:6.1f} {paths:5}"
        print(f"{table:5} {name:26} | {says:8} {seconds:7.1f} | {ours}{right}", flush=True)


if __name__ == "__main__":
    main()
