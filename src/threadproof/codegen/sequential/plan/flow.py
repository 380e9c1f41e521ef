"""The control flow of one thread through its copies of functions, calls and returns included.

A return leads to every place the function is called from: more ways than there are, never fewer. What the beginning of
the thread does not lead to is not there: no text is written for it, and nobody waits for what it would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from threadproof.codegen.sequential.plan.threads import FunctionCopy, SequentialCode, ThreadCode
from threadproof.core.graph import reached
from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Call, Instr, Return, edges


class FlowNode(NamedTuple):
    copy: FunctionCopy
    block: str
    number: int

    @property
    def site(self) -> Site:
        return Site(self.copy.function, self.block, self.number)


class ThreadFlow:
    def __init__(self, code: SequentialCode, thread: ThreadCode) -> None:
        self._code = code
        self.thread = thread
        self.callers: dict[FunctionCopy, list[FlowNode]] = {copy: [] for copy in thread.copies}
        self.nodes: dict[FlowNode, Instr] = {}
        for copy in thread.copies:
            for block in code.function(copy).blocks:
                self.nodes.update((FlowNode(copy, block.label, n), i) for n, i in enumerate(block.instrs))
        found = self._reached()
        self.nodes = {node: instr for node, instr in self.nodes.items() if node in found}
        for node, instr in self.nodes.items():
            if isinstance(instr, Call):
                for callee in self.callees(node, instr):
                    self.callers[callee].append(node)

    def _reached(self) -> set[FlowNode]:
        """From the start, past those calls only that may return."""
        calling: dict[FunctionCopy, list[FlowNode]] = {copy: [] for copy in self.thread.copies}
        returning: set[FunctionCopy] = set()

        def after(node: FlowNode) -> Iterator[FlowNode]:
            match instr := self.nodes[node]:
                case Call():
                    for callee in self.callees(node, instr):
                        calling[callee].append(node)
                        yield self.entry(callee)
                        if callee in returning:
                            yield _next(node)
                case Return():
                    returning.add(node.copy)
                    yield from (_next(caller) for caller in calling[node.copy])
                case _:
                    yield from self.successors(node)

        return set(reached([self.start], after))

    def atomic(self, node: FlowNode) -> bool:
        return self._code.depths(node.copy).at(node.block, node.number) > 0

    def callees(self, node: FlowNode, call: Call) -> list[FunctionCopy]:
        atomic = self.atomic(node)
        return [FunctionCopy(target, atomic) for target in self._code.callees.of(node.site, call)]

    def entry(self, copy: FunctionCopy) -> FlowNode:
        return FlowNode(copy, self._code.function(copy).blocks[0].label, 0)

    @property
    def start(self) -> FlowNode:
        return self.entry(self.thread.copies[0])

    def successors(self, node: FlowNode) -> Iterator[FlowNode]:
        instr = self.nodes[node]
        match instr:
            case Call():
                yield from (self.entry(callee) for callee in self.callees(node, instr))
            case Return():
                yield from (_next(caller) for caller in self.callers[node.copy])
            case _:
                following = edges(instr)
                yield from (FlowNode(node.copy, edge.target, 0) for edge in following)
                if not following and _next(node) in self.nodes:
                    yield _next(node)

    def reached_from(self, first: list[FlowNode]) -> set[FlowNode]:
        return set(reached(first, self.successors))

    def accumulated(self, own: Callable[[FlowNode], int], cut: Callable[[FlowNode], bool]) -> dict[FlowNode, int]:
        """For each node the union of `own` over itself and all that may follow, up to nodes that are cut off."""
        found = {node: 0 if cut(node) else own(node) for node in self.nodes}
        before: dict[FlowNode, list[FlowNode]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for after in () if cut(node) else self.successors(node):
                before[after].append(node)
        todo = set(self.nodes)
        while todo:
            node = todo.pop()
            for earlier in before[node]:
                joined = found[earlier] | found[node]
                if joined != found[earlier]:
                    found[earlier] = joined
                    todo.add(earlier)
        return found


def _next(node: FlowNode) -> FlowNode:
    return node._replace(number=node.number + 1)
