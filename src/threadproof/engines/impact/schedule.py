"""From a counterexample to a schedule: the reference machine is led along the letters of the path.

The instructions that each thread makes are known: those of its letters. The last of a letter that others can notice is
a goal, in the order of the path; what is between goals happens on the way. A second machine, which stops at every
instruction, counts how far a visible step has led, since a thread that is alone does not stop at what others could
notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from threadproof.automaton import End, Instance, Letter
from threadproof.automaton.letters import Step, is_fork
from threadproof.core.schedule import Schedule
from threadproof.core.thread_id import MAIN, ThreadId, handle, number
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.primitives import WHICH_WAITER
from threadproof.engines.impact.search import TreeCounterexample
from threadproof.ir.program import Program, Spurious
from threadproof.semantics.choices import fitted, step_with
from threadproof.semantics.guide import Astray, Guide
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Answered, Blocked, Choose, Moved, OwnChoice
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import Pending, Phase, State

MOST_MOVES = 5_000
MOST_INSTRUCTIONS = 20_000  # of one visible step


@dataclass(frozen=True, slots=True)
class MadeLetter:
    """A letter of the path with values of its inputs, by the step that asks for them."""

    instance: Instance
    letter: Letter
    starts: tuple[Instance, ...]
    inputs: tuple[tuple[int, str, int], ...]  # step, what is asked for, value


@dataclass(slots=True)
class _LedThread:
    id: ThreadId
    steps: list[Step] = field(default_factory=list[Step])
    inputs: dict[int, list[tuple[str, int]]] = field(default_factory=dict[int, list[tuple[str, int]]])
    starts: dict[int, Instance] = field(default_factory=dict[int, Instance])
    made: int = 0  # so many steps


def letters_of(found: TreeCounterexample) -> list[MadeLetter]:
    path = [node for node in found.node.path if node.action is not None]
    actions = [node.action for node in path if node.action is not None]
    made: list[MadeLetter] = []
    for index, action in enumerate([*actions, found.action]):
        names = action.transition.fresh_inputs(f"@{index}")
        values = [(one.step, one.source, found.model.model.value(names[one.term])) for one in action.transition.inputs]
        inputs = tuple((step, source, value) for step, source, value in values if isinstance(value, int))
        made.append(MadeLetter(action.instance, action.letter, action.starts, inputs))
    return made


class LetterGuide(Guide):
    """Leads the machine along letters."""

    def __init__(self, program: Program, spurious: Spurious, space: Space) -> None:
        super().__init__(Machine(program, Granularity.VISIBLE, spurious))
        self._single = Machine(program, Granularity.INSTRUCTION, spurious)
        self._space = space
        self._threads: dict[Instance, _LedThread] = {}

    def lead(self, letters: list[MadeLetter]) -> Answered | None:
        """How the execution ends. Raises Astray."""
        goals = list(self._goals(letters))
        self._threads[letters[0].instance].id = MAIN
        for instance, goal in goals[:-1]:
            while self._threads[instance].made <= goal and self.goes_on:
                self._move(instance)
        while self.goes_on:
            self._move(letters[-1].instance)
        return self.outcome

    def _goals(self, letters: list[MadeLetter]) -> Iterator[tuple[Instance, int]]:
        """Steps of threads that have to be made in this order; the thread of the last letter goes to the end."""
        for made in letters:
            thread = self._threads.setdefault(made.instance, _LedThread(()))
            first, starts = len(thread.steps), list(made.starts)
            for index, step in enumerate(made.letter.steps):
                if is_fork(step.instr) and step.enters:
                    thread.starts[first + index] = starts.pop(0)
            for step, source, value in made.inputs:
                thread.inputs.setdefault(first + step, []).append((source, value))
            thread.steps += made.letter.steps
            ends = isinstance(made.letter.target.at, End)
            goal = len(made.letter.steps) - 1 if ends else made.letter.noticed
            if goal is not None or made is letters[-1]:
                yield made.instance, first + (goal or 0)

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
        for _ in range(MOST_INSTRUCTIONS):
            step = step_with(self._single, state, mine, lambda _: choices.pop(0))
            if not isinstance(step.outcome, Moved):
                return
            self._adopt(thread, state, step.outcome.state)
            thread.made += 1
            state = step.outcome.state
            if not choices and _standing(state, mine) == goal:
                return
        raise Astray("too many instructions")

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
            if known and thread.steps[index].instr.loc == asked.loc:
                source, value = known.pop(0)
                return self._waiter(asked, value) if source == WHICH_WAITER else fitted(asked, value)
        return fitted(asked, 0)

    def _waiter(self, asked: Choose, ordinal: int) -> int:
        """The place among those who wait."""
        for instance, thread in self._threads.items():
            if self._space.ordinal(instance) == ordinal and asked.values and handle(thread.id) in asked.values:
                return handle(thread.id)
        return fitted(asked, 0)


def _standing(state: State, thread: int) -> tuple[object, ...]:
    """Where the thread is and what memory holds; the machines differ in which dead registers they keep."""
    frames = tuple((frame.function, frame.pc) for frame in state.threads[thread].frames)
    return frames, state.memory, state.keys, len(state.threads), state.threads[thread].waiting


def schedule_of(program: Program, spurious: Spurious, space: Space, found: TreeCounterexample) -> LetterGuide:
    guide = LetterGuide(program, spurious, space)
    guide.lead(letters_of(found))
    return guide


__all__ = ["LetterGuide", "Schedule", "letters_of", "schedule_of"]
