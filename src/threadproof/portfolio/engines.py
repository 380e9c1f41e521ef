"""The engines by name; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.engines.task import Engine

ENGINES = {
    "explicit": "threadproof.engines.explicit",
    "dpor": "threadproof.engines.dpor",
    "random": "threadproof.engines.random",
    "races": "threadproof.engines.races",
    "bmc": "threadproof.engines.bmc",
    "seq": "threadproof.portfolio.seq",
}
MODELS = {"bmc": frozenset(MemoryModel)}
"""Who knows more than sequential consistency."""
ANSWERS = {
    "races": frozenset((Property.NO_DATA_RACE,)),
    "seq": frozenset((Property.UNREACH_CALL,)),
    "random": frozenset(Property) - {Property.NO_DATA_RACE},
}
"""Who is not for every property."""
OPTION_OF = {"reduction": ("dpor", "seq"), "preemptions": ("dpor",), "unwind": ("bmc",)}


@dataclass(frozen=True, slots=True)
class Turn:
    """An engine's turn: this share of the time that is left, at most so many seconds."""

    engine: str
    share: float = 1.0
    at_most_s: float = float("inf")

    def budget(self, whole: Budget) -> Budget:
        part = whole.part(self.share)
        return part if part.left() <= self.at_most_s else Budget(self.at_most_s, whole.memory_mb)

    def load(self) -> Engine:
        return import_module(ENGINES[self.engine]).check


def knows(name: str, model: MemoryModel) -> bool:
    return model in MODELS.get(name, (MemoryModel.SC,))


def require_engine(name: str) -> None:
    choices = ", ".join(("auto", *ENGINES))
    if name not in ("auto", *ENGINES):
        raise InputError(f"unknown engine '{name}': choose one of {choices}")


def require_model(engine: str, model: MemoryModel) -> None:
    able = [name for name in ENGINES if knows(name, model)]
    if engine not in ("auto", *able):
        raise InputError(f"--memory-model {model} goes with --engine {' or '.join(able)}: {engine} knows sc only")


def require_properties(engine: str, asked: Sequence[Property]) -> None:
    """An engine that cannot answer is an option that does not fit, whatever the program."""
    answers = ANSWERS.get(engine, frozenset(Property))
    for prop in asked:
        if prop not in answers:
            told = ", ".join(one.value for one in Property if one in answers)
            raise InputError(f"--engine {engine} does not answer {prop}, only {told}: leave --engine out for {prop}")


def require_option(engine: str, option: str) -> None:
    readers = OPTION_OF[option]
    if engine not in readers and not (engine == "auto" and option == "unwind"):
        raise InputError(f"--{option} goes with --engine {' or '.join(readers)}")
