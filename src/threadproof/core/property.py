"""The properties a program can be asked about, and SV-COMP's `.prp` files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from threadproof.core.errors import InputError


class Property(Enum):
    UNREACH_CALL = "unreach-call"
    NO_DATA_RACE = "no-data-race"
    NO_DEADLOCK = "no-deadlock"
    NO_OVERFLOW = "no-overflow"
    VALID_MEMSAFETY = "valid-memsafety"
    VALID_MEMCLEANUP = "valid-memcleanup"

    def __str__(self) -> str:
        return self.value


_FORMULAS: tuple[tuple[str, Property], ...] = (
    (r"G\s*!\s*call\(\s*(?:reach_error|__VERIFIER_error)\(\)\s*\)", Property.UNREACH_CALL),
    (r"G\s*!\s*data-race", Property.NO_DATA_RACE),
    (r"G\s*!\s*deadlock", Property.NO_DEADLOCK),
    (r"G\s*!\s*overflow", Property.NO_OVERFLOW),
    (r"G\s*valid-(?:free|deref|memtrack)", Property.VALID_MEMSAFETY),
    (r"G\s*valid-memcleanup", Property.VALID_MEMCLEANUP),
)


ALL = "all"


def parse_properties(texts: Iterable[str]) -> list[Property]:
    """Each property once, in the order asked; `all` is all that there are."""
    found: dict[Property, None] = {}
    for text in texts:
        found |= dict.fromkeys(Property if text == ALL else (parse_property(text),))
    return list(found)


def parse_property(text: str) -> Property:
    """`NAME_OR_PRP` of the command line: a property's name or a file in SV-COMP's notation."""
    for known in Property:
        if text == known.value:
            return known
    if text.endswith(".prp"):
        return _read_prp(Path(text))
    names = ", ".join(known.value for known in Property)
    raise InputError(f"unknown property '{text}': choose one of {names}, {ALL}, or give a .prp file")


def in_formula(text: str) -> Property | None:
    """The property that a text in SV-COMP's notation is about."""
    return next((known for pattern, known in _FORMULAS if re.search(pattern, text)), None)


def _read_prp(path: Path) -> Property:
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"cannot read the property file {path}: {why}") from None
    known = in_formula(content)
    if known is not None:
        return known
    shown = content.strip().splitlines()
    first = shown[0] if shown else "(empty)"
    raise InputError(f"{path}:1: no property Threadproof knows: {first}")
