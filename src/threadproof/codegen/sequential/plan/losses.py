"""Undefined behaviour that a sequentialized program does not show.

Locals of finished functions and blocks, and constants, are ordinary variables there, and the elements of a local of a
recursive function lie side by side. Programs in which such an access may happen are told apart here, roughly.
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.analysis.control.call_graph import reachable
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root, Site, analyse
from threadproof.codegen.sequential.plan.registers import stack_objects
from threadproof.codegen.sequential.plan.threads import SequentialCode
from threadproof.ir.expr import Expr, Reg, registers
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Branch,
    CompareExchange,
    Instr,
    Jump,
    Load,
    Return,
    Rmw,
    StackRestore,
    StackSave,
    Store,
    Switch,
    Sync,
    edges,
)
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Block, Function, Mutability, Program
from threadproof.sync.facts import Act, does


def loss(program: Program) -> str:
    """What may happen unnoticed; empty if nothing."""
    points_to = analyse(program)
    if points_to.wild:
        return "pointers may point anywhere"
    code = SequentialCode(program, points_to)
    if any(stack_objects(program.functions[name]) for name in code.recursive):
        return "a recursive function has locals in memory"
    uses = _Uses(program, points_to)
    for name in program.functions:
        for instr in program.functions[name].instrs():
            found = uses.wrong(name, instr)
            if found:
                return found
    return ""


class _Uses:
    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._gone: dict[Root, bool] = {}
        self._main_ends_alone = _main_ends_alone(program)

    def wrong(self, function: str, instr: Instr) -> str:
        for address in _addresses(instr):
            for root, _ in self._points_to.expression(function, address):
                if root.kind is ObjectKind.STACK and root.site is not None and self._may_be_gone(root, root.site):
                    return f"the local {root.name} of {root.site.function} may be used after it is gone"
                constant = root.kind is ObjectKind.GLOBAL and self._is_constant(root.name)
                if constant and not isinstance(instr, Load):
                    return f"the constant {root.name} may be written"
        return ""

    def _is_constant(self, name: str) -> bool:
        return self._program.globals[name].mutability is Mutability.CONSTANT

    def _may_be_gone(self, root: Root, site: Site) -> bool:
        if root not in self._gone:
            function = self._program.functions[site.function]
            alloc = next(b for b in function.blocks if b.label == site.block).instrs[site.number]
            assert isinstance(alloc, Alloc)
            if alloc.name in function.unshared:
                self._gone[root] = self._is_kept(root, alloc, function)
            else:
                ends = site.function != self._program.entry or self._main_ends_alone
                self._gone[root] = ends or _is_followed(alloc, function)
        return self._gone[root]

    def _is_kept(self, root: Root, alloc: Alloc, function: Function) -> bool:
        """Whether a register keeps the address of a local that never leaves its function when its block ends."""
        live, width = live_before(function), self._program.data_model.pointer_bits
        return any(
            place.root == root
            for block, number in _ends(alloc, function)
            for name in live[block.label][number + 1]
            for place in self._points_to.expression(function.name, Reg(name, width))
        )


def _main_ends_alone(program: Program) -> bool:
    """Whether main may end, and its locals with it, while others go on: by pthread_exit or cancelled."""
    cancelled = any(does(instr, Act.CANCEL) for instr in program.instrs())
    functions = (program.functions[name] for name in reachable(program, frozenset({program.entry})))
    return cancelled or any(does(i, Act.EXIT) for f in functions for i in f.instrs())


def _ends(alloc: Alloc, function: Function) -> Iterator[tuple[Block, int]]:
    """Where this object's life may end: alone, or with all since a place on the stack."""
    ending = {alloc.dst.name, *(instr.dst.name for instr in function.instrs() if isinstance(instr, StackSave))}
    for block in function.blocks:
        for number, instr in enumerate(block.instrs):
            if isinstance(instr, StackRestore) and not ending.isdisjoint(registers(instr.address)):
                yield block, number


def _is_followed(alloc: Alloc, function: Function) -> bool:
    """Whether anything but the end of the function may come after this object's life."""
    return any(_goes_on(function, block, number) for block, number in _ends(alloc, function))


def _goes_on(function: Function, block: Block, number: int) -> bool:
    """Whether anything but the end of the function can follow this instruction."""
    seen: dict[str, None] = {}
    todo = list(block.instrs[number + 1 :])
    while todo:
        instr = todo.pop()
        if not isinstance(instr, Assign | StackRestore | Jump | Branch | Switch | Return):
            return True
        for edge in edges(instr):
            if edge.target not in seen:
                seen[edge.target] = None
                todo.extend(next(b for b in function.blocks if b.label == edge.target).instrs)
    return False


def _addresses(instr: Instr) -> tuple[Expr, ...]:
    match instr:
        case Load() | Store() | Rmw() | CompareExchange():
            return (instr.address,)
        case Sync():
            return instr.args
        case _:
            return ()
