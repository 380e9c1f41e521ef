"""Blocks of an unwound function come after all their predecessors."""

from __future__ import annotations

from threadproof.engines.bmc.unwinding.shape import Position, UnwindingShape
from threadproof.ir.expr import Const
from threadproof.ir.instr import Branch, Edge, Jump, Return
from threadproof.ir.program import Block, Function

YES = Const(1, 1)


def function(edges: dict[str, tuple[str, ...]]) -> Function:
    def end(targets: tuple[str, ...]) -> Jump | Branch | Return:
        if not targets:
            return Return()
        return Jump(Edge(targets[0])) if len(targets) == 1 else Branch(YES, Edge(targets[0]), Edge(targets[1]))

    return Function("f", (), tuple(Block(label, (end(targets),)) for label, targets in edges.items()))


NESTED = {"a": ("h",), "h": ("i", "x"), "i": ("b", "l"), "b": ("i", "x"), "l": ("h",), "x": ()}
"""a; while (..) { while (..) b (which may leave both); l }; x"""


def test_iterations_come_one_after_the_other() -> None:
    shape = UnwindingShape(function(NESTED))
    assert not shape.irreducible
    first, header = shape.follow(shape.start(), "h")
    assert header is None
    inner, _ = shape.follow(first, "i")
    body, _ = shape.follow(inner, "b")
    again, header = shape.follow(body, "i")
    assert (again, header) == (Position("i", (0, 1)), "i")
    latch, _ = shape.follow(again, "l")
    next_round, header = shape.follow(latch, "h")
    assert (next_round, header) == (Position("h", (1,)), "h")
    out, header = shape.follow(body, "x")
    assert (out, header) == (Position("x", ()), None)
    places = [shape.start(), first, inner, body, again, latch, next_round, out]
    keys = [shape.key(place) for place in places]
    assert keys == sorted(keys)


def test_what_an_edge_leaves() -> None:
    shape = UnwindingShape(function(NESTED))
    body = Position("b", (2, 5))
    assert shape.left(body, "i") == []
    assert shape.left(body, "x") == [Position("h", (2,)), Position("i", (2, 5))]
    assert shape.left(body, None) == [Position("h", (2,)), Position("i", (2, 5))]


def test_a_loop_with_two_entries_is_noticed() -> None:
    assert UnwindingShape(function({"a": ("b", "c"), "b": ("c",), "c": ("b", "d"), "d": ()})).irreducible
