"""The Impara paper's table III beside ours: TSO and PSO by `impact`, and by `bmc`.

    PYTHONPATH=src python benchmarks/impara_weak.py [--timeout S] [PROGRAM...]

Seconds are processor time, of `impact` without the check of its proof, which every `true` has passed (last column). The
paper's figures are those of Impara and of CBMC, `*` where loops were unwound only so far. Its SQL benchmark under PSO
is ours alone, and so are the variants of `sober` and `sql`; its RMO and Power are no models of ours.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Answer, Safe
from threadproof.dev.weak_verdicts import WeakCase, cases
from threadproof.engines import bmc, impact
from threadproof.engines.task import Engine, Task
from threadproof.ir.program import Program
from threadproof.portfolio.judge import judge

PROGRAMS = Path(__file__).parents[1] / "tests" / "papers" / "impara"
PROPERTY = Property.UNREACH_CALL
PAPER: dict[str, dict[str, tuple[str, str]]] = {
    "sober": {"sc": ("0.7", "0.3"), "tso": ("3.7", "0.5"), "pso": ("1.7", "0.3")},
    "sober-fix": {"sc": ("0.7", "0.3"), "tso": ("1.3", "0.3"), "pso": ("1.4", "0.3")},
    "sql": {"sc": ("0.4", "1.8*"), "tso": ("0.5", "6.9*")},
}
"""Impara, CBMC."""


def spent() -> float:
    """Processor time, of processes that have ended too."""
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system


def asked(engine: Engine, name: str, program: Program, model: MemoryModel, seconds: float) -> tuple[str, str, Answer]:
    """Seconds of the search and of the check of what it says, and that."""
    start = spent()
    result = engine(Task(program, PROPERTY, memory_model=model), Budget(seconds), Silent())
    searched = spent()
    answer = judge(program, PROPERTY, name, result, Budget(900.0), model)
    checked = spent() - searched
    return f"{searched - start:.1f}", f"{checked:.1f}" if isinstance(result, Safe) else "-", answer


def row(case: WeakCase, program: Program, model: MemoryModel, seconds: float) -> str:
    impara, cbmc = PAPER.get(case.name, {}).get(model.value, ("", ""))
    searched, checked, by_impact = asked(impact.check, "impact", program, model, seconds)
    unwound, _, by_bmc = asked(bmc.check, "bmc", program, model, seconds)
    wrong = [one for one in (by_impact, by_bmc) if one.verdict.value not in ("unknown", case.expected[model].value)]
    nodes = by_impact.stats.get("nodes", "-")
    return (
        f"{case.name:22} {model.value:4} {case.expected[model].value:6} | {impara:>7} {cbmc:>6} |"
        f" {by_impact.verdict.value:8} {searched:>6} {nodes:>6} {checked:>6} | {by_bmc.verdict.value:8} {unwound:>6}"
        + ("  WRONG" if wrong else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--timeout", type=float, default=60.0, help="processor time of each search")
    options = parser.parse_args()
    budget.clock = time.process_time  # what else the machine does is not counted
    print(f"{'':34} | paper, s        | impact                        | bmc")
    print(f"{'program':22} {'':4} {'safe':6} | {'Impara':>7} {'CBMC':>6} |", end="")
    print(f" {'':8} {'s':>6} {'|V|':>6} {'check':>6} | {'':8} {'s':>6}")
    for case in sorted(cases(PROGRAMS), key=lambda one: one.name not in PAPER):
        if not options.programs or case.name in options.programs:
            program = case.program()
            for model in case.expected:
                print(row(case, program, model, options.timeout), flush=True)


if __name__ == "__main__":
    main()
