"""Which threads may be running while main is at an instruction, and which may be running side by side.

A forward analysis of main's letters, in their calling contexts. A creation adds the thread and all that may descend
from it; a join takes the thread away if what is joined is surely its handle. Only main's joins count.

Invariants: the sets are over-approximations; what is said of handles is certain. A creation that main may come to again
stands for several threads, which no join takes away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from threadproof.analysis.footprints.dependence import Region
from threadproof.analysis.memory.partition import Instances, Objects
from threadproof.analysis.points_to import ObjectKind, Place, PointsTo, may_overlap
from threadproof.analysis.points_to.cloning import Cloned
from threadproof.automaton.letters import Context, Letter, Location, Step, is_fork
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.core.graph import reached
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import Expr, Reg
from threadproof.sync.facts import Act, Attempt, sync_facts
from threadproof.sync.footprint import Mode

Point = tuple[Context, Site]
Regions = Callable[[Step], tuple[Region, ...]]


class Spawned(NamedTuple):
    """Threads of a template that main starts at one place; without a place: that its descendants start."""

    template: str
    at: Point | None


_Register = tuple[Context, str, str]
_Handles = Mapping[Place | _Register, Spawned]


@dataclass(frozen=True, slots=True)
class _State:
    running: frozenset[Spawned]
    handles: _Handles  # whose handle surely lies there

    def joined(self, other: _State) -> _State:
        both = {where: who for where, who in self.handles.items() if other.handles.get(where) == who}
        return _State(self.running | other.running, both)


def joins(instr: ir.Sync) -> bool:
    """Whether it waits until a thread has ended, however long that takes."""
    facts = sync_facts(instr)
    return facts.act is Act.JOIN and facts.attempt is Attempt.NO


class RunningThreads:
    def __init__(
        self, threads: Mapping[str, ThreadAutomaton], main: str, clones: Cloned, points_to: PointsTo, regions: Regions
    ) -> None:
        """`threads`: with letters of which each has at most one instruction that others can notice."""
        self._threads = threads
        self._main = threads[main]
        self._clones = clones
        self._points_to = points_to
        self._regions = regions
        self._pointer = clones.program.data_model.pointer_bytes
        self._instances = Objects(clones.program).instances
        self._again = frozenset(self._repeated())
        self._forks = Counter(template for template, *_ in self._places_of_forks())
        self._written = self._written_by_others(main)
        self.beside_main: dict[Point, frozenset[str]] = {}
        """Templates of which a thread may be running when main is about to do this."""
        self.side_by_side: set[tuple[str, str]] = set()
        """Templates of which two different threads may be running at a time, main left out."""
        self._joined: dict[Point, set[Spawned | None]] = {}
        self._solve()

    def joined(self, at: Point) -> str:
        """The template whose only thread main waits for here, if that is certain."""
        match [*self._joined.get(at, ())]:
            case [Spawned() as who] if who not in self._again and self._forks[who.template] == 1:
                return who.template
            case _:
                return ""

    def _places_of_forks(self) -> set[tuple[str, Context, Site]]:
        steps = (step for thread in self._threads.values() for letter in thread.letters for step in letter.steps)
        return {(step.enters, step.context, step.site) for step in steps if is_fork(step.instr)}

    def _written_by_others(self, main: str) -> list[Region]:
        return [
            region
            for name, thread in self._threads.items()
            if name != main
            for letter in thread.letters
            for step in letter.steps
            for region in self._regions(step)
            if region.mode is not Mode.READ
        ]

    def _repeated(self) -> Iterator[Spawned]:
        """What main may come to start again."""
        found: dict[Spawned, list[Letter]] = {}
        for letter in self._main.letters:
            for step in letter.steps:
                if is_fork(step.instr) and step.enters:
                    found.setdefault(Spawned(step.enters, (step.context, step.site)), []).append(letter)
        for who, letters in found.items():
            targets = [letter.target for letter in letters]
            after = reached(targets, lambda at: (letter.target for letter in self._main.letters_from(at)))
            if any(letter.source in after for letter in letters):
                yield who

    def _descendants(self, template: str) -> frozenset[str]:
        def forked(name: str) -> Iterator[str]:
            return (fork for letter in self._threads[name].letters for fork in letter.forks)

        return frozenset(reached(forked(template), forked))

    # --- the fixed point ---------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        states: dict[Location, _State] = {self._main.entry: _State(frozenset(), {})}
        todo = [self._main.entry]
        while todo:
            location = todo.pop()
            for letter in self._main.letters_from(location):
                arriving = self._after(letter, states[location])
                known = states.get(letter.target)
                joined = arriving if known is None else known.joined(arriving)
                if joined != known:
                    states[letter.target] = joined
                    todo.append(letter.target)

    def _after(self, letter: Letter, state: _State) -> _State:
        for step in letter.steps:
            self._note(state, (step.context, step.site))
            state = self._step(step, state)
        self._note(state, None)
        return state

    def _note(self, state: _State, at: Point | None) -> None:
        if at is not None:
            templates = frozenset(one.template for one in state.running)
            self.beside_main[at] = self.beside_main.get(at, frozenset()) | templates
        for one in state.running:
            self.side_by_side.update((one.template, other.template) for other in state.running if other != one)
            if one.at is None or one in self._again:
                self.side_by_side.add((one.template, one.template))

    # --- one instruction ---------------------------------------------------------------------------------------------

    def _step(self, step: Step, state: _State) -> _State:
        handles = self._overwritten(step, state.handles)
        match step.instr:
            case ir.Load():
                self._bind(handles, step, [(step.instr.dst, self._loaded(step, step.instr, state.handles))])
            case ir.Assign():
                self._bind(handles, step, [(step.instr.dst, self._value(step, step.instr.value, state.handles))])
            case ir.Call() if step.enters:
                self._call(handles, step, step.instr, state.handles)
            case ir.Sync() if is_fork(step.instr) and step.enters:
                return self._fork(step, step.instr, _State(state.running, handles))
            case ir.Sync() if joins(step.instr):
                who = self._value(step, step.instr.args[0], state.handles)
                self._joined.setdefault((step.context, step.site), set()).add(who)
                if who is not None and who not in self._again:
                    return _State(state.running - {who}, handles)
            case _:
                following = ir.edges(step.instr)
                if following:
                    moves = following[step.taken or 0].moves
                    self._bind(handles, step, [(to, self._value(step, e, state.handles)) for to, e in moves])
        return _State(state.running, handles)

    def _fork(self, step: Step, instr: ir.Sync, state: _State) -> _State:
        who = Spawned(step.enters, (step.context, step.site))
        handles = {where: other for where, other in state.handles.items() if other != who}
        where = self._cell(step, instr.args[0])
        if where is not None:
            handles[where] = who
        descendants = {Spawned(name, None) for name in self._descendants(step.enters)}
        return _State(state.running | {who} | descendants, handles)

    def _call(self, handles: dict[Place | _Register, Spawned], step: Step, call: ir.Call, before: _Handles) -> None:
        inside = (*step.context, step.site)
        params = self._clones.program.functions[step.enters].params
        for param, arg in zip(params, call.args, strict=False):
            self._set(handles, (inside, step.enters, param.name), self._value(step, arg, before))

    # --- handles -----------------------------------------------------------------------------------------------------

    def _overwritten(self, step: Step, handles: _Handles) -> dict[Place | _Register, Spawned]:
        """Without what the instruction may change."""
        changed = {self._register(step, reg.name) for reg in ir.defs(step.instr)}
        written = [region for region in self._regions(step) if region.mode is not Mode.READ]
        return {
            where: who
            for where, who in handles.items()
            if where not in changed
            and not (isinstance(where, Place) and any(self._touches(region, where) for region in written))
        }

    def _touches(self, region: Region, where: Place) -> bool:
        if isinstance(region.root, Enum):
            return False
        same = region.root == where.root or region.root.kind is ObjectKind.ANYTHING
        return same and may_overlap(region.at, region.size, where.offsets, self._pointer)

    def _bind(
        self, handles: dict[Place | _Register, Spawned], step: Step, moves: list[tuple[Reg, Spawned | None]]
    ) -> None:
        for register, who in moves:
            self._set(handles, self._register(step, register.name), who)

    @staticmethod
    def _set(handles: dict[Place | _Register, Spawned], where: _Register, who: Spawned | None) -> None:
        handles.pop(where, None)
        if who is not None:
            handles[where] = who

    def _register(self, step: Step, name: str) -> _Register:
        return step.context, step.site.function, name

    def _value(self, step: Step, expr: Expr, handles: _Handles) -> Spawned | None:
        return handles.get(self._register(step, expr.name)) if isinstance(expr, Reg) else None

    def _loaded(self, step: Step, load: ir.Load, handles: _Handles) -> Spawned | None:
        where = self._cell(step, load.address)
        return None if where is None or load.size != self._pointer else handles.get(where)

    def _cell(self, step: Step, address: Expr) -> Place | None:
        """The one word that the address surely means, if main alone writes it."""
        function = self._clones.name(step.context, step.site.function)
        places = self._points_to.expression(function, address)
        if len(places) != 1:
            return None
        [place] = places
        alone = self._instances(place.root) is Instances.ONE and not place.offsets.stride
        known = place.root.kind in (ObjectKind.GLOBAL, ObjectKind.STACK) and alone
        return place if known and not any(self._touches(region, place) for region in self._written) else None
