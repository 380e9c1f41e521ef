"""Which instructions wait for an empty store buffer, under TSO and PSO (docs/algorithms/weak-memory.md)."""

from __future__ import annotations

from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr, Order
from threadproof.sync.facts import Seen, sync_facts


def drains(instr: Instr) -> bool:
    """The ends of threads and of shared locals do as well."""
    match instr:
        case ir.Fence() | ir.Store():
            return instr.order is Order.SEQ_CST
        case ir.Sync():
            return sync_facts(instr).seen is Seen.BY_OTHERS
        case ir.Rmw() | ir.CompareExchange() | ir.Free() | ir.Halt():
            return True
        case _:
            return False
