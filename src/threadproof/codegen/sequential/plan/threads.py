"""Who runs what: the threads there can be, and for each its own copies of the functions it may call.

A thread has one copy of a function, and another one for calls from inside atomic blocks, where nobody interrupts.
Creations make threads of a pool: one pool per creating thread and start routine, so that threads which create at the
same time do not take each other's places. A pool is as large as the creations it serves; a creation in a loop without
a known end counts `Options.threads` times, and the generated program asserts that this suffices.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.points_to import PointsTo
from threadproof.codegen.sequential.plan.atomic import Depths, depths
from threadproof.codegen.sequential.plan.loops import Loops, loops
from threadproof.codegen.sequential.refusal import Refused
from threadproof.core.graph import components
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.instr import Call, Sync
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, does

MOST_THREADS = 64
MANY = 12
"""A loop that creates more threads than this counts like one without a known end: each thread has its own switch."""


@dataclass(frozen=True, slots=True)
class FunctionCopy:
    """A function as one thread runs it."""

    function: str
    atomic: bool


@dataclass(frozen=True, slots=True)
class Pool:
    creator: int
    start: str
    members: tuple[int, ...]
    enough: bool  # whether it certainly has a place for every creation


@dataclass(slots=True)
class ThreadCode:
    index: int
    start: str
    copies: list[FunctionCopy]
    pools: dict[str, Pool] = field(default_factory=dict[str, Pool])

    @property
    def name(self) -> str:
        return f"T{self.index}"


class SequentialCode:
    """The functions, and what calls and creations may lead to."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self.program = program
        self.callees = Callees(program, points_to)
        self.loops: dict[str, Loops] = {name: loops(f) for name, f in program.functions.items()}
        self._depths: dict[FunctionCopy, Depths] = {}
        self.recursive = self._find_recursive()

    def function(self, copy: FunctionCopy) -> Function:
        return self.program.functions[copy.function]

    def depths(self, copy: FunctionCopy) -> Depths:
        found = self._depths.get(copy)
        if found is None:
            found = self._depths[copy] = depths(self.function(copy), 1 if copy.atomic else 0)
        return found

    def calls(self, function: str) -> Iterator[tuple[Site, Call]]:
        return ((site, i) for site, i in sites(self.program.functions[function]) if isinstance(i, Call))

    def creations(self, function: str) -> Iterator[tuple[Site, Sync]]:
        return (
            (s, i) for s, i in sites(self.program.functions[function]) if isinstance(i, Sync) and does(i, Act.CREATE)
        )

    def _find_recursive(self) -> frozenset[str]:
        graph = {
            name: tuple(sorted({t for site, call in self.calls(name) for t in self.callees.of(site, call)}))
            for name in self.program.functions
        }
        return frozenset(n for c in components(graph) for n in c if len(c) > 1 or c[0] in graph[c[0]])

    def copies_from(self, start: str) -> list[FunctionCopy]:
        todo, found = deque([FunctionCopy(start, False)]), dict[FunctionCopy, None]()
        while todo:
            copy = todo.popleft()
            if copy in found:
                continue
            found[copy] = None
            inside = self.depths(copy)
            for site, call in self.calls(copy.function):
                atomic = inside.at(site.block, site.number) > 0
                todo += [FunctionCopy(target, atomic) for target in self.callees.of(site, call)]
        return list(found)


def find_threads(code: SequentialCode, most: int) -> list[ThreadCode]:
    """Main and all threads that may be created, in the order of creation."""
    threads = [ThreadCode(0, code.program.entry, code.copies_from(code.program.entry))]
    ancestors: dict[int, tuple[str, ...]] = {0: (code.program.entry,)}
    for thread in threads:  # grows on the way
        for start, count, enough in _wanted(code, thread, most):
            nested = start in ancestors[thread.index]  # a thread that creates its own kind
            count = min(count, most) if nested else count
            room = MOST_THREADS - len(threads)
            if nested and len(ancestors[thread.index]) > most:
                count = 0
            members = tuple(range(len(threads), len(threads) + min(count, room)))
            thread.pools[start] = Pool(thread.index, start, members, enough and not nested and count <= room)
            for index in members:
                threads.append(ThreadCode(index, start, code.copies_from(start)))
                ancestors[index] = (*ancestors[thread.index], start)
    return threads


def _wanted(code: SequentialCode, thread: ThreadCode, most: int) -> list[tuple[str, int, bool]]:
    wanted: dict[str, tuple[int, bool]] = {}
    often = _call_counts(code, thread)
    for name in dict.fromkeys(copy.function for copy in thread.copies):
        for site, instr in code.creations(name):
            known = code.loops[name]
            here = known.rounds.get(site.block) if site.block in known.cyclic else 1
            calls = often[name]
            times = None if here is None or calls is None or here * calls > max(MANY, most) else here * calls
            for start in code.callees.of(site, instr):
                count, enough = wanted.get(start, (0, True))
                wanted[start] = (count + (most if times is None else times), enough and times is not None)
    if any(not code.callees.of(site, i) for copy in thread.copies for site, i in code.creations(copy.function)):
        raise Refused("a thread is created whose start routine is not known")
    return [(start, count, enough) for start, (count, enough) in wanted.items()]


def _call_counts(code: SequentialCode, thread: ThreadCode) -> dict[str, int | None]:
    """How often each function is called at most; None: nobody knows."""
    callers: dict[str, list[tuple[Site, str]]] = {copy.function: [] for copy in thread.copies}
    for caller in callers:
        for site, call in code.calls(caller):
            for name in set(code.callees.of(site, call)):
                callers[name].append((site, caller))
    counts: dict[str, int | None] = {}
    for circle in components({name: [caller for _, caller in of] for name, of in callers.items()}):  # callers first
        for name in circle:
            known = len(circle) == 1 and name not in code.recursive
            counts[name] = _count(code, name, thread.start, callers[name], counts) if known else None
    return counts


def _count(
    code: SequentialCode, name: str, start: str, callers: list[tuple[Site, str]], counts: dict[str, int | None]
) -> int | None:
    total = 1 if name == start else 0
    for site, caller in callers:
        known = code.loops[caller]
        here = known.rounds.get(site.block) if site.block in known.cyclic else 1
        times = counts[caller]
        if here is None or times is None:
            return None
        total += here * times
    return total
