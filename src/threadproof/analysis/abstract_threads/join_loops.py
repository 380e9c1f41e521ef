"""Loops that join what a loop created: `for (i < n) create(&t[i])`, later `for (i < n) join(t[i])`.

When the second loop is left through its bound, every thread of the first has ended: both count from the same number to
the same bound in the same steps, nothing but that creation writes the handles, and every round joins.
"""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.analysis.abstract_threads.memory_map import MemoryMap
from threadproof.analysis.abstract_threads.threads import ThreadTree
from threadproof.analysis.values.counted_loops import CountedLoop, every_round, once_per_round
from threadproof.analysis.values.symbolic import Sum, Symbols
from threadproof.ir.expr import CompareOp, Expr, GlobalRef, Reg, rebuild
from threadproof.ir.instr import Load, Sync
from threadproof.ir.program import Function
from threadproof.sync.facts import Act, does

Handles = tuple[Sum, frozenset[Expr], int, Expr, CompareOp]
"""Addresses of the handles with the counter taken out, and how the loop counts."""


def joined_by_loops(
    tree: ThreadTree, name: str, memory: MemoryMap, symbols: Symbols, loops: Mapping[str, CountedLoop]
) -> dict[tuple[str, str], str]:
    """For the edge that leaves such a loop (block and target), the thread of which none is left."""
    function = tree.program.functions[name]
    created: dict[Handles, str] = {}
    found: dict[tuple[str, str], str] = {}
    for block in function.blocks:
        loop = loops.get(block.label)
        for instr in block.instrs:
            if loop is None or not isinstance(instr, Sync) or not does(instr, Act.CREATE):
                continue
            assert isinstance(instr.args[1], GlobalRef)
            handles = _handles(loop, symbols.sum(instr.args[0]))
            places = memory.places(name, instr.args[0])
            alone = memory.written_once(places) and memory.only_written_by(name, places)
            if handles is not None and alone and once_per_round(function, loop, block.label):
                created[handles] = instr.args[1].name
    for block in function.blocks if created else ():
        loop = loops.get(block.label)
        for instr in block.instrs:
            if loop is not None and isinstance(instr, Sync) and does(instr, Act.JOIN):
                address = _loaded_from(function, instr.args[0])
                handles = None if address is None else _handles(loop, symbols.sum(address))
                thread = None if handles is None else created.get(handles)
                if thread is not None and every_round(function, loop, block.label):
                    found[(loop.header, loop.leaving)] = thread
    return found


def _handles(loop: CountedLoop, address: Sum) -> Handles | None:
    counting = [(symbol, times) for symbol, times in address.terms if loop.is_counter(symbol)]
    rest = tuple(term for term in address.terms if not loop.is_counter(term[0]))
    if len(counting) != 1 or len(loop.firsts) != 1 or not all(loop.is_fixed(symbol) for symbol, _ in rest):
        return None
    symbol, times = counting[0]
    hole = Reg("?", loop.counter.width)
    place: Expr = hole if isinstance(symbol, Reg) else rebuild(symbol, lambda _: hole)
    return Sum((*rest, (place, times)), address.constant), loop.firsts, loop.step, loop.bound, loop.order


def _loaded_from(function: Function, handle: Expr) -> Expr | None:
    return next(
        (i.address for i in function.instrs() if isinstance(i, Load) and i.dst == handle),
        None,
    )
