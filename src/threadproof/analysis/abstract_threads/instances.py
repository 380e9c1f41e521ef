"""Threads of one kind that get different arguments: what each reaches through its own is its own.

A creation in a counting loop gives each thread another number or another element of an array; a block allocated anew
before each creation is another block. Two such threads that access memory through their arguments, in the same way,
access different memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.abstract_threads.accesses import ThreadAccess
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.threads import Repetition
from threadproof.analysis.values.counted_loops import once_per_round
from threadproof.analysis.values.symbolic import Sum, tell_apart
from threadproof.core.graph import components
from threadproof.ir.expr import Convert, Expr, GlobalRef, PtrAdd, Reg
from threadproof.ir.instr import Alloc, Sync, edges
from threadproof.ir.program import Function


@dataclass(frozen=True, slots=True)
class Distinct:
    """Arguments of two threads of this kind differ by at least `stride`; None: they are different objects."""

    parameter: Reg
    stride: int | None


class DistinctInstances:
    def __init__(self, facts: ThreadFacts) -> None:
        self._facts = facts
        self._distinct: dict[str, Distinct] = {}
        for name in facts.points:
            found = self._find(name)
            if found is not None:
                self._distinct[name] = found

    def apart(self, a: ThreadAccess, b: ThreadAccess) -> bool:
        """Whether two different threads, making these accesses, access different memory."""
        found = self._distinct.get(a.thread)
        if found is None or a.thread != b.thread:
            return False
        if found.stride is None:
            return a.base == b.base == found.parameter
        mine, other = _through(a.address, found.parameter), _through(b.address, found.parameter)
        if mine is None or other is None or mine[:2] != other[:2]:
            return False
        return tell_apart(mine[0] * found.stride, abs(mine[2] - other[2]) + max(a.size, b.size))

    def _find(self, name: str) -> Distinct | None:
        """Only the thread's own creation may be repeated: else two parents could give the same argument."""
        tree = self._facts.tree
        thread = tree.threads[name]
        parameters = tree.program.functions[name].params
        if thread.site is None or thread.parent is None or thread.repetition is not Repetition.REPEATED:
            return None
        if not tree.runs_once(thread.parent) or len(parameters) != 1:
            return None
        parent, flow = tree.program.functions[thread.parent], self._facts.flows[thread.parent]
        create = parent.block(thread.site.block).instrs[thread.site.number]
        assert isinstance(create, Sync)
        argument = flow.symbols.expand(create.args[2])
        if _allocated_anew(parent, thread.site.block, _base(argument)):
            return Distinct(parameters[0], None)
        loop = flow.loops.get(thread.site.block)
        if loop is None or not once_per_round(parent, loop, thread.site.block):
            return None
        terms = flow.symbols.sum(create.args[2]).terms
        counting = [abs(times) for symbol, times in terms if loop.is_counter(symbol)]
        fixed = all(loop.is_counter(symbol) or loop.is_fixed(symbol) for symbol, _ in terms)
        return Distinct(parameters[0], counting[0] * loop.step) if len(counting) == 1 and fixed else None


def _base(expr: Expr) -> Expr:
    while isinstance(expr, PtrAdd):
        expr = expr.base
    return expr


def _allocated_anew(function: Function, label: str, base: Expr) -> bool:
    """Whether the register gets a new block before the instruction is executed again."""
    where = next(
        (b.label for b in function.blocks for i in b.instrs if isinstance(i, Alloc) and i.dst == base),
        None,
    )
    if where is None:
        return False
    following = {
        b.label: tuple(dict.fromkeys(e.target for e in edges(b.instrs[-1]) if e.target != where))
        for b in function.blocks
        if b.label != where
    }
    return where == label or not any(
        label in component and (len(component) > 1 or label in following[label]) for component in components(following)
    )


def _through(address: Sum, parameter: Reg) -> tuple[int, tuple[tuple[Expr, int], ...], int] | None:
    """The address as factor * parameter + something all threads share + a constant."""
    own = [(symbol, times) for symbol, times in address.terms if _is(symbol, parameter)]
    rest = tuple((symbol, times) for symbol, times in address.terms if not _is(symbol, parameter))
    if len(own) != 1 or own[0][1] <= 0 or not all(is_common(symbol) for symbol, _ in rest):
        return None
    return own[0][1], rest, address.constant


def _is(symbol: Expr, parameter: Reg) -> bool:
    if isinstance(symbol, Convert) and symbol.width >= symbol.operand.width:
        symbol = symbol.operand
    return symbol == parameter


def is_common(symbol: Expr) -> bool:
    """Whether the symbol is the same number for all threads: a global's address, or what never changes (`*p`)."""
    return isinstance(symbol, GlobalRef) or (isinstance(symbol, Reg) and symbol.name.startswith("*"))
