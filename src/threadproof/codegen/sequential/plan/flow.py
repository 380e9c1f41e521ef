"""The control flow of one thread through its copies of functions, calls and returns included.

A return leads to every place the function is called from: more ways than there are, never fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from threadproof.codegen.sequential.plan.threads import Code, Copy, ThreadCode
from threadproof.core.graph import reached
from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Call, Instr, Return, edges


class Node(NamedTuple):
    copy: Copy
    block: str
    number: int

    @property
    def site(self) -> Site:
        return Site(self.copy.function, self.block, self.number)


class Flow:
    def __init__(self, code: Code, thread: ThreadCode) -> None:
        self._code = code
        self.thread = thread
        self.callers: dict[Copy, list[Node]] = {copy: [] for copy in thread.copies}
        self.nodes: dict[Node, Instr] = {}
        for copy in thread.copies:
            for block in code.function(copy).blocks:
                if code.depths(copy).reached(block.label):
                    self.nodes.update((Node(copy, block.label, n), i) for n, i in enumerate(block.instrs))
        for node, instr in self.nodes.items():
            if isinstance(instr, Call):
                for callee in self.callees(node, instr):
                    self.callers[callee].append(node)

    def atomic(self, node: Node) -> bool:
        return self._code.depths(node.copy).at(node.block, node.number) > 0

    def callees(self, node: Node, call: Call) -> list[Copy]:
        atomic = self.atomic(node)
        return [Copy(target, atomic) for target in self._code.callees.of(node.site, call)]

    def entry(self, copy: Copy) -> Node:
        return Node(copy, self._code.function(copy).blocks[0].label, 0)

    @property
    def start(self) -> Node:
        return self.entry(self.thread.copies[0])

    def successors(self, node: Node) -> Iterator[Node]:
        instr = self.nodes[node]
        match instr:
            case Call():
                yield from (self.entry(callee) for callee in self.callees(node, instr))
            case Return():
                yield from (caller._replace(number=caller.number + 1) for caller in self.callers[node.copy])
            case _:
                following = edges(instr)
                yield from (Node(node.copy, edge.target, 0) for edge in following)
                last = node._replace(number=node.number + 1)
                if not following and last in self.nodes:
                    yield last

    def reached_from(self, first: list[Node]) -> set[Node]:
        return set(reached(first, self.successors))

    def accumulated(self, own: Callable[[Node], int], cut: Callable[[Node], bool]) -> dict[Node, int]:
        """For each node the union of `own` over itself and all that may follow, up to nodes that are cut off."""
        found = {node: 0 if cut(node) else own(node) for node in self.nodes}
        before: dict[Node, list[Node]] = {node: [] for node in self.nodes}
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
