"""Holds the library model against the real C library: every family's cases, a table by function, and a summary.

    PYTHONPATH=src python tests/differential/library/library_sweep.py [--seed N] [--family NAME]... [--function NAME]...
        [--most N] [--ilp32] [--quiet]

Differences are printed with their program. The exit code is 1 if there are any, or if a case is not what it claims to be.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from library_case import Case
from library_compare import Outcome, compare
from library_families import FAMILIES, cases_of, drawn
from library_native import checkers, compiler

from threadproof.ir.program import DataModel
from threadproof.sync.table import TABLE


def main() -> int:
    options = _options()
    cases = _chosen(options)
    print(f"{len(cases)} programs, {compiler()}, {', '.join(c.value for c in checkers()) or 'no checker of memory'}")
    started, outcomes = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
        model = DataModel.ILP32 if options.ilp32 else DataModel.LP64
        for outcome in compare(cases, Path(folder), model, checkers()):
            outcomes.append(outcome)
            _tell(outcome)
    if not options.quiet:
        print_table(outcomes)
    print(f"{time.monotonic() - started:.0f} s")
    print(summary(outcomes))
    return int(any(outcome.differences or outcome.doubts for outcome in outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--function", action="append")
    parser.add_argument("--most", type=int, help="of each function's programs, drawn at random")
    parser.add_argument("--ilp32", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="no table")
    return parser.parse_args()


def _chosen(options: argparse.Namespace) -> list[Case]:
    cases = [case for name in options.family or FAMILIES for case in cases_of(name, options.seed)]
    cases = [case for case in cases if not options.function or case.function in options.function]
    return cases if options.most is None else drawn(cases, options.most, options.seed)


def _tell(outcome: Outcome) -> None:
    case = outcome.case
    said = [f"difference: {text}" for text in outcome.differences] + [f"doubt: {text}" for text in outcome.doubts]
    if said:
        print(f"--- {case.function} ({case.kind.value})", *said, case.top, f"{{ {case.body} }}", sep="\n", flush=True)


def print_table(outcomes: list[Outcome]) -> None:
    programs, different, unsupported = Counter(), Counter(), Counter()
    for outcome in outcomes:
        name = outcome.case.function
        programs[name] += 1
        different[name] += bool(outcome.differences)
        unsupported[name] += bool(outcome.unsupported)
    print(f"{'function':32} {'model':16} {'programs':>8} {'differences':>11} {'unsupported':>11}")
    for name in sorted(programs):
        row = TABLE.get(name)
        model = row.fidelity.name.lower() if row is not None else "-"
        print(f"{name:32} {model:16} {programs[name]:8} {different[name] or '':>11} {unsupported[name] or '':>11}")


def unsupported_functions(outcomes: list[Outcome]) -> list[str]:
    """Functions of which no program is answered."""
    answered = {outcome.case.function for outcome in outcomes if not outcome.unsupported}
    return sorted({outcome.case.function for outcome in outcomes} - answered)


def summary(outcomes: list[Outcome]) -> str:
    functions = {outcome.case.function for outcome in outcomes}
    missing = unsupported_functions(outcomes)
    different = sum(bool(outcome.differences) for outcome in outcomes)
    lines = [f"unsupported: {', '.join(missing)}"] if missing else []
    lines.append(
        f"{len(functions)} functions, {len(outcomes)} programs, {different} differences, {len(missing)} unsupported"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
