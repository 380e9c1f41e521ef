"""What becomes of each instruction in a program with store buffers, and which programs are not rewritten.

The rules are those of `semantics/weak.py`, decided for all executions at once; where that cannot be done the program is
refused (`CannotBuffer`). A buffer that is known to be empty needs no care: in atomic blocks, which drain when they
begin, and in main before it has created a thread or called what stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.control.loops import block_graph, is_cyclic
from threadproof.analysis.memory.partition import Partition, Shape
from threadproof.analysis.points_to import analyse
from threadproof.automaton.store_buffers.empty import CannotBuffer, before_threads, in_atomic_blocks
from threadproof.automaton.visibility import SharedMemory, Visibility
from threadproof.core.graph import components
from threadproof.core.memory_model import MemoryModel
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.instr import Instr, Order
from threadproof.ir.program import Function, Program
from threadproof.sync.drains import drains
from threadproof.sync.facts import Act, Seen, does, sync_facts

LARGEST = 8
"""Bytes of a buffered store, at most."""


class Treatment(Enum):
    KEPT = "as it is: nobody can tell, or the buffer is empty"
    FLUSH = "stores may reach memory before it"
    LOAD = "sees the thread's own newest store; stores may reach memory before it"
    STORE = "goes into the buffer"
    MARK = "no later store passes an earlier one; stores may reach memory before it"
    DRAIN = "waits until the buffer is empty; stores may reach memory before it"


FLUSHING = (Treatment.FLUSH, Treatment.LOAD, Treatment.MARK, Treatment.DRAIN)


@dataclass(frozen=True, slots=True)
class Treatments:
    of: dict[Site, Treatment]
    heads: frozenset[tuple[str, str]]  # function, block: stores may reach memory where it begins, too
    sizes: tuple[int, ...]  # of stores that are buffered
    marks: bool  # some stores keep their order under PSO


def treatments(program: Program, model: MemoryModel) -> Treatments:
    """Raises CannotBuffer."""
    return _Treating(program, model).run()


class _Treating:
    def __init__(self, program: Program, model: MemoryModel) -> None:
        self._program = program
        self._model = model
        points_to = analyse(program)
        self._callees = Callees(program, points_to)
        self._visibility = Visibility(program, points_to, self._callees)
        self._memory = SharedMemory(program, points_to)
        self._partition = Partition(program, points_to)
        self._routines: set[str] = set()  # of threads
        self._called: dict[str, set[str]] = {name: set() for name in program.functions}
        for site, instr in self._sites():
            if isinstance(instr, ir.Call):
                self._called[site.function].update(self._callees.of(site, instr))
            elif isinstance(instr, ir.Sync) and does(instr, Act.CREATE):
                self._routines.update(self._callees.of(site, instr))

        self._stores_may_fail = any(
            isinstance(instr, ir.Store) and self._visibility.may_end(site, instr) for site, instr in self._sites()
        )

    def run(self) -> Treatments:
        self._refuse()
        roots = {self._program.entry, *self._routines}
        empty = in_atomic_blocks(self._program, self._callees, roots) | before_threads(self._program, self._callees)
        found = {
            site: Treatment.KEPT if site in empty else self._treatment(site, instr) for site, instr in self._sites()
        }
        buffered: list[ir.Store] = []
        for site, instr in self._sites():
            if found[site] in (Treatment.STORE, Treatment.LOAD):
                self._check_access(site)
            if isinstance(instr, ir.Store) and found[site] is Treatment.STORE:
                buffered.append(instr)
        released = self._model is MemoryModel.PSO and any(store.order is Order.RELEASE for store in buffered)
        marks = released or Treatment.MARK in found.values()
        heads = [
            (function.name, label)
            for function in self._program.functions.values()
            for label in _idle_loops(function, found)
            if Site(function.name, label, 0) not in empty
        ]
        return Treatments(found, frozenset(heads), tuple(sorted({store.size for store in buffered})), marks)

    def _sites(self) -> Iterator[tuple[Site, Instr]]:
        for function in self._program.functions.values():
            yield from sites(function)

    def _treatment(self, site: Site, instr: Instr) -> Treatment:
        visible = self._visibility.visible(site, instr)
        match instr:
            case _ if drains(instr) or (isinstance(instr, ir.Return) and site.function in self._routines):
                return Treatment.DRAIN
            case ir.Load() if visible:
                return Treatment.LOAD
            case ir.Store() if visible:
                return Treatment.STORE
            case ir.Fence(order=Order.RELEASE | Order.ACQ_REL) if self._model is MemoryModel.PSO:
                return Treatment.MARK
            case ir.StackRestore() if visible:
                return Treatment.DRAIN
            case ir.Assume() if self._stores_may_fail:  # that must be noticed before the execution ends
                return Treatment.FLUSH
            case _:
                return Treatment.FLUSH if visible else Treatment.KEPT

    # --- what is not rewritten ---------------------------------------------------------------------------------------

    def _refuse(self) -> None:
        entry, called = self._program.entry, set[str]().union(*self._called.values())
        if self._routines & called or entry in called | self._routines:
            raise CannotBuffer("a routine of a thread that is also called")
        for site, instr in self._sites():
            match instr:
                case ir.Alloc() if site.function != entry and self._is_shared_local(site, instr):
                    raise CannotBuffer("a local that other threads can reach, in a function that may end before them")
                case ir.Sync() if does(instr, Act.CANCEL) or does(instr, Act.KEY_CREATE):
                    raise CannotBuffer("cancellation, and destructors of thread-specific data")
                case ir.Sync() if sync_facts(instr).seen is not Seen.BY_OTHERS and not does(instr, Act.LOOK):
                    self._check_unbuffered(site)
                case ir.Call() | ir.Sync() if isinstance(instr, ir.Call) or does(instr, Act.CREATE):
                    if not self._callees.certain(site, instr):
                        raise CannotBuffer("a call through a pointer that may point anywhere")
                case _:
                    pass

    def _is_shared_local(self, site: Site, alloc: ir.Alloc) -> bool:
        unshared = self._program.functions[site.function].unshared
        return alloc.storage is ir.Storage.STACK and alloc.name not in unshared

    def _check_unbuffered(self, site: Site) -> None:
        """An operation that does not drain looks at memory, not into the buffer."""
        for access in self._partition.accesses.get(site, ()):
            if access.anywhere or any(self._memory.shared_object(place.root) for place in access.places):
                raise CannotBuffer("an operation that reads shared memory without draining")

    def _check_access(self, site: Site) -> None:
        """Accesses that share a byte are to the same bytes; only what others can reach is buffered."""
        for access in self._partition.accesses[site]:
            if access.anywhere:
                raise CannotBuffer("a pointer that may point anywhere")
            if not all(self._memory.shared_object(place.root) for place in access.places):
                raise CannotBuffer("an access to what may or may not be shared")
            parts = self._partition.parts_of(access)
            if access.size > LARGEST or any(p.shape is Shape.BYTES or p.size != access.size for p in parts):
                raise CannotBuffer("accesses of several sizes to the same memory")


def _idle_loops(function: Function, found: dict[Site, Treatment]) -> list[str]:
    """Blocks of loops in which no store could reach memory: one of each."""
    flushing = {site.block for site, _ in sites(function) if found[site] in FLUSHING}
    heads: list[str] = []
    while True:
        graph = {
            label: tuple(one for one in following if one not in flushing)
            for label, following in block_graph(function).items()
            if label not in flushing
        }
        idle = [component for component in components(graph) if is_cyclic(component, graph)]
        if not idle:
            return heads
        heads += [min(component) for component in idle]
        flushing.update(heads)
