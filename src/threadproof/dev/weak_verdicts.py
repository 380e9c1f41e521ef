"""Folders of programs with a verdict per memory model, and who is asked about them.

`<case>/main.c` beside `expect.yml`:

    why: "one sentence"
    unreach-call:    # what theory says
      sc: true
      tso: true
      pso: false
    loops: true      # optional: an engine with a bound may answer `unknown`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from threadproof.automaton.store_buffers import MORE_STORES, CannotBuffer, with_store_buffers
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe, Verdict
from threadproof.core.schedule import Schedule
from threadproof.engines.rows import ENGINES as LOADABLE
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.explore.weak_states import reach
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

SECONDS = 60.0  # for one program, one engine, one model


class DoesNotReplay(AssertionError):
    """A claimed violation that the store-buffer semantics does not show."""


Ask = Callable[[Program, MemoryModel], Verdict]


def by_brute_force(program: Program, model: MemoryModel) -> Verdict:
    found = reach(program, model)
    if found.schedule is not None:
        _replay(program, found.schedule, model)
    return found.verdict


def by_engine(name: str) -> Ask:
    """An engine of the portfolio; what it claims is replayed."""

    def ask(program: Program, model: MemoryModel) -> Verdict:
        task = Task(program, Property.UNREACH_CALL, memory_model=model)
        result: Result = import_module(LOADABLE[name].module).check(task, Budget(SECONDS, None), Silent())
        match result:
            case Safe():
                return Verdict.TRUE
            case Unknown():
                return Verdict.UNKNOWN
            case Unsafe():
                _replay(program, result.schedule, model)
                return Verdict.FALSE

    return ask


def by_store_buffers(program: Program, model: MemoryModel) -> Verdict:
    """The engine `explicit` on the program with store buffers, under sequential consistency."""
    ask = import_module(LOADABLE["explicit"].module).check
    for slots in (1, 2, 4, 8):
        try:
            asked = program if model is MemoryModel.SC else with_store_buffers(program, model, slots).program
        except CannotBuffer:
            return Verdict.UNKNOWN
        match ask(Task(asked, Property.UNREACH_CALL), Budget(SECONDS, None), Silent()):
            case Safe():
                return Verdict.TRUE
            case Unsafe():
                return Verdict.FALSE
            case Unknown(reason=reason) if MORE_STORES not in reason:
                return Verdict.UNKNOWN
            case _:
                pass
    return Verdict.UNKNOWN


ASKED: dict[str, Ask] = {"brute force": by_brute_force, "bmc": by_engine("bmc")}
"""Who answers for weak memory: an engine is added here."""
ALSO: dict[str, Ask] = {"store buffers": by_store_buffers, "impact": by_engine("impact")}
"""Who takes long, or may say `unknown`."""


def _replay(program: Program, schedule: Schedule, model: MemoryModel) -> None:
    if replay_schedule(program, Property.UNREACH_CALL, schedule, model) is None:
        raise DoesNotReplay(f"under {model}: {schedule}")


@dataclass(frozen=True, slots=True)
class WeakCase:
    path: Path
    expected: dict[MemoryModel, Verdict]
    loops: bool

    @property
    def name(self) -> str:
        return self.path.name

    def program(self) -> Program:
        return prepare([str(self.path / "main.c")], Property.UNREACH_CALL, FrontendOptions())

    def accepts(self, who: str, model: MemoryModel, verdict: Verdict) -> bool:
        bounded = self.loops and who != "brute force"
        return verdict is self.expected[model] or (bounded and verdict is Verdict.UNKNOWN)


def cases(folder: Path) -> Iterator[WeakCase]:
    for file in sorted(folder.glob("*/expect.yml")):
        data: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
        given: dict[str, bool] = data["unreach-call"]
        expected = {MemoryModel(name): Verdict(str(value).lower()) for name, value in given.items()}
        yield WeakCase(file.parent, expected, bool(data.get("loops")))


def answers(case: WeakCase, who: str) -> dict[MemoryModel, Verdict]:
    program = case.program()
    return {model: (ASKED | ALSO)[who](program, model) for model in case.expected}
