"""Sizes and alignments, checked against what the ABI of each data model says."""

from __future__ import annotations

import pytest

from threadproof.frontend.llvm.types import TypeTable, UnknownSize
from threadproof.frontend.llvm.values import Cursor, tokenize

I386 = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
X86_64 = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

CASES = [
    # type, (size, align) for i386, for x86-64
    ("i1", (1, 1), (1, 1)),
    ("i24", (4, 4), (4, 4)),
    ("i64", (8, 4), (8, 8)),
    ("i128", (16, 16), (16, 16)),
    ("ptr", (4, 4), (8, 8)),
    ("double", (8, 4), (8, 8)),
    ("x86_fp80", (12, 4), (16, 16)),
    ("{ i8, i64 }", (12, 4), (16, 8)),
    ("{ i8, double, i8 }", (16, 4), (24, 8)),
    ("<{ i8, i64 }>", (9, 1), (9, 1)),
    ("[3 x { i16, i8 }]", (12, 2), (12, 2)),
    ("<4 x float>", (16, 16), (16, 16)),
    ("%pair", (8, 4), (16, 8)),
    ("{}", (0, 1), (0, 1)),
]


def parse(text: str) -> object:
    return Cursor(tokenize(text)).type()


@pytest.mark.parametrize(("text", "narrow", "wide"), CASES)
def test_layout(text: str, narrow: tuple[int, int], wide: tuple[int, int]) -> None:
    for layout, expected in ((I386, narrow), (X86_64, wide)):
        table = TypeTable.of(layout, 8)
        table.named["pair"] = parse("{ ptr, i32 }")  # type: ignore[assignment]
        type_ = parse(text)
        assert (table.size(type_), table.align(type_)) == expected  # type: ignore[arg-type]


def test_offsets_of_fields() -> None:
    struct = parse("{ i8, i64, i16, ptr }")
    assert TypeTable.of(I386, 8).offsets(struct) == (0, 4, 12, 16, 20)  # type: ignore[arg-type]
    assert TypeTable.of(X86_64, 8).offsets(struct) == (0, 8, 16, 24, 32)  # type: ignore[arg-type]


def test_an_incomplete_type_has_no_size() -> None:
    with pytest.raises(UnknownSize, match="thing"):
        TypeTable.of(X86_64, 8).size(parse("%thing"))  # type: ignore[arg-type]
