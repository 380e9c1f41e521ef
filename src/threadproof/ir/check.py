"""What a legal program is. Passes and engines rely on every rule here, so each is checked, never assumed.

A problem is a sentence that names function, block and instruction. A program that breaks a rule is always a
bug of ours: bad input is refused by the front end, with the user's line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from threadproof.core.errors import InternalError
from threadproof.ir.assigned import unassigned
from threadproof.ir.check_instr import CheckScope, instr_problems
from threadproof.ir.expr import Reg, walk
from threadproof.ir.instr import ENDS_BLOCK, Instr, all_uses, defs, edges
from threadproof.ir.program import Function, GlobalVar, Program
from threadproof.ir.show import show_instr

_SHOWN = 20


def check(program: Program, sync_ops: Collection[str] | None = None) -> list[str]:
    """Everything wrong with the program. `sync_ops` are the operations that exist; None: any name will do.

    They are a parameter because the sync table lies above this room.
    """
    problems = list(_program_problems(program))
    for name, variable in program.globals.items():
        problems.extend(_global_problems(program, name, variable))
    for name, function in program.functions.items():
        if function.name != name:
            problems.append(f"the function {function.name} is listed as {name}")
        problems.extend(f"{name}: {problem}" for problem in _function_problems(program, function, sync_ops))
    return problems


def require_legal(program: Program, sync_ops: Collection[str] | None = None) -> None:
    problems = check(program, sync_ops)
    if problems:
        more = f"\nand {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        listed = "\n".join(problems[:_SHOWN])
        raise InternalError(f"{program.name} is not a legal program:\n{listed}{more}")


def _program_problems(program: Program) -> Iterator[str]:
    if program.entry not in program.functions:
        yield f"the entry function {program.entry} does not exist"
    for name in program.functions.keys() & program.globals.keys():
        yield f"{name} is both a function and a global"


def _global_problems(program: Program, name: str, variable: GlobalVar) -> Iterator[str]:
    if variable.name != name:
        yield f"the global {variable.name} is listed as {name}"
    if variable.size < 0 or len(variable.image) > variable.size:
        yield f"the global {name} has {len(variable.image)} initial bytes in {variable.size}"
    if variable.align < 1 or variable.align & (variable.align - 1):
        yield f"the global {name} is aligned to {variable.align}, which is not a power of two"
    word = program.data_model.pointer_bytes
    for relocation in variable.relocations:
        if relocation.offset < 0 or relocation.offset + word > variable.size:
            yield f"the global {name} of {variable.size} bytes has a relocation at {relocation.offset}"
        if relocation.target not in program.globals and relocation.target not in program.functions:
            yield f"the global {name} refers to {relocation.target}, which does not exist"


def _function_problems(program: Program, function: Function, sync_ops: Collection[str] | None) -> Iterator[str]:
    if not function.blocks:
        yield "no block"
        return
    scope = CheckScope(program, function, _widths(function), sync_ops)
    yield from _width_conflicts(function)
    for block in function.blocks:
        for instr in block.instrs:
            for problem in instr_problems(instr, scope):
                yield f"{block.label}: {problem} in `{show_instr(instr)}`"
    shape = list(_shape_problems(function))
    yield from shape or unassigned(function)


def _shape_problems(function: Function) -> Iterator[str]:
    labels = Counter(block.label for block in function.blocks)
    for label, times in labels.items():
        if times > 1:
            yield f"{label} is the label of {times} blocks"
    for block in function.blocks:
        yield from (f"{block.label}: {problem}" for problem in _block_problems(block.instrs, labels))


def _block_problems(instrs: tuple[Instr, ...], labels: Collection[str]) -> Iterator[str]:
    if not instrs or not isinstance(instrs[-1], ENDS_BLOCK):
        yield "the block does not end with a terminator"
    for instr in instrs[:-1]:
        if isinstance(instr, ENDS_BLOCK):
            yield f"`{show_instr(instr)}` stands before the end of the block"
    for instr in instrs:
        for edge in edges(instr):
            if edge.target not in labels:
                yield f"an edge leads to {edge.target}, which does not exist"


def _written(function: Function) -> Iterator[Reg]:
    yield from function.params
    for instr in function.instrs():
        yield from defs(instr)
        for edge in edges(instr):
            yield from (dst for dst, _ in edge.moves)


def _widths(function: Function) -> dict[str, int]:
    return {reg.name: reg.width for reg in _written(function)}


def _width_conflicts(function: Function) -> Iterator[str]:
    """A register has one width, wherever it is written or read."""
    read = (
        part for instr in function.instrs() for expr in all_uses(instr) for part in walk(expr) if isinstance(part, Reg)
    )
    first: dict[str, int] = {}
    told: set[str] = set()
    for reg in (*_written(function), *read):
        width = first.setdefault(reg.name, reg.width)
        if width != reg.width and reg.name not in told:
            told.add(reg.name)
            yield f"the register {reg.name} has the widths {width} and {reg.width}"
