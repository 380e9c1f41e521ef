"""Objects whose addresses the program looks at, other than to go there: it compares them, computes with them as
numbers, or reads their bytes. Of all others nobody can tell where they lie.

A comparison with null tells nothing: no object lies there.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.analysis.memory.partition import Partition, Shape
from threadproof.analysis.points_to import PointsTo, Root
from threadproof.ir import instr as ir
from threadproof.ir.expr import Compare, CompareOp, Const, Expr, PtrAdd, Select, children, walk
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Family, sync_facts


def observed_roots(program: Program, points_to: PointsTo, partition: Partition) -> frozenset[Root]:
    found: set[Root] = set()
    for function in program.functions.values():
        for expr in _looked_at(function):
            found.update(place.root for place in points_to.expression(function.name, expr))
        for instr in function.instrs():
            if isinstance(instr, ir.CompareExchange | ir.Rmw):  # what lies there is compared, or changed
                for place in points_to.expression(function.name, instr.address):
                    found.update(content.root for content in points_to.content(place.root))
    for part in partition.parts:
        if part.shape is Shape.BYTES:
            found.update(content.root for content in points_to.content(part.root))
    return frozenset(found)


def _looked_at(function: Function) -> Iterator[Expr]:
    for instr in function.instrs():
        if isinstance(instr, ir.Switch):
            yield instr.value
        elif isinstance(instr, ir.CompareExchange):
            yield from (instr.expected, instr.desired)
        elif isinstance(instr, ir.Rmw):
            yield instr.value
        elif isinstance(instr, ir.Sync) and sync_facts(instr).family is Family.CONDITION:
            yield instr.args[0]  # a signal looks for those that wait at the same address
        moved = (value for edge in ir.edges(instr) for _, value in edge.moves)
        for expr in (*ir.uses(instr), *moved):
            for part in walk(expr):
                yield from _operands(part)


def _operands(part: Expr) -> tuple[Expr, ...]:
    match part:
        case PtrAdd():
            return (part.offset,)
        case Select():
            return (part.condition,)
        case Compare(op=CompareOp.EQ | CompareOp.NE) if _is_null(part.left) or _is_null(part.right):
            return ()
        case _:
            return children(part)


def _is_null(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0
