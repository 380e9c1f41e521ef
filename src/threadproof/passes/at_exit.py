"""Where something runs when the program ends, main is called by a function that ends the program after it."""

from __future__ import annotations

from dataclasses import replace

from threadproof.ir.expr import Const, Expr, Reg
from threadproof.ir.instr import Call, Return
from threadproof.ir.program import Block, Function, Program

_START = "<start>"


def call_at_exit(program: Program) -> Program:
    """As the C library does it: `exit(main())`. Main's locals are gone by then."""
    if not program.at_exit:
        return program
    main = program.functions[program.entry]
    width = main.result_width
    result = Reg("result", width) if width else None
    status: Expr = Const(0, 32) if result is None else result
    calls = (Call(result, program.entry, (), loc=main.loc), Call(None, program.at_exit, (status,), loc=main.loc))
    start = Function(_START, (), (Block("0", (*calls, Return(loc=main.loc))),), loc=main.loc)
    return replace(program, functions={**program.functions, _START: start}, entry=_START, at_exit="")
