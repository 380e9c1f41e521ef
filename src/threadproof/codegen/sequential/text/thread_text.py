"""The switch of one thread: its functions one after the other, jumps as `goto`, changes of threads as `continue`."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.stops import LOCAL, Stops
from threadproof.codegen.sequential.plan.threads import FunctionCopy
from threadproof.codegen.sequential.text.module import Module
from threadproof.codegen.sequential.text.peephole import FALLS
from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.codegen.sequential.text.statements import Statements
from threadproof.codegen.sequential.text.thread_lines import ThreadLines
from threadproof.codegen.sequential.values.expressions import Printer
from threadproof.ir import instr as ir
from threadproof.sync.facts import Act, does


class ThreadText:
    def __init__(self, module: Module, flow: ThreadFlow, stops: Stops) -> None:
        self._module, self._flow, self._stops = module, flow, stops
        self._thread = flow.thread
        self._lines = ThreadLines(module, flow, stops)
        self._entering = False  # whether this is still the straight beginning of the thread

    def text(self) -> list[str]:
        for copy in self._thread.copies:
            if self._flow.entry(copy) in self._flow.nodes:
                self._copy(copy)
        lines = self._lines.finished()
        ending = f"pc[{self._thread.index}] = {self._stops.ending};"
        used = any(ending in line for line in lines)
        return [*lines, f"case {self._stops.ending}:", "  abort();"] if used else lines

    def _copy(self, copy: FunctionCopy) -> None:
        function = self._module.code.function(copy)
        comment = f"  // {function.name}{' (inside an atomic block)' if copy.atomic else ''}"
        self._lines.heading(*([] if copy == self._thread.copies[0] else ["", comment]))
        self._lines.falling = False
        statements = Statements(self._lines, CopyScope(self._module, self._thread, copy))
        order = [b for b in function.blocks if FlowNode(copy, b.label, 0) in self._flow.nodes]
        for position, block in enumerate(order):
            following = order[position + 1].label if position + 1 < len(order) else None
            self._lines.label(self._lines.block_label(copy, block.label))
            called = not position and bool(self._flow.callers[copy])
            first = FlowNode(copy, block.label, 0)
            self._lines.falling |= called or (first != self._flow.start and self._stops.can_stay(first))  # by `goto`
            for number, instr in enumerate(block.instrs):
                node = FlowNode(copy, block.label, number)
                if node not in self._flow.nodes:
                    break  # the call before never returns
                self._stop(node)
                statements.write(node, instr, following)
                self._entering &= isinstance(instr, LOCAL) and node not in self._stops.visible

    def _stop(self, node: FlowNode) -> None:
        """A new thread goes on to its first instruction that others can notice: nobody could tell the difference."""
        number = self._stops.numbers.get(node)
        if number is None:
            return
        if self._lines.falling and not self._entering:
            self._give_way(node, number)
        self._entering = node == self._flow.start and self._thread.index > 0 and self._stops.enters
        self._lines.heading(*([FALLS] if self._lines.falling else []), f"case {number}:")
        self._lines.falling = True

    def _give_way(self, node: FlowNode, number: int) -> None:
        """Before a numbered place: let another thread move, or go on if nobody minds."""
        if node not in self._stops.visible and not self._stops.everywhere:
            return  # the head of a loop: only what comes round again gives way
        if not self._stops.can_stay(node):
            self._lines.put(f"pc[{self._thread.index}] = {number};")
            self._lines.put("continue;")
            self._lines.falling = False
            return
        minds, waiting = self._somebody_minds(node), ""
        instr = self._flow.nodes[node]
        if isinstance(instr, ir.Sync) and does(instr, Act.JOIN):
            handle = Printer(CopyScope(self._module, self._thread, node.copy)).unsigned(instr.args[0]).text
            runs = f"running({handle})"
            if self._module.asks_itself:
                runs = f"({runs} && {handle} != {self._thread.index + 1})"
            minds = f"{runs} || {minds}"
            if self._thread.index in self._module.tables.joiners:
                waiting = f"waits_for[{self._thread.index}] = {handle}; "
        self._lines.put(f"if ({minds}) {{ {waiting}{self._lines.leave(number)} }}")

    def _somebody_minds(self, node: FlowNode) -> str:
        touched = self._module.tables.step(self._stops, node)
        return f"conflict({self._thread.index}, {touched.reads}, {touched.writes})"
