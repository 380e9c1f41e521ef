"""The engine `impact` against `explicit` on random programs with unbounded loops over small domains.

    PYTHONPATH=src python tests/differential/impact_sweep.py FIRST LAST [SECONDS [STRATEGY or SHAPE...]]

Every `true` has passed the check of its proof, every `false` replays. The last line counts what was compared.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from loop_programs import SHAPES

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.engines import explicit
from threadproof.engines.impact.engine import check
from threadproof.engines.impact.search import ForceCover, TreeExpansion, TreeStrategy, WorkList
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare
from threadproof.portfolio.judge import judge

STRATEGIES = {
    "spor+fc": TreeStrategy(TreeExpansion.ALL),
    "dpor": TreeStrategy(force_cover=ForceCover.OFF, work_list=WorkList.BREADTH_FIRST),
    "dpor+fc": TreeStrategy(),
    "dpor+fc breadth first": TreeStrategy(work_list=WorkList.BREADTH_FIRST),
}
PROPERTY = Property.UNREACH_CALL


def program_of(source: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(source, encoding="utf-8")
        return prepare([str(path)], PROPERTY, FrontendOptions())


def compared(
    seed: int, seconds: float = 5.0, strategies: dict[str, TreeStrategy] = STRATEGIES, shape: str = "loops"
) -> dict[str, str]:
    """What each says; differences are not in it, they raise."""
    source = SHAPES[shape](seed)
    program = program_of(source)
    task = Task(program, PROPERTY)
    expected = judge(program, PROPERTY, "explicit", explicit.check(task, Budget(seconds), Silent()), Budget(seconds))
    found = {"explicit": expected.verdict.value}
    for name, strategy in strategies.items():
        result = check(task, Budget(seconds), Silent(), strategy)
        answer = judge(program, PROPERTY, "impact", result, Budget(300.0))
        if Verdict.UNKNOWN not in (answer.verdict, expected.verdict) and answer.verdict is not expected.verdict:
            raise AssertionError(
                f"seed {seed}: explicit {expected.verdict}, impact ({name}) {answer.verdict}\n{source}"
            )
        found[name] = answer.verdict.value if answer.verdict is not Verdict.UNKNOWN else f"unknown: {answer.reason}"
    return found


def main() -> int:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 5.0
    budget.clock = time.process_time  # what else the machine does is not counted
    strategies = {name: STRATEGIES[name] for name in sys.argv[4:] if name in STRATEGIES} or STRATEGIES
    shapes = [name for name in sys.argv[4:] if name in SHAPES] or ["loops"]
    counts: Counter[str] = Counter()
    differences = 0
    for seed in range(first, last):
        try:
            found = compared(seed, seconds, strategies, shapes[seed % len(shapes)])
        except AssertionError as difference:
            print(difference, flush=True)
            differences += 1
            continue
        for name, answer in found.items():
            counts[f"{name} {answer[:60]}"] += 1
        if seed % 50 == 49:
            print(f"{seed + 1 - first} programs, {differences} differences so far", flush=True)
    for name, often in sorted(counts.items()):
        print(f"{often:6} {name}")
    print(f"{last - first} programs, {differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
