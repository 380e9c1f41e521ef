"""All ways to sequentialize a program: every combination of options that is not refused.

Made from the fields of `Options`, so that a new option is either compared or makes this file fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import product
from typing import Any, get_type_hints

from threadproof.codegen.sequential import Choices, Options, Refused

FEW, SOME, ENOUGH = 1, 4, 64
"""Rounds: for some outcomes, for all of most small programs, for all of all small programs."""
NUMBERS: dict[str, tuple[int | None, ...]] = {
    "threads": (Options().threads,),
    "depth": (Options().depth,),
    "rounds": (None, FEW, SOME),
}
"""Values of the options that are numbers. Smaller bounds than these are `bounded`."""
NAMES = {"staying": "stay"}
"""Fields that the command line calls by another name."""


class Shows(Enum):
    """Which of the original's outcomes a text must have."""

    ALL = "all"
    SOME = "some"  # and no others
    ALL_IN_THE_END = "all in the end"  # none but these, and all of them if there are more rounds


@dataclass(frozen=True, slots=True)
class Combination:
    options: Options
    shows: Shows

    @property
    def name(self) -> str:
        """The command line that asks for it, without what is usual."""
        usual = Options()
        parts: list[str] = []
        for field in fields(Options):
            value = getattr(self.options, field.name)
            text = value.value if isinstance(value, Enum) else str(value)
            if value != getattr(usual, field.name) or field.name == "reduction":
                parts.append(f"{NAMES.get(field.name, field.name)} {text}")
        return ", ".join(parts)


def asked() -> Iterator[dict[str, Any]]:
    """All that can be asked for, refused or not."""
    hints = get_type_hints(Options)
    values: dict[str, tuple[Any, ...]] = {}
    for field in fields(Options):
        kind = hints[field.name]
        values[field.name] = tuple(kind) if isinstance(kind, type) and issubclass(kind, Enum) else NUMBERS[field.name]
    for each in product(*values.values()):
        yield dict(zip(values, each, strict=True))


def accepted() -> list[Combination]:
    found: list[Combination] = []
    for each in asked():
        try:
            found.append(_combination(Options(**each)))
        except Refused:
            continue
    return found


def refused() -> dict[str, list[dict[str, Any]]]:
    """By what is told: the combinations."""
    found: dict[str, list[dict[str, Any]]] = {}
    for each in asked():
        try:
            Options(**each)
        except Refused as refusal:
            found.setdefault(str(refusal), []).append(each)
    return found


def _combination(options: Options) -> Combination:
    if options.rounds == FEW or options.choices is Choices.RANDOM:
        return Combination(options, Shows.SOME)
    return Combination(options, Shows.ALL if options.rounds is None else Shows.ALL_IN_THE_END)


def is_run(combination: Combination) -> bool:
    """Whether the text is run instead of explored."""
    return combination.options.choices is Choices.RANDOM


def bounded(combination: Combination) -> list[Combination]:
    """The same with bounds that are too small for most programs that they concern."""
    options = combination.options
    return [Combination(replace(options, **{bound: 1}), Shows.SOME) for bound in ("threads", "depth")]


def with_more_rounds(combination: Combination) -> Combination:
    rounds = combination.options.rounds
    assert rounds is not None
    return replace(combination, options=replace(combination.options, rounds=2 * rounds))
