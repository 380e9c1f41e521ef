"""A small legal program by hand: two blocks that loop, a global, a mutex, a thread-local variable."""

from __future__ import annotations

import pytest

from threadproof.core.source import SourceLoc
from threadproof.ir.ctypes import CPointer, Encoding, Opaque, Scalar
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, GlobalRef, PtrAdd, Reg, TlsRef, const
from threadproof.ir.instr import Branch, Call, Edge, Jump, Load, Return, Store, Sync
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Lifetime, Program, Variable

INT = Scalar("int", 32, Encoding.SIGNED)


def at(line: int) -> SourceLoc:
    return SourceLoc("count.c", line)


@pytest.fixture
def program() -> Program:
    seen, turn, arg = Reg("seen", 32), Reg("turn", 32), Reg("arg", 64)
    counter = GlobalRef("counter", 64)
    plus_one = Binary(BinaryOp.ADD, seen, const(1, 32))
    add = Function(
        "add",
        (arg,),
        (
            Block("b0", (Jump(Edge("b1", ((turn, const(0, 32)),)), loc=at(5)),)),
            Block(
                "b1",
                (
                    Sync(None, "mutex_lock", (GlobalRef("m", 64),), loc=at(6)),
                    Load(seen, counter, 4, loc=at(7)),
                    Store(counter, plus_one, 4, loc=at(7)),
                    Branch(
                        Compare(CompareOp.SLT, turn, const(-3, 32)),
                        Edge("b1", ((turn, Binary(BinaryOp.ADD, turn, const(1, 32))),)),
                        Edge("b2"),
                        loc=at(8),
                    ),
                ),
            ),
            Block("b2", (Store(TlsRef("mine", 64), seen, 4, loc=at(9)), Return(const(0, 64), loc=at(10)))),
        ),
        result_width=64,
        variables={"arg": Variable("arg", CPointer("void", 64)), "seen": Variable("s", INT, at(4))},
        loc=at(3),
    )
    main = Function(
        "main",
        (),
        (
            Block(
                "b0",
                (
                    Call(Reg("r", 64), "add", (PtrAdd(counter, const(0, 64)),), loc=at(14)),
                    Return(const(0, 32), loc=at(15)),
                ),
            ),
        ),
        result_width=32,
        loc=at(13),
    )
    variables = (
        GlobalVar("counter", 4, b"\x07", ctype=INT, loc=at(1), align=4),
        GlobalVar("m", 40, b"", ctype=Opaque("pthread_mutex_t", 320), loc=at(2), align=8),
        GlobalVar("mine", 4, b"", lifetime=Lifetime.THREAD, ctype=INT),
    )
    return Program("count.c", DataModel.LP64, {"add": add, "main": main}, {v.name: v for v in variables})
