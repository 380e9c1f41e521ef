"""Undefined behaviour that a sequentialized program does not show.

Locals of finished functions and constants are ordinary variables there, and the elements of a local of a recursive
function lie side by side. Programs in which such an access may happen are told apart here, roughly.
"""

from __future__ import annotations

from threadproof.analysis.points_to import Kind, PointsTo, Site, analyse
from threadproof.codegen.sequential.registers import stack_objects
from threadproof.codegen.sequential.threads import Code
from threadproof.ir.expr import Expr
from threadproof.ir.instr import CompareExchange, Instr, Load, Rmw, Store, Sync
from threadproof.ir.program import Mutability, Program


def loss(program: Program) -> str:
    """What may happen unnoticed; empty if nothing."""
    points_to = analyse(program)
    if points_to.wild:
        return "pointers may point anywhere"
    code = Code(program, points_to)
    if any(stack_objects(program.functions[name]) for name in code.recursive):
        return "a recursive function has locals in memory"
    for name in program.functions:
        for instr in program.functions[name].instrs():
            found = _of(program, points_to, name, instr)
            if found:
                return found
    return ""


def _of(program: Program, points_to: PointsTo, function: str, instr: Instr) -> str:
    for address in _addresses(instr):
        for root, _ in points_to.expression(function, address):
            if root.kind is Kind.STACK and root.site is not None and _may_be_gone(program, root.site, function):
                return f"the local {root.name} of {root.site.function} may be used after it is gone"
            constant = root.kind is Kind.GLOBAL and program.globals[root.name].mutability is Mutability.CONSTANT
            if constant and not isinstance(instr, Load):
                return f"the constant {root.name} may be written"
    return ""


def _may_be_gone(program: Program, site: Site, user: str) -> bool:
    """Locals of main live as long as the program; those that never leave their function are used while they live."""
    if site.function == program.entry:
        return False
    function = program.functions[site.function]
    alloc = next(b for b in function.blocks if b.label == site.block).instrs[site.number]
    return getattr(alloc, "name", "") not in function.unshared


def _addresses(instr: Instr) -> tuple[Expr, ...]:
    match instr:
        case Load() | Store() | Rmw() | CompareExchange():
            return (instr.address,)
        case Sync():
            return instr.args
        case _:
            return ()
