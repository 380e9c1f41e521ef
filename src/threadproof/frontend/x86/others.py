"""Instructions without operands of a size: fences, hints, traps, and what tells of the machine."""

from __future__ import annotations

from collections.abc import Callable

from threadproof.frontend.x86.doing import Doing, Row
from threadproof.ir.instr import Fence, Halt, HaltKind, Order


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


OTHERS: dict[str, Row] = {
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
}
