"""Functions that allocate on the heap, once for every call: blocks of different calls are different objects then.

`int *make(int n) { return malloc(n); }` is one place of allocation. Without this, all that its callers keep in several
variables would be one object for the points-to analysis.

Paper: E. M. Nystrom, H.-S. Kim, W.-M. Hwu, Importance of heap specialization in pointer analysis, PASTE 2004.
Differs: only functions that allocate are copied, the analysis itself knows no contexts.
Invariants: the copies are for analyses only; a call string of the program says which copy is meant (`Cloned.name`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.program import Block, Function, Program

_MOST = 200
"""Copies; a program that would need more keeps its functions as they are."""


@dataclass(frozen=True, slots=True)
class Cloned:
    program: Program
    functions: frozenset[str]  # those that have copies

    def name(self, context: Iterable[Site], function: str) -> str:
        """The copy of a function that runs at the end of a call string."""
        if not self.functions:
            return function
        calls, name = list(context), ""
        for index, call in enumerate(calls):
            name = name or call.function
            callee = calls[index + 1].function if index + 1 < len(calls) else function
            copy = _copy(callee, Site(name, call.block, call.number))
            name = copy if copy in self.program.functions else callee
        return name or function

    def site(self, context: Iterable[Site], site: Site) -> Site:
        return Site(self.name(context, site.function), site.block, site.number)


_last: list[tuple[Program, Cloned]] = []
"""Asked for by the automaton and by formulas: one and the same program has one and the same copy."""


def cloned(program: Program) -> Cloned:
    if not _last or _last[0][0] is not program:
        _last[:] = [(program, _cloned(program))]
    return _last[0][1]


def _cloned(program: Program) -> Cloned:
    allocating = _allocating(program)
    functions, todo = dict(program.functions), list(program.functions.values())
    while todo:
        function = todo.pop()
        new: list[Block] = []
        for block in function.blocks:
            instrs = list(block.instrs)
            for number, instr in enumerate(instrs):
                if isinstance(instr, ir.Call) and instr.callee in allocating:
                    assert isinstance(instr.callee, str)
                    copy = _copy(instr.callee, Site(function.name, block.label, number))
                    instrs[number] = replace(instr, callee=copy)
                    functions[copy] = replace(program.functions[instr.callee], name=copy)
                    todo.append(functions[copy])
            new.append(replace(block, instrs=tuple(instrs)))
        functions[function.name] = replace(function, blocks=tuple(new))
        if len(functions) > len(program.functions) + _MOST:
            return Cloned(program, frozenset())
    return Cloned(replace(program, functions=functions), allocating) if allocating else Cloned(program, frozenset())


def _copy(function: str, call: Site) -> str:
    return f"{function}@{call.function}.{call.block}.{call.number}"


def _allocating(program: Program) -> frozenset[str]:
    """Functions that allocate on the heap, themselves or by calls, and are called more than once by name. Recursive
    ones would have copies without end."""
    called = {name: list(_called(function)) for name, function in program.functions.items()}
    found = {name for name, function in program.functions.items() if any(map(_allocates, function.instrs()))}
    while more := {name for name, callees in called.items() if found.intersection(callees)} - found:
        found |= more
    recursive = {name for name in found if _reaches(name, called)}
    often = [callee for callees in called.values() for callee in callees]
    several = {name for name in found if often.count(name) > 1}
    while more := {c for name in several for c in called[name] if c in found} - several:
        several |= more  # what copies call needs copies
    return frozenset(several - recursive - {program.entry})


def _called(function: Function) -> Iterator[str]:
    for instr in function.instrs():
        if isinstance(instr, ir.Call) and isinstance(instr.callee, str):
            yield instr.callee


def _allocates(instr: ir.Instr) -> bool:
    return isinstance(instr, ir.Alloc) and instr.storage is ir.Storage.HEAP


def _reaches(start: str, called: dict[str, list[str]]) -> bool:
    """Whether a function may come to call itself."""
    seen, todo = set[str](), list(called[start])
    while todo:
        name = todo.pop()
        if name == start:
            return True
        if name not in seen:
            seen.add(name)
            todo.extend(called.get(name, ()))
    return False
