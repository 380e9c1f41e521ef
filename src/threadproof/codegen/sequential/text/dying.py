"""Where values die that may lie around while other threads move: forgetting them makes equal states equal.

A register counts if it is live at some place where threads may change, or while a function is called that has one. The
others are written before they are read in every turn, so a verifier can see for itself that they do not matter.
"""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.stops import Stops
from threadproof.codegen.sequential.plan.threads import FunctionCopy
from threadproof.codegen.sequential.text.module import Module
from threadproof.ir.expr import registers
from threadproof.ir.instr import Call, Edge, Instr, defs, uses
from threadproof.ir.liveness import live_before


class Dying:
    def __init__(self, flow: ThreadFlow, stops: Stops, copy: FunctionCopy, module: Module) -> None:
        function = module.code.function(copy)
        self._live = live_before(function)
        self._objects = module.facts(copy.function).objects
        self._read = module.facts(copy.function).read
        self._lasting: set[str] = set()
        for node, instr in flow.nodes.items():
            if node.copy != copy:
                continue
            if node in stops.numbers:
                self._lasting |= self._live[node.block][node.number]
            if isinstance(instr, Call):
                self._lasting |= self._live[node.block][node.number + 1] - {reg.name for reg in defs(instr)}

    def after(self, node: FlowNode, instr: Instr) -> list[str]:
        """Registers that nobody reads after the instruction, which read or wrote them."""
        mentioned = {n for expr in uses(instr) for n in registers(expr)} | {reg.name for reg in defs(instr)}
        return self._chosen(mentioned - self._live[node.block][node.number + 1])

    def on_edge(self, node: FlowNode, edge: Edge) -> list[str]:
        """Registers that are live before the jump or moved by it, and not where it leads."""
        before = self._live[node.block][node.number] | {dst.name for dst, _ in edge.moves}
        return self._chosen(before - self._live[edge.target][0])

    def _chosen(self, names: set[str] | frozenset[str]) -> list[str]:
        return sorted(name for name in names & self._lasting & self._read if name not in self._objects)
