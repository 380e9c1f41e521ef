"""From a path of letters to a schedule: the reference machine is led along them.

The instructions that each thread makes are known: those of its letters. The last of a letter that others can notice is
a goal, in the order of the path; what is between goals happens on the way. A second machine, which stops at every
instruction, counts how far a visible step has led, since a thread that is alone does not stop at what others could
notice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from threadproof.abstraction.made_letters import OR, UNINITIALISED, Made, MadeFlush, MadeLetter
from threadproof.automaton import Instance
from threadproof.automaton.letters import Step, is_fork
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move
from threadproof.core.thread_id import MAIN, ThreadId, handle, number
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.primitives import WHICH_WAITER
from threadproof.ir.program import Program, Spurious
from threadproof.semantics.choices import fitted, step_with
from threadproof.semantics.domains import program_constants
from threadproof.semantics.guide import Astray, Guide
from threadproof.semantics.next_accesses import next_accesses
from threadproof.semantics.outcome import Answered, Blocked, Choose, Moved, OwnChoice
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Pending, Phase, State, live_threads
from threadproof.semantics.violations import first_race
from threadproof.semantics.weak import machine_under

MOST_MOVES = 5_000
MOST_INSTRUCTIONS = 20_000  # of one visible step


@dataclass(slots=True)
class _LedThread:
    id: ThreadId
    steps: list[Step] = field(default_factory=list[Step])
    inputs: dict[int, list[tuple[str, int]]] = field(default_factory=dict[int, list[tuple[str, int]]])
    starts: dict[int, Instance] = field(default_factory=dict[int, Instance])
    made: int = 0  # so many steps
    buffer: list[bool] = field(default_factory=list[bool])  # stores that wait, and whether the machine's do, too


class LetterGuide(Guide):
    """Leads the machine along letters."""

    def __init__(self, program: Program, spurious: Spurious, space: Space, model: MemoryModel = MemoryModel.SC) -> None:
        super().__init__(machine_under(model, program, Granularity.VISIBLE, spurious))
        self._single = machine_under(model, program, Granularity.INSTRUCTION, spurious)
        self._space = space
        self._threads: dict[Instance, _LedThread] = {}

    def lead(self, path: list[Made]) -> Answered | None:
        """How the execution ends: the thread of the last letter goes there. Raises Astray."""
        goals = [(made, self._goal(made)) for made in path]
        self._threads[path[0].instance].id = MAIN
        for made, goal in goals[:-1]:
            if isinstance(made, MadeFlush):
                self._flush(made)
            elif goal is not None:
                self._reach(made, goal)
        last = path[-1]
        if isinstance(last, MadeFlush):
            self._flush(last)
        while self.goes_on and not isinstance(last, MadeFlush):
            self._move(last.instance)
        return self.outcome

    def approach(self, path: list[Made], beside: list[MadeLetter]) -> None:
        """Along the path, then each thread up to its goal; without one, until it waits. Raises Astray."""
        goals = [(made, self._goal(made)) for made in [*path, *beside]]
        first = path[0] if path else beside[0]
        self._threads[first.instance].id = MAIN
        for made, goal in goals:
            assert isinstance(made, MadeLetter)
            if goal is not None:
                self._reach(made, goal)
            if made in beside and made.goal is None:
                self._settle(made.instance)
            elif made in beside:
                self._come_into_view(made.instance)

    def _come_into_view(self, instance: Instance) -> None:
        """What the thread does alone before it stands at what others notice."""
        found = self.state.threads.get(number(self._threads[instance].id))
        if found is not None and found.pending is Pending.LOCAL:
            self._move(instance)

    def _settle(self, instance: Instance) -> None:
        thread = self._threads[instance]
        while self.goes_on and len(self.moves) <= MOST_MOVES:
            before = self.state
            outcome = self.step(number(thread.id), partial(self._answer, thread))
            if isinstance(outcome, Blocked):
                return
            if isinstance(outcome, Moved):
                self._count(thread, before, outcome.state)
        raise Astray("a thread that goes on")

    def meets(self, prop: Property) -> bool:
        """Whether the state violates the property."""
        threads = live_threads(self.state)
        if not self.goes_on:
            return False
        if prop is Property.NO_DEADLOCK:
            waits = [self.machine.step(self.state, one) for one in threads]
            return bool(threads) and all(isinstance(outcome, Blocked) for outcome in waits)
        constants = program_constants(self.machine.program)
        found = {one: next_accesses(self.machine, self.state, one, constants) for one in threads}
        return first_race({one: accesses for one, accesses in found.items() if accesses}) is not None

    def _goal(self, made: Made) -> int | None:
        """Among the steps of its thread, to which the letter's are added."""
        thread = self._threads.setdefault(made.instance, _LedThread(()))
        if isinstance(made, MadeFlush):
            return None
        first, starts = len(thread.steps), list(made.starts)
        for index, step in enumerate(made.steps):
            if is_fork(step.instr) and step.enters:
                thread.starts[first + index] = starts.pop(0)
        for step, source, value in made.inputs:
            thread.inputs.setdefault(first + step, []).append((source, value))
        thread.steps += made.steps
        return None if made.goal is None else first + made.goal

    def _reach(self, made: MadeLetter, goal: int) -> None:
        thread = self._threads[made.instance]
        before = self._waiting(thread)
        while thread.made <= goal and self.goes_on:
            self._move(made.instance)
        if made.stores:
            thread.buffer.append(self._waiting(thread) > before)

    def _waiting(self, thread: _LedThread) -> int:
        found = self.state.threads.get(number(thread.id))
        return 0 if found is None else len(found.buffer)

    def _flush(self, made: MadeFlush) -> None:
        """Nothing to do where the machine put the store into memory at once, since nobody could tell."""
        thread = self._threads[made.instance]
        if made.place >= len(thread.buffer):
            raise Astray("a store that was not made leaves the buffer")
        if thread.buffer.pop(made.place) and self.goes_on:
            outcome = self.take(Move(thread.id, flush=sum(thread.buffer[: made.place])))
            if isinstance(outcome, Blocked):
                raise Astray("a store that cannot reach memory")

    def _move(self, instance: Instance) -> None:
        thread = self._threads[instance]
        if len(self.moves) > MOST_MOVES:
            raise Astray("too far")
        before = self.state
        if number(thread.id) not in before.threads:
            raise Astray("a thread that does not exist")
        outcome = self.step(number(thread.id), partial(self._answer, thread))
        if isinstance(outcome, Blocked):
            raise Astray(f"{outcome.operation} blocks")
        if isinstance(outcome, Moved):
            self._count(thread, before, outcome.state)

    # --- how far it got ----------------------------------------------------------------------------------------------

    def _count(self, thread: _LedThread, before: State, after: State) -> None:
        """Makes the same step instruction by instruction."""
        mine, choices = number(thread.id), list(self.moves[-1].choices)
        if after.threads[mine].phase is Phase.FINISHED:
            thread.made = len(thread.steps)
            return
        state, goal = before, _standing(after, mine)
        if before.threads[mine].pending is Pending.LOCAL and not choices and _standing(before, mine) == goal:
            return  # it stands at what others notice, and has made nothing yet
        alone = len(live_threads(before)) == 1 and not before.threads[mine].buffer
        for _ in range(MOST_INSTRUCTIONS):
            step = step_with(self._single, state, mine, lambda _: choices.pop(0))
            if not isinstance(step.outcome, Moved):
                return
            self._adopt(thread, state, step.outcome.state)
            thread.made += 1
            state = step.outcome.state
            if alone:  # then it did not buffer its stores
                state = self._in_memory(state, mine)
            if not choices and _standing(state, mine) == goal:
                return
        raise Astray("too many instructions")

    def _in_memory(self, state: State, thread: int) -> State:
        while state.threads[thread].buffer:
            outcome = self._single.flush(state, thread, 0)
            if not isinstance(outcome, Moved):
                raise Astray("a store that cannot reach memory")
            state = outcome.state
        return state

    def _adopt(self, thread: _LedThread, before: State, after: State) -> None:
        for new in after.threads.keys() - before.threads.keys():
            instance = thread.starts.get(thread.made)
            if instance is not None:
                self._threads.setdefault(instance, _LedThread(())).id = after.threads[new].id

    # --- choices -----------------------------------------------------------------------------------------------------

    def _answer(self, thread: _LedThread, asked: Choose) -> int:
        """As the model says; where it says nothing, and of blocks to use again, 0."""
        if asked.own is OwnChoice.BLOCK:
            return 0
        for index in range(thread.made, len(thread.steps)):
            known = thread.inputs.get(index)
            if known and thread.steps[index].instr.loc == asked.loc and _fits(asked, known[0][0]):
                source, value = known.pop(0)
                return self._waiter(asked, value) if source == WHICH_WAITER else fitted(asked, value)
        return fitted(asked, 0)

    def _waiter(self, asked: Choose, ordinal: int) -> int:
        """The place among those who wait."""
        for instance, thread in self._threads.items():
            if self._space.ordinal(instance) == ordinal and asked.values and handle(thread.id) in asked.values:
                return handle(thread.id)
        return fitted(asked, 0)


def _fits(asked: Choose, source: str) -> bool:
    """Whether a value of the model is of what is asked for: a choice of the program, or content of some object."""
    if not asked.source.startswith(UNINITIALISED):
        return not source.startswith(UNINITIALISED)
    name = asked.source.removeprefix(UNINITIALISED)
    return source.startswith(UNINITIALISED) and name in source.removeprefix(UNINITIALISED).split(OR)


def _standing(state: State, thread: int) -> tuple[object, ...]:
    """Where the thread is and what memory holds; the machines differ in which dead registers they keep."""
    frames = tuple((frame.function, frame.pc) for frame in state.threads[thread].frames)
    mine = state.threads[thread]
    return frames, state.memory, state.keys, len(state.threads), mine.waiting, mine.buffer
