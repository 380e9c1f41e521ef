"""Functions drawn as SVG: a box per block with its instructions, a curve per edge. Needs no graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from threadproof.ir.ctypes import signed
from threadproof.ir.instr import (
    Branch,
    CompareExchange,
    Edge,
    Error,
    Halt,
    Instr,
    Jump,
    Load,
    Return,
    Rmw,
    Store,
    Switch,
    Sync,
    Undefined,
    Unsupported,
)
from threadproof.ir.printer import show_expr, show_instr
from threadproof.ir.program import Block, Function
from threadproof.ir.show import show_moves
from threadproof.report.layers import Point, Route, Size, lay_out
from threadproof.report.theme import themed

_CHAR, _LINE, _PAD, _HEAD = 7.25, 16.0, 10.0, 20.0
_MARGIN, _TITLE = 24.0, 34.0
_COLUMNS, _LINES = 72, 28

_LIGHT = {
    "ink": "#24292f",
    "paper": "#f6f8fa",
    "box": "#ffffff",
    "rim": "#8c959f",
    "head": "#eaeef2",
    "entry": "#cfe5ff",
    "final": "#d5f0dc",
    "bad": "#ffd3d0",
    "shared": "#0550ae",
    "sync": "#8250df",
    "stop": "#cf222e",
    "flow": "#57606a",
    "go": "#6e7781",
    "then": "#1a7f37",
    "holds": "#116329",
}
_DARK = {
    "ink": "#e6edf3",
    "paper": "#0d1117",
    "box": "#161b22",
    "rim": "#6e7681",
    "head": "#262c36",
    "entry": "#12395c",
    "final": "#12361f",
    "bad": "#5a1e1c",
    "shared": "#79c0ff",
    "sync": "#d2a8ff",
    "stop": "#ff7b72",
    "flow": "#9198a1",
    "go": "#8b949e",
    "then": "#3fb950",
    "holds": "#7ee787",
}
_STYLE = themed(
    """
