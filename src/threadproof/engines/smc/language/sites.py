"""Program points a query can name: where a function is called, what stands at a line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from threadproof.engines.smc.language.expression import Sites
from threadproof.ir import instr as ir
from threadproof.ir.expr import GlobalRef, Reg
from threadproof.ir.instr import ErrorKind, Instr
from threadproof.ir.program import Program
from threadproof.sync.rows import Allocates, Does, Fails, Frees, Halts
from threadproof.sync.table import lookup


def call_sites(program: Program, name: str) -> Sites:
    """Where the next instruction calls `name`: a function of the program, of the library, or one defined nowhere."""
    return _where(program, lambda instr: _calls(instr, name))


@dataclass(frozen=True, slots=True)
class PointerCall:
    """A call through the pointer in a register."""

    function: str
    pc: int
    register: str


def pointer_calls(program: Program) -> list[PointerCall]:
    return [
        PointerCall(name, pc, instr.callee.name)
        for name, function in program.functions.items()
        for pc, instr in enumerate(function.instrs())
        if isinstance(instr, ir.Call) and isinstance(instr.callee, Reg)
    ]


def line_sites(program: Program, function: str, line: int) -> Sites:
    """Instructions of one function at a line."""
    points = frozenset(pc for pc, instr in enumerate(program.functions[function].instrs()) if instr.loc.line == line)
    return {function: points} if points else {}


def source_sites(program: Program, file: str, line: int) -> Sites:
    """Instructions of any function at a line of a file, which may be named by the end of its path."""

    def here(instr: Instr) -> bool:
        return instr.loc.line == line and (not file or _same_file(instr.loc.file, file))

    return _where(program, here)


def callable_names(program: Program) -> list[str]:
    """For suggestions: what is called somewhere."""
    found = dict.fromkeys(program.functions)
    for function in program.functions.values():
        for instr in function.instrs():
            if isinstance(instr, ir.Nondet):
                found[instr.source] = None
    found.update(dict.fromkeys(one.name for one in program.outside.missing))
    return list(found)


def lines_of(program: Program, function: str) -> list[int]:
    return sorted({instr.loc.line for instr in program.functions[function].instrs() if instr.loc.line})


def _where(program: Program, matches: Callable[[Instr], bool]) -> Sites:
    found: Sites = {}
    for name, function in program.functions.items():
        points = frozenset(pc for pc, instr in enumerate(function.instrs()) if matches(instr))
        if points:
            found[name] = points
    return found


def _calls(instr: Instr, name: str) -> bool:
    match instr:
        case ir.Call():
            callee = instr.callee.name if isinstance(instr.callee, GlobalRef) else instr.callee
            return callee == name
        case ir.Nondet():
            return instr.source == name
        case ir.Unsupported():
            return instr.construct == ir.without_body(name)
        case ir.Error(kind=ErrorKind.REACH_ERROR):
            return instr.message == f"{name}() is called"
        case _:
            return _library_call(instr, name)


def _library_call(instr: Instr, name: str) -> bool:
    row = lookup(name)
    if row is None:
        return False
    match row.effect:
        case Does():
            return isinstance(instr, ir.Sync) and instr.op == row.effect.uses[0].op
        case Halts():
            return isinstance(instr, ir.Halt) and instr.kind is row.effect.kind
        case Fails():
            return (
                isinstance(instr, ir.Error)
                and instr.kind is row.effect.kind
                and instr.kind is not ErrorKind.REACH_ERROR
            )
        case Frees():
            return isinstance(instr, ir.Free)
        case Allocates():
            return isinstance(instr, ir.Alloc) and instr.name.split("@")[0] == name
        case _:
            return False


def _same_file(known: str, asked: str) -> bool:
    return known == asked or known.endswith(os.sep + asked) or os.path.basename(known) == asked
