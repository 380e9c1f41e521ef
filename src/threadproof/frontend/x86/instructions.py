"""What the instructions of x86 do: a table from mnemonics to their meaning on registers, flags and memory.

Ordinary accesses are plain loads and stores, also of `mov`; only what has a `lock` prefix, and `xchg` with memory, is
atomic, and then sequentially consistent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from threadproof.frontend.constants import offset_pointer, resized
from threadproof.frontend.scope import Unlowerable
from threadproof.frontend.x86 import arithmetic
from threadproof.frontend.x86.arithmetic import Alu
from threadproof.frontend.x86.machine import Machine
from threadproof.frontend.x86.memory import compare_exchange, exchange, load, store, update
from threadproof.frontend.x86.text import Immediate, Instruction, Operand, Place
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, ConvertOp, Expr, Select, const
from threadproof.ir.instr import Fence, Halt, HaltKind, Order

SIZES = {"b": 8, "w": 16, "l": 32, "q": 64}
_EXTENDING = re.compile(r"mov([sz])([bwl])([wlq])")
_CONDITIONAL = re.compile(r"(set|cmov)([a-z]+)")


@dataclass(frozen=True, slots=True)
class Doing:
    """One instruction being carried out."""

    m: Machine
    lock: bool
    width: int
    places: tuple[Place, ...]

    def value(self, place: Place) -> Expr:
        if self.m.in_memory(place):
            return load(self.m, place, self.width)
        return self.m.get(place, self.width)

    def put(self, place: Place, value: Expr) -> None:
        if self.m.in_memory(place):
            store(self.m, place, value)
        else:
            self.m.put(place, value)


def carry_out(m: Machine, instruction: Instruction) -> None:
    name, places = instruction.mnemonic, instruction.places
    if instruction.prefix == "rep" and name not in ("nop", "bsf", "bsfl", "bsfq"):
        raise Unlowerable(f"rep {name}")
    if (found := _EXTENDING.fullmatch(name)) is not None and len(places) == 2 and found[2] != found[3]:
        _extend(m, found, places)
        return
    if (found := _CONDITIONAL.fullmatch(name)) is not None:
        _conditional(m, found[1], found[2], places)
        return
    base, width = _split(m, name, places)
    lockable, count, meaning = _TABLE[base]
    lock = instruction.prefix == "lock"
    if lock and not (lockable and m.in_memory(places[-1] if base != "xchg" else _memory_first(m, places))):
        raise Unlowerable(f"lock {name}")
    if len(places) not in count:
        raise Unlowerable(f"{name} with {len(places)} operands")
    meaning(Doing(m, lock, width, places))


def _split(m: Machine, name: str, places: tuple[Place, ...]) -> tuple[str, int]:
    """The row of the table and the size in bits, from the suffix or the registers."""
    if name in _TABLE:
        if name in _SIZELESS:
            return name, 0
        widths = {width for place in places if (width := m.width(place)) is not None}
        if name in _SHIFTS and len(places) == 2:
            widths = {width for place in places[1:] if (width := m.width(place)) is not None}
        if len(widths) != 1:
            raise Unlowerable(f"{name} of no clear size")
        return name, widths.pop()
    if name[:-1] in _TABLE and name[-1] in SIZES and name[:-1] not in _SIZELESS:
        return name[:-1], SIZES[name[-1]]
    raise Unlowerable(f"the instruction {name}")


# --- moves ---


def _mov(d: Doing) -> None:
    d.put(d.places[1], d.value(d.places[0]))


def _lea(d: Doing) -> None:
    if not d.m.in_memory(d.places[0]):
        raise Unlowerable("lea of something that is not in memory")
    d.put(d.places[1], resized(d.m.address(d.places[0]), d.width))


def _extend(m: Machine, found: re.Match[str], places: tuple[Place, ...]) -> None:
    narrow, wide = SIZES[found[2]], SIZES[found[3]]
    if narrow >= wide:
        raise Unlowerable(f"the instruction {found[0]}")
    value = Doing(m, False, narrow, places).value(places[0])
    m.put(places[1], resized(value, wide, ConvertOp.SEXT if found[1] == "s" else ConvertOp.ZEXT))


def _conditional(m: Machine, what: str, code: str, places: tuple[Place, ...]) -> None:
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


def _memory_first(m: Machine, places: tuple[Place, ...]) -> Place:
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


# --- arithmetic with one or two operands ---


def _alu(op: Alu) -> Callable[[Doing], None]:
    def work(d: Doing) -> None:
        target = d.places[-1]
        if d.lock and d.m.on_stack(target):
            _fence_by_update(d)
        elif len(d.places) == 2 and op.of_itself is not None and _same_register(d):
            d.put(target, op.of_itself(d.m, d.width))
        else:
            operand = const(1, d.width) if len(d.places) == 1 else d.value(d.places[0])
            update(d, op, operand)

    return work


def _same_register(d: Doing) -> bool:
    families = {d.m.family(place) for place in d.places}
    return len(families) == 1 and "" not in families


def _fence_by_update(d: Doing) -> None:
    """`lock; addl $0, (%rsp)`: nothing but a fence, the memory is nobody's."""
    if not (isinstance(d.places[0], Immediate) and d.places[0].value == 0):
        raise Unlowerable("an update of the stack")
    d.m.b.emit(Fence(loc=d.m.b.loc))
    d.m.flags = {}


