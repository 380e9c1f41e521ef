"""What all parts of one round of unwinding share: terms, objects, facts of the round before, and what is found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.unwinding.cells import CellBoundaries
from threadproof.engines.bmc.unwinding.events import (
    Atomic,
    Cell,
    CellPart,
    Clock,
    Entry,
    EventRole,
    Limit,
    PathEnd,
    RoundFacts,
    UnwoundAccess,
    UnwoundEvent,
    UnwoundThread,
    What,
)
from threadproof.engines.bmc.unwinding.guards import Guard, extended
from threadproof.engines.bmc.unwinding.objects import UnwoundObject, UnwoundObjects
from threadproof.engines.bmc.unwinding.state import PathState
from threadproof.engines.bmc.unwinding.values import ValueSets
from threadproof.ir.instr import Instr
from threadproof.ir.layout import Layout
from threadproof.ir.program import Program
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms
from threadproof.sync.facts import Act


class Ends(Enum):
    """What is looked at where the program ends."""

    NOTHING = "nothing"
    POINTERS = "what still points to heap blocks"
    WAITS = "who waits for what"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far loops are unwound: `loops` by function and header, others by `default`. Iterations whose end is known
    beforehand do not count against the bound, but against `known`."""

    default: int
    known: int
    loops: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    recursion: int = 1
    threads: int = 10
    size: int = 64  # bytes that are looked at of a block whose size is not known
    instructions: int = 300_000
    ends: Ends = Ends.NOTHING

    def of(self, loop: tuple[str, str]) -> int:
        return self.loops.get(loop, self.default)


@dataclass(slots=True)
class NumberedNames:
    """Numbers for threads and contexts that every round gives in the same way."""

    numbers: dict[Hashable, int] = field(default_factory=dict[Hashable, int])

    def number(self, key: Hashable) -> int:
        return self.numbers.setdefault(key, len(self.numbers))


class Initial(dict[Cell, Term]):
    """What cells hold at first; arbitrary ones hold a variable."""

    def __init__(self, terms: Terms, objects: UnwoundObjects) -> None:
        super().__init__()
        self._terms = terms
        self._objects = objects

    def __missing__(self, cell: Cell) -> Term:
        address, size = cell
        if not size:
            found = self._terms.bv(1, 1)
        else:
            owner = self._objects.near(address)
            assert owner is not None
            number = owner.initial(address - owner.start, size)
            if number is None:
                found = self._terms.bv_var(f"init.{address:x}.{size}", 8 * size)
            else:
                found = self._terms.bv(number, 8 * size)
        self[cell] = found
        return found


@dataclass(frozen=True, slots=True)
class HeapBlock:
    """A heap block and when it is allocated."""

    owner: UnwoundObject
    guard: Guard
    thread: int
    index: int


@dataclass(frozen=True, slots=True)
class Freeing:
    thread: int
    index: int
    clock: Clock
    happens: Term

    def follows(self, block: HeapBlock) -> bool:
        """Certainly comes after the block's allocation."""
        if self.thread == block.thread:
            return self.index > block.index
        return self.clock.get(block.thread, 0) > block.index


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """Where the program may end (before event `index` of the thread), and what the pointers in memory hold there."""

    thread: int
    index: int
    guard: Guard
    clock: Clock
    pointers: dict[Cell, Term]


@dataclass(frozen=True, slots=True)
class BlockedWait:
    """An operation that may block: reached if `reached` holds, and over if `done` does too."""

    event: UnwoundEvent
    reached: Term
    done: Term
    child: UnwoundThread | None = None  # whose end it waits for


@dataclass(slots=True)
class MutexUse:
    """One operation on a mutex whose address is known, for deciding whether it is plain."""

    act: Act | None  # None: not a plain one
    event: UnwoundEvent


@dataclass(slots=True)
class UnwoundStep:
    """A thread about to execute an instruction; `site` names the place in the unwinding."""

    thread: UnwoundThread
    state: PathState
    function: str
    instr: Instr
    site: Hashable
    alive: bool = True
    entry: Entry | None = None


