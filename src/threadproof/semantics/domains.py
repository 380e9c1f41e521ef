"""The values tried for a choice: all of a small domain, telling ones of a wide one."""

from __future__ import annotations

from threadproof.ir.expr import Const, walk
from threadproof.ir.instr import Switch, all_uses
from threadproof.ir.program import Program
from threadproof.semantics.outcome import Choose

ALL = 256  # domains up to this size are enumerated


def program_constants(program: Program) -> tuple[int, ...]:
    """Numbers the program mentions, read as signed, small ones first."""
    found: set[int] = set()
    for instr in program.instrs():
        if isinstance(instr, Switch):
            found.update(_signed(value, instr.value.width) for value, _ in instr.cases)
        for expr in all_uses(instr):
            for part in walk(expr):
                if isinstance(part, Const) and 8 <= part.width <= 64:
                    found.add(_signed(part.value, part.width))
    return tuple(sorted(found, key=lambda value: (abs(value), value)))[:64]


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def values_to_try(choice: Choose, constants: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """The values, and whether they show every behaviour."""
    low, high = choice.low, choice.high
    if choice.values:
        return choice.values, True
    if high - low < ALL:
        return tuple(range(low, high + 1)), True
    telling = [0, 1, -1, low, high]
    for constant in constants:
        telling.extend((constant, constant - 1, constant + 1))
    inside = dict.fromkeys(value for value in telling if low <= value <= high)
    return tuple(inside), False
