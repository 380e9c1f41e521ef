"""The engines by name; each is loaded when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.engines.task import Engine

ENGINES = {
    "explicit": "threadproof.engines.explicit",
    "dpor": "threadproof.engines.dpor",
    "random": "threadproof.engines.random",
    "races": "threadproof.engines.races",
}
DEFAULT = "explicit"
"""What `auto` ends with."""


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


def turns(name: str, prop: Property) -> tuple[Turn, ...]:
    """Who is asked, in order, until one knows. Races are mostly proved or found within a second, or not at all."""
    if name == "auto":
        first = (Turn("races", 0.15, 10.0),) if prop is Property.NO_DATA_RACE else ()
        return (*first, Turn(DEFAULT))
    if name not in ENGINES:
        raise InputError(f"unknown engine '{name}': choose auto or one of {', '.join(ENGINES)}")
    return (Turn(name),)
