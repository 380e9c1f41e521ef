from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest

from threadproof.core.source import SourceLoc
from threadproof.ir.expr import Compare, CompareOp, GlobalRef, Reg, const
from threadproof.ir.instr import Branch, Edge, Load, Return
from threadproof.ir.program import Block, Function
from threadproof.report.layers import Size, lay_out
from threadproof.report.svg import draw

X = Reg("x", 32)


@pytest.mark.parametrize("seed", range(8))
def test_boxes_never_overlap_and_edges_end_at_them(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"b{index}" for index in range(rng.randint(1, 40))]
    sizes = {name: Size(rng.uniform(40, 300), rng.uniform(20, 120)) for name in names}
    edges = [(name, rng.choice(names)) for name in names for _ in range(rng.randint(0, 3))]
    drawing = lay_out(sizes, edges, "b0")
    placed = [(x, y, sizes[name].width, sizes[name].height) for name, (x, y) in drawing.boxes.items()]
    for index, (x, y, width, height) in enumerate(placed):
        assert x >= -1e-6
        assert x + width <= drawing.size.width + 1e-6
        for other_x, other_y, other_width, other_height in placed[index + 1 :]:
            beside = x + width <= other_x + 1e-6 or other_x + other_width <= x + 1e-6
            assert beside or y + height <= other_y or other_y + other_height <= y
    for (source, target), route in zip(edges, drawing.routes, strict=True):
        for name, (x, y), side in ((source, route.points[0], 1), (target, route.points[-1], 0)):
            left, top = drawing.boxes[name]
            assert left <= x <= left + sizes[name].width
            assert y == pytest.approx(top + side * sizes[name].height)


def test_layers_follow_the_flow_and_loops_go_back() -> None:
    sizes = {name: Size(50, 20) for name in "abcd"}
    drawing = lay_out(sizes, [("a", "b"), ("b", "c"), ("a", "c"), ("c", "b"), ("c", "d"), ("d", "d")], "a")
    tops = [drawing.boxes[name][1] for name in "abcd"]
    assert tops == sorted(tops)
    assert [route.backward for route in drawing.routes] == [False, False, False, True, False, True]


def test_a_drawing_is_well_formed_and_says_what_the_blocks_do() -> None:
    loc = SourceLoc("a.c", 7)
    back = Edge("b0", ((X, const(0, 32)),))
    loop = Branch(Compare(CompareOp.SLT, X, const(3, 32)), back, Edge("b1"), loc=loc)
    blocks = (Block("b0", (Load(X, GlobalRef("n", 64), 4, loc=loc), loop)), Block("b1", (Return(),)))
    text = draw([Function("f<g>", (), blocks)])
    root = ET.fromstring(text)
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == "f<g>"
    assert {"b0", "7", "x:32 := load &n", "if x < 3", "then: x := 0", "return", "then", "else"} <= set(words)
