"""What the instructions of x86 do: a table from mnemonics to their meaning on registers, flags and memory.

Ordinary accesses are plain loads and stores, also of `mov`; only what has a `lock` prefix, and `xchg` with memory, is
atomic, and then sequentially consistent.
"""

from __future__ import annotations

import re

from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.bits import BITS, SHIFTS
from threadproof.frontend.x86.doing import SIZES, Doing, Row
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.moves import MOVES, conditional, extend, memory_first
from threadproof.frontend.x86.others import OTHERS
from threadproof.frontend.x86.text import Instruction, Place
from threadproof.frontend.x86.updates import PAIRS, UPDATES

_EXTENDING = re.compile(r"mov([sz])([bwl])([wlq])")
_CONDITIONAL = re.compile(r"(set|cmov)([a-z]+)")
_SIZELESS: dict[str, Row] = {**OTHERS, **PAIRS}
_TABLE: dict[str, Row] = {**_SIZELESS, **MOVES, **UPDATES, **SHIFTS, **BITS}


def carry_out(m: X86Machine, instruction: Instruction) -> None:
    name, places = instruction.mnemonic, instruction.places
    if instruction.prefix == "rep" and name not in ("nop", "bsf", "bsfl", "bsfq"):
        raise Unlowerable(f"rep {name}")
    if (found := _EXTENDING.fullmatch(name)) is not None and len(places) == 2 and found[2] != found[3]:
        extend(m, found, places)
        return
    if (found := _CONDITIONAL.fullmatch(name)) is not None:
        conditional(m, found[1], found[2], places)
        return
    base, width = _split(m, name, places)
    lockable, count, meaning = _TABLE[base]
    lock = instruction.prefix == "lock"
    if lock and not (lockable and m.in_memory(places[-1] if base != "xchg" else memory_first(m, places))):
        raise Unlowerable(f"lock {name}")
    if len(places) not in count:
        raise Unlowerable(f"{name} with {len(places)} operands")
    meaning(Doing(m, lock, width, places))


def _split(m: X86Machine, name: str, places: tuple[Place, ...]) -> tuple[str, int]:
    """The row of the table and the size in bits, from the suffix or the registers."""
    if name in _TABLE:
        if name in _SIZELESS:
            return name, 0
        widths = {width for place in places if (width := m.width(place)) is not None}
        if name in SHIFTS and len(places) == 2:
            widths = {width for place in places[1:] if (width := m.width(place)) is not None}
        if len(widths) != 1:
            raise Unlowerable(f"{name} of no clear size")
        return name, widths.pop()
    if name[:-1] in _TABLE and name[-1] in SIZES and name[:-1] not in _SIZELESS:
        return name[:-1], SIZES[name[-1]]
    raise Unlowerable(f"the instruction {name}")
