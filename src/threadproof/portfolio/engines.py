"""Turns of engines, and whether what is asked fits them. What there is to know about each: `engines/rows`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from math import isinf

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.rows import AUTO, ENGINES
from threadproof.engines.task import Engine


@dataclass(frozen=True, slots=True)
class Turn:
    """An engine's turn: this share of the time that is left, of which it uses at most so many seconds. After
    `patience_s` it gives way to others by `niceness`: who mostly answers soon should not hold up who takes longer.
    Searches wait for a quick engine for `alone_s`. A search begins when one of the first has had `after_s`, unless a
    processor is idle: who rarely is the first should not slow down who mostly is.

    Seconds are those that engines use of the processors: what else the machine does does not change who is asked."""

    engine: str
    share: float = 1.0
    at_most_s: float = float("inf")
    patience_s: float = float("inf")
    niceness: int = 0
    alone_s: float = float("inf")
    after_s: float = 0.0

    def budget(self, whole: Budget) -> Budget:
        """To be called by the process that is given this turn."""
        part = whole.part(self.share)
        return Budget(part.seconds, part.memory_mb, part.started, None if isinf(self.at_most_s) else self.at_most_s)

    def load(self) -> Engine:
        return import_module(ENGINES[self.engine].module).check


def knows(name: str, model: MemoryModel) -> bool:
    return model in ENGINES[name].models


def require_engine(name: str) -> None:
    if name not in (AUTO, *ENGINES):
        raise InputError(f"unknown engine '{name}': choose one of {', '.join((AUTO, *ENGINES))}")


def require_model(engine: str, model: MemoryModel) -> None:
    able = [name for name in ENGINES if knows(name, model)]
    if engine not in (AUTO, *able):
        known = ", ".join(one.value for one in MemoryModel if knows(engine, one))
        raise InputError(f"--memory-model {model} goes with --engine {' or '.join(able)}: {engine} knows {known} only")


def require_properties(engine: str, asked: Sequence[Property]) -> None:
    """An engine that cannot answer is an option that does not fit, whatever the program."""
    answers = frozenset(Property) if engine == AUTO else ENGINES[engine].properties
    for prop in asked:
        if prop not in answers:
            told = ", ".join(one.value for one in Property if one in answers)
            raise InputError(f"--engine {engine} does not answer {prop}, only {told}: leave --engine out for {prop}")
