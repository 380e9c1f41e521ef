"""Mathematical functions are those of this machine's C library, bit by bit and with their errors."""

from __future__ import annotations

import math
import struct

import pytest

from threadproof.ir.maths import MATH, error, is_here, value

ONE = {32: 0x3F800000, 64: 0x3FF0000000000000, 80: 0x3FFF8000000000000000}
TWO = {32: 0x40000000, 64: 0x4000000000000000, 80: 0x40008000000000000000}
NAN = {32: 0x7FC00000, 64: 0x7FF8000000000000, 80: 0x7FFFC000000000000000}
SUFFIX = {32: "f", 64: "", 80: "l"}
EDOM, ERANGE = 33, 34

pytestmark = pytest.mark.skipif(not is_here("sinl"), reason="a C library of x86-64")


def bits(number: float) -> int:
    return int.from_bytes(struct.pack("<d", number), "little")


@pytest.mark.parametrize("name", ["sin", "exp", "log10", "tanh", "erf"])
def test_doubles_are_what_python_gets(name: str) -> None:
    for number in (0.0, 0.1, 1.0, 2.5, 1e-300):
        if name != "log10" or number:
            assert value(name, (bits(number),)) == bits(getattr(math, name)(number))


@pytest.mark.parametrize("width", [32, 64, 80])
def test_exact_results_have_their_bits(width: int) -> None:
    one, two = ONE[width], TWO[width]
    assert value(f"pow{SUFFIX[width]}", (two, one)) == two
    assert value(f"exp2{SUFFIX[width]}", (one,)) == two
    assert value(f"atan2{SUFFIX[width]}", (0, one)) == 0


@pytest.mark.parametrize("width", [32, 64, 80])
def test_errors_and_what_is_no_number(width: int) -> None:
    name, minus = f"log{SUFFIX[width]}", ONE[width] | 1 << (width - 1)
    assert value(name, (minus,)) == NAN[width]
    assert [error(name, (x,)) for x in (minus, 0, ONE[width])] == [EDOM, ERANGE, 0]


def test_three_numbers() -> None:
    assert value("fmal", (ONE[80], ONE[80], ONE[80])) == TWO[80]


def test_shapes_tell_the_widths() -> None:
    assert [MATH[name].width for name in ("erf", "erff", "erfl")] == [64, 32, 80]
