"""A thread template, unfolded: from its start routine along all calls, letter by letter.

Calls are unfolded in their calling context: a location is an instruction and the calls around it, so letters consist of
instructions of the normal form as they are, and nothing has to be renamed or mapped back. Recursion has no finite
unfolding and raises CannotUnfold, and so does a call through a pointer that may point anywhere.

A letter begins with right movers (`movers`; mostly what only its own thread can notice), has one instruction that is
none (or a whole atomic block), and goes on as long as instructions are left movers and certainly come to their end.
Behind one that only read, they need not come to their end, and the run may end: nobody saw what is taken back. A letter
never runs across a loop head. Where a location would have very many letters, they also end where ways meet again.

Invariants: every path of the control flow is a sequence of letters, in one way; every cycle leads through a location.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from threadproof.automaton.facts import CannotUnfold, Facts
from threadproof.automaton.letters import (
    Context,
    End,
    Kind,
    Letter,
    LetterPhase,
    Location,
    Step,
    StepMover,
    changes,
    is_fork,
    is_join,
)
from threadproof.automaton.movers import Movers
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site
from threadproof.ir.instr import Call, Instr, Return, Sync, edges
from threadproof.sync.facts import Act, does

MOST_STEPS = 60_000
"""Instructions in all letters of a template."""
MOST_PATHS = 24
"""Letters of one location, beyond which they end where ways meet."""

_ENDS: dict[type[Instr], End] = {
    ir.Error: End.ERROR,
    ir.Halt: End.HALTED,
    ir.Undefined: End.UNDEFINED,
    ir.Unsupported: End.UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class _Point:
    """Where a thread can be: in the middle of a letter, or at a location."""

    context: Context
    site: Site
    depth: int = 0
    phase: LetterPhase = LetterPhase.RUNNING

    def moved(self, site: Site) -> _Point:
        return _Point(self.context, site, self.depth, self.phase)


@dataclass(slots=True)
class _Path:
    """A letter in the making."""

    steps: list[Step]  # its own: grows in place where there is one way on
    at: _Point | End
    visible: int | None
    atomic: bool
    changed: bool = False  # it has made something that others can see


def unfold(facts: Facts, template: str, first: int = 1, movers: Movers | None = None) -> ThreadAutomaton:
    """Its letters are numbered from `first` on. Without `movers`, all that others could notice counts as noticed.
    Raises CannotUnfold."""
    return _Unfolding(facts, template, first, movers).run()


@dataclass(slots=True)
class _Unfolding:
    facts: Facts
    template: str
    _next_id: int
    movers: Movers | None
    _steps: int = 0
    _numbered: dict[_Point | End, Location] = field(default_factory=dict["_Point | End", Location])
    _todo: list[_Point] = field(default_factory=list[_Point])

    def run(self) -> ThreadAutomaton:
        entry = self._location(_Point((), self.facts.entry(self.template)))
        letters: dict[Location, tuple[Letter, ...]] = {}
        while self._todo:
            point = self._todo.pop()
            letters[self._numbered[point]] = tuple(self._letter(point, path) for path in self._paths(point))
        every = tuple(letter for source in sorted(letters, key=_number) for letter in letters[source])
        if any(letter.forks for letter in every):
            self._location(End.EXHAUSTED)
        places = tuple(self._numbered.values())
        heads = frozenset(location for location in places if self._is_head(location))
        outermost = frozenset(head for head in heads if self._is_outermost(head))
        return ThreadAutomaton(self.template, entry, places, every, letters, heads, outermost)

    def _location(self, at: _Point | End) -> Location:
        found = self._numbered.get(at)
        if found is not None:
            return found
        number = len(self._numbered)
        if isinstance(at, End):
            found = Location(self.template, number, at)
        else:
            found = Location(self.template, number, at.site, at.context, at.depth, at.phase)
            self._todo.append(at)
        self._numbered[at] = found
        return found

    def _letter(self, source: _Point, path: _Path) -> Letter:
        self._steps += len(path.steps)
        if self._steps > MOST_STEPS:
            raise CannotUnfold(f"more than {MOST_STEPS} instructions once calls are unfolded")
        touches = frozenset(region for step in path.steps for region in self.facts.regions(step.site))
        begin, end = self._numbered[source], self._location(path.at)
        kind = _kind(path, source.depth > 0)
        self._next_id += 1
        return Letter(self._next_id - 1, self.template, begin, end, tuple(path.steps), kind, path.visible, touches)

    # --- the letters of a location -----------------------------------------------------------------------------------

    def _paths(self, start: _Point) -> list[_Path]:
        found = self._enumerated(start, meeting=False)
        return self._enumerated(start, meeting=True) or [] if found is None else found

    def _enumerated(self, start: _Point, *, meeting: bool) -> list[_Path] | None:
        """All ways to the next locations; None if there are too many and they need not end where ways meet."""
        found: list[_Path] = []
        todo = [_Path([], start, None, False)]
        while todo:
            if not meeting and len(found) + len(todo) > MOST_PATHS:
                return None
            path = todo.pop()
            if isinstance(path.at, End) or (path.steps and self._ends_before(path, path.at, meeting)):
                found.append(path)
            else:
                todo.extend(reversed(self._extended(path, path.at)))
        return found

    def _extended(self, path: _Path, before: _Point) -> list[_Path]:
        """The path with its next step, in all ways."""
        visible, ways, mover = path.visible, list(self._ways(before)), self._mover(before)
        if visible is None and mover in (StepMover.NONE, StepMover.LEFT):
            visible = len(path.steps)
        changed = path.changed or (mover in (StepMover.NONE, StepMover.LEFT) and changes(self.facts.instr(before.site)))
        found: list[_Path] = []
        for step, at in ways:
            inside = before.depth > 0 or (isinstance(at, _Point) and at.depth > 0)
            steps = path.steps if len(ways) == 1 else path.steps.copy()
            steps.append(step._replace(mover=mover, joined=self._joined(before)))
            found.append(_Path(steps, at, visible, path.atomic or inside, changed))
        return found

    def _joined(self, point: _Point) -> str:
        known = self.movers is not None and is_join(self.facts.instr(point.site))
        return self.movers.joined(self.template, point.context, point.site) if known and self.movers else ""

    def _mover(self, point: _Point) -> StepMover:
        instr = self.facts.instr(point.site)
        if isinstance(instr, Return) and not point.context:
            return StepMover.LEFT if self.movers is not None and self._ends_unseen(point) else StepMover.NONE
        if not self.facts.visibility.visible(point.site, instr):
            return StepMover.BOTH
        if self.movers is None or point.depth:
            return StepMover.NONE
        return self.movers.of(self.template, point.context, point.site, instr)

    def _ends_before(self, path: _Path, point: _Point, meeting: bool) -> bool:
        site = point.site
        if site.number == 0 and site.block in self.facts.nest(site.function).heads:
            return True
        if self._begins_destructor(point):
            return True
        if meeting and self._ways_meet(path, point):
            return True
        if point.depth or path.visible is None:
            return False
        instr = self.facts.instr(site)
        match self._mover(point):
            case StepMover.NONE:
                ends = self.movers is not None and (type(instr) in _ENDS or self._ends_program(point))
                return path.changed or not ends
            case StepMover.RIGHT:
                return True
            case _:
                certain = path.changed or self.movers is None
                return certain and self.facts.visibility.may_end(site, instr)

    def _ends_program(self, point: _Point) -> bool:
        """Whether main returns there."""
        first = self.template == self.facts.program.entry and point.phase is LetterPhase.RUNNING
        return isinstance(self.facts.instr(point.site), Return) and not point.context and first

    def _ends_unseen(self, point: _Point) -> bool:
        """Whether a thread that ends there can be noticed by who waits for that alone."""
        assert self.movers is not None
        dies = self.facts.visibility.visible(point.site, self.facts.instr(point.site))
        return self.movers.only_joined and not dies and not self._ends_program(point) and not point.depth

    def _ways_meet(self, path: _Path, point: _Point) -> bool:
        behind_call = isinstance(path.steps[-1].instr, Return)
        return behind_call or (point.site.number == 0 and point.site.block in self.facts.meeting(point.site.function))

    def _begins_destructor(self, point: _Point) -> bool:
        at_start = not point.context and point.site == self.facts.entry(point.site.function)
        return point.phase is LetterPhase.ENDING and at_start

    # --- one instruction ---------------------------------------------------------------------------------------------

    def _ways(self, point: _Point) -> Iterator[tuple[Step, _Point | End]]:
        """Every way on from an instruction. Traps are no ways, except of a call that has nothing to call."""
        site, instr = point.site, self.facts.instr(point.site)
        plain = Step(point.context, site, instr)
        following = edges(instr)
        for number, edge in enumerate(following):
            taken = number if len(following) > 1 else None
            yield plain._replace(taken=taken), point.moved(Site(site.function, edge.target, 0))
        match instr:
            case ir.Error() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                yield plain, _ENDS[type(instr)]
            case Call():
                yield from self._calls(point, plain, instr)
            case Return():
                yield from self._returns(point, plain)
            case Sync():
                yield from self._syncs(point, plain, instr)
            case _ if not following:
                yield plain, point.moved(_next(site))
            case _:
                pass

    def _calls(self, point: _Point, plain: Step, call: Call) -> Iterator[tuple[Step, _Point | End]]:
        above = {site.function for site in point.context} | {point.site.function}
        names = self.facts.started(point.site, call)
        if not names:
            yield plain, End.UNDEFINED
        for name in names:
            if name in above:
                raise CannotUnfold(f"recursion in {name} ({call.loc})")
            inside = _Point((*point.context, point.site), self.facts.entry(name), point.depth, point.phase)
            yield plain._replace(enters=name), inside

    def _returns(self, point: _Point, plain: Step) -> Iterator[tuple[Step, _Point | End]]:
        if point.context:
            *outer, call = point.context
            yield plain, _Point(tuple(outer), _next(call), point.depth, point.phase)
        elif self.template == self.facts.program.entry and point.phase is LetterPhase.RUNNING:
            yield plain, End.HALTED
        else:
            yield from self._endings(point, plain)

    def _syncs(self, point: _Point, plain: Step, instr: Sync) -> Iterator[tuple[Step, _Point | End]]:
        after = point.moved(_next(point.site))
        if does(instr, Act.EXIT):
            yield from self._endings(point, plain)
        elif does(instr, Act.BEGIN) or does(instr, Act.END):
            depth = max(point.depth + (1 if does(instr, Act.BEGIN) else -1), 0)
            yield plain, _Point(after.context, after.site, depth, after.phase)
        elif is_fork(instr):
            names = self.facts.started(point.site, instr)
            if not names:
                yield plain, End.UNDEFINED
            for name in names:
                yield plain._replace(enters=name), after
        else:
            yield plain, after
        if self.facts.can_be_cancelled(instr):
            yield from self._endings(point, plain._replace(cancelled=True))

    def _endings(self, point: _Point, plain: Step) -> Iterator[tuple[Step, _Point | End]]:
        """The thread is over, or the destructor of a key runs next."""
        yield plain, End.FINISHED
        for name in self.facts.destructors:
            yield plain._replace(enters=name), _Point((), self.facts.entry(name), point.depth, LetterPhase.ENDING)

    # --- loops -------------------------------------------------------------------------------------------------------

    def _is_head(self, location: Location) -> bool:
        if isinstance(location.at, End):
            return False
        point = _Point(location.context, location.at, location.depth, location.phase)
        in_nest = location.at.number == 0 and location.at.block in self.facts.nest(location.at.function).heads
        return in_nest or self._begins_destructor(point)

    def _is_outermost(self, head: Location) -> bool:
        assert isinstance(head.at, Site)
        around = len(self.facts.nest(head.at.function).blocks[head.at.block].loops)
        called = (self.facts.nest(call.function).blocks[call.block].loops for call in head.context)
        return around <= 1 and not any(called) and (head.phase is LetterPhase.RUNNING or not around)


def _next(site: Site) -> Site:
    return site._replace(number=site.number + 1)


def _number(location: Location) -> int:
    return location.number


def _kind(path: _Path, inside: bool) -> Kind:
    if path.at is End.ERROR:
        return Kind.ERROR
    if path.atomic or inside:
        return Kind.ATOMIC
    if any(is_fork(step.instr) for step in path.steps):
        return Kind.FORK
    return Kind.JOIN if any(is_join(step.instr) for step in path.steps) else Kind.PLAIN
