"""Each pass on a program small enough to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.frontend import FrontendOptions, load
from threadproof.ir import instr as ir
from threadproof.ir.layout import Arenas
from threadproof.ir.program import DataModel, Function, Program
from threadproof.passes.narrow import BlocksAsked
from threadproof.passes.pipeline import instruction_form, normalise
from threadproof.passes.promote import promote_locals
from threadproof.sync.operations import LOOK

SMALLEST = -(2**31)


def program(tmp_path: Path, source: str) -> Program:
    file = tmp_path / "main.c"
    file.write_text(source, encoding="utf-8")
    return load([str(file)], FrontendOptions())


def instrs(function: Function) -> list[ir.Instr]:
    return [instr for block in function.blocks for instr in block.instrs]


def kinds(function: Function) -> list[str]:
    return [type(instr).__name__ for instr in instrs(function)]


def test_a_local_becomes_a_register(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, "int g; int main(void) { int x = g; int y = x + 1; g = y; return 0; }"))
    assert kinds(normal.functions["main"]) == ["Load", "Store", "Return"]


def names_read(tmp_path: Path, body: str) -> list[str]:
    normal = normalise(
        program(tmp_path, f"int g, h; int f(void) {{ return g; }} int main(void) {{ {body} return 0; }}")
    )
    return [i.dst.name for i in instrs(normal.functions["main"]) if isinstance(i, ir.Load | ir.Call) and i.dst]


def test_what_is_read_into_a_variable_has_its_name(tmp_path: Path) -> None:
    assert names_read(tmp_path, "int x = g; h = x + 1;") == ["x"]
    assert names_read(tmp_path, "int x = f(); h = x + x;") == ["x"]
    assert names_read(tmp_path, "int x = 1; h = x; x = g; h = x;") == ["x"]


def test_a_variable_that_is_still_needed_is_not_written_early(tmp_path: Path) -> None:
    assert "x" not in names_read(tmp_path, "int x = 1; x = x + (h = g); h = x;")
    assert "x" not in names_read(tmp_path, "int x, y; y = x = g; h = x + y;")


def test_a_local_read_too_early_stays_in_memory(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, "int g; int main(void) { int x; if (g) x = 1; g = x; return 0; }"))
    assert "Alloc" in kinds(normal.functions["main"])


def test_a_copy_of_a_local_never_written_stays_in_memory(tmp_path: Path) -> None:
    source = """#include <string.h>
    int main(void) { int x = 1; { int fresh; memcpy(&x, &fresh, sizeof x); } x = 2; return x; }"""
    normal = normalise(program(tmp_path, source))
    assert kinds(normal.functions["main"]).count("Alloc") == 2


def test_an_access_larger_than_the_local_is_not_promoted(tmp_path: Path) -> None:
    source = "int main(void) { char c; *(int *)&c = 5; return *(int *)&c; }"
    assert "Alloc" in kinds(promote_locals(program(tmp_path, source)).functions["main"])


def test_what_may_trap_is_not_moved_or_dropped(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, "int g; int main(void) { int x = 1 / g; return 0; }"))
    assert any(isinstance(i, ir.Assign) for i in instrs(normal.functions["main"]))


def test_functions_named_atomic_are_bracketed(tmp_path: Path) -> None:
    source = "int g; void __VERIFIER_atomic_inc(void) { g++; } int main(void) { __VERIFIER_atomic_inc(); return 0; }"
    function = normalise(program(tmp_path, source)).functions["__VERIFIER_atomic_inc"]
    ops = [i.op for i in instrs(function) if isinstance(i, ir.Sync)]
    assert ops == ["atomic_begin", "atomic_end"]


def test_uncalled_functions_are_dropped_but_not_those_whose_address_is_taken(tmp_path: Path) -> None:
    source = "void a(void) {} void b(void) {} void (*p)(void) = b; int main(void) { p(); return 0; }"
    assert set(normalise(program(tmp_path, source)).functions) == {"b", "main"}


def test_main_gets_its_arguments_as_a_choice(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, "int main(int argc, char **argv) { return argc; }"))
    main = normal.functions["main"]
    assert main.params == ()
    assert "Nondet" in kinds(main)
    unused = normalise(program(tmp_path, "int main(int argc, char **argv) { return 0; }"))
    assert kinds(unused.functions["main"]) == ["Return"]
    used = normalise(program(tmp_path, "int main(int argc, char **argv) { return argv[1][0]; }"))
    assert "Alloc" in kinds(used.functions["main"])


NARROWED = """
extern int __VERIFIER_nondet_int(void); extern void abort(void); extern void __VERIFIER_assume(int);
void assume_abort_if_not(int c) { if (!c) abort(); }
int g;
int main(void) { int n = __VERIFIER_nondet_int(); CONDITION; g = n; return 0; }
"""


def nondet_range(tmp_path: Path, condition: str) -> tuple[int, int]:
    normal = normalise(program(tmp_path, NARROWED.replace("CONDITION", condition)))
    (found,) = [i for i in instrs(normal.functions["main"]) if isinstance(i, ir.Nondet)]
    return found.low, found.high


def test_choices_are_narrowed_by_what_follows(tmp_path: Path) -> None:
    assert nondet_range(tmp_path, "__VERIFIER_assume(n >= 3 && n <= 6)") == (3, 6)
    assert nondet_range(tmp_path, "assume_abort_if_not(-2 < n && n < 4)") == (-1, 3)
    assert nondet_range(tmp_path, "if (n < 0) abort(); if (n > 9) abort()") == (0, 9)
    assert nondet_range(tmp_path, "__VERIFIER_assume(n == 7 || n == 9)") == (7, 9)
    assert nondet_range(tmp_path, "__VERIFIER_assume((unsigned)n < 5)") == (0, 4)


def test_choices_are_not_narrowed_by_what_somebody_could_notice(tmp_path: Path) -> None:
    wide = (-(2**31), 2**31 - 1)
    assert nondet_range(tmp_path, "g = 1; __VERIFIER_assume(n == 7)") == wide
    assert nondet_range(tmp_path, "if (n == 7) g = 1") == wide


@pytest.mark.parametrize(
    ("line", "free", "at_the_end", "always"),
    [
        ("n = __VERIFIER_nondet_int(); if (n < 0) exit(1);", 0, SMALLEST, 0),
        ("n = __VERIFIER_nondet_int(); if (n < 0) abort();", 0, 0, 0),
        ("g = g + __VERIFIER_nondet_int();", SMALLEST, SMALLEST, SMALLEST),
        ("n = (long)malloc(4) + ((n = __VERIFIER_nondet_int()) < 0 ? (exit(1), 0) : n);", 0, SMALLEST, SMALLEST),
    ],
)
def test_ends_of_the_program_count_where_blocks_are_asked_about(
    tmp_path: Path, line: str, free: int, at_the_end: int, always: int
) -> None:
    source = f"""
    #include <stdlib.h>
    int __VERIFIER_nondet_int(void); int g;
    int main(void) {{ int n; free(malloc(1)); {line} g = n; return 0; }}
    """
    read = program(tmp_path, source)
    forms = (normalise(read), normalise(read, BlocksAsked.AT_THE_END), instruction_form(read, BlocksAsked.ALWAYS))
    found = [next(i.low for i in one.instrs() if isinstance(i, ir.Nondet)) for one in forms]
    assert found == [free, at_the_end, always]


def test_sharing(tmp_path: Path) -> None:
    source = """
    #include <pthread.h>
    int shared, only_main, never_written; static __thread int own;
    void *f(void *p) { int private[3]; int escapes; *(int **)p = &escapes; own = 1; shared = never_written;
                       private[shared] = 2; return (void *)(long)private[1]; }
    int main(void) { pthread_t t; int *where; only_main = 3; pthread_create(&t, 0, f, &where); return shared; }
    """
    normal = normalise(program(tmp_path, source))
    assert normal.unshared >= {"only_main", "never_written", "own"}
    assert "shared" not in normal.unshared
    assert "private" in normal.functions["f"].unshared
    assert "escapes" not in normal.functions["f"].unshared
    assert "t" in normal.functions["main"].unshared
    assert "where" not in normal.functions["main"].unshared


def test_the_instruction_form_keeps_locals_in_memory(tmp_path: Path) -> None:
    form = instruction_form(program(tmp_path, "int main(void) { int x = 1; return x; }"))
    assert kinds(form.functions["main"]).count("Alloc") == 2


THREAD = """#include <pthread.h>
int g;
void *end_without_return(void *p) { g = 1; }
int main(void) {
    pthread_t t;
    void *got;
    pthread_create(&t, 0, end_without_return, 0);
    return pthread_join(t, ASKED);
}
"""


def test_a_result_nobody_looks_at_is_no_choice(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, THREAD.replace("ASKED", "0")))
    assert "Load" not in kinds(normal.functions["end_without_return"])


def test_a_result_somebody_looks_at_stays_arbitrary(tmp_path: Path) -> None:
    normal = normalise(program(tmp_path, THREAD.replace("ASKED", "&got")))
    assert "Load" in kinds(normal.functions["end_without_return"])


def looks(tmp_path: Path, variables: str, address: str) -> int:
    source = f"""#include <pthread.h>
    {variables}
    int main(void) {{ pthread_cond_signal((pthread_cond_t *)({address})); return 0; }}"""
    normal = normalise(program(tmp_path, source))
    return sum(isinstance(instr, ir.Sync) and instr.op == LOOK for instr in normal.instrs())


def test_only_a_variable_that_holds_the_whole_object_is_not_looked_at(tmp_path: Path) -> None:
    whole = "pthread_cond_t c; pthread_cond_t more[2]; int small; pthread_cond_t *p;"
    assert looks(tmp_path, whole, "&c") == 0
    assert looks(tmp_path, whole, "&more[1]") == 0
    assert looks(tmp_path, whole, "&more[2]") == 1
    assert looks(tmp_path, whole, "&more[-1]") == 1
    assert looks(tmp_path, whole, "(char *)&c + 8") == 1
    assert looks(tmp_path, whole, "&small") == 1
    assert looks(tmp_path, whole, "p") == 1


def arenas(
    tmp_path: Path, body: str, creation: str = "while (1) CREATE;", model: DataModel = DataModel.ILP32
) -> Arenas:
    """Of a program whose thread does this."""
    creation = creation.replace("CREATE", "pthread_create(&t, 0, f, 0)")
    source = f"""#include <pthread.h>
    #include <stdlib.h>
    int n; void *p;
    void g(void *q) {{ p = q; }}
    void *f(void *arg) {{ {body} return 0; }}
    int main(void) {{ pthread_t t; {creation} return 0; }}"""
    file = tmp_path / "main.c"
    file.write_text(source, encoding="utf-8")
    return normalise(load([str(file)], FrontendOptions(data_model=model))).arenas


def test_threads_that_need_little_have_small_arenas(tmp_path: Path) -> None:
    assert arenas(tmp_path, "int a[100]; g(a); g(malloc(100));") is Arenas.SMALL
    assert arenas(tmp_path, "g(&n);", "CREATE;") is Arenas.LARGE
    assert arenas(tmp_path, "g(&n);", model=DataModel.LP64) is Arenas.LARGE


def test_threads_that_may_need_much_have_large_arenas(tmp_path: Path) -> None:
    assert arenas(tmp_path, "int a[5000]; g(a);") is Arenas.LARGE
    assert arenas(tmp_path, "g(malloc(n));") is Arenas.LARGE
    assert arenas(tmp_path, "while (n) g(malloc(1));") is Arenas.LARGE
    assert arenas(tmp_path, "f(arg);") is Arenas.LARGE
    assert arenas(tmp_path, "((void (*)(void *)) p)(arg);") is Arenas.SMALL
    assert arenas(tmp_path, "p = f; ((void *(*)(void *)) p)(arg);") is Arenas.LARGE
