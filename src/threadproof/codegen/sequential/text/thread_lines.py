"""The lines of one thread's switch as they are written: statements with their source, labels, jumps."""

from __future__ import annotations

from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.stops import Stops
from threadproof.codegen.sequential.plan.threads import FunctionCopy
from threadproof.codegen.sequential.text.module import Module
from threadproof.codegen.sequential.text.peephole import Goto, Label, Line, Statement, only_goto, polished
from threadproof.codegen.sequential.text.scope import CopyScope
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir.instr import Edge


class ThreadLines:
    def __init__(self, module: Module, flow: ThreadFlow, stops: Stops) -> None:
        self.module, self.flow, self.stops = module, flow, stops
        self.thread = flow.thread
        self.falling = False  # whether control comes here from the line before
        self._lines: list[Line] = []

    # --- lines -------------------------------------------------------------------------------------------------------

    def put(self, text: str, loc: SourceLoc = NOWHERE) -> None:
        target = only_goto(text)
        self.append(Goto(target, loc) if target else Statement(f"  {text}", loc))

    def append(self, line: Line) -> None:
        self._lines.append(line)

    def heading(self, *lines: str) -> None:
        """Of a place or a function: what follows tells its source again."""
        self._lines += [Statement(line, None) for line in lines]

    def label(self, name: str) -> None:
        self.append(Label(name))

    def finished(self) -> list[str]:
        """All lines; the first statement of each source line shows it in a comment."""
        found: list[str] = []
        shown = NOWHERE
        for line in polished(self._lines):
            loc = NOWHERE if isinstance(line, Label) else line.loc
            comment = ""
            if loc is None:
                shown = NOWHERE
            elif loc.line and (loc.file, loc.line) != (shown.file, shown.line):
                shown, comment = loc, f"  // {self.module.source(loc)}"
            found.append(f"{line.text}{comment}")
        return found

    # --- jumps -------------------------------------------------------------------------------------------------------

    def block_label(self, copy: FunctionCopy, block: str) -> str:
        prefix = CopyScope(self.module, self.thread, copy).prefix
        return self.module.names.name(("label", self.thread.index, copy, block), f"{prefix}_L{block}")

    def leave(self, number: int) -> str:
        """Let another thread move, and go on at a numbered place."""
        return f"pc[{self.thread.index}] = {number}; continue;"

    def jump(self, source: FlowNode, edge: Edge, following: str | None) -> str:
        """The statement that goes to a block; empty if it is the next line anyway."""
        target = FlowNode(source.copy, edge.target, 0)
        number = self.stops.numbers.get(target)
        loops = self.module.code.loops[source.copy.function]
        returns = target in self.stops.heads and source.block in loops.bodies.get(edge.target, ())
        if number is not None and number != 1 and (returns or self._stops_always(target)):
            return self.leave(number)
        if edge.target == following:
            return ""
        return f"goto {self.block_label(source.copy, edge.target)};"

    def _stops_always(self, node: FlowNode) -> bool:
        """Whether whoever comes here gives up its turn."""
        return (node in self.stops.visible and not self.stops.can_stay(node)) or self.stops.everywhere
