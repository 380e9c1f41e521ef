"""A nondeterministic value that an assumption directly after it restricts gets that smaller range, or few values.

Values with which the program ends at once are left out, too. Where a property asks for blocks of the heap, such an end
may be the violation: a block that is left then, or one that only a register held which nobody reads on the way there.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from threadproof.analysis.values.conditions import Intervals
from threadproof.analysis.values.narrowing import surviving
from threadproof.ir.instr import Alloc, HaltKind, Instr, Nondet, Storage
from threadproof.ir.liveness import live_before
from threadproof.ir.program import Function, Program

SMALL = 256  # ranges up to this size are enumerated anyway
_ENDS = {HaltKind.RETURN, HaltKind.EXIT}  # at which nothing may be left


class BlocksAsked(Enum):
    """When the property asks what became of blocks of the heap."""

    NEVER = "never"
    AT_THE_END = "at the end"
    ALWAYS = "always"


def narrow_choices(program: Program, asked: BlocksAsked = BlocksAsked.NEVER) -> Program:
    asked = asked if any(_is_block(instr) for instr in program.instrs()) else BlocksAsked.NEVER
    functions = {name: _narrowed(program, function, asked) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _is_block(instr: Instr) -> bool:
    return isinstance(instr, Alloc) and instr.storage is Storage.HEAP


def _narrowed(program: Program, function: Function, asked: BlocksAsked) -> Function:
    if not any(_is_wide(instr) for instr in function.instrs()):
        return function
    holding = _holding(function) if asked is BlocksAsked.ALWAYS else set[tuple[str, int]]()
    noticed = _ENDS if asked is BlocksAsked.AT_THE_END else set[HaltKind]()

    def narrow(label: str, index: int, instr: Instr) -> Instr:
        if not isinstance(instr, Nondet) or not _is_wide(instr) or (label, index) in holding:
            return instr
        values = surviving(program, function, label, index, noticed)
        return _narrow(values, instr) if values else instr

    blocks = tuple(
        replace(
            block,
            instrs=tuple(narrow(block.label, index, instr) for index, instr in enumerate(block.instrs)),
        )
        for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _holding(function: Function) -> set[tuple[str, int]]:
    """Choices beside which a register may hold a block: it is read later, and is no address of a local."""
    locals_ = {i.dst.name for i in function.instrs() if isinstance(i, Alloc) and i.storage is Storage.STACK}
    live = live_before(function)
    return {
        (block.label, index)
        for block in function.blocks
        for index, instr in enumerate(block.instrs)
        if isinstance(instr, Nondet) and live[block.label][index] - locals_
    }


def _is_wide(instr: Instr) -> bool:
    return isinstance(instr, Nondet) and instr.high - instr.low >= SMALL


def _narrow(values: Intervals, instr: Nondet) -> Nondet:
    low, high = _hull(values, instr)
    narrow = replace(instr, low=max(low, instr.low), high=min(high, instr.high))
    few = sum(last - first + 1 for first, last in values) <= SMALL
    return replace(narrow, values=_listed(values, narrow)) if few and _is_wide(narrow) else narrow


def _listed(values: Intervals, instr: Nondet) -> tuple[int, ...]:
    """All that survive, in the choice's own sense of sign."""
    sign, size = 1 << (instr.dst.width - 1), 1 << instr.dst.width
    found = [value for first, last in values for value in range(first, last + 1)]
    own = [value - size if instr.low < 0 and value >= sign else value for value in found]
    return tuple(value for value in own if instr.low <= value <= instr.high)


def _hull(values: Intervals, instr: Nondet) -> tuple[int, int]:
    """The smallest range around the patterns, in the choice's own sense of sign."""
    if instr.low >= 0:
        return values[0][0], values[-1][1]
    sign, size = 1 << (instr.dst.width - 1), 1 << instr.dst.width
    as_signed = [
        pair
        for low, high in values
        for pair in (
            [(low, high)]
            if high < sign
            else [(low - size, high - size)]
            if low >= sign
            else [(low, sign - 1), (-sign, high - size)]
        )
    ]
    return min(low for low, _ in as_signed), max(high for _, high in as_signed)
