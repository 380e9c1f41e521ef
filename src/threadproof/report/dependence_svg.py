"""The dependence of letters drawn as SVG: a box per letter, a curve between two that do not always swap."""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.independence.dependence_table import DependenceTable
from threadproof.independence.dependence_text import dependent, letters, verdict
from threadproof.report.svg import Box, Way, cut, draw_boxes


def draw_dependence(table: DependenceTable) -> str:
    return draw_boxes([("letters that do not always swap", list(_boxes(table)))])


def _boxes(table: DependenceTable) -> Iterator[Box]:
    rows = dependent(table)
    for name, letter in letters(rows).items():
        ways = (Way(row.second.name, cut(verdict(row))) for row in rows if row.first.name == name)
        yield Box(name, "plain", f"line {letter.line}", ((cut(letter.does), "shared"),), tuple(ways))
