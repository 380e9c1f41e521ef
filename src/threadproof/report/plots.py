"""An estimate as one SVG, drawn by hand: how it converged, the levels of splitting, the histogram of values.

No plotting library is needed. The drawing follows the light or dark setting, by itself and inside of a page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from threadproof.report.theme import themed

if TYPE_CHECKING:
    from threadproof.core.estimate import Estimate, EstimatePoint

WIDTH, HEIGHT, LEFT, TOP, GAP = 640, 240, 80, 40, 70
MOST_LABELS = 8
_LIGHT = {
    "ink": "#33393f",
    "band": "#c6dbef",
    "line": "#2171b5",
    "bar": "#6baed6",
    "paper": "#ffffff",
}
_DARK = {
    "ink": "#c9d1d9",
    "band": "#1f3b57",
    "line": "#79c0ff",
    "bar": "#388bfd",
    "paper": "#0d1117",
}
_STYLE = themed(
    """
.tp-plot text { fill: $ink; font: 11px system-ui, sans-serif; } .tp-plot .name { font-size: 13px; }
.tp-plot .paper { fill: $paper; } .tp-plot .frame { fill: none; stroke: $ink; }
.tp-plot .band { fill: $band; } .tp-plot .bar { fill: $bar; }
.tp-plot .line { fill: none; stroke: $line; stroke-width: 1.8; } .tp-plot .thin { fill: none; stroke: $band; }
.tp-plot .dot { fill: $line; }
""",
    _LIGHT,
    _DARK,
)


def draw(made: Estimate) -> str:
    """Charts below each other; those that say nothing of this query are left out."""
    charts = [_convergence(made.convergence, made.estimate, "repetitions" if "splitting" in made.method else "runs")]
    charts += [chart for chart in [_levels(made.details)] if chart]
    if len(made.values) and ("mean" in made.method or "splitting" in made.method):
        of = "estimates of the repetitions" if "splitting" in made.method else "values of the runs"
        charts.append(_histogram(made.values.tolist(), of))
    width, total = WIDTH + LEFT + 30, TOP + len(charts) * (HEIGHT + GAP)
    body = "".join(
        f'<g transform="translate({LEFT},{TOP + number * (HEIGHT + GAP)})">{chart}</g>'
        for number, chart in enumerate(charts)
    )
    query = escape(made.query)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-plot" width="{width}" height="{total}" '
        f'viewBox="0 0 {width} {total}" role="img" aria-label="How the estimate of {query} was found">'
        f'<style>{_STYLE}</style><rect class="paper" width="100%" height="100%"/>'
        f'<text class="name" x="{LEFT}" y="20">{query}</text>{body}</svg>\n'
    )


class _Scale:
    """From values to pixels."""

    def __init__(self, low: float, high: float, length: float) -> None:
        self._low = low
        self._span = high - low or 1.0
        self._length = length

    def __call__(self, value: float) -> float:
        return round((value - self._low) / self._span * self._length, 2)


def _convergence(points: Sequence[EstimatePoint], last: float, counted: str) -> str:
    title = "running estimate and interval"
    shown = [p for p in points if math.isfinite(p.low) and math.isfinite(p.high)]
    if not shown:
        return _frame(title, counted, [], [])
    low, high = _visible(shown, last)
    runs = shown[-1].runs
    x, y = _Scale(0, runs, WIDTH), _Scale(low, high, HEIGHT)

    def up(value: float) -> float:
        return round(HEIGHT - y(min(high, max(low, value))), 2)

    upper = [f"{x(p.runs)},{up(p.high)}" for p in shown]
    lower = [f"{x(p.runs)},{up(p.low)}" for p in reversed(shown)]
    middle = " ".join(f"{x(p.runs)},{up(p.estimate)}" for p in shown)
    marks = (
        f'<polygon class="band" points="{" ".join(upper + lower)}"/><polyline class="line" points="{middle}"/>'
        f'<circle class="dot" cx="{x(runs)}" cy="{up(shown[-1].estimate)}" r="3"/>'
    )
    return marks + _frame(title, counted, _whole(runs, x), _ticks(low, high, y))


def _visible(points: Sequence[EstimatePoint], last: float) -> tuple[float, float]:
    """The first intervals are as wide as can be: what comes after the first tenth decides, they are cut off."""
    later = points[len(points) // 10 :]
    low, high = min(p.low for p in later), max(p.high for p in later)
    return min(low, last), max(high, last)


def _levels(details: dict[str, Any]) -> str:
    """How likely a run comes so far: the product of the fractions up to each level, for every repetition."""
    repetitions: list[list[dict[str, Any]]] = details.get("levels") or []
    chains = [list(_products(levels)) for levels in repetitions]
    known = [value for chain in chains for value in chain if value]
    if not known:
        return ""
    longest = max(map(len, chains))
    low = math.floor(math.log10(min(known)))
    x, y = _Scale(0, longest, WIDTH), _Scale(low, 0, HEIGHT)

    def line(kind: str, chain: Sequence[float]) -> str:
        ends = ((0, 1.0), *enumerate(chain, 1))
        places = [(x(at), round(HEIGHT - y(math.log10(value)), 2)) for at, value in ends if value]
        dots = "".join(f'<circle class="dot" cx="{a}" cy="{b}" r="2.5"/>' for a, b in places) if kind == "line" else ""
        return f'<polyline class="{kind}" points="{" ".join(f"{a},{b}" for a, b in places)}"/>{dots}'

    whole = [chain for chain in chains if len(chain) == longest]
    mean = [sum(values) / len(whole) for values in zip(*whole, strict=True)]
    scores = [one if isinstance(one := level["score"], str) else f"{one:g}" for level in max(repetitions, key=len)]
    every = max(1, math.ceil(longest / MOST_LABELS))
    below = [(x(at), score) for at, score in enumerate(scores, 1) if at % every == 0 or at == longest]
    powers = [(y(power), f"1e{power}" if power else "1") for power in range(low, 1, max(1, -low // 5))]
    title = f"levels: the probability to come so far, {len(chains)} repetitions and their mean"
    return "".join(line("thin", chain) for chain in chains) + line("line", mean) + _frame(title, "score", below, powers)


def _products(levels: Sequence[dict[str, Any]]) -> Iterator[float]:
    product = 1.0
    for level in levels:
        product *= float(level["fraction"])
        yield product


def _histogram(values: Sequence[float], of: str, bins: int = 30) -> str:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / span * bins))] += 1
    y = _Scale(0, max(counts), HEIGHT)
    wide = WIDTH / bins
    bars = "".join(
        f'<rect class="bar" x="{round(number * wide, 2)}" y="{round(HEIGHT - y(count), 2)}" '
        f'width="{round(wide - 1, 2)}" height="{y(count)}"/>'
        for number, count in enumerate(counts)
        if count
    )
    x = _Scale(low, low + span, WIDTH)
    return bars + _frame(f"histogram of the {of}", "value", _ticks(low, low + span, x), _whole(max(counts), y))


def _whole(last: int, scale: _Scale) -> list[tuple[float, str]]:
    """Of what is counted."""
    return [(scale(value), f"{value:,}") for value in range(0, last + 1, max(1, round(_round_step(last))))]


def _ticks(low: float, high: float, scale: _Scale) -> list[tuple[float, str]]:
    step = _round_step(high - low)
    values = [n * step for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return [(scale(value), f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.6g}") for value in values]


def _round_step(span: float) -> float:
    """1, 2 or 5 of some power of ten, so that a span has four to ten of them."""
    power = 10.0 ** math.floor(math.log10(span / 4)) if span > 0 else 1.0
    return power * max(factor for factor in (1, 2, 5) if power * factor <= max(span / 4, power))


def _frame(title: str, below: str, across: list[tuple[float, str]], up: list[tuple[float, str]]) -> str:
    parts = [
        f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text x="0" y="-8">{title}</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT + 32}" text-anchor="middle">{below}</text>',
    ]
    parts.extend(f'<text x="{x}" y="{HEIGHT + 16}" text-anchor="middle">{escape(label)}</text>' for x, label in across)
    parts.extend(f'<text x="-6" y="{round(HEIGHT - y + 4, 2)}" text-anchor="end">{label}</text>' for y, label in up)
    return "".join(parts)
