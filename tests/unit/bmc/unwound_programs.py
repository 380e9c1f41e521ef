"""Tiny programs written as instructions, unwound until their facts settle, and what can happen in them."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.events import What
from threadproof.engines.bmc.unwinding.unwinding import Unwinding
from threadproof.engines.bmc.unwinding.world import Bounds, Unwound
from threadproof.ir.expr import Compare, CompareOp, Const, Expr, GlobalRef, PtrAdd, Reg
from threadproof.ir.instr import (
    Alloc,
    Branch,
    Edge,
    Error,
    ErrorKind,
    Fill,
    Instr,
    Jump,
    Load,
    Return,
    Storage,
    Store,
    Sync,
)
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Program
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, open_solver
from threadproof.smt.term import Term

GLOBALS = {
    **{name: GlobalVar(name, 4, b"", align=4) for name in ("x", "y")},
    **{name: GlobalVar(name, 8, b"", align=8) for name in ("t", "u", "p")},
    **{name: GlobalVar(name, 40, b"", align=8) for name in ("m", "k")},
}
BOUNDS = Bounds(2, 10)


def at(name: str, offset: int = 0) -> Expr:
    return GlobalRef(name, 64) if not offset else PtrAdd(GlobalRef(name, 64), Const(offset, 64))


def number(value: int, width: int = 32) -> Const:
    return Const(value, width)


def load(register: str, where: str | Expr = "x", size: int = 4) -> Load:
    return Load(Reg(register, 8 * size), at(where) if isinstance(where, str) else where, size)


def store(where: str | Expr, value: int | Expr, size: int = 4) -> Store:
    given = Const(value, 8 * size) if isinstance(value, int) else value
    return Store(at(where) if isinstance(where, str) else where, given, size)


def malloc(register: str, size: int | Expr, fill: Fill = Fill.ARBITRARY) -> Alloc:
    given = Const(size, 64) if isinstance(size, int) else size
    return Alloc(Reg(register, 64), given, Storage.HEAP, fill)


def local(register: str, size: int = 4) -> Alloc:
    return Alloc(Reg(register, 64), Const(size, 64), Storage.STACK, name=register)


def lock(mutex: str = "m") -> Sync:
    return Sync(None, "mutex_lock", (at(mutex),))


def unlock(mutex: str = "m") -> Sync:
    return Sync(None, "mutex_unlock", (at(mutex),))


def create(handle: str, routine: str) -> Sync:
    return Sync(None, "thread_create", (at(handle), at(routine), Const(0, 64)))


def join(handle: str) -> tuple[Instr, ...]:
    return load(f"{handle}.", handle, 8), Sync(None, "thread_join", (Reg(f"{handle}.", 64), Const(0, 64)))


def is_equal(register: str, value: int, width: int = 32) -> Expr:
    return Compare(CompareOp.EQ, Reg(register, width), Const(value, width))


def function(name: str, *instrs: Instr) -> Function:
    return Function(name, (), (Block("entry", (*instrs, Return())),))


def spinning(name: str, *instrs: Instr, until: Expr) -> Function:
    """do instrs while (!until);"""
    loop = (*instrs, Branch(until, Edge("out"), Edge("loop")))
    blocks = (Block("entry", (Jump(Edge("loop")),)), Block("loop", loop), Block("out", (Return(),)))
    return Function(name, (), blocks)


def unwound(
    *functions: Function, model: MemoryModel = MemoryModel.SC, bounds: Bounds = BOUNDS, **more: GlobalVar
) -> Unwound:
    program = Program("tiny", DataModel.LP64, {f.name: f for f in functions}, {**GLOBALS, **more})
    return Unwinding.of(program, model).settled(BOUNDS, Budget())


def possible(world: Unwound, question: Term) -> Assignment | None:
    """A model of an execution in which the question holds."""
    formula, solver = Formula(world), open_solver()
    solver.add(question, *formula.needed((question,)))
    while isinstance(found := solver.check(), Sat):
        cuts = formula.order.cuts(found.model)
        if not cuts:
            return found.model
        solver.add(*cuts)
    return None


def ends(world: Unwound) -> set[What]:
    """The ends of paths that an execution can come to."""
    return {end.what for end in world.ends if possible(world, world.terms.all(end.guard)) is not None}


def checking(name: str, *instrs: Instr, wrong: Expr) -> Function:
    """The instructions, then an error if `wrong` holds."""
    entry = Block("entry", (*instrs, Branch(wrong, Edge("bad"), Edge("good"))))
    bad = Block("bad", (Error(ErrorKind.ASSERTION, "wrong"),))
    return Function(name, (), (entry, bad, Block("good", (Return(),))))


@dataclass(frozen=True, slots=True)
class Seen:
    """Which values main can see at last in a register."""

    threads: tuple[Function, ...]
    main: tuple[Instr, ...]
    model: MemoryModel = MemoryModel.SC

    def can_be(self, register: str, value: int, width: int = 32) -> bool:
        main = checking("main", *self.main, wrong=is_equal(register, value, width))
        return ErrorKind.ASSERTION in ends(unwound(main, *self.threads, model=self.model))

    def values(self, register: str, *candidates: int, width: int = 32) -> set[int]:
        return {value for value in candidates if self.can_be(register, value, width)}
