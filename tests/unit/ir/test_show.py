from __future__ import annotations

import struct

import pytest

from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatOp,
    GlobalRef,
    PtrAdd,
    Reg,
    Select,
    TlsRef,
    const,
    negate,
)
from threadproof.ir.instr import (
    Alloc,
    Assume,
    Branch,
    Call,
    CompareExchange,
    Edge,
    Error,
    ErrorKind,
    Fence,
    Fill,
    Instr,
    Jump,
    Load,
    Nondet,
    Order,
    Return,
    Rmw,
    RmwOp,
    Storage,
    Store,
    Switch,
    Volatility,
)
from threadproof.ir.show import show_expr, show_instr

X, Y, Z = Reg("x", 32), Reg("y", 32), Reg("z", 32)
P = Reg("p", 64)
ONE_HALF = Const(struct.unpack("<I", struct.pack("<f", 0.5))[0], 32)


def op(sign: BinaryOp, left: Expr, right: Expr) -> Binary:
    return Binary(sign, left, right)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (const(-1, 32), "-1"),
        (Const(1, 1), "1"),
        (op(BinaryOp.ADD, X, const(-3, 32)), "x + -3"),
        (op(BinaryOp.MUL, op(BinaryOp.ADD, X, Y), Z), "(x + y) * z"),
        (op(BinaryOp.ADD, op(BinaryOp.MUL, X, Y), Z), "x * y + z"),
        (op(BinaryOp.SUB, op(BinaryOp.SUB, X, Y), Z), "x - y - z"),
        (op(BinaryOp.SUB, X, op(BinaryOp.SUB, Y, Z)), "x - (y - z)"),
        (op(BinaryOp.UDIV, X, Y), "x /u y"),
        (op(BinaryOp.ASHR, X, op(BinaryOp.ADD, Y, Z)), "x >> y + z"),
        (Compare(CompareOp.SLT, X, Y), "x < y"),
        (Compare(CompareOp.ULE, op(BinaryOp.ADD, X, Y), Z), "x + y <=u z"),
        (Compare(CompareOp.EQ, op(BinaryOp.AND, X, Y), Z), "(x & y) == z"),
        (op(BinaryOp.AND, Compare(CompareOp.EQ, X, Y), Reg("b", 1)), "(x == y) & b"),
        (negate(Reg("b", 1)), "!b"),
        (negate(Compare(CompareOp.EQ, X, Y)), "!(x == y)"),
        (Convert(ConvertOp.SEXT, op(BinaryOp.ADD, X, Y), 64), "sext64(x + y)"),
        (Select(Compare(CompareOp.EQ, X, Y), X, Select(Reg("b", 1), Y, Z)), "x == y ? x : b ? y : z"),
        (PtrAdd(GlobalRef("a", 64), const(8, 64)), "&a +p 8"),
        (TlsRef("errno", 64), "&tls errno"),
        (FloatBinary(FloatOp.MUL, X, ONE_HALF), "x f* 0.5"),
        (FloatCompare("olt", ONE_HALF, X), "0.5 folt x"),
    ],
)
def test_expressions_read_like_c_with_the_fewest_parentheses(expr: Expr, text: str) -> None:
    assert show_expr(expr) == text


@pytest.mark.parametrize(
    ("instr", "text"),
    [
        (Load(X, P, 4), "x:32 := load p"),
        (Load(Reg("b", 1), P, 1, Order.ACQUIRE), "b:1 := load.acquire p (1 byte)"),
        (Load(X, P, 4, volatility=Volatility.VOLATILE), "x:32 := load.volatile p"),
        (Store(P, const(-1, 32), 4), "store p, -1:32"),
        (Store(P, X, 8, Order.RELEASE), "store.release p, x (8 bytes)"),
        (Alloc(P, const(1, 64), Storage.HEAP, Fill.ZERO), "p:64 := alloc heap 1 byte of zeros"),
        (Alloc(P, Reg("n", 64), Storage.STACK, name="v"), "p:64 := alloc stack n bytes for v"),
        (Rmw(X, RmwOp.ADD, P, Y, 4), "x:32 := atomic add.seq_cst p, y"),
        (
            CompareExchange(X, Reg("ok", 1), P, Y, Z, 4),
            "x:32, ok:1 := atomic cmpxchg.seq_cst p, y -> z",
        ),
        (Fence(), "fence.seq_cst"),
        (Call(None, "f", (X, const(2, 32))), "call f(x, 2)"),
        (Call(Y, P, ()), "y:32 := call *(p)()"),
        (Nondet(X, "__VERIFIER_nondet_int", -2, 5), "x:32 := any of -2 .. 5 (__VERIFIER_nondet_int)"),
        (Assume(Compare(CompareOp.NE, X, Y)), "assume x != y"),
        (Error(ErrorKind.ASSERTION, "x == 1"), "error assertion: x == 1"),
        (Jump(Edge("b3", ((X, const(1, 32)), (Y, X)))), "goto b3 (x := 1, y := x)"),
        (Branch(Reg("b", 1), Edge("b1", ((X, Y),)), Edge("b2")), "if b then b1 (x := y) else b2"),
        (
            Switch(X, ((1, Edge("b1")), (0xFFFFFFFF, Edge("b2"))), Edge("b3")),
            "switch x { case 1: b1; case -1: b2; else b3 }",
        ),
        (Return(), "return"),
    ],
)
def test_instructions_are_one_line(instr: Instr, text: str) -> None:
    assert show_instr(instr) == text
