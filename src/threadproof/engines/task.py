"""What an engine is asked: a program in normal form and a property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Observer
from threadproof.core.property import Property
from threadproof.core.result import Result
from threadproof.ir.program import Program


@dataclass(frozen=True, slots=True)
class Task:
    program: Program
    property: Property
    seed: int = 0
    reduction: str = ""  # the engine's own choice
    preemptions: int | None = None  # no bound
    memory_model: MemoryModel = MemoryModel.SC
    unwind: int | None = None  # how often a loop is unwound; the engine's own choice


class Engine(Protocol):
    def __call__(self, task: Task, budget: Budget, observer: Observer) -> Result: ...
