"""What reversing a race with an operation needs to know: the `KIND_...` of kernel/dpor_events.h."""

from __future__ import annotations

from enum import IntEnum

from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr


class OpKind(IntEnum):
    FIXED = 0  # never blocks, and what it touches follows from the registers
    LOCK = 1  # enabled exactly if the first word of its object is zero
    BLOCKING = 2  # executed again to see whether it can move
    CONDITIONAL = 3  # executed again to see what it touches
    UNLOCK = 4  # as FIXED; of a read-write lock, which does not know who holds it
    ATOMIC = 5  # as CONDITIONAL: a whole block


_FIXED = {
    "mutex_unlock",
    "spin_unlock",
    "sem_post",
    "thread_create",
    "cond_enqueue",
    "mutex_init",
    "once_leave",
    "once_give_up",
    "thread_exit",
}
_LOCKS = {"mutex_lock", "spin_lock"}
_BLOCKING = {
    "rw_rdlock",
    "rw_wrlock",
    "sem_wait",
    "barrier_pass",
    "once_enter",
    "thread_join",
    "thread_join_int",
    "cond_relock",
    "cond_relock_timed",
}


_WAIT = {"cond_enqueue", "cond_relock"}


def is_wait(instr: Instr) -> bool:
    """One of the two halves of a wait on a condition variable: together they change nothing."""
    return isinstance(instr, ir.Sync) and instr.op in _WAIT


def op_kind(instr: Instr) -> OpKind:
    match instr:
        case ir.Load() | ir.Store() | ir.Rmw() | ir.Fence() | ir.Return():
            return OpKind.FIXED
        case ir.Sync(op=op) if op in _FIXED:
            return OpKind.FIXED
        case ir.Sync(op="rw_unlock"):
            return OpKind.UNLOCK
        case ir.Sync(op="atomic_begin"):
            return OpKind.ATOMIC
        case ir.Sync(op=op) if op in _LOCKS:
            return OpKind.LOCK
        case ir.Sync(op=op) if op in _BLOCKING:
            return OpKind.BLOCKING
        case _:
            return OpKind.CONDITIONAL
