"""A nondeterministic value that an assumption directly after it restricts gets that smaller range, or few values."""

from __future__ import annotations

from dataclasses import replace

from threadproof.analysis.values.conditions import Intervals
from threadproof.analysis.values.narrowing import surviving
from threadproof.ir.instr import Instr, Nondet
from threadproof.ir.program import Function, Program

SMALL = 256  # ranges up to this size are enumerated anyway


def narrow_choices(program: Program) -> Program:
    functions = {name: _narrowed(program, function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _narrowed(program: Program, function: Function) -> Function:
    if not any(_is_wide(instr) for instr in function.instrs()):
        return function
    blocks = tuple(
        replace(
            block,
            instrs=tuple(
                _narrow(program, function, block.label, index, instr) if isinstance(instr, Nondet) else instr
                for index, instr in enumerate(block.instrs)
            ),
        )
        for block in function.blocks
    )
    return replace(function, blocks=blocks)


def _is_wide(instr: Instr) -> bool:
    return isinstance(instr, Nondet) and instr.high - instr.low >= SMALL


def _narrow(program: Program, function: Function, label: str, index: int, instr: Nondet) -> Instr:
    if not _is_wide(instr):
        return instr
    values = surviving(program, function, label, index)
    if not values:
        return instr
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
