"""From files and a query to an estimate: reading the program, the platform's functions included."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from threadproof.cluster.connect import connected
from threadproof.cluster.crew import Crew
from threadproof.core.estimate import Estimate
from threadproof.core.observer import Observer
from threadproof.engines.smc.options import SmcOptions
from threadproof.engines.smc.platform import load_platform
from threadproof.engines.smc.run import compare_programs, estimate_program
from threadproof.frontend import load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form
from threadproof.portfolio.assumptions import forgotten, without_bodies


def estimate(paths: Sequence[str], query: str, options: SmcOptions, observer: Observer) -> Estimate:
    options.check()
    observer.progress("reading the program")
    program = read_for_sampling(paths, options)
    with _crew(options) as crew:
        return _told(estimate_program(program, query, options, observer, crew), program)


def compare(
    paths: Sequence[str], others: Sequence[str], query: str, options: SmcOptions, observer: Observer
) -> tuple[Estimate, Estimate, Estimate]:
    """The same query on two programs: both estimates and their difference."""
    options.check()
    observer.progress("reading the programs")
    first, second = read_for_sampling(paths, options), read_for_sampling(others, options)
    with _crew(options) as crew:
        one, two, gap = compare_programs(first, second, query, options, observer, crew)
    return _told(one, first), _told(two, second), _told(gap, first, second)


def _told(made: Estimate, *programs: Program) -> Estimate:
    """With what the runs rest on, and what to do about functions without a body that runs stopped at."""
    assumptions = dict.fromkeys(one for program in programs for one in without_bodies(program))
    stopped = made.undecided > 0 or not made.known
    forgot = dict.fromkeys(note for program in programs if (note := forgotten(program))) if stopped else {}
    return replace(made, assumptions=tuple(assumptions), notes=(*made.notes, *forgot))


def _crew(options: SmcOptions) -> AbstractContextManager[Crew | None]:
    return nullcontext() if options.cluster is None else connected(options.cluster)


def read_for_sampling(paths: Sequence[str], options: SmcOptions) -> Program:
    """One LLVM instruction is one step. A platform's functions get bodies, so that calls of them stay calls."""
    if options.platform is None:
        return instruction_form(load(list(paths), options.frontend))
    platform = load_platform(Path(options.platform))
    with tempfile.TemporaryDirectory() as folder:
        stubs = os.path.join(folder, "platform.c")
        Path(stubs).write_text(platform.stubs(), encoding="utf-8")
        return instruction_form(load([*paths, stubs], options.frontend))
