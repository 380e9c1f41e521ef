"""Unwound programs whose events are written by hand, what their formula allows, and what executing them one event after
the other can do. The second knows nothing of orders, candidates or slots, so the two check each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeVar

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.events import (
    Cell,
    CellPart,
    Clock,
    EventRole,
    RoundFacts,
    UnwoundEvent,
    UnwoundThread,
)
from threadproof.engines.bmc.unwinding.guards import Guard
from threadproof.engines.bmc.unwinding.objects import UnwoundObjects
from threadproof.engines.bmc.unwinding.world import BlockedWait, Bounds, Ends, NumberedNames, Unwound
from threadproof.ir.instr import Return
from threadproof.ir.program import Block, DataModel, Function, GlobalVar, Program
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, open_solver
from threadproof.smt.term import Op, Term, variables
from threadproof.smt.terms import Terms

Outcome = tuple[tuple[str, int], ...]
"""Literals, and the values of the reads that happen, by name."""
MAIN = Function("main", (), (Block("entry", (Return(),)),))
T = TypeVar("T")
CELLS = ("x", "y", "z")


class Hand:
    """Three shared bytes x, y, z that begin with 0; a mutex is a number."""

    def __init__(self, model: MemoryModel = MemoryModel.SC, ends: Ends = Ends.WAITS) -> None:
        """`Ends.WAITS` asks for everything: symmetric threads stay apart."""
        program = Program("hand", DataModel.LP64, {"main": MAIN}, {n: GlobalVar(n, 1, b"") for n in CELLS})
        objects = UnwoundObjects(program, program.layout())
        bounds = Bounds(1, 1, ends=ends)
        self.terms = Terms()
        self.world = Unwound(
            program, self.terms, objects, NumberedNames(), RoundFacts(), bounds, model, Budget()
        )  # fmt: skip
        self.main = self.thread()

    def thread(self, fork: UnwoundEvent | None = None) -> UnwoundThread:
        number = len(self.world.threads)
        found = UnwoundThread(number, f"T{number}", number + 1, 0, fork, end=())
        if fork is not None:
            found.begin = found.end = fork.guard
            found.begin_clock = {**fork.clock, fork.thread: fork.index + 1}
        self.world.threads[number] = found
        return found

    def fork(self, parent: UnwoundThread, *guard: Term) -> UnwoundThread:
        return self.thread(self.event(parent, *guard, kind=EventRole.FORK, drains=True))

    def join(self, thread: UnwoundThread, child: UnwoundThread, *guard: Term) -> UnwoundEvent:
        """Happens if the child has come to its end."""
        assert child.end is not None
        joined = self.terms.bool_var(f"joined.{thread.number}.{len(thread.events)}")
        self.world.definitions.append(self.terms.implies(joined, self.terms.all(child.end)))
        literals = dict.fromkeys((*guard, joined, *child.end))
        event = self.event(thread, *literals, kind=EventRole.JOIN, drains=True)
        event.clock[child.number] = len(child.events)
        event.arrives = (*thread.begin, *guard)
        done = self.terms.and_(joined, self.terms.all(child.end))
        self.world.waits.append(BlockedWait(event, self.terms.all(guard), done, child))
        return event

    def event(
        self,
        thread: UnwoundThread,
        *guard: Term,
        kind: EventRole = EventRole.ACCESS,
        reads: str = "",
        writes: Mapping[str, int | Term] | None = None,
        when: Term | None = None,
        drains: bool = False,
        releases: bool = False,
        mutex: int = 0,
        block: int = 0,
    ) -> UnwoundEvent:
        index, terms = len(thread.events), self.terms
        whole = tuple(dict.fromkeys((*thread.begin, *guard)))
        event = UnwoundEvent(thread.number, index, kind, whole, self._clock(thread, whole), Return(), "main")
        event.drains, event.releases, event.mutex, event.block = drains, releases, mutex, block
        thread.events.append(event)
        for name in reads:
            variable = terms.bv_var(f"r.{thread.number}.{index}.{self.cell(name)[0]:x}.1", 8)
            event.reads.append(self.world.part(event, self.cell(name), when or terms.true, variable))
        for name, value in (writes or {}).items():
            term = terms.bv(value, 8) if isinstance(value, int) else value
            event.writes.append(self.world.part(event, self.cell(name), when or terms.true, term))
        return event

    def lock(self, thread: UnwoundThread, mutex: int, *guard: Term, reads: str = "") -> UnwoundEvent:
        """What comes after needs `acquired` in its guard."""
        acquired = self.terms.bool_var(f"acquired.{thread.number}.{len(thread.events)}")
        event = self.event(
            thread, *guard, acquired, kind=EventRole.LOCK, mutex=mutex, reads=reads, drains=True
        )  # fmt: skip
        event.arrives, event.acquired = (*thread.begin, *guard), acquired
        return event

    def unlock(
        self, thread: UnwoundThread, mutex: int, *guard: Term, writes: Mapping[str, int | Term] | None = None
    ) -> UnwoundEvent:
        return self.event(thread, *guard, kind=EventRole.UNLOCK, mutex=mutex, writes=writes, drains=True)

    def cell(self, name: str) -> Cell:
        return self.world.layout.globals[name], 1

    def _clock(self, thread: UnwoundThread, guard: Guard) -> Clock:
        """What is over before, certainly: by the creation, and by joins that happen whenever this does."""
        clock = dict(thread.begin_clock)
        for event in thread.events:
            if event.kind is EventRole.JOIN and set(event.guard) <= set(guard):
                for other, count in event.clock.items():
                    clock[other] = max(count, clock.get(other, 0))
        return clock


# --- what the formula allows -----------------------------------------------------------------------------------------


def events(world: Unwound) -> Iterator[UnwoundEvent]:
    for thread in world.threads.values():
        yield from thread.events


def everything(world: Unwound) -> list[Term]:
    parts = [part for event in events(world) for part in (*event.reads, *event.writes)]
    return [*(t for e in events(world) for t in e.guard), *(t for p in parts for t in (p.value, p.when))]


def literals(world: Unwound) -> list[Term]:
    """The Booleans that guards are made of, in a fixed order."""
    given = [t for e in events(world) for t in (*e.guard, *(p.when for p in (*e.reads, *e.writes)))]
    return sorted((v for v in variables(given) if not v.name.startswith("r.")), key=lambda v: v.name)


def happens(model: Assignment, part: CellPart) -> bool:
    return all(model.holds(t) for t in (*part.event.guard, part.when))


def allowed(world: Unwound) -> set[Outcome]:
    """All outcomes of the formula, its cycles cut."""
    terms, formula, solver = world.terms, Formula(world), open_solver()
    solver.add(*formula.needed(everything(world)))
    names = literals(world)
    found: set[Outcome] = set()
    while isinstance(outcome := solver.check(), Sat):
        model = outcome.model
        cuts = formula.order.cuts(model)
        if cuts:
            solver.add(*cuts)
            continue
        reads = [p.value for e in events(world) for p in e.reads if happens(model, p) and p.value.op is Op.VAR]
        same = [terms.eq(v, terms.bv(model.number(v), v.width)) for v in reads]
        same += [v if model.holds(v) else terms.not_(v) for v in names]
        found.add(tuple((v.name, int(model.number(v))) for v in (*names, *reads)))
        solver.add(terms.not_(terms.all(same)))
    return found


# --- what can be done ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stored:
    """A store in a buffer; `fences` passed before it keep it behind earlier ones (PSO)."""

    cell: Cell
    value: int
    fences: int
    releases: bool


class State(NamedTuple):
    places: tuple[int, ...]  # how many events each thread has made
    memory: tuple[tuple[Cell, int], ...] = ()
    reads: tuple[tuple[str, int], ...] = ()
    buffers: tuple[tuple[Stored, ...], ...] = ()


class Run:
    """Executions under one choice of literals."""

    def __init__(self, world: Unwound, given: dict[str, int]) -> None:
        self.world, self.given = world, given
        chosen = Assignment(given)
        self.todo = [
            [e for e in thread.events if all(chosen.holds(t) for t in e.guard)] for thread in world.threads.values()
        ]

    def outcomes(self) -> Iterator[dict[str, int]]:
        start = State(tuple(0 for _ in self.todo), buffers=tuple(() for _ in self.todo))
        seen, work = {start}, [start]
        while work:
            state = work.pop()
            if not any(state.buffers) and state.places == tuple(len(own) for own in self.todo):
                yield dict(state.reads)
            for following in self._steps(state):
                if following not in seen:
                    seen.add(following)
                    work.append(following)

    def _steps(self, state: State) -> Iterator[State]:
        inside = self._inside(state)
        for number, own in enumerate(self.todo):
            if inside in (None, number):
                yield from self._flushes(number, state)
                if state.places[number] < len(own) and self._enabled(own[state.places[number]], state):
                    yield self._done(own[state.places[number]], state)

    def _inside(self, state: State) -> int | None:
        """Who is inside an atomic block."""
        for number, own in enumerate(self.todo):
            at = state.places[number]
            if 0 < at < len(own) and own[at].block and own[at].block == own[at - 1].block:
                return number
        return None

    def _past(self, number: int, state: State) -> list[UnwoundEvent]:
        return self.todo[number][: state.places[number]]

    def _enabled(self, event: UnwoundEvent, state: State) -> bool:
        fork = self.world.threads[event.thread].fork
        if fork is not None and not any(e is fork for e in self._past(fork.thread, state)):
            return False
        if (event.drains or (event.reads and event.writes)) and state.buffers[event.thread]:
            return False
        if event.kind is EventRole.LOCK:
            return not any(self._holds(number, event.mutex, state) for number in range(len(self.todo)))
        if event.kind is EventRole.JOIN:
            return all(self._is_over(n, state) for n in event.clock if self._joins(event, n))
        return True

    def _is_over(self, number: int, state: State) -> bool:
        return state.places[number] == len(self.todo[number]) and not state.buffers[number]

    def _joins(self, event: UnwoundEvent, number: int) -> bool:
        return event.clock[number] == len(self.world.threads[number].events) and number not in (0, event.thread)

    def _holds(self, number: int, mutex: int, state: State) -> bool:
        of_mutex = [e for e in self._past(number, state) if e.mutex == mutex]
        return bool(of_mutex) and of_mutex[-1].kind is EventRole.LOCK

    def _done(self, event: UnwoundEvent, state: State) -> State:
        number, memory, reads = event.thread, dict(state.memory), dict(state.reads)
        buffer = list(state.buffers[number])
        for part in event.reads:
            own = [s.value for s in buffer if s.cell == part.cell]
            reads[part.value.name] = own[-1] if own else memory.get(part.cell, 0)
        here = Assignment({**self.given, **reads})
        late = self.world.model is not MemoryModel.SC and not event.drains and not event.reads
        fences = sum(e.releases and not e.writes for e in self._past(number, state))
        for part in event.writes:
            if here.holds(part.when) and late:
                buffer.append(Stored(part.cell, here.number(part.value), fences, event.releases))
            elif here.holds(part.when):
                memory[part.cell] = here.number(part.value)
        return State(
            _with(state.places, number, state.places[number] + 1),
            tuple(sorted(memory.items())),
            tuple(sorted(reads.items())),
            _with(state.buffers, number, tuple(buffer)),
        )

    def _flushes(self, number: int, state: State) -> Iterator[State]:
        held = state.buffers[number]
        for at, stored in enumerate(held):
            if self.world.model is MemoryModel.TSO and at:
                break
            if all(s.cell != stored.cell and s.fences == stored.fences and not stored.releases for s in held[:at]):
                memory = tuple(sorted({**dict(state.memory), stored.cell: stored.value}.items()))
                left = _with(state.buffers, number, held[:at] + held[at + 1 :])
                yield state._replace(memory=memory, buffers=left)


def _with(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def executed(world: Unwound) -> set[Outcome]:
    """All outcomes of executing the events that happen, one after the other."""
    names = literals(world)
    found: set[Outcome] = set()
    for bits in product((0, 1), repeat=len(names)):
        given = dict(zip((v.name for v in names), bits, strict=True))
        if all(Assignment(given).holds(d) for d in world.definitions):
            for values in Run(world, given).outcomes():
                model = Assignment({**given, **values})
                reads = [p.value.name for e in events(world) for p in e.reads if happens(model, p)]
                found.add((*given.items(), *((name, values[name]) for name in reads)))
    return found
