"""The C types of a function's registers, and which of them anybody reads."""

from __future__ import annotations

from collections.abc import Iterable

from threadproof.codegen.sequential.values.scalars import CKind, Sign, scalar_kind, unsigned
from threadproof.core.graph import reached
from threadproof.ir.control_flow import control_flow
from threadproof.ir.expr import Expr, GlobalRef, PtrAdd, Reg, TlsRef, registers, walk
from threadproof.ir.instr import (
    Alloc,
    Assign,
    CompareExchange,
    Free,
    Load,
    Rmw,
    StackSave,
    Storage,
    Store,
    all_uses,
    defs,
    edges,
)
from threadproof.ir.program import Function, Program


def read_registers(function: Function) -> frozenset[str]:
    return frozenset(n for i in function.instrs() for expr in all_uses(i) for n in registers(expr))


def register_kinds(program: Program, function: Function) -> dict[str, CKind]:
    """As declared in the source; else as the variable it is read from; else a pointer where it is used as one, else an
    unsigned number."""
    pointer_bits = program.data_model.pointer_bits
    found: dict[str, Reg] = {reg.name: reg for reg in function.params}
    for instr in function.instrs():
        found.update((reg.name, reg) for reg in defs(instr))
        found.update((dst.name, dst) for edge in edges(instr) for dst, _ in edge.moves)
    pointers = _pointers(function)
    read = _read_from(program, function)
    kinds: dict[str, CKind] = {}
    for name, reg in found.items():
        variable = function.variables.get(name)
        declared = None if variable is None else scalar_kind(variable.ctype, pointer_bits)
        if declared is not None and declared.width == reg.width:
            kinds[name] = declared
        elif name in pointers and reg.width == pointer_bits:
            kinds[name] = CKind(Sign.POINTER, pointer_bits)
        else:
            kinds[name] = read.get(name, unsigned(reg.width))
    return kinds


def _read_from(program: Program, function: Function) -> dict[str, CKind]:
    """Types of registers that are only ever loaded from one global variable."""
    found: dict[str, CKind | None] = {}
    for instr in function.instrs():
        for reg in defs(instr):
            kind: CKind | None = None
            if isinstance(instr, Load) and isinstance(instr.address, GlobalRef):
                variable = program.globals.get(instr.address.name)
                ctype = None if variable is None else variable.ctype
                kind = scalar_kind(ctype, program.data_model.pointer_bits)
            if kind is not None and (kind.width != reg.width or found.get(reg.name, kind) != kind):
                kind = None
            found[reg.name] = kind
    return {name: kind for name, kind in found.items() if kind is not None}


def _pointers(function: Function) -> set[str]:
    found: set[str] = set()
    for instr in function.instrs():
        match instr:
            case Load() | Store() | Rmw() | CompareExchange() | Free():
                found |= _bases(instr.address)
            case Alloc() | StackSave():
                found.add(instr.dst.name)
            case Assign() if _is_address(instr.value):
                found.add(instr.dst.name)
            case _:
                pass
        for expr in all_uses(instr):
            for part in walk(expr):
                if isinstance(part, PtrAdd):
                    found |= _bases(part.base)
    return found


def _bases(address: Expr) -> set[str]:
    while isinstance(address, PtrAdd):
        address = address.base
    return {address.name} if isinstance(address, Reg) else set()


def _is_address(value: Expr) -> bool:
    return isinstance(value, GlobalRef | TlsRef | PtrAdd)


def stack_objects(function: Function) -> dict[str, Alloc]:
    """Locals in memory, by the register that holds their address: of constant size, and only one per call."""
    from threadproof.codegen.sequential.plan.loops import loops
    from threadproof.ir.expr import Const

    cyclic = loops(function).cyclic
    times: dict[str, int] = {}
    for instr in function.instrs():
        for reg in (*defs(instr), *(dst for edge in edges(instr) for dst, _ in edge.moves)):
            times[reg.name] = times.get(reg.name, 0) + 1
    return {
        instr.dst.name: instr
        for block in function.blocks
        for instr in block.instrs
        if isinstance(instr, Alloc)
        and instr.storage is Storage.STACK
        and isinstance(instr.size, Const)
        and times[instr.dst.name] == 1
        and (instr.name in function.variables or block.label not in cyclic)
    }


def read_first(function: Function, objects: Iterable[str]) -> frozenset[str]:
    """Those locals in memory that may be read before anything else is done with them."""
    flow = control_flow(function)
    mentioned = [{n for expr in all_uses(i) for n in registers(expr)} for i in flow.instrs]
    starts = {i.dst.name: at for at, i in enumerate(flow.instrs) if isinstance(i, Alloc)}

    def may_be_read(name: str) -> bool:
        def untouched(at: int) -> Iterable[int]:
            return () if name in mentioned[at] else flow.after[at]

        ahead = reached(flow.after[starts[name]], untouched)
        return any(isinstance(flow.instrs[at], Load) and name in mentioned[at] for at in ahead)

    return frozenset(name for name in objects if may_be_read(name))
