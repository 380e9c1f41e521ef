"""What is known about the functions of a program before its threads are unfolded; all templates share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.control.loops import LoopNest, block_graph, loop_nest
from threadproof.analysis.footprints.dependence import Region, StaticDependence
from threadproof.analysis.points_to import PointsTo, analyse
from threadproof.automaton.visibility import Visibility
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.instr import Call, Instr, Sync
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does
from threadproof.sync.operations import OPERATIONS, Cancellation


class CannotUnfold(Exception):
    """The program has no automaton; the text says why. Engines answer `unknown` with it."""


class Facts:
    """What is known about the program's functions, shared by all templates."""

    def __init__(self, program: Program, points_to: PointsTo | None = None) -> None:
        points_to = analyse(program) if points_to is None else points_to
        self.program = program
        self.points_to = points_to
        self.callees = Callees(program, points_to)
        self.visibility = Visibility(program, points_to, self.callees)
        self._cancels = any(does(instr, Act.CANCEL) for instr in program.instrs())
        self._blocks = {name: {b.label: b.instrs for b in f.blocks} for name, f in program.functions.items()}
        self._dependence = StaticDependence(program, points_to)
        self._regions: dict[Site, tuple[Region, ...]] = {}
        self._nests: dict[str, LoopNest] = {}
        self._meeting: dict[str, frozenset[str]] = {}
        self.destructors = tuple(sorted(set(self._destructors())))

    def instr(self, site: Site) -> Instr:
        return self._blocks[site.function][site.block][site.number]

    def entry(self, function: str) -> Site:
        return Site(function, self.program.functions[function].blocks[0].label, 0)

    def nest(self, function: str) -> LoopNest:
        if function not in self._nests:
            self._nests[function] = loop_nest(self.program.functions[function])
        return self._nests[function]

    def meeting(self, function: str) -> frozenset[str]:
        """The blocks that more than one edge leads to."""
        found = self._meeting.get(function)
        if found is None:
            graph = block_graph(self.program.functions[function])
            targets = Counter(target for following in graph.values() for target in following)
            found = self._meeting[function] = frozenset(label for label, often in targets.items() if often > 1)
        return found

    def regions(self, site: Site) -> tuple[Region, ...]:
        found = self._regions.get(site)
        if found is None:
            found = self._regions[site] = self._dependence.regions(site.function, self.instr(site))
        return found

    def started(self, site: Site, instr: Call | Sync) -> tuple[str, ...]:
        if not self.callees.certain(site, instr):
            raise CannotUnfold(f"a call through a pointer that may point anywhere ({instr.loc})")
        return self.callees.of(site, instr)

    def can_be_cancelled(self, instr: Sync) -> bool:
        return self._cancels and OPERATIONS[instr.op].cancellation is Cancellation.POINT

    def _destructors(self) -> Iterator[str]:
        for function in self.program.functions.values():
            for site, instr in sites(function):
                if isinstance(instr, Sync) and does(instr, Act.KEY_CREATE):
                    yield from self.started(site, instr)
