"""A sweep as one page of HTML: counts, cactus plot, scatter plot against another sweep, the table. Needs no network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from statistics import median

from threadproof.report.theme import themed
from threadproof.sweep.store import SweepRow
from threadproof.sweep.summary import SweepDifference, SweepSummary, difference, summary

SIZE, LEFT, BOTTOM, TOP = 360, 60, 44, 30
LEAST_S = 0.1
_LIGHT = {
    "ink": "#24292f",
    "paper": "#ffffff",
    "rim": "#8c959f",
    "here": "#2171b5",
    "there": "#a15c00",
    "bad": "#b3261e",
}
_DARK = {
    "ink": "#e6edf3",
    "paper": "#0d1117",
    "rim": "#6e7681",
    "here": "#79c0ff",
    "there": "#e3a857",
    "bad": "#ff7b72",
}
_STYLE = themed(
    """
body { background: $paper; color: $ink; font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem;
  padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .2rem .6rem .2rem 0;
  border-bottom: 1px solid $rim; vertical-align: top; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; }
.wrong { color: $bad; font-weight: bold; } figure { display: inline-block; margin: 0 2rem 1rem 0; }
svg text { fill: $ink; font: 11px system-ui, sans-serif; } svg .axis { stroke: $rim; fill: none; }
svg .here { stroke: $here; fill: none; stroke-width: 1.8; } svg .there { stroke: $there; fill: none; stroke-width: 1.8;
  stroke-dasharray: 5 3; } svg circle { fill: $here; fill-opacity: .6; } svg circle.only { fill: $bad; }
""",
    _LIGHT,
    _DARK,
)


def page(rows: Sequence[SweepRow], title: str, other: tuple[str, Sequence[SweepRow]] | None = None) -> str:
    """`other`: the name and rows of the sweep it is compared with."""
    series = [("here", title, rows)] + ([] if other is None else [("there", *other)])
    dashed = "" if other is None else f"; dashed: {other[0]}"
    plots = [_figure(f"How many tasks are solved within a time{dashed}", _cactus(series))]
    words = list(_of_summary(summary(rows)))
    if other is not None:
        plots.append(_figure(f"Seconds: {other[0]} across, {title} up", _scatter(rows, other[1])))
        words += _of_difference(difference(rows, other[1]), other[0])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>"
        f"{''.join(f'<p>{one}</p>' for one in words)}{''.join(plots)}{_table(rows)}</body></html>\n"
    )


def _of_summary(found: SweepSummary) -> Iterator[str]:
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.verdicts.items()))
    yield f"{found.tasks} tasks: {verdicts}; {found.seconds:,.0f} s."
    if found.best:
        share = 100 * found.score / found.best
        yield f"{found.right} right, {len(found.wrong)} wrong; score {found.score} of {found.best} ({share:.1f} %)."


def _of_difference(found: SweepDifference, name: str) -> Iterator[str]:
    ratio = "" if found.ratio is None else f", {found.ratio:.2f} times its time where both solve (geometric mean)"
    yield (
        f"Against {escape(name)}, of {found.common} tasks in both: {len(found.gained)} gained, {len(found.lost)} lost, "
        f"{len(found.contradicts)} contradict each other{ratio}."
    )


def _table(rows: Sequence[SweepRow]) -> str:
    numbers = ("seconds", "MB")
    names = ("task", "property", "expected", "verdict", "engine", *numbers, "reason")
    head = "".join(f'<th scope="col"{_number(name in numbers)}>{name}</th>' for name in names)
    return f"<h2>Tasks</h2><table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_line, rows))}</tbody></table>"


def _line(row: SweepRow) -> str:
    verdict = f'<td class="wrong">{row.verdict} (wrong)</td>' if row.is_wrong else f"<td>{row.verdict}</td>"
    before = "".join(f"<td>{escape(text)}</td>" for text in (row.task, row.property, row.expected))
    measured = f'<td class="number">{row.wall_s:.1f}</td><td class="number">{row.peak_mb:.0f}</td>'
    return f"<tr>{before}{verdict}<td>{escape(row.engine)}</td>{measured}<td>{escape(row.reason)}</td></tr>"


def _number(is_one: bool) -> str:
    return ' class="number"' if is_one else ""


def _figure(caption: str, drawing: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _cactus(series: Iterable[tuple[str, str, Sequence[SweepRow]]]) -> str:
    """How many tasks are solved if each has so much time."""
    times = {kind: sorted(row.wall_s for row in rows if row.is_right) for kind, _, rows in series}
    most = max([1, *(len(one) for one in times.values())])
    up = _logarithmic([second for one in times.values() for second in one])
    lines = [
        f'<polyline class="{kind}" points="'
        + " ".join(f"{_x(n / most)},{_y(up(second))}" for n, second in enumerate(one, 1))
        + '"/>'
        for kind, one in times.items()
    ]
    across = [(n / 4, f"{most * n / 4:.0f}") for n in range(5)]
    said = "; ".join(f"{len(one)} solved, median {median(one):.1f} s" for one in times.values() if one)
    return _frame("".join(lines), across, up, f"Cactus plot: {said}")


def _scatter(here: Sequence[SweepRow], there: Sequence[SweepRow]) -> str:
    """A point per task that one of them solves; those that the other does not solve in another colour."""
    others = {row.key: row for row in there}
    pairs = [(others[row.key], row) for row in here if row.key in others]
    pairs = [(old, new) for old, new in pairs if old.is_right or new.is_right]
    scale = _logarithmic([row.wall_s for pair in pairs for row in pair])
    points = "".join(
        f'<circle{"" if old.is_right and new.is_right else " class=only"} r="3" cx="{_x(scale(old.wall_s))}" '
        f'cy="{_y(scale(new.wall_s))}"><title>{escape(new.task)}: {old.wall_s:.1f} s, {new.wall_s:.1f} s</title>'
        "</circle>"
        for old, new in pairs
    )
    diagonal = f'<path class="axis" stroke-dasharray="3 3" d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}"/>'
    return _frame(diagonal + points, scale.ticks(), scale, f"Scatter plot of {len(pairs)} tasks")


class _Logarithmic:
    """Seconds to a share of the axis."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = math.log10(low), math.log10(high) - math.log10(low)

    def __call__(self, seconds: float) -> float:
        return (math.log10(max(seconds, LEAST_S)) - self._low) / self._span

    def ticks(self) -> list[tuple[float, str]]:
        last = round(self._low + self._span)
        return [(self(10.0**power), f"{10.0**power:g} s") for power in range(round(self._low), last + 1)]


def _logarithmic(seconds: Sequence[float]) -> _Logarithmic:
    """Of whole powers of ten."""
    most = max([LEAST_S * 10, *seconds])
    return _Logarithmic(LEAST_S, 10.0 ** math.ceil(math.log10(most)))


def _x(share: float) -> float:
    return round(LEFT + share * SIZE, 1)


def _y(share: float) -> float:
    return round(TOP + (1 - share) * SIZE, 1)


def _frame(inside: str, across: Iterable[tuple[float, str]], up: _Logarithmic, label: str) -> str:
    width, height = LEFT + SIZE + 20, TOP + SIZE + BOTTOM
    below = "".join(_text(_x(at), _y(0) + 18, "middle", text) for at, text in across)
    beside = "".join(_text(LEFT - 8, _y(at) + 4, "end", text) for at, text in up.ticks())
    axes = f'<path class="axis" d="M{_x(0)} {_y(1)}V{_y(0)}H{_x(1)}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{escape(label)}">{axes}{inside}{below}{beside}</svg>'
    )


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
