"""Returning from main ends the program: no local of main dies first.

Where blocks end, clang marks the ends of their locals' lives, also on the way to main's `return`; another thread that
still uses one would meet a dead local in the moment before the program ends. C calls that undefined, but no machine
does anything there: the memory is main's until the process is gone. So the way from the last thing that anybody can
notice to the return of main is written out without these ends. Other functions, start routines of threads included,
keep theirs, and so does a main that is called like any other function.
"""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.control.call_graph import address_taken
from threadproof.ir.expr import Const, Expr, Reg, may_trap
from threadproof.ir.instr import (
    Assign,
    Branch,
    Call,
    Edge,
    Instr,
    Jump,
    Load,
    Return,
    StackRestore,
    Store,
    Switch,
)
from threadproof.ir.program import Block, Function, Program, reachable_blocks
from threadproof.passes.private_locals import private_locals

LONGEST = 64  # blocks on the way to a return


def keep_locals_of_main(program: Program) -> Program:
    main = program.functions[program.entry]
    called = any(isinstance(instr, Call) and instr.callee == program.entry for instr in program.instrs())
    if called or program.entry in address_taken(program):
        return program
    ways = _Ways(main)
    blocks = [ways.to_return(block) or block for block in main.blocks]
    changed = replace(main, blocks=reachable_blocks(blocks))
    return replace(program, functions={**program.functions, main.name: changed})


class _Ways:
    """Straight ways to main's return, on which nothing happens that others can notice."""

    def __init__(self, main: Function) -> None:
        self._blocks = {block.label: block for block in main.blocks}
        self._private = private_locals(main)

    def to_return(self, block: Block) -> Block | None:
        """The block, going on to the return without ends of lives; None if it does not lead there, or has none."""
        first = len(block.instrs)
        while first and self._is_quiet(block.instrs[first - 1]):
            first -= 1
        walk = self._walk(block.instrs[first:]) if first < len(block.instrs) else None
        if walk is None or not any(isinstance(instr, StackRestore) for instr in walk):
            return None
        kept = tuple(instr for instr in walk if not isinstance(instr, StackRestore))
        return replace(block, instrs=block.instrs[:first] + kept)

    def _walk(self, tail: tuple[Instr, ...]) -> list[Instr] | None:
        """What happens on the way. Which way a cleanup goes on is told by a local that was given a constant."""
        known: dict[str, int] = {}
        made: list[Instr] = []
        for _ in range(LONGEST):
            for instr in tail[:-1]:
                if not self._is_quiet(instr):
                    return None
                _learn(known, instr)
                made.append(instr)
            if isinstance(tail[-1], Return):
                return [*made, tail[-1]]
            edge = _next(tail[-1], known)
            if edge is None or edge.moves:
                return None
            tail = self._blocks[edge.target].instrs
        return None

    def _is_quiet(self, instr: Instr) -> bool:
        match instr:
            case Assign():
                return not may_trap(instr.value)
            case Load() | Store():
                return isinstance(instr.address, Reg) and instr.address.name in self._private
            case StackRestore() | Jump() | Branch() | Switch() | Return():
                return True
            case _:
                return False


def _learn(known: dict[str, int], instr: Instr) -> None:
    """Constants that locals hold (under the names of their addresses) and registers."""
    match instr:
        case Store(address=Reg(name=slot)):
            _set(known, slot, _value(instr.value, known))
        case Load(address=Reg(name=slot)):
            _set(known, instr.dst.name, known.get(slot))
        case Assign():
            _set(known, instr.dst.name, _value(instr.value, known))
        case _:
            pass


def _set(known: dict[str, int], name: str, value: int | None) -> None:
    known.pop(name, None)
    if value is not None:
        known[name] = value


def _value(expr: Expr, known: dict[str, int]) -> int | None:
    match expr:
        case Const():
            return expr.value
        case Reg():
            return known.get(expr.name)
        case _:
            return None


def _next(end: Instr, known: dict[str, int]) -> Edge | None:
    match end:
        case Jump():
            return end.edge
        case Switch() if (value := _value(end.value, known)) is not None:
            return next((edge for case, edge in end.cases if case == value), end.default)
        case _:
            return None
