"""What a comparison of letters with the machine found, and how much it looked at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class Compared:
    programs: int = 0
    letters: int = 0  # that were made
    refuted: int = 0  # whose guard was false, rightly
    trapped: int = 0  # traps that the machine met, too
    limits: int = 0  # where only the formula gave up
    accesses: int = 0  # of the machine, found among those of the letter
    algebra: int = 0  # questions about wp, pre, sp, paths and sequences
    models: int = 0  # states made from models, in which the machine did what the formula says
    unanswered: int = 0  # questions without a model
    unbuilt: int = 0  # models that are no state of the machine near the one it was at
    skipped: int = 0  # a value that no variable can have, or a floating-point result
    refused: Counter[str] = field(default_factory=Counter[str])
    differences: list[str] = field(default_factory=list[str])

    def add(self, other: Compared) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def __str__(self) -> str:
        return (
            f"{self.programs} programs, {self.letters} letters made, {self.refuted} refuted, {self.trapped} traps, "
            f"{self.accesses} accesses, "
            f"{self.models} models were steps, {self.unanswered} questions without a model, {self.unbuilt} not built, "
            f"{self.algebra} questions about wp and sp, {self.limits} limits, {self.skipped} skipped, "
            f"{len(self.differences)} differences"
        )
