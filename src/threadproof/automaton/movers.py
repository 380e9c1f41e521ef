"""Which of the instructions that others could notice change places with whatever others do at that time.

- An access to memory is a both mover if no thread that may be running then conflicts with it: a variable that is not
  written any more once threads are there, or that one thread alone uses meanwhile. When main is alone, all is.
- A creation is a left mover if its handle goes where nobody else looks: the new thread can do nothing before it.
- A join is a right mover if main alone asks for threads: it changes nothing that others can see.
- The end of a thread is a left mover if all that others can do about it is wait (`only_joined`).

Paper: R. J. Lipton, Reduction, CACM 1975; C. Flanagan, S. Qadeer, A type and effect system for atomicity, PLDI 2003.
Differs: what may run side by side is looked at (`running`), not only which locks are held.
Invariants: for every state that can be reached, an instruction that a thread stands at and whatever another thread does
there lead to the same state in both orders, as far as the mover says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from threadproof.analysis.footprints.dependence import Beyond, Region, StaticDependence, conflict
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root
from threadproof.analysis.points_to.cloning import Cloned
from threadproof.automaton.letters import Context, Step, StepMover, is_fork
from threadproof.automaton.running import RunningThreads, joins
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Const
from threadproof.sync.facts import DETACHING, Act, Family, does, operands, sync_facts
from threadproof.sync.footprint import Mode

_OBJECTS = (Family.MUTEX, Family.RWLOCK, Family.SPIN, Family.SEMAPHORE, Family.BARRIER, Family.ATTRIBUTES)


class Movers:
    def __init__(self, threads: Mapping[str, ThreadAutomaton], main: str, clones: Cloned, points_to: PointsTo) -> None:
        """`threads`: with letters of which each has at most one instruction that others can notice."""
        program = clones.program
        self._main = main
        self._clones = clones
        self._pointer = program.data_model.pointer_bytes
        self._dependence = StaticDependence(program, points_to)
        self._known: dict[tuple[str, Site], tuple[Region, ...]] = {}
        self._gives_back = any(isinstance(instr, ir.Free | ir.ObjectSize) for instr in program.instrs())
        others = [step for name, thread in threads.items() if name != main for step in _steps(thread)]
        self._main_alone_asks = not any(_asks_for_threads(step.instr) for step in others)
        self.only_joined = not any(map(_notices_ends, program.instrs()))
        """Whether nobody notices the end of a thread but by waiting for it."""
        self._off = points_to.wild or any(does(instr, Act.CANCEL) for instr in program.instrs())
        self._running = RunningThreads(threads, main, clones, points_to, self._regions)
        self._of = {name: _Regions() for name in threads}
        self._foreign = {name: _Regions() for name in threads}
        if not self._off:
            self._collect(threads)

    def _collect(self, threads: Mapping[str, ThreadAutomaton]) -> None:
        own = {name: [r for step in _steps(thread) for r in self._regions(step)] for name, thread in threads.items()}
        for name, regions in own.items():
            self._of[name].add(regions)
        for one, other in self._running.side_by_side:
            self._foreign[one].add(own[other])
        for step in _steps(threads[self._main]):
            for name in self._running.beside_main.get((step.context, step.site), ()):
                self._foreign[name].add(self._regions(step))

    def of(self, template: str, context: Context, site: Site, instr: ir.Instr) -> StepMover:
        """Of an instruction that others could notice, outside atomic blocks."""
        if self._off:
            return StepMover.NONE
        beside = self._running.beside_main.get((context, site)) if template == self._main else None
        alone = template == self._main and beside == frozenset()
        step = Step(context, site, instr)
        match instr:
            case ir.Load() | ir.Store() | ir.Rmw() | ir.CompareExchange():
                return StepMover.BOTH if self._apart(template, beside, self._regions(step)) else StepMover.NONE
            case ir.Alloc():
                return StepMover.BOTH if alone or not self._gives_back else StepMover.NONE
            case ir.Free() | ir.ObjectSize() | ir.Fence() | ir.StackRestore():
                return StepMover.BOTH if alone else StepMover.NONE
            case ir.Return() if context:
                return StepMover.BOTH if alone else StepMover.NONE
            case ir.Sync() if template == self._main:
                return self._sync(step, instr, beside, StepMover.BOTH if alone else StepMover.NONE)
            case _:
                return StepMover.NONE

    def joined(self, template: str, context: Context, site: Site) -> str:
        """The template whose only thread a join waits for, if that is certain."""
        return "" if self._off or template != self._main else self._running.joined((context, site))

    def _sync(self, step: Step, instr: ir.Sync, beside: frozenset[str] | None, usual: StepMover) -> StepMover:
        if sync_facts(instr).family in _OBJECTS:
            return usual
        if self._main_alone_asks and is_fork(instr):
            return StepMover.LEFT if self._apart(self._main, beside, self._regions(step)) else StepMover.NONE
        takes_nothing = joins(instr) and isinstance(instr.args[1], Const) and instr.args[1].value == 0
        return StepMover.RIGHT if self._main_alone_asks and takes_nothing else StepMover.NONE

    # --- conflicts ---------------------------------------------------------------------------------------------------

    def _apart(self, template: str, beside: frozenset[str] | None, regions: tuple[Region, ...]) -> bool:
        """Whether nobody who may be running conflicts with any of these."""
        if not regions or (template == self._main and beside is None):
            return False
        others = [self._of[name] for name in beside or ()] if template == self._main else [self._foreign[template]]
        return not any(other.conflicts(region) for other in others for region in regions)

    def _regions(self, step: Step) -> tuple[Region, ...]:
        """Memory that the instruction may touch. What bytes nobody has written are is settled when they are allocated,
        so reading them changes nothing; locals do not end by operations, because nobody is cancelled."""
        function = self._clones.name(step.context, step.site.function)
        key = (function, step.site)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self._memory(function, step.instr))
        return found

    def _memory(self, function: str, instr: ir.Instr) -> Iterator[Region]:
        match instr:
            case ir.Load():
                yield from self._dependence.memory(function, instr.address, instr.size, Mode.READ)
            case ir.Sync() if not does(instr, Act.EXIT):
                for one in operands(instr, self._pointer):
                    mode = Mode.WRITE if one.writes else Mode.READ
                    yield from self._dependence.memory(function, one.address, one.size, mode)
            case _:
                regions = self._dependence.regions(function, instr)
                yield from (region for region in regions if not isinstance(region.root, Beyond))


class _Regions:
    """Regions by the object they lie in."""

    def __init__(self) -> None:
        self._by_root: dict[Root, set[Region]] = {}
        self._anywhere = False

    def add(self, regions: Iterable[Region]) -> None:
        for region in regions:
            assert isinstance(region.root, Root)
            self._anywhere = self._anywhere or region.root.kind is ObjectKind.ANYTHING
            self._by_root.setdefault(region.root, set()).add(replace(region, address=None))

    def conflicts(self, region: Region) -> bool:
        assert isinstance(region.root, Root)
        if self._anywhere or region.root.kind is ObjectKind.ANYTHING:
            return True
        return any(conflict(region, other) for other in self._by_root.get(region.root, ()))


def _steps(thread: ThreadAutomaton) -> Iterator[Step]:
    """Each place once."""
    yield from {(step.context, step.site): step for letter in thread.letters for step in letter.steps}.values()


def _asks_for_threads(instr: ir.Instr) -> bool:
    """Whether it starts, names or ends other threads."""
    return does(instr, Act.CREATE, Act.JOIN, Act.DETACH, Act.CANCEL)


def _notices_ends(instr: ir.Instr) -> bool:
    """Destructors of keys run at the end; whoever detaches, cancels or tries to join sees whether it has come."""
    if not isinstance(instr, ir.Sync):
        return False
    facts = sync_facts(instr)
    harmless = facts.act in (Act.CREATE, Act.EXIT, Act.SELF, Act.EQUAL) or joins(instr)
    detached = instr.op in DETACHING
    return facts.family is Family.KEY or detached or (facts.family is Family.THREAD and not harmless)
