"""From a counterexample to a schedule: the reference machine is led along the letters of the path.

The instructions that each thread makes are known: those of its letters. The last of a letter that others can notice is
a goal, in the order of the path; what is between goals happens on the way. A second machine, which stops at every
instruction, counts how far a visible step has led, since a thread that is alone does not stop at what others could
notice.

Under TSO and PSO the path is one of the program with store buffers. Its steps that stand for instructions of the
program are made, and where a store leaves a buffer there, the machine makes a flush.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import End, Instance, Letter
from threadproof.automaton.letters import Step, is_fork
from threadproof.automaton.store_buffers import BufferedProgram
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.schedule import Move
from threadproof.core.thread_id import MAIN, ThreadId, handle, number
from threadproof.encoding.transitions import Encoder, Space
from threadproof.encoding.transitions.primitives import WHICH_WAITER
from threadproof.engines.impact.search import TreeCounterexample
from threadproof.engines.impact.side_by_side import Beside
from threadproof.engines.impact.tree import AbstractNode
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
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term
from threadproof.sync.facts import Act, does

UNINITIALISED, OR = "uninitialised ", "|"
MOST_MOVES = 5_000
MOST_INSTRUCTIONS = 20_000  # of one visible step


@dataclass(frozen=True, slots=True)
class MadeLetter:
    """A letter of the path, or a part of it, with values of its inputs, by the step that asks for them."""

    instance: Instance
    steps: tuple[Step, ...]
    starts: tuple[Instance, ...]
    inputs: tuple[tuple[int, str, int], ...]  # step, what is asked for, value
    goal: int | None  # the step that has to be made before the path goes on
    stores: bool = False  # the goal is a store that goes into the buffer


@dataclass(frozen=True, slots=True)
class MadeFlush:
    """A store leaves the buffer of a thread, from this place in it."""

    instance: Instance
    place: int


Made = MadeLetter | MadeFlush


@dataclass(slots=True)
class _LedThread:
    id: ThreadId
    steps: list[Step] = field(default_factory=list[Step])
    inputs: dict[int, list[tuple[str, int]]] = field(default_factory=dict[int, list[tuple[str, int]]])
    starts: dict[int, Instance] = field(default_factory=dict[int, Instance])
    made: int = 0  # so many steps
    buffer: list[bool] = field(default_factory=list[bool])  # stores that wait, and whether the machine's do, too


def letters_of(product: ThreadProduct, found: TreeCounterexample) -> list[MadeLetter]:
    path = found.node.path
    actions = [node.action for node in path if node.action is not None]
    if found.beside is None:
        actions.append(found.action)
    made = [_made(product, found.model.model, node, action) for node, action in zip(path, actions, strict=False)]
    ends = [action.letter.target.at in (End.HALTED, End.ERROR) for action in actions]
    if found.beside is None:
        ends[-1] = False
    return [_before_the_end(one) if last else one for one, last in zip(made, ends, strict=True)]


def _before_the_end(made: MadeLetter) -> MadeLetter:
    """Where others go on behind the end of the program, it may as well come later."""
    return replace(made, goal=len(made.steps) - 2)


def letters_beside(product: ThreadProduct, found: TreeCounterexample, beside: Beside) -> list[MadeLetter]:
    """Letters that threads stand before. The goal of those that race is their step before the access."""
    made = [_made(product, found.model.model, found.node, action) for action in beside.letters]
    if not beside.steps:
        return [replace(one, goal=None) for one in made]
    ways = zip(made, beside.steps, strict=True)
    return [replace(one, goal=_entrance(one.steps, step) - 1) for one, step in ways]


def _made(product: ThreadProduct, model: Assignment, node: AbstractNode, action: ThreadAction) -> MadeLetter:
    """With values of inputs, and of what steps that load find."""
    encoder, terms, letter = product.encoder, product.terms, (action.instance, action.letter, action.starts)
    names = {one.term: terms.var(f"{one.term.name}@{node.depth}", one.term.sort) for one in encoder.inputs(*letter)}
    inputs: list[tuple[int, str, int]] = []
    for one in action.transition.inputs:
        value = model.value(names[one.term])
        if isinstance(value, int) and not one.source.startswith(UNINITIALISED):
            inputs.append((one.step, one.source, value))
    inputs += _loaded(encoder, model, {**node.state, **product.known(node.places), **names}, action)
    return MadeLetter(action.instance, action.letter.steps, action.starts, tuple(inputs), _goal(action.letter))


def _entrance(steps: Sequence[Step], step: int) -> int:
    """An atomic block is one step: its thread stands at the beginning."""
    begins, depth = step, 0
    for index, one in enumerate(steps[:step]):
        if does(one.instr, Act.BEGIN):
            begins, depth = (begins if depth else index), depth + 1
        elif does(one.instr, Act.END):
            depth = max(depth - 1, 0)
            begins = begins if depth else step
    return begins if depth else step


def _loaded(
    encoder: Encoder, model: Assignment, state: Mapping[Term, Term], action: ThreadAction
) -> Iterator[tuple[int, str, int]]:
    """What steps that load find. The machine asks for it if it is uninitialised; formulas chose it long before."""
    letter = action.instance, action.letter, action.starts
    objects = {one.step: [owner.root.name for owner in one.objects] for one in encoder.accesses(*letter)}
    found = encoder.loaded(*letter)
    for step, value in zip(found, encoder.space.terms.substitute(found.values(), state), strict=True):
        yield step, UNINITIALISED + OR.join(objects.get(step, ())), model.number(value)


def _goal(letter: Letter) -> int | None:
    return len(letter.steps) - 1 if isinstance(letter.target.at, End) else letter.noticed


def without_buffers(letters: Iterable[MadeLetter], buffered: BufferedProgram) -> Iterator[Made]:
    """The path as one of the original program: what stands for nothing there is left out. Behind each store that goes
    into the buffer a new part begins."""
    for made in letters:
        starts, inputs = list(made.starts), {step: (source, value) for step, source, value in made.inputs}
        part, goal = _Part(made.instance), _goal_without_buffers(made, buffered)
        for index, step in enumerate(made.steps):
            if step.site in buffered.flushes:
                yield from part.taken(None)
                yield MadeFlush(made.instance, buffered.flushes[step.site])
            elif step.site in buffered.origin:
                part.add(step, inputs.get(index), starts)
                if step.site in buffered.stores:
                    yield from part.taken(len(part.steps) - 1, stores=True)
                elif index == goal:
                    yield from part.taken(len(part.steps) - 1)
        yield from part.taken(None)


def _goal_without_buffers(made: MadeLetter, buffered: BufferedProgram) -> int | None:
    wanted = range(0 if made.goal is None else made.goal + 1)
    return next((index for index in reversed(wanted) if made.steps[index].site in buffered.origin), None)


class _Part:
    """Steps that belong together, as they are collected."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.steps: list[Step] = []
        self._starts: list[Instance] = []
        self._inputs: list[tuple[int, str, int]] = []

    def add(self, step: Step, asked: tuple[str, int] | None, starts: list[Instance]) -> None:
        if asked is not None:
            self._inputs.append((len(self.steps), *asked))
        if is_fork(step.instr) and step.enters:
            self._starts.append(starts.pop(0))
        self.steps.append(step)

    def taken(self, goal: int | None, *, stores: bool = False) -> Iterator[MadeLetter]:
        if self.steps:
            yield MadeLetter(self.instance, tuple(self.steps), tuple(self._starts), tuple(self._inputs), goal, stores)
        self.steps, self._starts, self._inputs = [], [], []


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


def schedule_of(program: Program, spurious: Spurious, product: ThreadProduct, found: TreeCounterexample) -> LetterGuide:
    guide = LetterGuide(program, spurious, product.space)
    letters = letters_of(product, found)
    if found.beside is not None:
        guide.approach([*letters], letters_beside(product, found, found.beside))
    else:
        guide.lead([*letters])
    return guide


def weak_schedule_of(
    program: Program,
    spurious: Spurious,
    model: MemoryModel,
    buffered: BufferedProgram,
    product: ThreadProduct,
    found: TreeCounterexample,
) -> LetterGuide:
    """Of the program without buffers, under its memory model."""
    guide = LetterGuide(program, spurious, product.space, model)
    guide.lead([*without_buffers(letters_of(product, found), buffered)])
    return guide
