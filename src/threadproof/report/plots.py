"""Histogram and convergence of an estimate as one SVG, drawn by hand: no plotting library is needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate, EstimatePoint

WIDTH, HEIGHT, LEFT, TOP, GAP = 640, 280, 80, 40, 70
INK, BAND, LINE, BAR = "#333333", "#c6dbef", "#2171b5", "#6baed6"


def draw(made: Estimate) -> str:
    """The convergence of the interval, and below it the histogram of the values if the query has any."""
    charts = [_convergence(made.convergence, "running estimate and interval")]
    if len(made.values) and ("mean" in made.method or "splitting" in made.method):
        charts.append(_histogram(made.values.tolist()))
    total = TOP + len(charts) * (HEIGHT + GAP)
    body = "".join(
        f'<g transform="translate({LEFT},{TOP + number * (HEIGHT + GAP)})">{chart}</g>'
        for number, chart in enumerate(charts)
    )
    title = f'<text x="{LEFT}" y="20" font-size="13" fill="{INK}">{escape(made.query)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + LEFT + 30}" height="{total}" '
        f'font-family="sans-serif" font-size="11">{title}{body}</svg>\n'
    )


class _Scale:
    """From values to pixels."""

    def __init__(self, low: float, high: float, length: float) -> None:
        self._low = low
        self._span = high - low or 1.0
        self._length = length

    def __call__(self, value: float) -> float:
        return round((value - self._low) / self._span * self._length, 2)


def _convergence(points: Sequence[EstimatePoint], title: str) -> str:
    shown = [p for p in points if math.isfinite(p.low) and math.isfinite(p.high)]
    if not shown:
        return _frame(title, "runs", [], [])
    low, high = min(p.low for p in shown), max(p.high for p in shown)
    last = shown[-1].runs
    x, y = _Scale(0, last, WIDTH), _Scale(low, high, HEIGHT)
    upper = [f"{x(p.runs)},{HEIGHT - y(p.high)}" for p in shown]
    lower = [f"{x(p.runs)},{HEIGHT - y(p.low)}" for p in reversed(shown)]
    middle = " ".join(f"{x(p.runs)},{HEIGHT - y(p.estimate)}" for p in shown)
    marks = (
        f'<polygon points="{" ".join(upper + lower)}" fill="{BAND}"/>'
        f'<polyline points="{middle}" fill="none" stroke="{LINE}" stroke-width="1.5"/>'
    )
    return marks + _frame(title, "runs", _ticks(0, last, x), _ticks(low, high, y))


def _histogram(values: Sequence[float], bins: int = 30) -> str:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / span * bins))] += 1
    y = _Scale(0, max(counts), HEIGHT)
    wide = WIDTH / bins
    bars = "".join(
        f'<rect x="{round(number * wide, 2)}" y="{HEIGHT - y(count)}" width="{round(wide - 1, 2)}" '
        f'height="{y(count)}" fill="{BAR}"/>'
        for number, count in enumerate(counts)
        if count
    )
    x = _Scale(low, low + span, WIDTH)
    return bars + _frame("histogram of the values", "value", _ticks(low, low + span, x), _ticks(0, max(counts), y))


def _ticks(low: float, high: float, scale: _Scale, count: int = 5) -> list[tuple[float, str]]:
    return [(scale(low + (high - low) * n / count), f"{low + (high - low) * n / count:.4g}") for n in range(count + 1)]


def _frame(title: str, below: str, across: list[tuple[float, str]], up: list[tuple[float, str]]) -> str:
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{INK}"/>',
        f'<text x="0" y="-8" fill="{INK}">{title}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT + 32}" text-anchor="middle" fill="{INK}">{below}</text>',
    ]
    parts.extend(
        f'<text x="{x}" y="{HEIGHT + 16}" text-anchor="middle" fill="{INK}">{label}</text>' for x, label in across
    )
    parts.extend(f'<text x="-6" y="{HEIGHT - y + 4}" text-anchor="end" fill="{INK}">{label}</text>' for y, label in up)
    return "".join(parts)
