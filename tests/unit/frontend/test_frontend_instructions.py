"""LLVM instructions and what becomes of them."""

from __future__ import annotations

import pytest
from frontend_support import Loader, instrs, only, unsupported

from threadproof.ir.expr import OFFSET_BITS, Binary, BinaryOp, Const, Convert, ConvertOp, PtrAdd, TlsRef
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Branch,
    CompareExchange,
    Error,
    ErrorKind,
    Fence,
    Halt,
    Jump,
    Load,
    Nondet,
    Order,
    Rmw,
    RmwOp,
    Store,
    Switch,
    Undefined,
    UndefinedKind,
    Volatility,
)
from threadproof.ir.program import DataModel


def test_one_instruction_each(c: Loader) -> None:
    program = c("int x; void f(void) { x = x + 1; } int main(void) { f(); return 0; }")
    assert [type(i).__name__ for i in instrs(program, "f")] == ["Load", "Assign", "Store", "Return"]


@pytest.mark.parametrize(("model", "member", "element"), [(DataModel.LP64, 16, 24), (DataModel.ILP32, 8, 12)])
def test_pointer_arithmetic(c: Loader, model: DataModel, member: int, element: int) -> None:
    source = """
        struct s { char c; void *p; short h; };
        short *f(struct s *s, int i) { return &s[i].h; }
        struct s a[5]; short *g(void) { return &a[3].h; }
        int main(void) { return *f(a, 1) + *g(); }
    """
    program = c(source, model=model)
    offsets = [i.value.offset for i in only(program, "f", Assign) if isinstance(i.value, PtrAdd)]
    scaled, fixed = offsets
    assert fixed == Const(member, OFFSET_BITS)
    assert isinstance(scaled, Binary)
    assert scaled.op is BinaryOp.MUL
    assert scaled.right == Const(element, OFFSET_BITS)
    last = instrs(program, "g")[-1]
    assert repr(Const(3 * element + member, OFFSET_BITS)) in repr(last)


def test_indices_are_sign_extended(c: Loader) -> None:
    program = c("char f(char *p, int i) { return p[i]; } int main(void) { char a[3]; return f(a + 2, -1); }")
    moved = next(i.value for i in only(program, "f", Assign) if isinstance(i.value, PtrAdd) and i.value)
    assert any(isinstance(i.value, Convert) and i.value.op is ConvertOp.SEXT for i in only(program, "f", Assign))
    assert moved.width == 64


def test_phis_are_moves_on_edges(c: Loader) -> None:
    program = c("int f(int a, int b) { return a && b; } int main(void) { return f(1, 2); }")
    moves = [edge.moves for i in only(program, "f", Branch) for edge in (i.then, i.otherwise) if edge.moves]
    moves += [i.edge.moves for i in only(program, "f", Jump) if i.edge.moves]
    assert len(moves) == 2
    assert moves[0][0][0] == moves[1][0][0]


def test_switch(c: Loader) -> None:
    source = (
        "int f(int x) { switch (x) { case 1: return 5; case -2: return 6; } return 0; } int main(void) { return f(1); }"
    )
    [switch] = only(c(source), "f", Switch)
    assert [number for number, _ in switch.cases] == [1, 0xFFFFFFFE]


def test_undefined_values_are_choices(ll: Loader) -> None:
    program = ll("""
        define i32 @main() {
          br i1 true, label %a, label %b
        a:
          br label %b
        b:
          %x = phi i32 [ undef, %0 ], [ 1, %a ]
          %y = add i32 %x, undef
          ret i32 %y
        }
    """)
    assert [i.source for i in only(program, "main", Nondet)] == ["undefined value"] * 2


def test_what_follows_abort_is_dropped(c: Loader) -> None:
    program = c("#include <stdlib.h>\nint x; int main(int n, char **v) { if (n) { abort(); x = 1; } return 0; }")
    assert len(only(program, "main", Halt)) == 1
    assert only(program, "main", Undefined) == []


def test_missing_return_value(c: Loader) -> None:
    program = c("int main(void) { __builtin_unreachable(); }")
    assert [i.kind for i in only(program, "main", Undefined)] == [UndefinedKind.UNREACHABLE]


def test_atomics(c: Loader) -> None:
    program = c("""
        #include <stdatomic.h>
        _Atomic int a; volatile int v;
        int main(void) {
            int e = 0;
            atomic_fetch_sub(&a, 3);
            atomic_store_explicit(&a, 1, memory_order_release);
            atomic_compare_exchange_strong(&a, &e, 5);
            atomic_thread_fence(memory_order_acquire);
            return atomic_load_explicit(&a, memory_order_acquire) + v;
        }
    """)
    [rmw] = only(program, "main", Rmw)
    assert (rmw.op, rmw.size, rmw.order) == (RmwOp.SUB, 4, Order.SEQ_CST)
    [exchange] = only(program, "main", CompareExchange)
    assert (exchange.old.width, exchange.success.width) == (32, 1)
    assert [i.order for i in only(program, "main", Fence)] == [Order.ACQUIRE]
    assert Order.RELEASE in [i.order for i in only(program, "main", Store)]
    loads = only(program, "main", Load)
    assert Order.ACQUIRE in [i.order for i in loads]
    assert Volatility.VOLATILE in [i.volatility for i in loads]


def test_thread_locals_are_addressed_per_thread(c: Loader) -> None:
    program = c("_Thread_local int t; int main(void) { t = 1; return 0; }")
    assert TlsRef("t", 64) in [i.value for i in only(program, "main", Assign)]


def test_variable_length_arrays(c: Loader) -> None:
    program = c("int main(int n, char **v) { int a[n]; a[0] = n; return a[0]; }")
    sizes = {i.name: i.size for i in only(program, "main", Alloc)}
    assert sizes["n"] == Const(4, 64)
    assert isinstance(sizes["a"], Binary)


def test_small_copies_are_words_large_ones_calls(c: Loader) -> None:
    source = "struct s { int a[%d]; char c; } x, y; int main(void) { x = y; return 0; }"
    small = c(source % 3, model=DataModel.ILP32)
    assert [i.size for i in only(small, "main", Store) if "x" in repr(i.address)] == [4, 4, 4, 4]
    assert "memcpy" not in small.functions
    assert "memcpy" in c(source % 100).functions


def test_overflow_checks(c: Loader) -> None:
    from threadproof.frontend.options import Checks

    source = "int f(int a, int b) { return -a + a * b - (a << b) / b; } int main(void) { return f(1, 2); }"
    program = c(source, checks=Checks.OVERFLOW)
    errors = only(program, "f", Error)
    assert {i.kind for i in errors} == {ErrorKind.OVERFLOW}
    assert [i.message.removeprefix("signed overflow in ") for i in errors] == [
        "negation", "multiplication", "addition", "left shift", "division", "subtraction",
    ]  # fmt: skip
    assert only(c(source), "f", Error) == []


def test_what_has_no_meaning_fails_when_reached(c: Loader) -> None:
    source = """
        __bf16 twice(__bf16 x) { return -x; }
        __bf16 copy(__bf16 x) { return x; }
        int main(int n, char **v) { if (n > 1) twice((__bf16)n); copy(0); return 0; }
    """
    constructs = unsupported(c(source))
    assert "arithmetic on bfloat" in constructs