class Unwound:
    def __init__(
        self,
        program: Program,
        terms: Terms,
        objects: UnwoundObjects,
        names: NumberedNames,
        facts: RoundFacts,
        bounds: Bounds,
        model: MemoryModel,
        budget: Budget,
    ) -> None:
        self.program, self.terms, self.objects, self.names = program, terms, objects, names
        self.layout: Layout = program.layout()
        self.pointer_bits = program.data_model.pointer_bits
        self.functions_at = {address: name for name, address in self.layout.functions.items()}
        self.facts, self.bounds, self.model, self.budget = facts, bounds, model, budget
        self.values = ValueSets(terms)
        self.initial = Initial(terms, objects)
        self.threads: dict[int, UnwoundThread] = {}
        self.ends: list[PathEnd] = []
        self.stops: list[ProgramEnd] = []
        self.heap: dict[int, HeapBlock] = {}
        self.frees: defaultdict[int, list[Freeing]] = defaultdict(list)
        self.may_wait = False  # a thread may wait for ever
        self.halts: list[Term] = []  # the program ends, or a thread goes on for ever (for who waits for what)
        self.waits: list[BlockedWait] = []
        self.touches: defaultdict[Cell, list[UnwoundAccess]] = defaultdict(list)
        self.definitions: list[Term] = []
        self.demands: list[
            tuple[Term, UnwoundEvent, UnwoundEvent]
        ] = []  # if the term holds, the first event is before the second
        self.users: defaultdict[Cell, set[int]] = defaultdict(set)
        self.direct: set[Cell] = set()
        self.table: set[int] = set()  # objects that operations of the sync table are applied to
        self.boundaries = CellBoundaries(facts.boundaries, facts.users, self.users)
        self.ended: set[int] = set()
        self.mutexes: defaultdict[int, list[MutexUse]] = defaultdict(list)
        self.odd: set[int] = set()
        self.detached: set[int] = set()
        self.compared = False
        self.unknown: set[Cell] = set()  # cells that may hold anything: their values did not settle
        self.frees_heap = any(objects.is_heap(start) for start in facts.ended)
        self.spent = 0

    # --- paths ---------------------------------------------------------------------------------------------------

    def assume(self, step: UnwoundStep, condition: Term) -> None:
        """The path goes on only if the condition holds."""
        if condition is self.terms.true:
            return
        decided = self.values.decided(condition)
        if decided is True:
            return
        if decided is False:
            step.alive = False
            return
        if self.terms.not_(condition) in step.state.guard:
            step.alive = False
            return
        step.state.guard = extended(self.terms, step.state.guard, condition)

    def end(self, step: UnwoundStep, condition: Term, what: What) -> None:
        """If the condition holds, the path ends in `what`."""
        if condition is self.terms.false or not step.alive or self.values.decided(condition) is False:
            return
        guard = step.state.guard
        if self.terms.not_(condition) not in guard:
            condition = self.values.folded(condition)
            self.ends.append(
                PathEnd(
                    step.thread.number,
                    len(step.thread.events),
                    extended(self.terms, guard, condition),
                    what,
                    step.instr,
                    len(step.thread.entries),
                )
            )
        self.assume(step, self.terms.not_(condition))

    def leave_out(self, step: UnwoundStep, condition: Term, what: Limit) -> None:
        """If the condition holds, something is left out; the path goes on."""
        guard = extended(self.terms, step.state.guard, self.values.folded(condition))
        thread = step.thread
        self.ends.append(PathEnd(thread.number, len(thread.events), guard, what, step.instr, len(thread.entries)))

    def spend(self, step: UnwoundStep) -> None:
        self.spent += 1
        if self.spent > self.bounds.instructions:
            raise CannotEncode("the unwound program is too large")
        if self.spent % 512 == 0 and self.budget.exhausted():
            raise CannotEncode(self.budget.exhausted() or "time")

    def compares_freed(self) -> bool:
        """Whether the program may compare, or make a number of, the address of a block that was freed before another
        one was allocated: on a real machine both may have the same address."""
        frees = [freeing for found in self.frees.values() for freeing in found]
        later = any(not freeing.follows(block) for freeing in frees for block in self.heap.values())
        return later and self.compared

    # --- events --------------------------------------------------------------------------------------------------

    def event(
        self, step: UnwoundStep, kind: EventRole, atomic: Atomic = Atomic.NO_ACCESS, drains: bool = True
    ) -> UnwoundEvent:
        thread, state = step.thread, step.state
        event = UnwoundEvent(
            thread.number,
            len(thread.events),
            kind,
            state.guard,
            dict(state.clock),
            step.instr,
            step.function,
            state.held,
            state.block,
            atomic,
            drains,
        )
        thread.events.append(event)
        if step.entry is not None:
            step.entry.events.append(event)
        return event

    def completed(self, step: UnwoundStep, event: UnwoundEvent) -> None:
        """An operation that may block happens only if it does not."""
        event.arrives = event.guard
        event.guard = step.state.guard if step.alive else (*event.guard, self.terms.false)

    def part(self, event: UnwoundEvent, cell: Cell, when: Term, value: Term) -> CellPart:
        thread = self.threads[event.thread]
        thread.parts += 1
        return CellPart(event, cell, when, value, thread.parts)

    def log(self, step: UnwoundStep, *, visible: bool, choice: Term | None = None) -> Entry:
        visible = visible and not step.state.block  # an atomic block is one step
        step.entry = Entry(step.instr, step.function, step.state.guard, visible, choice)
        step.thread.entries.append(step.entry)
        return step.entry

    def fresh(self, step: UnwoundStep, what: str, width: int) -> Term:
        """A variable that every round makes in the same way."""
        name = f"{what}.{step.thread.number}.{self.names.number(step.site)}"
        return self.terms.bv_var(name, width) if width else self.terms.bool_var(name)
