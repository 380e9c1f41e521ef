"""Lines of spans: cutting, filling and putting side by side."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.report.lanes import Line, StyledSpan

ACROSS, HERE = "─", "▶"
_PLAIN_SIGNS = str.maketrans({"─": "-", "▶": ">", "…": "~", "·": "*"})


def in_ascii(text: str) -> str:
    """For terminals and pipes without Unicode."""
    return text.translate(_PLAIN_SIGNS)


def length(line: Line) -> int:
    return sum(len(span.text) for span in line)


def clip(line: Line, width: int) -> Line:
    """The line, cut with an ellipsis if it is longer than `width`."""
    if length(line) <= width:
        return line
    kept: list[StyledSpan] = []
    left = max(0, width - 1)
    for span in line:
        kept.append(StyledSpan(span.text[:left], span.style))
        left -= len(kept[-1].text)
    return (*(span for span in kept if span.text), StyledSpan("…"[:width], "dim"))


def fill(line: Line, width: int) -> Line:
    """Exactly `width` columns."""
    cut = clip(line, width)
    return (*cut, StyledSpan(" " * (width - length(cut))))


def beside(columns: Sequence[tuple[Sequence[Line], int]]) -> list[Line]:
    """Columns of lines, each with its width, next to each other."""
    height = max((len(lines) for lines, _ in columns), default=0)
    rows: list[Line] = []
    for index in range(height):
        row: list[StyledSpan] = []
        for lines, width in columns:
            if width > 0:
                row.extend(fill(lines[index] if index < len(lines) else (), width))
        rows.append(tuple(row))
    return rows


def plain(line: Line) -> str:
    return "".join(span.text for span in line).rstrip()
