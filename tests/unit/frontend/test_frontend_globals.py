"""Initial bytes and relocations of global variables."""

from __future__ import annotations

import struct

from frontend_support import Loader, unsupported

from threadproof.ir.program import DataModel, GlobalVar, Lifetime, Mutability, Origin, Relocation


def padded(variable: GlobalVar) -> bytes:
    return variable.image.ljust(variable.size, b"\0")


def test_bytes_follow_the_abi(c: Loader) -> None:
    source = """
        struct s { char c; long long l; short a : 5, b : 7; } g = { 1, -2, 3, -4 };
        union { double d; int i; } u = { .i = 7 };
        int main(void) { return g.c + u.i; }
    """
    wide, narrow = c(source).globals, c(source, model=DataModel.ILP32).globals
    assert padded(wide["g"]) == struct.pack("<b7xqH6x", 1, -2, 3 | (0x7C << 5))
    assert padded(narrow["g"]) == struct.pack("<b3xqH2x", 1, -2, 3 | (0x7C << 5))
    assert padded(wide["u"]) == struct.pack("<q", 7)


def test_relocations(c: Loader) -> None:
    source = """
        int a[4]; int f(void) { return 1; }
        struct { int *p; int (*f)(void); char *s; void *none; } g = { &a[2], f, "text", 0 };
        int main(void) { return *g.p + g.f(); }
    """
    program = c(source, model=DataModel.ILP32)
    g = program.globals["g"]
    text = next(name for name, variable in program.globals.items() if variable.image == b"text\0")
    assert g.size == 16
    assert g.relocations == (Relocation(0, "a", 8), Relocation(4, "f"), Relocation(8, text))
    assert program.globals[text].mutability is Mutability.CONSTANT
    assert program.globals[text].size == 5


def test_thread_local_variables(c: Loader) -> None:
    program = c("_Thread_local int t = 3; int main(void) { return t++; }")
    assert program.globals["t"].lifetime is Lifetime.THREAD
    assert padded(program.globals["t"]) == b"\3\0\0\0"


def test_large_arrays_cost_nothing(c: Loader) -> None:
    program = c("char a[1ul << 40]; int b[100000000] = { 1 }; int main(void) { return a[1] + b[1]; }")
    assert program.globals["a"].size == 1 << 40
    assert len(program.globals["a"].image) == 0
    assert program.globals["b"].image == b"\1\0\0\0"


def test_only_what_main_reaches_is_kept(c: Loader) -> None:
    program = c(
        "extern int nowhere; int used, unused = 3; int f(void) { return nowhere; } int main(void) { return used; }"
    )
    assert set(program.globals) == {"used"}
    assert set(program.functions) == {"main"}


def test_an_undefined_variable_has_an_address_only(c: Loader) -> None:
    program = c("extern int nowhere; int main(void) { return nowhere; }")
    assert program.globals["nowhere"].origin is Origin.ELSEWHERE
    assert unsupported(program) == []


def test_an_undefined_variable_in_initial_data_has_no_content(c: Loader) -> None:
    program = c("extern int nowhere; int *p = &nowhere; int main(void) { return p != 0; }")
    assert program.globals["p"].relocations == (Relocation(0, "nowhere"),)
    assert program.globals["nowhere"].size == 0
    assert unsupported(program) == []


def test_standard_streams_are_opaque(c: Loader) -> None:
    program = c('#include <stdio.h>\nint main(void) { fprintf(stderr, "x"); return 0; }')
    assert unsupported(program) == []
    assert program.globals["stderr"].relocations
