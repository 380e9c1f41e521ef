"""The thesis's Table 5.2 beside ours: `python -m threadproof.dev.mpor CORPUS_DIR [--seconds S]`.

Paper: N. König, Modular Partial Order Reduction in Software Verification, LMU München 2025, Table 5.2: verdicts and
seconds for input programs, for their sequentializations (seq), and for those with reduction (seq-por).
Differs: the programs that CORPUS_DIR has of those in the table. CBMC's columns are the paper's, on another machine;
ours are processor seconds from the C text to the verdict of the explicit engine, compilers included. `seq-por` is the
reduction of the thesis (`--reduction local --stay assume`); `full` is what the thesis proposes and more.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from threadproof.codegen.sequential import Options, Reduction, Staying, sequentialize
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unsafe
from threadproof.engines import explicit
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import DataModel, Taken
from threadproof.portfolio.prepare import prepare
from threadproof.portfolio.seq import read

FORMS: dict[str, Options | None] = {
    "input": None,
    "seq": Options(Reduction.NONE),
    "seq-por": Options(Reduction.LOCAL, Staying.ASSUME),
    "full": Options(Reduction.FULL),
}


@dataclass(frozen=True, slots=True)
class MporRow:
    path: str
    model: DataModel
    cbmc: tuple[str, str, str]  # input, seq, seq-por


ROWS = (
    MporRow("svcomp25/c/goblint-regression/36-apron_41-threadenter-no-locals_unknown_1_neg.i", DataModel.ILP32,
        ("false .183", "false .276", "false .293")),
    MporRow("svcomp25/c/goblint-regression/36-apron_41-threadenter-no-locals_unknown_1_pos.i", DataModel.ILP32,
        ("false .178", "false .275", "false .305")),
    MporRow("svcomp25/c/pthread/bigshot_s.i", DataModel.ILP32, ("error .169", "false 1.60", "false 1.90")),
    MporRow("svcomp25/c/pthread-deagle/circular_buffer_bad.i", DataModel.ILP32,
        ("false 16.0", "false 197", "error 875")),
    MporRow("sctbench/CS/lazy01_bad.c", DataModel.LP64, ("false 3.58", "false 2.44", "false 7.15")),
    MporRow("svcomp25/c/pthread/singleton_with-uninit-problems.i", DataModel.ILP32,
        ("error .162", "false 150", "false 151")),
    MporRow("svcomp25/c/pthread/stateful01-2.i", DataModel.ILP32, ("true 34.4", "true 57.2", "true 47.6")),
    MporRow("genmc/correct/lapor/time_var_mutex/variants/time_var_mutex0.c", DataModel.LP64,
        ("error .163", "true 91.4", "true 96.8")),
)  # fmt: skip


def processor() -> float:
    """Seconds of this process and of the compilers it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def figure(path: Path, model: DataModel, options: Options | None, seconds: float) -> str:
    """`false 0.61`: a verdict and what it cost."""
    started = processor()
    program = prepare([str(path)], Property.UNREACH_CALL, FrontendOptions(data_model=model, undefined=Taken.PURE))
    if options is not None:
        program = read(sequentialize(program, options), program, ("CHECK_BOUNDS",))
    found = explicit.check(Task(program, Property.UNREACH_CALL), Budget(seconds), Silent())
    return f"{verdict(found)} {processor() - started:.2f}"


def verdict(found: Result) -> str:
    match found:
        case Safe():
            return "true"
        case Unsafe():
            return "false"
        case _:
            return "unknown"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m threadproof.dev.mpor", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each search")
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    print(f"{'':46} CBMC (paper)                           Threadproof")
    print(f"{'':46} " + " ".join(f"{name:12}" for name in (*list(FORMS)[:3], *FORMS)))
    for row in ROWS:
        if not (options.corpus / row.path).exists():
            continue
        ours = [figure(options.corpus / row.path, row.model, form, options.seconds) for form in FORMS.values()]
        print(f"{Path(row.path).stem[:46]:46} " + " ".join(f"{text:12}" for text in (*row.cbmc, *ours)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
