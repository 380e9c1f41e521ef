"""Calls: the program's own functions, library functions by the sync table, pointers, variadics."""

from __future__ import annotations

import pytest
from frontend_support import Loader, instrs, only, unsupported

from threadproof.ir.expr import Const, Reg
from threadproof.ir.instr import (
    Alloc,
    Assume,
    Branch,
    Call,
    Error,
    ErrorKind,
    Fence,
    Fill,
    Free,
    Nondet,
    ObjectSize,
    Return,
    StackRestore,
    StackSave,
    Storage,
    Store,
    Sync,
    Unsupported,
)
from threadproof.ir.program import Atomicity, DataModel, Program, Taken


def test_reach_error_counts_whatever_its_body_is(c: Loader) -> None:
    program = c("void reach_error(void) { } int main(void) { reach_error(); return 0; }")
    assert [i.kind for i in only(program, "main", Error)] == [ErrorKind.REACH_ERROR]
    assert "reach_error" not in program.functions


def test_other_bodies_win_over_the_table(c: Loader) -> None:
    program = c("void *malloc(unsigned long n) { return 0; } int main(void) { return malloc(3) == 0; }")
    assert [i.callee for i in only(program, "main", Call)] == ["malloc"]
    assert only(program, "main", Alloc) == [] or only(program, "main", Alloc)[0].storage is Storage.STACK


def test_assertions_say_what_failed(c: Loader) -> None:
    program = c("#include <assert.h>\nint x; int main(void) { assert(x == 3); return 0; }")
    [error] = only(program, "main", Error)
    assert (error.kind, error.message) == (ErrorKind.ASSERTION, "assertion failed: x == 3")
    assert error.loc.line == 2


def test_verifier_functions(c: Loader) -> None:
    program = c("""
        extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern _Bool __VERIFIER_nondet_bool(void); void __VERIFIER_assume(int); void __VERIFIER_assert(int);
        void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
        void __VERIFIER_atomic_add(void) { }
        int main(void) {
            int x = __VERIFIER_nondet_int() + __VERIFIER_nondet_uchar() + __VERIFIER_nondet_bool();
            __VERIFIER_assume(x > 3); __VERIFIER_assert(x);
            __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); __VERIFIER_atomic_add();
        }
    """)
    ranges = [(i.low, i.high) for i in only(program, "main", Nondet)]
    assert ranges == [(-(1 << 31), (1 << 31) - 1), (0, 255), (0, 1)]
    assert len(only(program, "main", Assume)) == 1
    assert len(only(program, "main", Branch)) == 1
    assert [i.op for i in only(program, "main", Sync)] == ["atomic_begin", "atomic_end"]
    assert program.functions["__VERIFIER_atomic_add"].atomicity is Atomicity.ATOMIC


def test_threads_and_locks(c: Loader) -> None:
    program = c("""
        #include <pthread.h>
        pthread_mutex_t m; pthread_cond_t v; pthread_barrier_t b;
        void *f(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&v, &m); pthread_barrier_wait(&b); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }
    """)
    assert [i.op for i in only(program, "main", Sync)] == ["thread_create", "thread_join"]
    syncs = [i for i in only(program, "f", Sync) if i.op != "look"]
    assert [i.op for i in syncs] == ["mutex_lock", "cond_enqueue", "cond_relock", "barrier_arrive", "barrier_pass"]
    assert syncs[4].args[1] == syncs[3].dst


def test_the_heap(c: Loader) -> None:
    program = c("""
        #include <stdlib.h>
        int main(void) { int *p = malloc(8), *q = calloc(3, 4); q = realloc(q, 20); free(p); free(q); return 0; }
    """)
    heap = [i for i in only(program, "main", Alloc) if i.storage is Storage.HEAP]
    assert [(i.size, i.fill) for i in heap] == [(Const(8, 64), Fill.ARBITRARY), (Const(12, 64), Fill.ZERO)]
    assert len(only(program, "main", Free)) == 2
    assert len(only(program, "realloc", ObjectSize)) == 1


EXTERNALS = "int f(int); int g(int *); int main(void) { int x = f(1); f(2); return x + g(&x); }"


