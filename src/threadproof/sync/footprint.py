"""What a step touches and in which way: the words in which independence of steps is said.

Two steps of different threads commute if no touch of the one conflicts with a touch of the other. A touch is a range
of addresses and a mode; what has no address of its own (a thread, the free blocks of one size) has a place beyond all
addresses. The reference semantics records touches among its effects, the native machine in its footprints.

Paper: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets, JACM 64(4), 2017 (dependence by object).
Differs: counters (posts, read-locks, additions, arrivals at a barrier) commute with their like.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from threadproof.ir import instr as ir
from threadproof.ir.expr import registers
from threadproof.ir.program import Function


class Mode(IntEnum):
    READ = 0
    WRITE = 1
    ADD = 2  # an atomic addition whose result nobody uses
    SHARE = 3  # take or give back a read-lock
    POST = 4  # raise a semaphore
    ARRIVE_EVEN = 5  # at a barrier, in a round of even number, and others are still missing
    ARRIVE_ODD = 6
    COMPLETE_EVEN = 7  # the last one of the round
    COMPLETE_ODD = 8


class Touch(NamedTuple):
    address: int
    size: int
    mode: Mode


_COMMUTE = frozenset(
    {
        (Mode.READ, Mode.READ),
        (Mode.ADD, Mode.ADD),
        (Mode.SHARE, Mode.SHARE),
        (Mode.POST, Mode.POST),
        # Who arrives before the last would be the last instead; who arrives after it belongs to the next round, and
        # is ordered after all of this one.
        (Mode.ARRIVE_EVEN, Mode.ARRIVE_EVEN),
        (Mode.ARRIVE_EVEN, Mode.COMPLETE_EVEN),
        (Mode.ARRIVE_ODD, Mode.ARRIVE_ODD),
        (Mode.ARRIVE_ODD, Mode.COMPLETE_ODD),
    }
)


def ordered(first: Touch, second: Touch) -> bool:
    """Whether executing `first` and then, in another thread, `second` is not the same as the other way round."""
    if first.address + first.size <= second.address or second.address + second.size <= first.address:
        return False
    if (first.mode, second.mode) not in _COMMUTE:
        return True
    return first.mode is Mode.ADD and first[:2] != second[:2]


def tells_who_was_last(function: Function) -> bool:
    """Whether some barrier's result is used: then arrivals do not commute."""
    instrs = list(function.instrs())
    results = {i.dst.name for i in instrs if isinstance(i, ir.Sync) and i.op == "barrier_pass" and i.dst is not None}
    return any(name in results for i in instrs for use in ir.all_uses(i) for name in registers(use))


# --- places beyond all addresses -------------------------------------------------------------------------------------

BEYOND = 1 << 63
HEAP = BEYOND | 1 << 62
KEYS = BEYOND | 1 << 61
LARGEST = 1 << 60


def thread_place(handle: int) -> int:
    """The existence, the end and the result of a thread."""
    return BEYOND | handle << 4


def cancel_place(handle: int) -> int:
    """Whether a thread was asked to end."""
    return thread_place(handle) | 8


def heap_place(size: int) -> int:
    """The freed blocks of one size, which malloc may give out again."""
    return HEAP | min(size, LARGEST)
