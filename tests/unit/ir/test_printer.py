from __future__ import annotations

import pytest

from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, Encoding, Member, Scalar
from threadproof.ir.dot import locations, to_dot
from threadproof.ir.initial import show_initial
from threadproof.ir.printer import show_program
from threadproof.ir.program import GlobalVar, Program, Relocation

INT = Scalar("int", 32, Encoding.SIGNED)
CHAR = Scalar("char", 8, Encoding.CHAR)

PRINTED = """\
program count.c (LP64, starts in main)

global counter : int, 4 bytes = 7                       // count.c:1
global m : pthread_mutex_t, 40 bytes = zeros            // count.c:2
thread-local mine : int, 4 bytes = 0

function add(arg:64 (void * arg)) -> 64                 // count.c:3
  local seen is s : int                                 // count.c:4
b0:
    goto b1 (turn := 0)                                 // line 5
b1:
    sync mutex_lock(&m)                                 // line 6
    seen:32 := load &counter                            // line 7
    store &counter, seen + 1
    if turn < -3 then b1 (turn := turn + 1) else b2     // line 8
b2:
    store &tls mine, seen                               // line 9
    return 0                                            // line 10

function main() -> 32                                   // count.c:13
b0:
    r:64 := call add(&counter +p 0)                     // line 14
    return 0                                            // line 15
"""


def test_a_program_is_printed_with_lines_only_where_they_change(program: Program) -> None:
    assert show_program(program) == PRINTED


def test_one_function_can_be_printed_alone(program: Program) -> None:
    assert show_program(program, ["main"]).startswith("function main() -> 32")


def test_control_flow_decides_after_it_has_worked(program: Program) -> None:
    assert locations(program.functions["add"]) == ["b0", "b1", "b2", "b1'", "end"]
    assert locations(program.functions["main"]) == ["b0", "end"]


def test_dot_has_one_cluster_per_function_and_escapes_quotes(program: Program) -> None:
    text = to_dot(program.functions.values())
    assert text.count("subgraph cluster_") == 2
    assert '"add:b1\'" -> "add:b1" [label="[turn < -3]\\lturn := turn + 1\\l"];' in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("ctype", "size", "image", "text"),
    [
        (INT, 4, b"\xff\xff\xff\xff", "-1"),
        (None, 4, b"\x05", "5"),
        (None, 40, b"", "zeros"),
        (CArray(CHAR, 6, 48), 6, b'a"b\n', '"a\\"b\\n"'),
        (CArray(INT, 10, 320), 40, bytes(4) + b"\x01", "{0, 1, 8 x 0}"),
        (CArray(INT, 10, 320), 40, b"\x01\0\0\0" * 10, "{1, 1, 1, 1, 1, 1, 1, 1, ... 2 more}"),
        (
            CRecord("struct s", (Member("low", 0, INT, 3), Member("high", 3, INT, 5)), 32),
            4,
            b"\x0f",
            "{.low = -1, .high = 1}",
        ),
    ],
)
def test_initial_values_read_like_c(ctype: CType | None, size: int, image: bytes, text: str) -> None:
    assert show_initial(GlobalVar("g", size, image, ctype=ctype)) == text


def test_relocations_are_shown_as_addresses() -> None:
    table = GlobalVar("t", 16, b"", (Relocation(8, "a", 4),), ctype=CArray(CPointer("int", 64), 2, 128))
    assert show_initial(table) == "{NULL, &a + 4}"
