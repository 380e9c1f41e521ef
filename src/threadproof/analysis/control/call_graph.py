"""Who may call whom. An indirect call may reach every function whose address is taken."""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.core.graph import reached
from threadproof.ir.expr import GlobalRef, walk
from threadproof.ir.instr import Call, Instr, all_uses
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, does


def callees(function: Function, address_taken: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for instr in function.instrs():
        if isinstance(instr, Call):
            found |= {instr.callee} if isinstance(instr.callee, str) else address_taken
    return frozenset(found)


def address_taken(program: Program) -> frozenset[str]:
    """Functions whose address is a value somewhere: in an expression or in a global's initial content."""
    return _mentioned(program, program.instrs())


def callable_by_pointer(program: Program) -> frozenset[str]:
    """The same without those that are only given to creations of threads: their address gets nowhere else."""
    return _mentioned(program, (instr for instr in program.instrs() if not does(instr, Act.CREATE)))


def _mentioned(program: Program, instrs: Iterable[Instr]) -> frozenset[str]:
    taken = {r.target for g in program.globals.values() for r in g.relocations if r.target in program.functions}
    for instr in instrs:
        for expr in all_uses(instr):
            taken.update(
                part.name for part in walk(expr) if isinstance(part, GlobalRef) and part.name in program.functions
            )
    return frozenset(taken)


def reachable(program: Program, roots: frozenset[str]) -> frozenset[str]:
    """The functions that calls starting at `roots` can reach."""
    taken = address_taken(program)
    return frozenset(reached(roots & program.functions.keys(), lambda name: callees(program.functions[name], taken)))