def _compare(op: Alu) -> Callable[[Doing], None]:
    """cmp and test: only the flags."""

    def work(d: Doing) -> None:
        operand, target = d.m.b.assign(d.value(d.places[0])), d.m.b.assign(d.value(d.places[1]))
        op.flags(d.m, target, operand, d.m.b.assign(op.result(d.m, target, operand)))

    return work


def _xadd(d: Doing) -> None:
    register = d.places[0]
    old = update(d, arithmetic.ADD, d.m.get(register, d.width))
    d.m.put(register, old)


def _cmpxchg(d: Doing) -> None:
    desired, target = d.m.get(d.places[0], d.width), d.places[1]
    expected = d.m.b.assign(d.m.read("a", d.width))
    old = compare_exchange(d, target, expected, desired)
    arithmetic.SUB.flags(d.m, expected, old, d.m.b.assign(Binary(BinaryOp.SUB, expected, old)))
    if d.width == 32:
        d.m.replace("a", old)  # the upper half is cleared only if the exchange failed
    else:
        d.m.write("a", old)


def _cmpxchg_pair(half: int) -> Callable[[Doing], None]:
    """cmpxchg8b, cmpxchg16b: two registers side by side."""

    def work(d: Doing) -> None:
        m = d.m
        wide = Doing(m, d.lock, 2 * half, d.places)
        expected = m.b.assign(_joined(m.read("d", half), m.read("a", half)))
        old = compare_exchange(wide, d.places[0], expected, _joined(m.read("c", half), m.read("b", half)))
        m.flags["z"] = m.b.assign(Compare(CompareOp.EQ, old, expected))
        low, high = resized(old, half), resized(Binary(BinaryOp.LSHR, old, Const(half, 2 * half)), half)
        put = m.replace if half == 32 else m.write
        put("a", low)
        put("d", high)

    return work


def _joined(high: Expr, low: Expr) -> Expr:
    width = 2 * low.width
    return Binary(BinaryOp.OR, Binary(BinaryOp.SHL, resized(high, width), Const(low.width, width)), resized(low, width))


# --- bits ---


