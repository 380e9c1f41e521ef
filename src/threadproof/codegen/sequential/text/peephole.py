"""Jumps that lead to the next line, jumps around jumps, labels that nobody jumps to: none of these is printed.

Invariants: what is left does the same in the same order; conditions have no effects and cannot trap.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from threadproof.core.source import SourceLoc


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    loc: SourceLoc | None  # None: a heading, after which sources are told again


@dataclass(frozen=True, slots=True)
class Label:
    name: str

    @property
    def text(self) -> str:
        return f"{self.name}:;"


@dataclass(frozen=True, slots=True)
class Goto:
    target: str
    loc: SourceLoc
    condition: str = ""  # empty: always
    opposite: str = ""

    @property
    def text(self) -> str:
        return f"  if ({self.condition}) {{ goto {self.target}; }}" if self.condition else f"  goto {self.target};"


Line = Statement | Label | Goto

FALLS = "  // fall through"


def only_goto(text: str) -> str:
    """The label, if all that is done is to jump there."""
    found = re.fullmatch(r"goto (\w+);", text)
    return found[1] if found else ""


def polished(lines: list[Line]) -> list[Line]:
    before: list[Line] = []
    while lines != before:
        before, lines = lines, _without_detours(_without_labels(lines))
    return _noted_before_labels(lines)


def _noted_before_labels(lines: list[Line]) -> list[Line]:
    """Compilers look for the note before the first of several labels."""
    noted: list[Line] = []
    for line in lines:
        place = len(noted)
        falls = isinstance(line, Statement) and line.text == FALLS
        while falls and place and isinstance(noted[place - 1], Label):
            place -= 1
        noted.insert(place, line)
    return noted


def _without_labels(lines: list[Line]) -> list[Line]:
    used = {line.target for line in lines if isinstance(line, Goto)}
    used |= {name for line in lines if isinstance(line, Statement) for name in re.findall(r"goto (\w+);", line.text)}
    return [line for line in lines if not isinstance(line, Label) or line.name in used]


def _without_detours(lines: list[Line]) -> list[Line]:
    found: list[Line] = []
    for at, line in enumerate(lines):
        if isinstance(line, Goto) and line.target in _labels(lines, at + 1):
            continue
        if isinstance(line, Goto) and not line.condition and found:
            last = found[-1]
            if isinstance(last, Goto) and last.condition and last.target in _labels(lines, at + 1):
                turned = replace(last, target=line.target, condition=last.opposite, opposite=last.condition)
                found[-1] = turned
                continue
        found.append(line)
    return found


def _labels(lines: list[Line], at: int) -> set[str]:
    """The labels that stand side by side from here on."""
    names: set[str] = set()
    while at < len(lines) and isinstance(line := lines[at], Label):
        names.add(line.name)
        at += 1
    return names
