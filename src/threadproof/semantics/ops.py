"""Small operations that need nothing of their function, and what the atomic read-modify-writes compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from threadproof.ir.instr import RmwOp
from threadproof.semantics.evaluate import Evaluator
from threadproof.semantics.run import STOP, Run

Op = Callable[[Run], int]


def set_register(run: Run, slot: int, value: Any, after: int) -> int:
    run.r[slot] = value
    return after


def assign(slot: int, value: Evaluator, after: int) -> Op:
    def work(run: Run) -> int:
        run.r[slot] = value(run.r, run)
        return after

    return work


def ending(make: Callable[[], Exception]) -> Op:
    """What ends the execution is visible: other threads may have gone first."""

    def end(run: Run) -> int:
        if not run.open:
            return STOP
        raise make()

    return end


def atomic_begin(after: int) -> Op:
    def begin(run: Run) -> int:
        if not run.open:
            return STOP
        run.depth += 1
        return after

    return begin


def atomic_end(after: int) -> Op:
    def end(run: Run) -> int:
        if run.depth:
            run.depth -= 1
        return after

    return end


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


RMW: dict[RmwOp, Callable[[int, int, int], int]] = {
    RmwOp.XCHG: lambda old, value, width: value,
    RmwOp.ADD: lambda old, value, width: old + value,
    RmwOp.SUB: lambda old, value, width: old - value,
    RmwOp.AND: lambda old, value, width: old & value,
    RmwOp.NAND: lambda old, value, width: ~(old & value),
    RmwOp.OR: lambda old, value, width: old | value,
    RmwOp.XOR: lambda old, value, width: old ^ value,
    RmwOp.MAX: lambda old, value, width: max(old, value, key=lambda v: _signed(v, width)),
    RmwOp.MIN: lambda old, value, width: min(old, value, key=lambda v: _signed(v, width)),
    RmwOp.UMAX: lambda old, value, width: max(old, value),
    RmwOp.UMIN: lambda old, value, width: min(old, value),
}