def _bit_test(op: Alu | None) -> Callable[[Doing], None]:
    """bt, bts, btr, btc: a number in a register may lead beyond the word that the operand names."""

    def work(d: Doing) -> None:
        m, (which, target) = d.m, d.places
        given = m.get(which, d.width)
        number = m.b.assign(given)
        inside = m.b.assign(Binary(BinaryOp.AND, number, const(d.width - 1, d.width)))
        bit = m.b.assign(Binary(BinaryOp.SHL, Const(1, d.width), inside))
        address: Expr | None = None
        if m.in_memory(target):
            address = m.address(target)
            if m.width(which) is not None:
                words = Binary(BinaryOp.ASHR, number, Const(d.width.bit_length() - 1, d.width))
                bytes_ = Binary(BinaryOp.MUL, resized(words, 64, ConvertOp.SEXT), Const(d.width // 8, 64))
                address = m.b.assign(offset_pointer(address, bytes_))
            elif isinstance(which, Operand) and isinstance(given, Const) and given.value >= d.width:
                raise Unlowerable("a bit outside the word, by a number that may or may not be in a register")
        if op is None:
            old = m.b.load(address, d.width // 8) if address is not None else m.get(target, d.width)
        else:
            mask = m.b.assign(Binary(BinaryOp.XOR, bit, const(-1, d.width))) if op is arithmetic.AND else bit
            old = update(d, op, mask, address)
        set_before = Compare(CompareOp.NE, Binary(BinaryOp.AND, old, bit), Const(0, d.width))
        m.flags = {"c": m.b.assign(set_before)}

    return work


def _unary(op: Callable[[Doing, Expr], Expr]) -> Callable[[Doing], None]:
    """From the first operand to the last; the operation sets the flags."""

    def work(d: Doing) -> None:
        value = d.m.b.assign(d.value(d.places[0]))
        d.put(d.places[-1], op(d, value))

    return work


def _shift(op: Callable[[Machine, Expr, Expr], Expr]) -> Callable[[Doing], None]:
    """By one, by a number or by %cl."""

    def work(d: Doing) -> None:
        target = d.places[-1]
        by: Expr = Const(1, d.width)
        if len(d.places) == 2:
            given = d.m.get(d.places[0], 8)
            by = Binary(BinaryOp.AND, resized(given, d.width), const(63 if d.width == 64 else 31, d.width))
        d.put(target, op(d.m, d.m.b.assign(d.value(target)), d.m.b.assign(by)))
        d.m.flags = {}

    return work


# --- the rest ---


def _nothing(d: Doing) -> None:
    pass


def _fence(order: Order) -> Callable[[Doing], None]:
    def work(d: Doing) -> None:
        d.m.b.emit(Fence(order, loc=d.m.b.loc))

    return work


def _trap(d: Doing) -> None:
    d.m.b.emit(Halt(HaltKind.ABORT, loc=d.m.b.loc))


def _arbitrary(source: str, *families: str) -> Callable[[Doing], None]:
    def work(d: Doing) -> None:
        if source == "cpuid":  # waits for everything before it
            d.m.b.emit(Fence(loc=d.m.b.loc))
        for family in families:
            d.m.write(family, d.m.b.any_value(32, source))

    return work


_Row = tuple[bool, tuple[int, ...], Callable[[Doing], None]]  # may be locked, numbers of operands, meaning
_SHIFTS = {
    "shl": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.SHL))),
    "sal": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.SHL))),
    "shr": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.LSHR))),
    "sar": (False, (1, 2), _shift(arithmetic.shifted(BinaryOp.ASHR))),
    "rol": (False, (1, 2), _shift(arithmetic.rotated("fshl"))),
    "ror": (False, (1, 2), _shift(arithmetic.rotated("fshr"))),
}
_SIZELESS: dict[str, _Row] = {
    "nop": (False, (0, 1), _nothing),
    "pause": (False, (0,), _nothing),
    "mfence": (False, (0,), _fence(Order.SEQ_CST)),
    "sfence": (False, (0,), _fence(Order.RELEASE)),  # no later store passes an earlier one
    "lfence": (False, (0,), _nothing),  # no load passes another anyway
    "prefetchnta": (False, (1,), _nothing),
    "prefetcht0": (False, (1,), _nothing),
    "prefetcht1": (False, (1,), _nothing),
    "prefetcht2": (False, (1,), _nothing),
    "prefetchw": (False, (1,), _nothing),
    "ud2": (False, (0,), _trap),
    "int3": (False, (0,), _trap),
    "rdtsc": (False, (0,), _arbitrary("rdtsc", "a", "d")),
    "rdtscp": (False, (0,), _arbitrary("rdtscp", "a", "d", "c")),
    "cpuid": (False, (0,), _arbitrary("cpuid", "a", "b", "c", "d")),
    "cmpxchg8b": (True, (1,), _cmpxchg_pair(32)),
    "cmpxchg16b": (True, (1,), _cmpxchg_pair(64)),
}
_TABLE: dict[str, _Row] = {
    **_SIZELESS,
    **_SHIFTS,
    "mov": (False, (2,), _mov),
    "movabs": (False, (2,), _mov),
    "lea": (False, (2,), _lea),
    "xchg": (True, (2,), _xchg),
    "xadd": (True, (2,), _xadd),
    "cmpxchg": (True, (2,), _cmpxchg),
    "add": (True, (2,), _alu(arithmetic.ADD)),
    "sub": (True, (2,), _alu(arithmetic.SUB)),
    "and": (True, (2,), _alu(arithmetic.AND)),
    "or": (True, (2,), _alu(arithmetic.OR)),
    "xor": (True, (2,), _alu(arithmetic.XOR)),
    "adc": (False, (2,), _alu(arithmetic.ADC)),
    "sbb": (False, (2,), _alu(arithmetic.SBB)),
    "inc": (True, (1,), _alu(arithmetic.INC)),
    "dec": (True, (1,), _alu(arithmetic.DEC)),
    "neg": (True, (1,), _alu(arithmetic.NEG)),
    "not": (True, (1,), _alu(arithmetic.NOT)),
    "imul": (False, (2,), _alu(arithmetic.IMUL)),
    "cmp": (False, (2,), _compare(arithmetic.SUB)),
    "test": (False, (2,), _compare(arithmetic.AND)),
    "bt": (False, (2,), _bit_test(None)),
    "bts": (True, (2,), _bit_test(arithmetic.OR)),
    "btr": (True, (2,), _bit_test(arithmetic.AND)),
    "btc": (True, (2,), _bit_test(arithmetic.XOR)),
    "bsf": (False, (2,), _unary(arithmetic.bit_scan)),
    "bsr": (False, (2,), _unary(arithmetic.bit_scan_reverse)),
    "popcnt": (False, (2,), _unary(arithmetic.population)),
    "tzcnt": (False, (2,), _unary(arithmetic.trailing)),
    "lzcnt": (False, (2,), _unary(arithmetic.leading)),
    "bswap": (False, (1,), _unary(arithmetic.swapped)),
}
