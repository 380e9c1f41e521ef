"""How something grows, as an SVG: lines over two logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BELOW = 640, 280, 80, 40, 50
FEW_POWERS = 4
INK, COLOURS = "#333333", ("#2171b5", "#888888", "#d94801")


def draw_growth(title: str, across: str, unit: str, lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Lines by their names; `across` is what lies on the axis to the right, `unit` that of the axis upwards."""
    xs = [math.log10(x) for points in lines.values() for x, _ in points]
    ys = [math.log10(y) for points in lines.values() for _, y in points]
    left, right, low, high = min(xs), max(xs), math.floor(min(ys)), math.ceil(max(ys))

    def place(x: float, y: float) -> tuple[float, float]:
        return round((x - left) / (right - left) * WIDTH, 1), round(HEIGHT * (high - y) / (high - low), 1)

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{INK}"/>', _text(0, -8, title, "start")]
    parts.append(_text(WIDTH / 2, HEIGHT + 34, across, "middle"))
    for at, label in _marks(xs):
        parts.append(_text(place(at, low)[0], HEIGHT + 16, label, "middle"))
    for power in range(low, high + 1):
        parts.append(_text(-6, place(left, power)[1] + 4, f"1e{power} {unit}", "end"))
    for (name, points), colour in zip(lines.items(), COLOURS, strict=False):
        way = [place(math.log10(x), math.log10(y)) for x, y in points]
        corners = " ".join(f"{x},{y}" for x, y in way)
        parts.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(way[-1][0] - 8, way[-1][1] + 16, name, "end", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{TOP + HEIGHT + BELOW}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#ffffff"/>'
        f'<g transform="translate({LEFT},{TOP})">{"".join(parts)}</g></svg>\n'
    )


def _marks(xs: Sequence[float]) -> list[tuple[float, str]]:
    """Powers of ten, or every value where they are few and near to each other."""
    powers = range(math.ceil(min(xs)), math.floor(max(xs)) + 1)
    if len(powers) >= FEW_POWERS:
        return [(float(power), f"1e{power}") for power in powers]
    return [(x, f"{10**x:.0f}") for x in sorted(set(xs))]


def _text(x: float, y: float, text: str, anchor: str, colour: str = INK) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
