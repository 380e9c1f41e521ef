"""The engine `seq`: the program is sequentialized, read again by our own front end, and explored or solved.

Paper: N. König, Modular Partial Order Reduction in Software Verification, LMU München 2025; see
`codegen.sequential.write`.
Differs: bounds (threads of one creation, depth of recursion) grow until they suffice, which the generated program
asserts; a counterexample of the sequential program becomes a schedule of the original, which evidence replays.
Invariants: `Safe` only if no run of the sequential program gets beyond its bounds, and only for programs in which
nothing undefined could be lost in the translation (`Losses`).
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from threadproof.codegen.sequential import Options, Reduction, Refused, Sequential, sequentialize
from threadproof.codegen.sequential.plan.losses import loss
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.observer import Observer
from threadproof.core.proofs import CompleteExploration, CompleteUnwinding, SequentializedProof
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import bmc, explicit
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.instr import Nondet
from threadproof.ir.program import Program, Spurious
from threadproof.portfolio.prepare import prepare
from threadproof.portfolio.seq_schedule import Back, in_original, lies_beyond

WIDE_SHARE = 0.5
"""Of the time, for the search of a program whose choices it cannot all try."""
FEW = 64  # values, which a search tries
_FILE = re.compile(r"\S*/sequential\.c")
BOUND = "the bound on"  # so begins what larger bounds may mend
BOUNDS = ((3, 8), (12, 40), (40, 200))
"""Threads and depth, tried one after the other."""


def check(task: Task, budget: Budget, observer: Observer) -> Result:
    if task.program.spurious is Spurious.OFF:
        return Unknown("waits on condition variables may end by themselves in sequentialized programs")
    if task.property is not Property.UNREACH_CALL:
        return Unknown(f"sequentialized programs are about unreach-call, not {task.property}")
    options, beyond = Options(Reduction(task.word("reduction") or "full")), ""
    for threads, depth in BOUNDS:
        options = replace(options, threads=threads, depth=depth)
        found = _try(task, options, ("CHECK_BOUNDS",), budget, observer)
        if isinstance(found, Result):
            return found
        beyond = found
        if not beyond.startswith(BOUND) or budget.exhausted() is not None:
            break
    errors_only = _try(task, options, (), budget, observer)
    if isinstance(errors_only, Unsafe):
        return errors_only
    what = "is too small" if beyond.startswith(BOUND) else "cannot be written as a sequential program"
    return Unknown(f"{beyond} {what}")


def _try(task: Task, options: Options, defines: tuple[str, ...], budget: Budget, observer: Observer) -> Result | str:
    """A result, or what lies beyond the sequential program and was reached."""
    observer.progress("sequentializing")
    try:
        sequential = sequentialize(task.program, options)
    except Refused as refusal:
        return Unknown(f"not sequentialized: {refusal}")
    program = read(sequential, task.program, defines)
    result = _explored(Task(program, Property.UNREACH_CALL, task.seed), budget, observer)
    figures = result.stats | {"reduction": options.reduction.value, "threads": len(sequential.threads)}
    match result:
        case Unknown():
            return Unknown(f"sequentialized: {_FILE.sub('sequential.c', result.reason)}", figures)
        case Safe():
            return _safe(task.program, result, figures, options)
        case Unsafe():
            back = Back(task.program, sequential, program)
            beyond = lies_beyond(back, result.schedule)
            if beyond is not None:
                return beyond
            schedule = in_original(back, result.schedule)
            if schedule is None:
                return Unknown("an error of the sequentialized program that the original did not repeat", figures)
            return Unsafe(schedule, figures)


def _explored(asked: Task, budget: Budget, observer: Observer) -> Result:
    """State by state; with formulas where a choice has too many values for that."""
    share = WIDE_SHARE if _chooses_widely(asked.program) else 1.0
    found = explicit.check(asked, budget.part(share), observer, patience=0)
    if not isinstance(found, Unknown) or share == 1.0 or budget.exhausted() is not None:
        return found
    solved = bmc.check(asked, budget, observer)
    return found if isinstance(solved, Unknown) else solved


def _chooses_widely(program: Program) -> bool:
    choices = (i for f in program.functions.values() for i in f.instrs() if isinstance(i, Nondet))
    return any(not i.values and i.high - i.low > FEW for i in choices)


def _safe(program: Program, result: Safe, figures: dict[str, Any], options: Options) -> Result:
    lost = loss(program)
    if lost:
        return Unknown(f"no error, but {lost}, which a sequentialized program does not notice", figures)
    assert isinstance(result.proof, CompleteExploration | CompleteUnwinding), "explicit and bmc have no other proofs"
    return Safe(SequentializedProof(result.proof, options.reduction.value, figures["threads"]), figures)


def read(sequential: Sequential, original: Program, defines: tuple[str, ...]) -> Program:
    """The generated text as a program."""
    with tempfile.TemporaryDirectory(prefix="threadproof-") as folder:
        path = Path(folder) / "sequential.c"
        path.write_text(sequential.text, encoding="utf-8")
        options = FrontendOptions(data_model=original.data_model, defines=defines)
        try:
            return prepare([str(path)], Property.UNREACH_CALL, options)
        except InputError as error:  # not the user's
            raise InternalError(f"the sequentialized program cannot be read: {error}") from error
