"""Drawings of growth: marks that can be read, over one decade or many."""

from __future__ import annotations

import re

from threadproof.report.growth import draw_growth


def _texts(lines: dict[str, list[tuple[float, float]]]) -> list[str]:
    return re.findall(">([^<>]+)</text>", draw_growth("a < b", "runs", "s", lines))


def test_powers_of_ten_or_the_values_themselves() -> None:
    assert _texts({"GPU": [(1e4, 0.5), (1e8, 3.0)]})[2:7] == ["1e4", "1e5", "1e6", "1e7", "1e8"]
    assert _texts({"bmc": [(2, 0.5), (64, 3.0)], "auto": [(4, 0.7)]})[2:5] == ["2", "4", "64"]


def test_lines_are_named_and_inside() -> None:
    lines = {"bmc": [(2.0, 0.01), (64.0, 30.0)], "auto": [(2.0, 5.0), (8.0, 900.0)]}
    text = draw_growth("threads", "threads", "s", lines)
    assert _texts(lines)[-2:] == ["bmc", "auto"]
    for corner in re.findall(r"[\d.-]+,[\d.-]+", " ".join(re.findall('points="([^"]+)"', text))):
        x, y = map(float, corner.split(","))
        assert 0 <= x <= 640
        assert 0 <= y <= 280
