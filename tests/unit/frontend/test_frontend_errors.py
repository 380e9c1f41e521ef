"""Bad input: one clear message, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_support import Loader

from threadproof.core.errors import InputError
from threadproof.frontend import FrontendOptions, load


def message(*paths: Path | str, **options: object) -> str:
    with pytest.raises(InputError) as raised:
        load([str(path) for path in paths], FrontendOptions(**options))  # type: ignore[arg-type]
    return str(raised.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert message(tmp_path / "none.c").startswith(f"cannot read {tmp_path / 'none.c'}: No such file")
    assert message(tmp_path) == f"cannot read {tmp_path}: it is a directory"
    assert "not a file name" in message("a\0b.c")
    assert message() == "no input file"


def test_c_that_does_not_compile(tmp_path: Path) -> None:
    path = tmp_path / "bad.c"
    path.write_text("int x;\nint main(void) { return y; }\nint main(void) { }\n")
    lines = message(path).splitlines()
    assert lines[0] == f"{path}:2:25: error: use of undeclared identifier 'y'"
    assert "return y" in lines[1]
    assert len(lines) <= 3


def test_no_main_names_the_files(tmp_path: Path) -> None:
    path = tmp_path / "lib.c"
    path.write_text("int f(void) { return 1; }")
    assert message(path).startswith(f"no function 'main' in {path}: to a library add a driver")


def test_binary_junk(tmp_path: Path) -> None:
    for suffix in (".c", ".i", ".ll", ".txt"):
        path = tmp_path / f"junk{suffix}"
        path.write_bytes(bytes(range(256)) * 9)
        assert str(path) in message(path)


def test_llvm_text_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.ll"
    path.write_text("define i32 @main() {\n  ret i64 0\n}\n")
    assert message(path).startswith(f"{path}:2:7: error: value doesn't match function result type")
    path.write_text("define i32 @main() {\n  %x = add i32 %y, 1\n  %y = add i32 %x, 1\n  ret i32 %x\n}\n")
    assert "dominate" in message(path)


def test_compiler_trouble(tmp_path: Path) -> None:
    path = tmp_path / "ok.c"
    path.write_text("int main(void) { return 0; }")
    assert message(path, clang="/no/such/clang") == "cannot run the compiler /no/such/clang: No such file or directory"
    assert message(path, timeout=0.0001) == f"{path}: clang did not finish within 0.0001 s"
    assert "c1889" in message(path, std="c1889")


def test_options_reach_clang(c: Loader, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "h.h").write_text("#define RESULT ANSWER\n")
    source = '#include "h.h"\n#ifdef __linux__\n#error\n#endif\nint main(void) { return RESULT; }'
    program = c(
        source, include_dirs=(str(tmp_path / "inc"),), defines=("ANSWER=42",), undefines=("__linux__",), std="gnu11"
    )
    assert "42" in repr(program.functions["main"].blocks[-1].instrs[-1])
