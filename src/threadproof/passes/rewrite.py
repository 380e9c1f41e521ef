"""Rebuilding an instruction with other expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from threadproof.ir.expr import Expr
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Assume,
    Branch,
    Call,
    CompareExchange,
    Edge,
    Free,
    Instr,
    Jump,
    Load,
    ObjectSize,
    Return,
    Rmw,
    StackRestore,
    Store,
    Switch,
    Sync,
)


def map_expressions(
    instr: Instr, f: Callable[[Expr], Expr], on_edge: Callable[[Edge], Edge] = lambda edge: edge
) -> Instr:
    """The instruction with `f` applied to every expression it evaluates, and `on_edge` to every edge after that."""

    def edge(old: Edge) -> Edge:
        return on_edge(Edge(old.target, tuple((dst, f(value)) for dst, value in old.moves)))

    match instr:
        case Assign():
            return replace(instr, value=f(instr.value))
        case Load() | Free() | ObjectSize() | StackRestore():
            return replace(instr, address=f(instr.address))
        case Store() | Rmw():
            return replace(instr, address=f(instr.address), value=f(instr.value))
        case CompareExchange():
            return replace(instr, address=f(instr.address), expected=f(instr.expected), desired=f(instr.desired))
        case Alloc():
            return replace(instr, size=f(instr.size))
        case Call():
            callee = instr.callee if isinstance(instr.callee, str) else f(instr.callee)
            return replace(instr, callee=callee, args=tuple(f(arg) for arg in instr.args))
        case Sync():
            return replace(instr, args=tuple(f(arg) for arg in instr.args))
        case Assume():
            return replace(instr, condition=f(instr.condition))
        case Branch():
            return replace(instr, condition=f(instr.condition), then=edge(instr.then), otherwise=edge(instr.otherwise))
        case Switch():
            cases = tuple((value, edge(old)) for value, old in instr.cases)
            return replace(instr, value=f(instr.value), cases=cases, default=edge(instr.default))
        case Jump():
            return replace(instr, edge=edge(instr.edge))
        case Return():
            return instr if instr.value is None else replace(instr, value=f(instr.value))
        case _:
            return instr
