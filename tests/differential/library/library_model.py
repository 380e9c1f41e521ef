"""Cases under Threadproof: the explicit search over the reference semantics, in this process, then formulas."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from library_case import Case, Observed, model_text

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe, Verdict
from threadproof.engines import bmc
from threadproof.engines.explicit import reference
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions, load
from threadproof.frontend.options import Checks, Locals
from threadproof.ir.instr import Call, Instr
from threadproof.ir.program import DataModel, Function, Program
from threadproof.passes.pipeline import Pass, instruction_form, normalise
from threadproof.passes.prune import drop_uncalled_functions

LOOKS = 250  # at the clock, one for some states: what is too large does not depend on the machine
SECONDS = 300.0
ENTRIES = ("forward_", "backward_", "plain_")


@dataclass(frozen=True, slots=True)
class Said:
    verdict: Verdict
    reason: str = ""

    @property
    def unsupported(self) -> bool:
        return self.reason.startswith("unsupported")


class Image:
    """Many cases, read and brought into their form at once; each is a program with an entry of its own."""

    def __init__(self, cases: Sequence[Case], observed: Sequence[Observed], folder: Path, model: DataModel) -> None:
        self._path = folder / "model.c"
        self._path.write_text(model_text(cases, observed), encoding="utf-8")
        self._model = model
        self._programs: dict[tuple[Checks, Pass], Program] = {}

    def ask(self, entry: str, prop: Property) -> Said:
        program = drop_uncalled_functions(replace(self._program(prop), entry=entry))
        match _result(Task(program, prop)):
            case Safe():
                return Said(Verdict.TRUE)
            case Unsafe():
                return Said(Verdict.FALSE)
            case Unknown(reason=reason):
                return Said(Verdict.UNKNOWN, reason)

    def _program(self, prop: Property) -> Program:
        checks = Checks.OVERFLOW if prop is Property.NO_OVERFLOW else Checks.NONE
        form = instruction_form if prop is Property.VALID_MEMSAFETY else normalise
        if (checks, form) not in self._programs:
            options = FrontendOptions(data_model=self._model, locals=Locals.BLOCK, checks=checks)
            self._programs[checks, form] = form(_started(load([str(self._path)], options)))
        return self._programs[checks, form]


class CountedBudget(Budget):
    """So many looks at the clock instead of seconds."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "_looks", itertools.count(1))

    def exhausted(self) -> str | None:
        return "time" if next(self._looks) > LOOKS else None


def _result(task: Task) -> Result:
    """Of the search; of formulas where there are too many values to try."""
    found = reference.ReferenceSearch(task, CountedBudget(), Silent()).run() or Unknown("time")
    return bmc.check(task, Budget(SECONDS), Silent()) if _too_much_to_try(found) else found


def _too_much_to_try(found: Result) -> bool:
    return isinstance(found, Unknown) and found.reason.startswith(("time", "not all values"))


def _started(program: Program) -> Program:
    """What runs before main (the library's own constructors) runs before every other entry, too."""
    main = program.functions[program.entry]
    before = tuple(itertools.takewhile(_is_constructor, main.blocks[0].instrs))
    entries = {name: _preceded(f, before) for name, f in program.functions.items() if name.startswith(ENTRIES)}
    return replace(program, functions={**program.functions, **entries})


def _is_constructor(instr: Instr) -> bool:
    return isinstance(instr, Call) and isinstance(instr.callee, str) and instr.callee.startswith("__threadproof_")


def _preceded(function: Function, before: tuple[Instr, ...]) -> Function:
    first, *rest = function.blocks
    return replace(function, blocks=(replace(first, instrs=(*before, *first.instrs)), *rest))
