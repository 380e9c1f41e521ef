"""Names, types and positions for people."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from frontend_support import Loader, instrs, only

from threadproof.core.source import NOWHERE
from threadproof.frontend import load
from threadproof.ir.ctypes import CArray, CPointer, CRecord, Encoding, Enumeration, Scalar, type_name
from threadproof.ir.instr import Alloc, Store

SOURCE = """\
struct node { int value; struct node *next; unsigned flag : 3; } head;
typedef unsigned char byte;
enum color { RED, GREEN = 5 } paint;
byte grid[2][3];
int f(int a) {
  int x = a;
  { int x = 2; a = x; }
  return x + a;
}
int main(void) { paint = GREEN; grid[1][2] = 1; return f(head.value); }
"""


def test_locals_keep_their_names(c: Loader) -> None:
    function = c(SOURCE).functions["f"]
    assert {name: variable.c_name for name, variable in function.variables.items()} == {"a": "a", "x": "x", "x.2": "x"}
    assert function.variables["x.2"].loc.line == 7
    assert {i.name for i in only(c(SOURCE), "f", Alloc)} == {"a", "x", "x.2"}


def test_types(c: Loader) -> None:
    variables = c(SOURCE).globals
    head = variables["head"].ctype
    assert isinstance(head, CRecord)
    assert head.name == "struct node"
    assert [(m.name, m.offset_bits, m.bits) for m in head.members] == [
        ("value", 0, 32),
        ("next", 64, 64),
        ("flag", 128, 3),
    ]
    assert head.members[1].type == CPointer("struct node", 64)
    assert variables["paint"].ctype == Enumeration("enum color", 32, (("RED", 0), ("GREEN", 5)))
    grid = variables["grid"].ctype
    assert grid == CArray(CArray(Scalar("byte", 8, Encoding.CHAR), 3, 24), 2, 48)
    assert type_name(grid) == "byte[3][2]" or "byte" in type_name(grid)


def test_positions_name_the_file_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "prog.c").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    for given in ("sub/prog.c", os.path.join("sub", "..", "sub", "prog.c"), str(tmp_path / "sub" / "prog.c")):
        program = load([given])
        assert str(program.functions["f"].loc) == f"{given}:5"
        assert {i.loc.file for i in only(program, "f", Store) if i.loc.line} == {given}


def test_line_markers_decide(c: Loader) -> None:
    program = c('# 1 "original.c"\nint main(void) {\n# 70 "original.c"\n return 3; }', suffix=".i")
    assert str(instrs(program, "main")[-1].loc).endswith("original.c:70")


def test_without_debug_information(ll: Loader) -> None:
    program = ll("@g = global i32 5\ndefine i32 @main() {\n %v = load i32, ptr @g\n ret i32 %v\n}")
    assert {i.loc for i in instrs(program, "main")} == {NOWHERE}
    assert program.globals["g"].ctype is None
