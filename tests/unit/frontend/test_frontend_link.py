"""Several files are one program."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_support import Loader, only, unsupported

from threadproof.core.errors import InputError
from threadproof.frontend import load
from threadproof.ir.instr import Call
from threadproof.ir.program import DataModel


def test_declarations_find_their_definitions(c: Loader) -> None:
    program = c(
        "extern int shared; int f(void); int main(void) { return f() + shared; }",
        "int shared = 7; int f(void) { return shared++; }",
    )
    assert unsupported(program) == []
    assert set(program.functions) == {"main", "f"}
    assert program.globals["shared"].image == b"\7\0\0\0"


def test_static_names_stay_apart(c: Loader) -> None:
    program = c(
        "static int x = 1; static int f(void) { return x; } int g(void); int main(void) { return f() + g(); }",
        "static int x = 2; static int f(void) { return x; } int g(void) { return f(); }",
    )
    assert {"f", "f.2", "g", "main"} == set(program.functions)
    assert {name: v.image[0] for name, v in program.globals.items()} == {"x": 1, "x.2": 2}
    assert program.globals["x.2"].c_name == "x"
    assert [i.callee for i in only(program, "g", Call)] == ["f.2"]


def test_two_definitions_are_refused(c: Loader) -> None:
    with pytest.raises(InputError, match=r"'f' is defined twice, in .*file0\.c and .*file1\.c"):
        c("int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }")


@pytest.mark.parametrize(
    ("here", "there", "said"),
    [
        ("extern _Thread_local int x;", "int x;", "'x' is a _Thread_local variable in .*, but a variable of all"),
        ("extern int x;", "_Thread_local int x;", "'x' is a variable of all threads in .*, but a _Thread_local"),
        ("extern int x;", "int x(void) { return 1; }", "'x' is a variable of all threads in .*, but a function in"),
    ],
)
def test_files_that_disagree_about_a_name_are_refused(c: Loader, here: str, there: str, said: str) -> None:
    """A thread's own variable was taken for a shared one, which made a spurious false."""
    with pytest.raises(InputError, match=said):
        c(f"{here} int main(void) {{ return x; }}", there)
    c(f"{here} int main(void) {{ return x; }}", f"static {there.removeprefix('extern ')}", here)


def test_a_number_is_not_passed_where_a_float_is_expected(c: Loader) -> None:
    """Their bits were taken for those of the other, which made a spurious false."""
    for here in ("int f(float); int main(void) { return f(1); }", "float f(int); int main(void) { return f(1) > 0; }"):
        assert unsupported(c(here, "int f(int a) { return a; }"))


def test_a_weak_definition_gives_way(c: Loader) -> None:
    program = c(
        "int f(void) __attribute__((weak)); int f(void) { return 1; } int main(void) { return f(); }",
        "int f(void) { return 2; }",
    )
    assert program.functions["f"].loc.file.endswith("file1.c")


def test_inline_functions_of_a_shared_header(tmp_path: Path) -> None:
    (tmp_path / "h.h").write_text("inline int f(int x) { return x + 1; }\n")
    (tmp_path / "a.c").write_text('#include "h.h"\nint g(void); int main(void) { return f(1) + g(); }\n')
    (tmp_path / "b.c").write_text('#include "h.h"\nint g(void) { return f(2); }\n')
    program = load([str(tmp_path / "a.c"), str(tmp_path / "b.c")])
    assert set(program.functions) == {"main", "f", "g"}


def test_aliases(c: Loader) -> None:
    program = c('int f(void) { return 1; } int g(void) __attribute__((alias("f"))); int main(void) { return g(); }')
    assert [i.callee for i in only(program, "main", Call)] == ["f"]


def test_a_program_may_bring_its_own_library_functions(c: Loader) -> None:
    program = c(
        "struct s { int a[99]; } x, y; static int memcpy; int main(void) { x = y; return memcpy; }",
    )
    assert program.functions["memcpy.2"].loc.file == "<runtime>"


def test_llvm_and_c_together(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(int); int main(void) { return f(1); }")
    (tmp_path / "b.ll").write_text("define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
    program = load([str(tmp_path / "a.c"), str(tmp_path / "b.ll")])
    assert set(program.functions) == {"main", "f"}


def test_llvm_files_say_their_data_model(tmp_path: Path) -> None:
    path = tmp_path / "a.ll"
    path.write_text('target datalayout = "e-p:32:32"\ndefine i32 @main() {\n  ret i32 0\n}\n')
    assert load([str(path)]).data_model is DataModel.ILP32
    (tmp_path / "b.c").write_text("int x;")
    with pytest.raises(InputError, match="different data models"):
        load([str(path), str(tmp_path / "b.c")])
