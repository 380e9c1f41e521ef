"""What a thread may still touch before it ends: where its frames stand, and all that is reachable from there.

Static regions of instructions (`footprints.dependence`) are ranges of addresses by the fixed layout. Globals are told
apart; locals, thread-local objects and heap blocks are one range, since any number of threads have their own.
Invariants: every touch of a step the thread, or a thread it creates, will make lies in its future.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.footprints.dependence import Beyond, Region, StaticDependence
from threadproof.analysis.points_to import Method, ObjectKind, Root, analyse
from threadproof.analysis.points_to.objects import ANY_OFFSET
from threadproof.core.thread_id import handle
from threadproof.explore.lts import Footprint
from threadproof.explore.program_lts import LtsState
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, control_flow, sites
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, does
from threadproof.sync.footprint import BEYOND, HEAP, KEYS, Mode, Touch, thread_place

S = TypeVar("S", contravariant=True)


class StateFutures(Protocol[S]):
    def future(self, state: S, thread: int) -> Footprint:
        """All that the thread, and threads it creates, may touch from here on."""
        ...


class ProgramFutures:
    def __init__(self, program: Program, method: Method = Method.ANDERSEN) -> None:
        self._program = program
        self._layout = program.layout()
        points_to = analyse(program, method)
        self._callees = Callees(program, points_to)
        self._static = StaticDependence(program, points_to)
        self._flows = {name: control_flow(f) for name, f in program.functions.items()}
        self._whole = self._closed({name: self._own(f) for name, f in program.functions.items()})
        self._from: dict[tuple[str, int], frozenset[Region]] = {}

    def future(self, state: LtsState, thread: int) -> Footprint:
        own = thread_place(handle(state.state.threads[thread].id))
        regions = {r for frame in state.state.threads[thread].frames for r in self.rest(frame.function, frame.pc)}
        return tuple(sorted({self._touch(region, own) for region in regions}))

    def rest(self, function: str, pc: int) -> frozenset[Region]:
        """The regions of all instructions that can still run in a call that stands at `pc`."""
        found = self._from.get((function, pc))
        if found is None:
            flow = self._flows[function]
            found = _united(self._at(flow.sites[at], flow.instrs[at]) for at in flow.reachable(pc))
            self._from[function, pc] = found
        return found

    # --- regions of functions ----------------------------------------------------------------------------------------

    def _own(self, function: Function) -> frozenset[Region]:
        return frozenset(region for instr in function.instrs() for region in self._static.regions(function.name, instr))

    def _closed(self, whole: dict[str, frozenset[Region]]) -> dict[str, frozenset[Region]]:
        """With what the functions called and the threads created do."""
        changed = True
        while changed:
            changed = False
            for name, function in self._program.functions.items():
                found = whole[name].union(*(self._called(site, instr, whole) for site, instr in sites(function)))
                changed |= found != whole[name]
                whole[name] = found
        return whole

    def _called(self, site: Site, instr: ir.Instr, whole: dict[str, frozenset[Region]]) -> frozenset[Region]:
        match instr:
            case ir.Call():
                return _united(whole[name] for name in self._started(site, instr))
            case ir.Sync() if does(instr, Act.CREATE):
                return _of_others(whole[name] for name in self._started(site, instr))
            case ir.Sync() if does(instr, Act.KEY_CREATE):
                return _of_others(whole.values())  # its destructor: some function, at the end of any thread
            case _:
                return frozenset()

    def _started(self, site: Site, instr: ir.Call | ir.Sync) -> Iterable[str]:
        certain = self._callees.certain(site, instr)
        return self._callees.of(site, instr) if certain else self._program.functions

    def _at(self, site: Site, instr: ir.Instr) -> frozenset[Region]:
        return self._called(site, instr, self._whole).union(self._static.regions(site.function, instr))

    # --- ranges of addresses -----------------------------------------------------------------------------------------

    def _touch(self, region: Region, own: int) -> Touch:
        match region.root:
            case Beyond.OWN_END:
                return Touch(own, 1, region.mode)
            case Beyond.THREADS:
                return Touch(BEYOND, KEYS - BEYOND, region.mode)
            case Beyond.KEYS:
                return Touch(KEYS, 1, region.mode)
            case Beyond.HEAP:
                return Touch(HEAP, 1 << 62, region.mode)
            case Root(kind=ObjectKind.GLOBAL):
                start, size = self._layout.globals[region.root.name], self._program.globals[region.root.name].size
                if region.at.stride:
                    return Touch(start, size, region.mode)
                return Touch(start + region.at.start, region.size, region.mode)
            case Root(kind=ObjectKind.ANYTHING):
                return Touch(0, BEYOND, region.mode)
            case Root():
                return Touch(self._layout.plan.main_arena, BEYOND - self._layout.plan.main_arena, region.mode)


def _united(parts: Iterable[frozenset[Region]]) -> frozenset[Region]:
    return frozenset(region for part in parts for region in part)


def _of_others(parts: Iterable[frozenset[Region]]) -> frozenset[Region]:
    """What threads that do not exist yet will do: their ends are not the running thread's."""
    threads = Region(Beyond.THREADS, ANY_OFFSET, 1, Mode.WRITE)
    return frozenset(threads if region.root is Beyond.OWN_END else region for region in _united(parts))
