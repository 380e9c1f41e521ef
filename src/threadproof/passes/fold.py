"""Temporaries disappear: a value used once, later in the same block, is put where it is used.

What may trap stays where it is, so that undefined behaviour keeps its place and its line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TypeGuard

from threadproof.ir.expr import Expr, may_trap, registers, walk
from threadproof.ir.instr import Assign, Edge, Instr, all_uses, defs, edges
from threadproof.ir.program import Block, Function, Program
from threadproof.ir.simplify import substitute
from threadproof.passes.rewrite import map_expressions

MAX_NODES = 40  # a larger expression is no longer pleasant to read, and Python's parser has limits


def fold_temporaries(program: Program) -> Program:
    return replace(program, functions={name: _fold(f) for name, f in program.functions.items()})


def _fold(function: Function) -> Function:
    uses = _use_counts(function)
    definitions = Counter(name for instr in function.instrs() for name in _defined(instr))
    definitions.update(param.name for param in function.params)
    once = {name for name, count in uses.items() if count == 1 and definitions[name] == 1}
    blocks = tuple(_Folder(block, once).fold() for block in function.blocks)
    return _without_dead(replace(function, blocks=blocks))


def _use_counts(function: Function) -> Counter[str]:
    return Counter(name for instr in function.instrs() for expr in all_uses(instr) for name in registers(expr))


def _defined(instr: Instr) -> list[str]:
    return [reg.name for reg in defs(instr)] + [dst.name for edge in edges(instr) for dst, _ in edge.moves]


class _Folder:
    def __init__(self, block: Block, once: set[str]) -> None:
        self._block = block
        self._once = once
        self._used_here = _used_in(block)
        self._pending: dict[str, Assign] = {}
        self._out: list[Instr] = []

    def fold(self) -> Block:
        for instr in self._block.instrs:
            self._visit(self._substituted(instr))
        return replace(self._block, instrs=tuple(self._out))

    def _substituted(self, instr: Instr) -> Instr:
        used = {name for expr in all_uses(instr) for name in registers(expr)}
        ready = {name: self._pending[name].value for name in used if name in self._pending}
        if not ready:
            return instr
        changed = map_expressions(instr, lambda expr: substitute(expr, ready))
        if max(_size(expr) for expr in all_uses(changed)) > MAX_NODES:
            for name in ready:
                self._out.append(self._pending.pop(name))
            return instr
        for name in ready:
            del self._pending[name]
        return changed

    def _visit(self, instr: Instr) -> None:
        for name in _defined(instr):
            self._flush_users_of(name)
        if self._can_wait(instr):
            self._pending[instr.dst.name] = instr
            return
        if edges(instr):
            self._flush_all()
        self._out.append(instr)

    def _can_wait(self, instr: Instr) -> TypeGuard[Assign]:
        if not isinstance(instr, Assign) or may_trap(instr.value):
            return False
        return instr.dst.name in self._once and instr.dst.name in self._used_here

    def _flush_users_of(self, name: str) -> None:
        stale = [key for key, assign in self._pending.items() if name in set(registers(assign.value))]
        for key in stale:
            self._out.append(self._pending.pop(key))

    def _flush_all(self) -> None:
        self._out.extend(self._pending.values())
        self._pending.clear()


def _used_in(block: Block) -> set[str]:
    return {name for instr in block.instrs for expr in all_uses(instr) for name in registers(expr)}


def _size(expr: Expr) -> int:
    return sum(1 for _ in walk(expr))


def _without_dead(function: Function) -> Function:
    """Assignments nobody reads are dropped, until none is left."""
    while True:
        uses = _use_counts(function)
        blocks = tuple(
            replace(block, instrs=tuple(_live_edges(i, uses) for i in block.instrs if not _is_dead(i, uses)))
            for block in function.blocks
        )
        if blocks == function.blocks:
            return function
        function = replace(function, blocks=blocks)


def _is_dead(instr: Instr, uses: Counter[str]) -> bool:
    return isinstance(instr, Assign) and not uses[instr.dst.name] and not may_trap(instr.value)


def _live_edges(instr: Instr, uses: Counter[str]) -> Instr:
    if not any(edge.moves for edge in edges(instr)):
        return instr

    def trim(edge: Edge) -> Edge:
        return Edge(edge.target, tuple(move for move in edge.moves if uses[move[0].name]))

    return map_expressions(instr, lambda expr: expr, trim)
