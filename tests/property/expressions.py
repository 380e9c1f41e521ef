"""Random expressions and values for their registers."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    Reg,
    Select,
    walk,
)

WIDTHS = (1, 2, 7, 8, 16, 24, 32, 33, 64, 128)


def numbers(width: int) -> st.SearchStrategy[int]:
    """Any number, often one near an end of the range or near zero."""
    top = (1 << width) - 1
    special = {0, 1, top, top >> 1, (top >> 1) + 1, top - 1} | {width, width - 1}
    return st.one_of(st.sampled_from(sorted(v & top for v in special)), st.integers(0, top))


@st.composite
def expressions(draw: st.DrawFn, width: int, widths: Sequence[int] = WIDTHS, depth: int = 4) -> Expr:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if draw(st.booleans()):
            return Const(draw(numbers(width)), width)
        return Reg(f"r{width}{draw(st.sampled_from('ab'))}", width)

    def part(of: int) -> Expr:
        return draw(expressions(of, widths, depth - 1))

    kind = draw(st.sampled_from(("binary", "binary", "convert", "select") + ("compare",) * (2 if width == 1 else 0)))
    other = draw(st.sampled_from(widths))
    match kind:
        case "compare":
            return Compare(draw(st.sampled_from(CompareOp)), part(other), part(other))
        case "convert":
            if other == width:
                return part(width)
            grow = draw(st.sampled_from((ConvertOp.ZEXT, ConvertOp.SEXT)))
            return Convert(grow if other < width else ConvertOp.TRUNC, part(other), width)
        case "select":
            return Select(part(1), part(width), part(width))
        case _:
            return Binary(draw(st.sampled_from(BinaryOp)), part(width), part(width))


def any_expression(widths: Sequence[int] = WIDTHS) -> st.SearchStrategy[Expr]:
    return st.sampled_from(widths).flatmap(lambda width: expressions(width, widths))


def widths_of(expr: Expr) -> dict[str, int]:
    """The registers an expression reads."""
    return {part.name: part.width for part in walk(expr) if isinstance(part, Reg)}


@st.composite
def valuations(draw: st.DrawFn, expr: Expr) -> dict[str, int]:
    return {name: draw(numbers(width)) for name, width in sorted(widths_of(expr).items())}


@st.composite
def with_values(draw: st.DrawFn) -> tuple[Expr, dict[str, int]]:
    expr = draw(any_expression())
    return expr, draw(valuations(expr))
