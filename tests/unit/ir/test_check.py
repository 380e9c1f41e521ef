"""Each rule of a legal program is broken once, in a program that is legal otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from threadproof.core.errors import InternalError
from threadproof.ir.check import check, require_legal
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Const,
    Convert,
    ConvertOp,
    GlobalRef,
    PtrAdd,
    Reg,
    TlsRef,
    const,
)
from threadproof.ir.instr import (
    Assign,
    Assume,
    Branch,
    Call,
    CompareExchange,
    Edge,
    Instr,
    Jump,
    Load,
    Nondet,
    Return,
    Store,
    Switch,
    Sync,
)
from threadproof.ir.program import Block, Program, Relocation

X, P, B = Reg("x", 32), GlobalRef("counter", 64), Const(1, 1)
END = Return(const(0, 32))


def with_main(program: Program, *blocks: Block) -> Program:
    main = replace(program.functions["main"], blocks=blocks)
    return replace(program, functions=program.functions | {"main": main})


def with_instrs(program: Program, *instrs: Instr) -> Program:
    return with_main(program, Block("b0", (*instrs, END)))


def test_the_example_is_legal(program: Program) -> None:
    assert check(program, {"mutex_lock"}) == []
    require_legal(program, {"mutex_lock"})


@pytest.mark.parametrize(
    ("instr", "words"),
    [
        (Assign(X, const(1, 64)), "mixes 32 and 64 bits"),
        (Assign(X, Const(1 << 32, 32)), "does not fit in 32 bits"),
        (Assign(X, Binary(BinaryOp.ADD, const(1, 32), const(1, 8))), "mixes 32 and 8 bits"),
        (Assign(X, Convert(ConvertOp.ZEXT, const(1, 64), 32)), "converts 64 bits to 32"),
        (Assign(X, Reg("ghost", 32)), "ghost is read but written nowhere"),
        (Assign(Reg("q", 64), PtrAdd(P, const(1, 32))), "mixes 32 and 64 bits"),
        (Assign(Reg("q", 64), GlobalRef("nobody", 64)), "nothing called nobody"),
        (Assign(Reg("q", 64), GlobalRef("mine", 64)), "as if it lived as long as its program"),
        (Assign(Reg("q", 64), TlsRef("counter", 64)), "as if it lived as long as its thread"),
        (Load(X, const(1, 32), 4), "an address mixes 32 and 64 bits"),
        (Load(X, P, 2), "32 bits do not fit in 2 bytes"),
        (Store(P, const(1, 64), 4), "64 bits do not fit in 4 bytes"),
        (Assume(const(1, 32)), "the condition is 32 bits wide, not 1"),
        (Call(None, "nobody", ()), "the function nobody does not exist"),
        (Call(None, "add", ()), "add takes 1 arguments, not 0"),
        (Call(None, "add", (const(1, 32),)), "the argument arg of add mixes 64 and 32 bits"),
        (Call(X, "add", (P,)), "the result of add mixes 32 and 64 bits"),
        (Sync(None, "teleport", ()), "no sync operation teleport"),
        (Nondet(X, "nondet", 5, 4), "are no range of 32 bits"),
        (Nondet(Reg("c", 8), "nondet", -1, 200), "are no range of 8 bits"),
        (CompareExchange(X, X, P, const(0, 32), const(0, 32), 4), "success flag is 32 bits wide"),
        (Jump(Edge("b0")), "stands before the end of the block"),
    ],
)
def test_a_bad_instruction_is_named(program: Program, instr: Instr, words: str) -> None:
    problems = check(with_instrs(program, instr), {"mutex_lock"})
    assert any(words in problem for problem in problems), problems
    assert all(problem.startswith("main: ") for problem in problems)


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ((), "no block"),
        ((Block("b0", ()),), "does not end with a terminator"),
        ((Block("b0", (Assign(X, const(1, 32)),)),), "does not end with a terminator"),
        ((Block("b0", (Jump(Edge("b9")),)),), "an edge leads to b9, which does not exist"),
        ((Block("b0", (END,)), Block("b0", (END,))), "b0 is the label of 2 blocks"),
        ((Block("b0", (Return(),)),), "the result mixes 0 and 32 bits"),
        ((Block("b0", (Jump(Edge("b0", ((X, const(1, 8)),))),)),), "a move mixes 32 and 8 bits"),
        (
            (Block("b0", (Switch(const(1, 8), ((300, Edge("b0")), (300, Edge("b0"))), Edge("b0")),)),),
            "a case appears twice",
        ),
    ],
)
def test_a_bad_block_is_named(program: Program, blocks: tuple[Block, ...], words: str) -> None:
    problems = check(with_main(program, *blocks))
    assert any(words in problem for problem in problems), problems


def test_a_register_has_one_width(program: Program) -> None:
    bad = with_instrs(program, Assign(X, const(1, 32)), Assign(Reg("x", 8), const(1, 8)))
    assert "main: the register x has the widths 32 and 8" in check(bad)


def test_a_register_is_written_on_every_path_before_it_is_read(program: Program) -> None:
    write, read = Assign(X, const(1, 32)), Assign(Reg("y", 32), X)
    one_arm = (
        Block("b0", (Branch(B, Edge("b1"), Edge("b2")),)),
        Block("b1", (write, Jump(Edge("b2")))),
        Block("b2", (read, END)),
    )
    [problem] = check(with_main(program, *one_arm))
    assert problem == "main: b2: x may be read before it is written, in `y:32 := x`"
    moved = Block("b0", (Branch(B, Edge("b1"), Edge("b2", ((X, const(0, 32)),))),))
    assert check(with_main(program, moved, *one_arm[1:])) == []


def test_moves_on_an_edge_read_the_values_before_them(program: Program) -> None:
    swap = Jump(Edge("b1", ((X, Reg("y", 32)), (Reg("y", 32), X))))
    problems = check(with_main(program, Block("b0", (swap,)), Block("b1", (END,))))
    assert len(problems) == 2


def test_blocks_nobody_reaches_may_read_anything_written_somewhere(program: Program) -> None:
    blocks = (Block("b0", (Assign(X, const(1, 32)), END)), Block("dead", (Assign(Reg("y", 32), X), END)))
    assert check(with_main(program, *blocks)) == []


def test_globals_and_entry(program: Program) -> None:
    counter = replace(program.globals["counter"], image=bytes(8), relocations=(Relocation(0, "nobody"),), align=3)
    bad = replace(program, globals=program.globals | {"counter": counter}, entry="start")
    assert check(bad) == [
        "the entry function start does not exist",
        "the global counter has 8 initial bytes in 4",
        "the global counter is aligned to 3, which is not a power of two",
        "the global counter of 4 bytes has a relocation at 0",
        "the global counter refers to nobody, which does not exist",
    ]


def test_an_illegal_program_is_our_bug(program: Program) -> None:
    with pytest.raises(InternalError, match="is not a legal program"):
        require_legal(replace(program, entry="start"))
