"""The Impara paper's table II beside ours: seconds, nodes |V|, implication checks by a solver, share C.

    PYTHONPATH=src python benchmarks/impara.py [--timeout S] [PROGRAM...]

Seconds are processor time of the search. A `true` also passes the check of its proof; its time is the last column. C is
the share of cover expansions.
The paper's machine was an Intel Xeon at 3.07 GHz, its limit 900 s.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines.impact.engine import check
from threadproof.engines.impact.strategy import ForceCover, TreeExpansion, TreeStrategy, WorkList
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parents[1] / "tests" / "papers" / "impara" / "programs"
PROPERTY = Property.UNREACH_CALL
BREADTH = WorkList.BREADTH_FIRST
STRATEGIES = {
    "sPOR": TreeStrategy(TreeExpansion.ALL, ForceCover.OFF, BREADTH),
    "sPOR+FC": TreeStrategy(TreeExpansion.ALL),
    "dPOR": TreeStrategy(TreeExpansion.MONOTONIC, ForceCover.OFF, BREADTH),
    "dPOR+FC": TreeStrategy(TreeExpansion.MONOTONIC),
}
Row = tuple[float | None, int, int, int | None]
TO: Row = (None, 0, 0, None)
PAPER: dict[str, tuple[bool, tuple[Row, Row, Row, Row]]] = {
    "dekker": (True, ((1.3, 7407, 9, None), (0.2, 504, 8, None), (0.1, 433, 3, 0), (0.1, 331, 2, 0))),
    "lamport": (True, ((9.6, 36624, 223, None), (1.0, 4740, 226, None), (1.0, 7418, 149, 54), (0.3, 1700, 205, 13))),
    "peterson": (True, ((0.7, 3155, 55, None), (0.1, 419, 89, None), (0.3, 1081, 43, 0), (0.1, 199, 16, 0))),
    "szymanski": (True, ((2.3, 13332, 14, None), (0.3, 1059, 5, None), (0.2, 1264, 5, 0), (0.2, 673, 2, 0))),
    "read_write_u": (False, ((5.4, 31786, 23, None), (1.0, 7628, 119, None), (1.6, 18261, 59, 0), (0.6, 4899, 53, 0))),
    "read_write_s": (
        True,
        ((75.2, 109096, 148, None), (7.0, 12932, 1457, None), (5.0, 36777, 129, 14), (0.9, 7065, 223, 15)),
    ),
    "time_var_mutex": (True, ((0.2, 867, 4, None), (0.2, 867, 6, None), (0.2, 435, 3, 0), (0.1, 252, 1, 0))),
    "stack_u": (False, (TO, TO, (3.1, 2589, 717, 0), (0.5, 424, 81, 0))),
    "stack_s": (True, (TO, TO, TO, (38.8, 2037, 4420, 0))),
}


def measured(name: str, strategy: TreeStrategy, seconds: float) -> tuple[Row, str, float]:
    """A row, the verdict, and seconds for the check of the proof."""
    program = prepare([str(PROGRAMS / f"{name}.c")], PROPERTY, FrontendOptions())
    start = time.process_time()
    result = check(Task(program, PROPERTY), Budget(seconds), Silent(), strategy)
    searched = time.process_time() - start
    answer = judge(program, PROPERTY, "impact", result, Budget(900.0))
    nodes = int(result.stats.get("nodes", 0))
    share = round(100 * int(result.stats.get("cover_expansions", 0)) / max(nodes, 1))
    decided = isinstance(result, Safe | Unsafe)
    row: Row = (searched if decided else None, nodes, int(result.stats.get("implication_checks", 0)), share)
    return row, answer.verdict.value, time.process_time() - start - searched


def shown(row: Row) -> str:
    seconds, nodes, checks, share = row
    if seconds is None:
        return f"{'TO':>7} {nodes or '-':>7} {checks or '-':>6} {'-':>4}"
    return f"{seconds:7.1f} {nodes:7} {checks:6} {'-' if share is None else f'{share}%':>4}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=list(PAPER))
    parser.add_argument("--timeout", type=float, default=60.0, help="processor time of each search")
    parser.add_argument("--strategy", choices=[*STRATEGIES], action="append")
    options = parser.parse_args()
    budget.clock = time.process_time  # what else the machine does is not counted
    heading = f"{'s':>7} {'|V|':>7} {'impl':>6} {'C':>4}"
    print(f"{'program':15} {'':8} | paper: {heading} | ours: {heading} | verdict  check")
    for name in options.programs:
        expected, rows = PAPER[name]
        for (strategy, how), paper in zip(STRATEGIES.items(), rows, strict=True):
            if options.strategy and strategy not in options.strategy:
                continue
            row, verdict, checked = measured(name, how, options.timeout)
            right = "" if verdict in (str(expected).lower(), "unknown") else "  WRONG"
            sides = f"|        {shown(paper)} |       {shown(row)} |"
            print(f"{name:15} {strategy:8} {sides} {verdict:7} {checked:6.1f}{right}", flush=True)


if __name__ == "__main__":
    main()
