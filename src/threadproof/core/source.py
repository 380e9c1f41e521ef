"""Where in the C source something stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class SourceLoc:
    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file or "?"
        return f"{self.file}:{self.line}" if self.file else f"line {self.line}"


NOWHERE = SourceLoc("", 0)
