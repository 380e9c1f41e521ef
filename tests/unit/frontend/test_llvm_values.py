"""Reading constants as LLVM writes them."""

from __future__ import annotations

import struct

import pytest

from threadproof.frontend.llvm.module import ConstExpr, LlvmAggregate, LlvmNumber, LlvmText, Symbol, Value, Zero
from threadproof.frontend.llvm.values import Cursor, ParseError, tokenize


def parse(text: str) -> Value:
    return Cursor(tokenize(text)).typed_value()


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("double 1.000000e-01", struct.unpack("<Q", struct.pack("<d", 0.1))[0]),
        ("double 0x7FF8000000000000", 0x7FF8000000000000),
        ("float 0x3FB99999A0000000", struct.unpack("<I", struct.pack("<f", 0.1))[0]),
        ("float 0x7FF4000000000000", 0x7FA00000),  # a signalling NaN keeps its payload
        ("x86_fp80 0xK3FFFC000000000000000", 0x3FFFC000000000000000),
        ("half 0xH3C00", 0x3C00),
        ("fp128 0xL00000000000000013FFF000000000000", 0x3FFF0000000000000000000000000001),
        ("i32 -5", -5),
        ("i1 true", 1),
    ],
)
def test_numbers(text: str, pattern: int) -> None:
    value = parse(text)
    assert isinstance(value, LlvmNumber)
    assert value.value == pattern


def test_strings_and_aggregates() -> None:
    text = parse(r'[5 x i8] c"a\0A\22\\\00"')
    assert isinstance(text, LlvmText)
    assert text.data == b'a\n"\\\0'
    value = parse("{ i32, ptr, [2 x i8] } { i32 1, ptr @g, [2 x i8] zeroinitializer }")
    assert isinstance(value, LlvmAggregate)
    assert [type(part) for part in value.parts] == [LlvmNumber, Symbol, Zero]


def test_constant_expressions() -> None:
    value = parse("ptr getelementptr inbounds nuw (%struct.node, ptr @g, i32 0, i32 2)")
    assert isinstance(value, ConstExpr)
    assert (value.opcode, len(value.operands)) == ("getelementptr", 3)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ParseError):
        parse("i32 banana")
