"""Whether a program creates threads in loops, as far as its text says: then there may be more than can be listed."""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.analysis.control.call_graph import address_taken, callees
from threadproof.analysis.control.loops import cycles
from threadproof.core.graph import reached
from threadproof.ir.expr import Compare, Const, walk
from threadproof.ir.instr import Call, Instr, all_uses
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does

FEW = 64
"""Threads: so many can be listed by some engine."""


def creates_in_loops(program: Program) -> bool:
    return any(True for _ in _creating_loops(program))


def creates_a_crowd(program: Program) -> bool:
    """Whether a loop that creates threads seems to have more rounds than there can be listed threads: nothing is
    compared there with a number that is small, or something with one that is not."""
    return any(not compared or max(compared) > FEW for compared in _creating_loops(program))


def _creating_loops(program: Program) -> Iterator[list[int]]:
    """For each loop that creates threads, the numbers above 1 that something is compared with in it."""
    taken = address_taken(program)
    creating = {f.name for f in program.functions.values() if any(does(one, Act.CREATE) for one in f.instrs())}

    def called(name: str) -> frozenset[str]:
        return callees(program.functions[name], taken) & program.functions.keys()

    def creates(instr: Instr) -> bool:
        """A creation, or a call that may come to one."""
        if does(instr, Act.CREATE) or not isinstance(instr, Call):
            return does(instr, Act.CREATE)
        first = {instr.callee} if isinstance(instr.callee, str) else taken
        return not creating.isdisjoint(reached(first & program.functions.keys(), called))

    for function in program.functions.values():
        looping = cycles(function)
        loops = {looping[b.label] for b in function.blocks if b.label in looping and any(map(creates, b.instrs))}
        for loop in loops:
            inside = (block for block in function.blocks if looping.get(block.label) == loop)
            yield [number for block in inside for instr in block.instrs for number in _compared(instr)]


def _compared(instr: Instr) -> Iterator[int]:
    parts = (part for expr in all_uses(instr) for part in walk(expr) if isinstance(part, Compare))
    sides = (side for part in parts for side in (part.left, part.right))
    yield from (side.value for side in sides if isinstance(side, Const) and side.value > 1)
