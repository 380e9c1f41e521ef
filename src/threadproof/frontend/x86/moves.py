"""Instructions that move values: between registers and memory, wider, if a condition holds, in exchange."""

from __future__ import annotations

import re

from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.doing import SIZES, Doing, Row
from threadproof.frontend.x86.machine import X86Machine
from threadproof.frontend.x86.memory import exchange
from threadproof.frontend.x86.text import Place
from threadproof.ir.expr import ConvertOp, Select


def _mov(d: Doing) -> None:
    d.put(d.places[1], d.value(d.places[0]))


def _lea(d: Doing) -> None:
    if not d.m.in_memory(d.places[0]):
        raise Unlowerable("lea of something that is not in memory")
    d.put(d.places[1], resized(d.m.address(d.places[0]), d.width))


def extend(m: X86Machine, found: re.Match[str], places: tuple[Place, ...]) -> None:
    narrow, wide = SIZES[found[2]], SIZES[found[3]]
    if narrow >= wide:
        raise Unlowerable(f"the instruction {found[0]}")
    value = Doing(m, False, narrow, places).value(places[0])
    m.put(places[1], resized(value, wide, ConvertOp.SEXT if found[1] == "s" else ConvertOp.ZEXT))


def conditional(m: X86Machine, what: str, code: str, places: tuple[Place, ...]) -> None:
    if what == "set":
        if len(places) != 1:
            raise Unlowerable(f"set{code}")
        Doing(m, False, 8, places).put(places[0], resized(m.condition(code), 8))
        return
    width = m.width(places[1]) if len(places) == 2 else None
    if width is None:
        raise Unlowerable(f"cmov{code}")
    if code[-1] in SIZES and SIZES[code[-1]] == width and code not in ("l", "b"):
        code = code[:-1]
    d = Doing(m, False, width, places)
    d.put(places[1], Select(m.condition(code), d.value(places[0]), d.value(places[1])))


def memory_first(m: X86Machine, places: tuple[Place, ...]) -> Place:
    return places[0] if places and m.in_memory(places[0]) else places[-1]


def _xchg(d: Doing) -> None:
    first, second = d.places
    if not d.m.in_memory(first) and not d.m.in_memory(second):
        left, right = d.m.b.assign(d.value(first)), d.m.b.assign(d.value(second))
        d.put(first, right)
        d.put(second, left)
        return
    memory, register = (first, second) if d.m.in_memory(first) else (second, first)
    d.m.put(register, exchange(d.m, memory, d.m.get(register, d.width)))


MOVES: dict[str, Row] = {
    "mov": (False, (2,), _mov),
    "movabs": (False, (2,), _mov),
    "lea": (False, (2,), _lea),
    "xchg": (True, (2,), _xchg),
}