def test_functions_without_a_body_have_no_meaning(c: Loader) -> None:
    program = c(EXTERNALS)
    assert unsupported(program) == ["the function f, which has no body"]
    assert [(one.name, one.loc.line) for one in program.outside.missing] == [("f", 1), ("g", 1)]  # all of them


def test_functions_taken_as_pure(c: Loader) -> None:
    program = c(EXTERNALS, undefined=Taken.PURE)
    assert [i.source for i in only(program, "main", Nondet)] == ["f", "f", "g"]
    assert [(one.name, one.taken) for one in program.outside.missing] == [("f", Taken.PURE), ("g", Taken.PURE)]
    assert unsupported(c(EXTERNALS, assume_pure=("f",))) == ["the function g, which has no body"]


def test_functions_that_synchronise_are_never_pure(c: Loader) -> None:
    program = c("void pthread_strange(void); int main(void) { pthread_strange(); return 0; }", undefined=Taken.PURE)
    assert unsupported(program) == ["the function pthread_strange, which has no body"]


@pytest.mark.parametrize("name", ["__CPROVER_uninterpreted_hash", "__ESBMC_strange"])
def test_functions_of_other_verifiers_are_never_pure(c: Loader, name: str) -> None:
    """An uninterpreted function gives equal results for equal arguments; as a pure one, equal calls could differ: that
    gave `false` for a safe program. Nothing caught it, since nobody else knows these names either."""
    program = c(f"int {name}(int); int main(void) {{ return {name}(1) == {name}(1); }}", undefined=Taken.PURE)
    assert unsupported(program) == [f"the function {name}, which has no body"]


def test_havoc_forgets_what_the_function_can_reach(c: Loader) -> None:
    source = """int g; static int s; int f(int *); int k(int **);
        int main(void) { int x = 1, y = 2, *p = &y; f(&x); return x + y + g + s; }"""
    program = c(source, undefined=Taken.HAVOC)
    assert unsupported(program) == []
    assert _forgotten(program) == 2  # x and g, neither y nor s
    refused = c(source.replace("f(&x)", "k(&p)"), undefined=Taken.HAVOC)
    assert unsupported(refused) == ["havoc of k, which has no body: p holds pointers"]


def test_a_structure_nobody_computes_is_any_structure(c: Loader) -> None:
    program = c("""
        struct s { long a[4]; }; struct s __VERIFIER_nondet_s(void); char __VERIFIER_nondet_mine(void);
        int main(void) { struct s x = __VERIFIER_nondet_s(); return x.a[1] + __VERIFIER_nondet_mine(); }
    """)
    assert unsupported(program) == []
    assert not program.outside.missing
    assert _forgotten(program) == 4


def _forgotten(program: Program) -> int:
    return sum(i.source == "any content" for i in only(program, "main", Nondet))


def test_pointers_to_library_functions(c: Loader) -> None:
    program = c("""
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            void (*f)(void *) = free; unsigned long (*g)(const char *) = strlen; f(malloc(1)); return g("x");
        }
    """)
    assert [type(i) for i in instrs(program, "free")] == [Free, Return]
    assert program.functions["strlen"].loc.file == "<runtime>"


def test_weak_functions_nobody_defines_are_null(c: Loader) -> None:
    program = c("extern int f(void) __attribute__((weak)); int main(void) { return f ? 1 : 0; }")
    assert "f" not in program.functions


@pytest.mark.parametrize(("model", "slots"), [(DataModel.LP64, [0, 8, 16]), (DataModel.ILP32, [0, 4, 12])])
def test_variadic_arguments_lie_on_the_stack(c: Loader, model: DataModel, slots: list[int]) -> None:
    program = c(
        "#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); return va_arg(a, int); }"
        "int main(void) { return f(3, 7, 2.5, 8); }",
        model=model,
    )
    assert program.functions["f"].params[-1] == Reg("%...", model.pointer_bits)
    area = next(i.dst for i in only(program, "main", Alloc) if i.name == "arguments")
    stored = [i.address for i in only(program, "main", Store) if area.name in repr(i.address)]
    offsets = [getattr(getattr(address, "offset", None), "value", 0) for address in stored]
    assert offsets == slots
    assert len(only(program, "main", StackSave)) == len(only(program, "main", StackRestore)) == 1


