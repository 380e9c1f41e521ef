"""Arithmetic with one or two operands, of which the last may be in memory and the whole locked."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.lower.constants import resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86 import arithmetic
from threadproof.frontend.x86.arithmetic import Alu
from threadproof.frontend.x86.doing import Doing, Row
from threadproof.frontend.x86.memory import compare_exchange, update
from threadproof.frontend.x86.text import Immediate
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Expr, const
from threadproof.ir.instr import Fence


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


PAIRS: dict[str, Row] = {
    "cmpxchg8b": (True, (1,), _cmpxchg_pair(32)),
    "cmpxchg16b": (True, (1,), _cmpxchg_pair(64)),
}
UPDATES: dict[str, Row] = {
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
}
