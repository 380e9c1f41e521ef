"""Programs in which it cannot be observed which of its threads (main apart) is which.

Then states that differ by a permutation of these threads behave alike. A thread is known by its handle, by what locks
say about who holds them, and by the addresses of its stack, heap and thread-local objects. Handles are never looked
at: nobody joins, detaches, asks for their own, or loads a value that may be one. Locks that say who holds them are all
followed (`touch_bits`) and nothing but operations on locks touches them. Threads other than main have no
objects of their own.

Paper: C. N. Ip, D. L. Dill, Better verification through symmetry, FMSD 9, 1996 (scalarsets: values that are only
compared and permuted); E. A. Emerson, S. Jha, D. Peled, Combining partial order and symmetry reductions, TACAS 1997.
Differs: threads may run different functions: what a thread runs is part of what is permuted.
"""

from __future__ import annotations

from threadproof.analysis.control.call_graph import address_taken, reachable
from threadproof.analysis.control.loops import cycles
from threadproof.analysis.footprints.touch_bits import TouchBits
from threadproof.analysis.points_to import ObjectKind, PointsTo
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import sites
from threadproof.ir.program import Lifetime, Program
from threadproof.sync.facts import Act, Family, does, sync_facts


def threads_are_symmetric(program: Program, points_to: PointsTo, bits: TouchBits) -> bool:
    """False also where no two threads can run the same routine: there is nothing to permute."""
    if not _starts_twice(program, points_to) or any(
        variable.lifetime is Lifetime.THREAD for variable in program.globals.values()
    ):
        return False
    others = reachable(program, address_taken(program))
    if program.entry in others or not bits.locks_keep_their_kind():
        return False
    return all(
        _is_blind(bits, points_to, name, instr, by_main=name not in others)
        for name, function in program.functions.items()
        for instr in function.instrs()
    )


def _starts_twice(program: Program, points_to: PointsTo) -> bool:
    """Whether some routine may be started more than once."""
    started: set[str] = set()
    for function in program.functions.values():
        repeated = function.name != program.entry
        looping = cycles(function)
        for site in (site for site, instr in sites(function) if does(instr, Act.CREATE)):
            targets = points_to.targets(site)
            if repeated or site.block in looping or targets & started:
                return True
            started |= targets
    return False


def _is_blind(bits: TouchBits, points_to: PointsTo, function: str, instr: ir.Instr, *, by_main: bool) -> bool:
    """Whether the instruction behaves alike in all threads; `by_main`: only main executes it."""
    match instr:
        case ir.Sync() if does(instr, Act.CREATE):
            return by_main
        case ir.Sync():
            facts = sync_facts(instr)
            tells = facts.names or facts.act is Act.SELF or facts.family is Family.KEY
            return not tells and bits.knows_holder(function, instr)
        case ir.Load() | ir.Rmw() | ir.CompareExchange():
            places = [place for reg in ir.defs(instr) for place in points_to.expression(function, reg)]
            handle = any(place.root.kind in (ObjectKind.THREAD, ObjectKind.ANYTHING) for place in places)
            return not handle and not bits.touches_lock(function, instr)
        case ir.Alloc() | ir.StackSave() | ir.StackRestore():
            return by_main
        case _:
            return not bits.touches_lock(function, instr)
