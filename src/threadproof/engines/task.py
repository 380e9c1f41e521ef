"""What an engine is asked: a program in normal form and a property."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result
from threadproof.engines.rows import EngineOptions, OptionValue

if TYPE_CHECKING:
    from threadproof.ir.program import Program


@dataclass(frozen=True, slots=True)
class Task:
    program: Program
    property: Property
    seed: int = 0
    memory_model: MemoryModel = MemoryModel.SC
    options: EngineOptions = field(default_factory=dict[str, OptionValue])  # as declared in `rows`; what was given

    def word(self, option: str) -> str | None:
        value = self.options.get(option)
        assert value is None or isinstance(value, str), option
        return value

    def number(self, option: str) -> int | None:
        value = self.options.get(option)
        assert value is None or isinstance(value, int), option
        return value


class Engine(Protocol):
    def __call__(self, task: Task, budget: Budget, observer: Observer) -> Result: ...
