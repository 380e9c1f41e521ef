"""What reversing a race with an operation needs to know: the `KIND_...` of kernel/events.h."""

from __future__ import annotations

from enum import IntEnum

from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr
from threadproof.sync.facts import Act, Attempt, Blocks, Family, SyncFacts, Touches, does, sync_facts


class OpKind(IntEnum):
    FIXED = 0  # never blocks, and what it touches follows from the registers
    LOCK = 1  # enabled exactly if the first word of its object is zero
    BLOCKING = 2  # executed again to see whether it can move
    CONDITIONAL = 3  # executed again to see what it touches
    UNLOCK = 4  # as FIXED; of a read-write lock, which does not know who holds it
    ATOMIC = 5  # as CONDITIONAL: a whole block


def is_wait(instr: Instr) -> bool:
    """One of the two halves of a wait on a condition variable: together they change nothing."""
    return (
        isinstance(instr, ir.Sync)
        and does(instr, Act.ENQUEUE, Act.WAKE)
        and sync_facts(instr).attempt is Attempt.NO  # that a wait was in vain can be seen
    )


def op_kind(instr: Instr) -> OpKind:
    match instr:
        case ir.Load() | ir.Store() | ir.Rmw() | ir.Fence() | ir.Return():
            return OpKind.FIXED
        case ir.Sync():
            return _sync_kind(sync_facts(instr))
        case _:
            return OpKind.CONDITIONAL


def _sync_kind(facts: SyncFacts) -> OpKind:
    if facts.act is Act.BEGIN:
        return OpKind.ATOMIC
    if facts.may_block:
        return OpKind.LOCK if facts.blocks is Blocks.HELD else OpKind.BLOCKING
    if facts.touches is Touches.BY_STATE:
        return OpKind.CONDITIONAL
    return OpKind.UNLOCK if facts.family is Family.RWLOCK and facts.releases is not None else OpKind.FIXED
