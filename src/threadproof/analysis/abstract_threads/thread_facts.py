"""All threads of a program analysed, descendants first."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.abstract_threads.flow import Flow, Point
from threadproof.analysis.abstract_threads.memory_map import MemoryMap
from threadproof.analysis.abstract_threads.thread_state import Knowledge, Running
from threadproof.analysis.abstract_threads.threads import ThreadTree
from threadproof.ir.expr import GlobalRef
from threadproof.ir.instr import Sync
from threadproof.sync.facts import Act, does


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    tree: ThreadTree
    memory: MemoryMap
    flows: dict[str, Flow]
    points: dict[str, tuple[Point, ...]]  # of the threads that may be created
    at_creation: dict[str, frozenset[str]]  # what may be running in the parent when it creates the thread


def analyse_threads(tree: ThreadTree) -> ThreadFacts:
    return analyse_with(tree, MemoryMap(tree), Knowledge())


def analyse_with(tree: ThreadTree, memory: MemoryMap, knowledge: Knowledge) -> ThreadFacts:
    """With what a first analysis found out."""
    flows: dict[str, Flow] = {}
    ends: dict[str, Running] = {}
    for name in reversed(tree.threads):
        flows[name] = Flow(tree, name, memory, ends, knowledge)
        ends[name] = flows[name].running_at_end()
    points: dict[str, tuple[Point, ...]] = {}
    at_creation: dict[str, frozenset[str]] = {}
    todo = [next(iter(tree.threads))]
    while todo:
        name = todo.pop()
        if name in points:
            continue
        points[name] = tuple(flows[name].points())
        for point in points[name]:
            instr = point.instr
            if isinstance(instr, Sync) and does(instr, Act.CREATE):
                assert isinstance(instr.args[1], GlobalRef)
                running = frozenset(other for other, _ in point.before.running)
                child = instr.args[1].name
                at_creation[child] = at_creation.get(child, frozenset()) | running
                todo.append(child)
    return ThreadFacts(tree, memory, flows, points, at_creation)