.tp-boxes text { font: 12px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: $ink; }
.tp-boxes .title { font-size: 15px; font-weight: bold; } .tp-boxes .paper { fill: $paper; }
.tp-boxes .box { fill: $box; stroke: $rim; stroke-width: 1; }
.tp-boxes .head { fill: $head; stroke: $rim; } .tp-boxes .entry .head { fill: $entry; }
.tp-boxes .final .head { fill: $final; } .tp-boxes .bad .head { fill: $bad; }
.tp-boxes .label { font-weight: bold; } .tp-boxes .line { fill: $flow; }
.tp-boxes .shared { fill: $shared; } .tp-boxes .sync { fill: $sync; } .tp-boxes .stop { fill: $stop; }
.tp-boxes .flow { fill: $flow; } .tp-boxes .holds { fill: $holds; font-weight: bold; }
.tp-boxes .edge { fill: none; stroke: $go; stroke-width: 1.3; }
.tp-boxes .edge.then { stroke: $then; } .tp-boxes .edge.else { stroke: $stop; }
.tp-boxes .edge.back { stroke-dasharray: 5 3; }
.tp-boxes .on { font-size: 10px; fill: $flow; paint-order: stroke; stroke: $paper; stroke-width: 4px; }
""",
    _LIGHT,
    _DARK,
)


@dataclass(frozen=True, slots=True)
class Way:
    target: str  # label of the box it leads to
    name: str = ""  # what stands at the edge: then, else, a case
    kind: str = "go"  # style of the curve


@dataclass(frozen=True, slots=True)
class Box:
    label: str
    kind: str  # entry, final, bad or plain
    where: str  # in the corner
    lines: tuple[tuple[str, str], ...]  # text and style of each
    ways: tuple[Way, ...]


def draw(functions: Sequence[Function]) -> str:
    """One drawing, the functions below each other."""
    return draw_boxes([(f.name, [_block(b, i == 0) for i, b in enumerate(f.blocks)]) for f in functions])


def draw_boxes(figures: Sequence[tuple[str, Sequence[Box]]]) -> str:
    """One drawing, the figures below each other, each with its title; the first box is where it begins."""
    parts, width, y = list[str](), 200.0, _MARGIN
    for name, boxes in figures:
        body, size = _figure(boxes)
        title = f'<text class="title" x="0" y="0">{escape(name)}</text>'
        parts.append(f'<g transform="translate({_MARGIN:.0f} {y + 14:.0f})">{title}{body}</g>')
        width, y = max(width, size.width), y + size.height + _TITLE
    whole = f"{width + 2 * _MARGIN:.0f}", f"{y + _MARGIN:.0f}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-boxes" width="{whole[0]}" height="{whole[1]}" '
        f'viewBox="0 0 {whole[0]} {whole[1]}">\n<style>{_STYLE}</style>\n{_MARKERS}\n'
        f'<rect class="paper" width="100%" height="100%"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def _marker(kind: str, colour: str) -> str:
    return (
        f'<marker id="arrow-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    )


_MARKERS = "<defs>" + _marker("go", "#7a838d") + _marker("then", "#2a9148") + _marker("else", "#dd4a4f") + "</defs>"


def _figure(boxes: Sequence[Box]) -> tuple[str, Size]:
    if not boxes:
        return "", Size(0, 0)
    sizes = {box.label: _size(box) for box in boxes}
    ways = [(box.label, way) for box in boxes for way in box.ways]
    drawing = lay_out(sizes, [(label, way.target) for label, way in ways], boxes[0].label)
    curves = [_curve(way, route) for (_, way), route in zip(ways, drawing.routes, strict=True)]
    shown = [_box(box, drawing.boxes[box.label], sizes[box.label]) for box in boxes]
    names = [
        _name(way, route.points[0], drawing.boxes[label][0] + sizes[label].width / 2)
        for (label, way), route in zip(ways, drawing.routes, strict=True)
    ]
    return "\n".join([*curves, *shown, *names]), drawing.size


def _block(block: Block, first: bool) -> Box:
    last = block.instrs[-1]
    bad = isinstance(last, Error | Undefined | Unsupported | Halt)
    kind = "entry" if first else "final" if isinstance(last, Return) else "bad" if bad else "plain"
    numbers = sorted({instr.loc.line for instr in block.instrs if instr.loc.line})
    where = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else "".join(map(str, numbers))
    ways = tuple(Way(edge.target, name, kind) for edge, name, kind in _ways(last))
    return Box(block.label, kind, where, tuple(_lines(block)), ways)


def _ways(last: Instr) -> Iterator[tuple[Edge, str, str]]:
    match last:
        case Jump():
            yield last.edge, "", "go"
        case Branch():
            yield last.then, "then", "then"
            yield last.otherwise, "else", "else"
        case Switch():
            for value, edge in last.cases:
                yield edge, str(signed(value, last.value.width)), "go"
            yield last.default, "else", "else"
        case _:
            pass


def _lines(block: Block) -> Iterator[tuple[str, str]]:
    """Text and style of each line in a box; where the block goes is drawn, its moves are written."""
    *body, last = block.instrs
    shown = [(show_instr(instr), style(instr)) for instr in body]
    match last:
        case Jump():
            pass
        case Branch():
            shown.append((f"if {show_expr(last.condition)}", "flow"))
        case Switch():
            shown.append((f"switch {show_expr(last.value)}", "flow"))
        case _:
            shown.append((show_instr(last), style(last)))
    if len(shown) > _LINES:
        half = _LINES // 2
        shown = [*shown[:half], (f"… {len(shown) - 2 * half} more …", "flow"), *shown[-half:]]
    for edge, name, _ in _ways(last):
        if edge.moves:
            shown.append((f"{name + ': ' if name else ''}{show_moves(edge)}", "flow"))
    yield from ((cut(text), kind) for text, kind in shown)


def cut(text: str) -> str:
    return text if len(text) <= _COLUMNS else text[: _COLUMNS - 1] + "…"


def style(instr: Instr) -> str:
    match instr:
        case Load() | Store() | Rmw() | CompareExchange():
            return "shared"
        case Sync():
            return "sync"
        case Error() | Undefined() | Unsupported() | Halt():
            return "stop"
        case _:
            return ""


def _size(box: Box) -> Size:
    columns = max([len(box.label) + len(box.where) + 4, *(len(text) for text, _ in box.lines)])
    padding = 8.0 if box.lines else 0.0
    return Size(columns * _CHAR + 2 * _PAD, _HEAD + len(box.lines) * _LINE + padding)


def _box(box: Box, at: Point, size: Size) -> str:
    x, y = at
    right, bottom = size.width, _HEAD
    head = f"M0 {bottom}V6Q0 0 6 0H{right - 6:.1f}Q{right:.1f} 0 {right:.1f} 6V{bottom}Z"
    parts = [
        f'<g class="{box.kind}" transform="translate({x:.1f} {y:.1f})">',
        f'<rect class="box" width="{size.width:.1f}" height="{size.height:.1f}" rx="6"/>',
        f'<path class="head" d="{head}"/>',
        f'<text class="label" x="{_PAD}" y="14">{escape(box.label)}</text>',
        f'<text class="line" x="{size.width - _PAD:.1f}" y="14" text-anchor="end">{escape(box.where)}</text>',
    ]
    for index, (text, style) in enumerate(box.lines):
        at_y = _HEAD + 15 + index * _LINE
        parts.append(f'<text class="{style}" x="{_PAD}" y="{at_y:.0f}">{escape(text)}</text>')
    return "".join([*parts, "</g>"])


def _curve(way: Way, route: Route) -> str:
    """Vertical where it leaves, arrives and passes a layer; a smooth bend in between."""
    (x, y), *rest = route.points
    path = [f"M{x:.1f} {y:.1f}"]
    for index, (end_x, end_y) in enumerate(rest):
        if abs(end_x - x) < 0.5:
            path.append(f"L{end_x:.1f} {end_y:.1f}")
        else:
            # An edge that goes back runs upwards, except where it leaves its box and where it arrives.
            leaving = -1 if route.backward and index > 1 else 1
            arriving = -1 if route.backward and index < len(rest) - 1 else 1
            reach = max(20.0, abs(end_y - y) / 2)
            bends = f"{x:.1f} {y + leaving * reach:.1f} {end_x:.1f} {end_y - arriving * reach:.1f}"
            path.append(f"C{bends} {end_x:.1f} {end_y:.1f}")
        x, y = end_x, end_y
    back = " back" if route.backward else ""
    return f'<path class="edge {way.kind}{back}" d="{"".join(path)}" marker-end="url(#arrow-{way.kind})"/>'


def _name(way: Way, at: Point, middle: float) -> str:
    """Beside the start of the curve, on the side away from the other curves."""
    if not way.name:
        return ""
    x, y = at
    place = f'x="{x - 4:.1f}" text-anchor="end"' if x < middle - 1 else f'x="{x + 4:.1f}"'
    return f'<text class="on" {place} y="{y + 13:.1f}">{escape(way.name)}</text>'
