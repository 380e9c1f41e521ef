"""The lines of one thread's switch as they are written: statements with their source, labels, jumps."""

from __future__ import annotations

from threadproof.codegen.sequential.flow import Flow, Node
from threadproof.codegen.sequential.module import Module
from threadproof.codegen.sequential.scope import CopyScope
from threadproof.codegen.sequential.stops import Stops
from threadproof.codegen.sequential.threads import Copy
from threadproof.core.source import SourceLoc
from threadproof.ir.instr import Edge

_LABEL = "\x00"  # marks a label's line until it is known whether anything jumps there
_NOWHERE = SourceLoc("", 0)


class ThreadLines:
    def __init__(self, module: Module, flow: Flow, stops: Stops) -> None:
        self.module, self.flow, self.stops = module, flow, stops
        self.thread = flow.thread
        self.falling = False  # whether control comes here from the line before
        self._lines: list[str] = []
        self._jumped: set[str] = set()
        self._loc = _NOWHERE

    # --- lines -------------------------------------------------------------------------------------------------------

    def put(self, text: str, loc: SourceLoc = _NOWHERE) -> None:
        """A statement; the first of each source line is told in a comment."""
        comment = ""
        if loc.line and (loc.file, loc.line) != (self._loc.file, self._loc.line):
            self._loc = loc
            comment = f"  // {self.module.source(loc)}"
        self._lines.append(f"  {text}{comment}")

    def begin(self, *lines: str) -> None:
        """A place of the switch or a function: what follows tells its source again."""
        self._lines += lines
        self._loc = _NOWHERE

    def label(self, name: str) -> None:
        self._lines.append(f"{_LABEL}{name}")

    def goto(self, name: str) -> str:
        self._jumped.add(name)
        return f"goto {name};"

    def mark(self) -> int:
        return len(self._lines)

    def take_back(self, mark: int) -> None:
        """Forget what was written since."""
        del self._lines[mark:]

    def finished(self) -> list[str]:
        """All lines, without the labels nobody jumps to."""
        found: list[str] = []
        for line in self._lines:
            if not line.startswith(_LABEL):
                found.append(line)
            elif line[1:] in self._jumped:
                found.append(f"{line[1:]}:;")
        return found

    # --- jumps -------------------------------------------------------------------------------------------------------

    def block_label(self, copy: Copy, block: str) -> str:
        prefix = CopyScope(self.module, self.thread, copy).prefix
        return self.module.names.name(("label", self.thread.index, copy, block), f"{prefix}_L{block}")

    def leave(self, number: int) -> str:
        """Let another thread move, and go on at a numbered place."""
        return f"pc[{self.thread.index}] = {number}; continue;"

    def jump(self, source: Node, edge: Edge, following: str | None) -> str:
        """The statement that goes to a block; empty if it is the next line anyway."""
        target = Node(source.copy, edge.target, 0)
        number = self.stops.numbers.get(target)
        loops = self.module.code.loops[source.copy.function]
        returns = target in self.stops.heads and source.block in loops.bodies.get(edge.target, ())
        if number is not None and number != 1 and (returns or self._stops_always(target)):
            return self.leave(number)
        if edge.target == following:
            return ""
        return self.goto(self.block_label(source.copy, edge.target))

    def _stops_always(self, node: Node) -> bool:
        """Whether whoever comes here gives up its turn."""
        return (node in self.stops.visible and not self.stops.can_stay(node)) or self.stops.everywhere
