"""Registers that still matter where a thread stands."""

from __future__ import annotations

from threadproof.automaton.letters import Context, End, Location
from threadproof.automaton.program import Instance
from threadproof.encoding.transitions.space import Space
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.smt.term import Term


def live_registers(space: Space, instance: Instance, location: Location) -> frozenset[Term]:
    """Those that the thread may read before it writes them."""
    if isinstance(location.at, End):
        return frozenset()
    found: set[Term] = set()
    for depth, call in enumerate(location.context):
        after = space.live(call.function, call.block, call.number + 1)
        instr = space.program.functions[call.function].block(call.block).instrs[call.number]
        result = {reg.name for reg in ir.defs(instr)}
        found |= _named(space, instance, location.context[:depth], call, after - result)
    live = space.live(location.at.function, location.at.block, location.at.number)
    return frozenset(found | _named(space, instance, location.context, location.at, live))


def _named(space: Space, instance: Instance, context: Context, at: Site, names: frozenset[str]) -> set[Term]:
    return {space.register(instance, context, at.function, name) for name in names}