def test_calls_without_prototype(c: Loader) -> None:
    program = c(
        "int main(void) { return f(1) + g(1); } int f(int a) { return a; } int g(int a, int b) { return a + b; }"
    )
    assert [i.callee for i in only(program, "main", Call)] == ["f"]
    assert unsupported(program) == ["a call of g with 1 arguments instead of 2"]


def test_structures_by_value_are_copied(c: Loader) -> None:
    program = c("struct s { int a[9]; } s; int f(struct s x) { return x.a[1]; } int main(void) { return f(s); }")
    [copy] = [i for i in only(program, "f", Alloc) if i.name == "x"]
    assert copy.size == Const(36, 64)
    assert program.functions["f"].variables["x"].c_name == "x"


def test_printed_strings_are_read(c: Loader) -> None:
    source = '#include <stdio.h>\nint main(int n, char **v) { printf("%%5d%%%% %s\\n", n, %s); return 0; }'
    assert [i.callee for i in only(c(source % ("%s", '"a"')), "main", Call)] == ["strlen"]
    assert [i.callee for i in only(c(source % ("%.3s", '"a"')), "main", Call)] == ["strnlen"]
    assert [i.callee for i in only(c(source % ("%n", "&n")), "main", Call)] == ["__threadproof_print"]
    assert only(c(source % ("%x", "3")), "main", Nondet) == []


def test_scanned_values_are_arbitrary(c: Loader) -> None:
    source = '#include <stdio.h>\nint main(void) { int a; short b; char c[9]; return scanf("%s", &a, &b, c); }'
    program = c(source % "%d %hd")
    assert [i.callee for i in only(program, "main", Call)] == ["__threadproof_scan_4", "__threadproof_scan_2"]
    assert [(i.low, i.high) for i in only(program, "main", Nondet)] == [(-1, 2)]
    assert len(unsupported(c(source % "%d %hd %s"))) == 1


def test_inline_assembly(c: Loader) -> None:
    program = c("""
        int x;
        int main(void) {
            __asm__ volatile("" ::: "memory"); __asm__ volatile("rep; nop"); __asm__ volatile("mfence" ::: "memory");
            __asm__ volatile("lock; addl $0,0(%%esp)" ::: "memory"); __asm__ volatile("lock; incl %0" : "+m"(x));
            __asm__ volatile("cli"); return 0;
        }
    """)
    assert len(only(program, "main", Fence)) == 2
    refused = 'inline assembly "cli" (the instruction cli)'
    assert [i.construct for i in only(program, "main", Unsupported)] == [refused]


def test_constructors_run_first(c: Loader) -> None:
    program = c("int x; __attribute__((constructor)) void f(void) { x = 1; } int main(void) { return x; }")
    first = instrs(program, "main")[0]
    assert isinstance(first, Call)
    assert first.callee == "f"


@pytest.mark.parametrize("words", ["inline", "static inline", "extern inline", "extern __inline__", "__inline"])
@pytest.mark.parametrize("std", [None, "gnu89", "c99", "gnu17"])
def test_inline_bodies_are_kept(c: Loader, words: str, std: str | None) -> None:
    program = c(f"{words} int f(int x) {{ return x; }} int main(void) {{ return f(1); }}", std=std)
    assert "f" in program.functions


def test_an_inline_body_that_a_second_one_replaces(c: Loader) -> None:
    first = "extern inline __attribute__((gnu_inline)) int f(int x) { return 1; }"
    program = c(f"{first}\nint f(int x) {{ return 2; }}\nint main(void) {{ return f(1); }}")
    assert program.functions["f"].loc.line == 2


def test_a_cleanup_handler_misses_no_function(c: Loader) -> None:
    program = c(
        """
        #include <pthread.h>
        static void handler(void *p) {}
        int main(void) { pthread_cleanup_push(handler, 0); pthread_cleanup_pop(1); return 0; }
        """
    )
    assert not program.outside.missing
