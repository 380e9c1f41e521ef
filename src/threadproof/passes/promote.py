"""Locals become registers: stack objects whose address is only ever used to load and store them whole.

Differs from LLVM's mem2reg: a local that may be read before it is written stays in memory, where reading it is a
choice; nothing is folded and no branch disappears.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from threadproof.ir.expr import Const, Expr, Reg, registers
from threadproof.ir.instr import Alloc, Assign, Instr, Load, Purpose, StackRestore, Storage, Store, all_uses, edges
from threadproof.ir.program import Block, Function, Program


def promote_locals(program: Program) -> Program:
    functions = {name: _promote(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _promote(function: Function) -> Function:
    widths = _candidates(function)
    early = _read_too_early(function, widths)
    for name in early | _copies_of(function, early):
        widths.pop(name, None)
    if not widths:
        return function
    names = {alloc.dst.name: alloc.name for alloc in _allocs(function) if alloc.dst.name in widths}
    taken = {param.name for param in function.params}
    variable = {
        pointer: Reg(name if name and name not in taken else pointer, widths[pointer])
        for pointer, name in names.items()
    }
    blocks = tuple(replace(block, instrs=tuple(_rewrite(block.instrs, variable))) for block in function.blocks)
    return replace(function, blocks=blocks)


def _allocs(function: Function) -> Iterator[Alloc]:
    """Stack objects of a known size."""
    for instr in function.instrs():
        if isinstance(instr, Alloc) and instr.storage is Storage.STACK and isinstance(instr.size, Const):
            yield instr


def _candidates(function: Function) -> dict[str, int]:
    """Pointer register -> width of the one kind of access made through it."""
    found: dict[str, int | None] = {}
    sizes: dict[str, Expr] = {}
    for alloc in _allocs(function):
        found[alloc.dst.name] = None if alloc.dst.name not in found else 0
        sizes[alloc.dst.name] = alloc.size
    for instr in function.instrs():
        if isinstance(instr, StackRestore) and isinstance(instr.address, Reg):
            continue  # the end of its life
        width = _whole_access(instr)
        for expr in all_uses(instr):
            _judge(found, instr, expr, width)
    return {name: width for name, width in found.items() if width and _fits(sizes[name], width)}


def _fits(size: Expr, width: int) -> bool:
    """An access larger than the object is out of bounds, and must stay one."""
    return isinstance(size, Const) and 8 * size.value == width


def _judge(found: dict[str, int | None], instr: Instr, expr: Expr, width: int) -> None:
    whole = isinstance(instr, Load | Store) and expr is instr.address and isinstance(expr, Reg)
    for name in registers(expr):
        if name in found:
            known = found[name]
            found[name] = width if whole and known in (None, width) else 0


def _whole_access(instr: Instr) -> int:
    if isinstance(instr, Load):
        return instr.dst.width if instr.dst.width == 8 * instr.size else 0
    if isinstance(instr, Store):
        return instr.value.width if instr.value.width == 8 * instr.size else 0
    return 0


def _read_too_early(function: Function, widths: dict[str, int]) -> set[str]:
    """Candidates that some path reads before writing them (forward analysis of what is surely written)."""
    bit = {name: 1 << index for index, name in enumerate(widths)}
    everything = (1 << len(bit)) - 1
    written: dict[str, int] = {block.label: everything for block in function.blocks}
    written[function.blocks[0].label] = 0
    changed = True
    while changed:
        changed = False
        for block in function.blocks:
            after = _after(block, written[block.label], bit)
            for edge in edges(block.instrs[-1]):
                if written[edge.target] & after != written[edge.target]:
                    written[edge.target] &= after
                    changed = True
    return {name for block in function.blocks for name in _early_reads(block, written[block.label], bit)}


def _copies_of(function: Function, early: set[str]) -> set[str]:
    """Locals that such bytes are copied to, which makes them as arbitrary."""
    copied = {
        instr.dst.name
        for instr in function.instrs()
        if isinstance(instr, Load) and instr.purpose is not Purpose.VALUE and _named(instr.address) in early
    }
    stores = [instr for instr in function.instrs() if isinstance(instr, Store)]
    return {_named(store.address) for store in stores if _named(store.value) in copied}


def _named(expr: Expr) -> str:
    return expr.name if isinstance(expr, Reg) else ""


def _after(block: Block, written: int, bit: dict[str, int]) -> int:
    for instr in block.instrs:
        written = _step(instr, written, bit)
    return written


def _step(instr: Instr, written: int, bit: dict[str, int]) -> int:
    """A store writes; a new life of the object begins unwritten."""
    if isinstance(instr, Store) and isinstance(instr.address, Reg):
        return written | bit.get(instr.address.name, 0)
    if isinstance(instr, Alloc):
        return written & ~bit.get(instr.dst.name, 0)
    return written


def _early_reads(block: Block, written: int, bit: dict[str, int]) -> Iterator[str]:
    for instr in block.instrs:
        if isinstance(instr, Load) and isinstance(instr.address, Reg):
            name = instr.address.name
            if name in bit and not written & bit[name]:
                yield name
        written = _step(instr, written, bit)


def _rewrite(instrs: tuple[Instr, ...], variable: dict[str, Reg]) -> Iterator[Instr]:
    for instr in instrs:
        match instr:
            case Alloc() if instr.dst.name in variable:
                pass
            case StackRestore(address=Reg(name=name)) if name in variable:
                pass
            case Load(address=Reg(name=name)) if name in variable:
                yield Assign(instr.dst, variable[name], loc=instr.loc)
            case Store(address=Reg(name=name)) if name in variable:
                yield Assign(variable[name], instr.value, loc=instr.loc)
            case _:
                yield instr
