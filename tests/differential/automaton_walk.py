"""Walks the reference machine at random and follows it with letters: each instruction must be the next of a letter.

What is checked at each instruction, with the machine's own frames, depth of atomic blocks and phase:
- some letter of the location goes on with it, and stands where the machine stands afterwards (successors, origins);
- letters fall away only where ways part, namely those whose condition does not hold, and in the end one is left (a
  letter whose guard holds is a step);
- what others could notice is the letter's visible step, or a mover on the right side of it, and what makes the machine
  wait, trap or end comes before it or is it (visibility);
- where a thread stands at a both mover, no other thread stands at anything that conflicts with it (movers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from random import Random
from typing import NamedTuple
from unittest import mock

from threadproof.automaton import CannotUnfold, End, Letter, LetterPhase, Location, ProgramAutomaton, program_automaton
from threadproof.automaton.letters import Context, StepMover, changes, is_fork
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import ControlFlow, Site, control_flow
from threadproof.ir.expr import Expr
from threadproof.ir.program import Program
from threadproof.ir.show import show_instr
from threadproof.semantics import machine
from threadproof.semantics import state as states
from threadproof.semantics.code import Code, FailHere
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    Choose,
    Effect,
    Happening,
    Moved,
    NeedChoice,
    Outcome,
    Telling,
    Trap,
    Unsupportable,
    footprint,
)
from threadproof.semantics.run import ENDED, STOP, HaltHere, Run, StopHere
from threadproof.sync.facts import Seen, sync_facts
from threadproof.sync.footprint import BEYOND, Touch, ordered

_ENDINGS: dict[type[ir.Instr], tuple[type[Exception], End]] = {
    ir.Error: (FailHere, End.ERROR),
    ir.Halt: (HaltHere, End.HALTED),
    ir.Return: (HaltHere, End.HALTED),
    ir.Undefined: (Trap, End.UNDEFINED),
    ir.Unsupported: (Unsupportable, End.UNSUPPORTED),
}


class Point(NamedTuple):
    frames: tuple[tuple[str, int], ...]  # of the callers: function and where to return to
    function: str
    pc: int
    depth: int
    phase: states.Phase


class Event(NamedTuple):
    before: Point
    after: Point | None  # None: the thread has ended, or the instruction was not executed
    noticed: bool
    outcome: BaseException | str  # "done", "stop" or what was raised
    holds: Callable[[Expr], bool]  # of a condition, before the instruction
    effects: tuple[Effect, ...] = ()


MOST_INSTRUCTIONS = 400  # of one walk: whoever spins shows nothing new
LOG: list[Event] = []


class TracedCode(Code):
    """Notes every instruction that is executed."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.ops = [self._traced(pc, op) for pc, op in enumerate(self.ops)]

    def _traced(self, pc: int, op: Callable[[Run], int]) -> Callable[[Run], int]:
        instr = self.instrs[pc]
        local = isinstance(instr, ir.Sync) and sync_facts(instr).seen is Seen.BY_NOBODY

        def work(run: Run) -> int:
            before, effects, registers = _point(run, pc), len(run.effects), list(run.r)

            def holds(condition: Expr) -> bool:
                return bool(self.value(condition)(registers, run))

            try:
                following = op(run)
            except Exception as raised:
                LOG.append(Event(before, None, False, raised, holds))
                raise
            new = run.effects[effects:]
            noticed = not local and any(
                not (isinstance(e, Happening) and e.kind in (Telling.CHOICE, Telling.NOTE)) for e in new
            )
            if following == STOP:
                LOG.append(Event(before, None, False, "stop", holds))
            else:
                after = None if following == ENDED else _point(run, following)
                LOG.append(Event(before, after, noticed, "done", holds, tuple(new)))
            return following

        return work


def _point(run: Run, pc: int) -> Point:
    frames = tuple((frame.function, frame.pc) for frame in run.frames)
    return Point(frames, run.code.name, pc, run.depth, run.thread.phase)


class TracedMachine(Machine):
    code_of = TracedCode


class Different(Exception):
    pass


class _Next(NamedTuple):
    mover: StepMover
    site: Site
    touches: tuple[Touch, ...]  # of memory


@dataclass(slots=True)
class _Thread:
    """Where a thread is: the letters it may be in the middle of, and how far in all of them."""

    location: Location
    letters: tuple[Letter, ...]
    done: int = 0


@dataclass(slots=True)
class Followed:
    """What was compared."""

    programs: int = 0
    instructions: int = 0
    letters: int = 0  # completed
    refused: list[str] = field(default_factory=list[str])
    differences: list[str] = field(default_factory=list[str])

    def add(self, other: Followed) -> None:
        self.programs += other.programs
        self.instructions += other.instructions
        self.letters += other.letters
        self.refused += other.refused
        self.differences += other.differences


class Follower:
    def __init__(self, program: Program, automaton: ProgramAutomaton) -> None:
        self.machine = TracedMachine(program)
        self.automaton = automaton
        self.found = Followed(programs=1)
        self._flows: dict[str, ControlFlow] = {name: control_flow(f) for name, f in program.functions.items()}
        self._instrs = {name: flow.instrs for name, flow in self._flows.items()}
        self._threads: dict[int, _Thread] = {}
        self._first: int | None = None

    def walk(self, rng: Random, steps: int, first: int | None = None) -> None:
        """One random walk; the first choice is given or as random as the others."""
        self._first = first
        state = self.machine.initial()
        self._threads = {0: self._new(self.automaton.main)}
        enough = self.found.instructions + MOST_INSTRUCTIONS
        for _ in range(steps):
            if self.found.instructions > enough:
                return
            threads = states.live_threads(state)
            rng.shuffle(threads)
            self._compare_movers(state, threads)
            following = None
            for number in threads:
                outcome, stood = self._step(state, number, rng), replace(self._threads[number])
                self._follow(number)
                if isinstance(outcome, Moved):
                    following = outcome.state
                    break
                self._threads[number] = stood  # nothing has happened
            if following is None:
                return
            self._begin_new(following)
            state = following

    # --- movers ------------------------------------------------------------------------------------------------------

    def _compare_movers(self, state: states.State, threads: list[int]) -> None:
        """What two threads are about to do at once: if one of them is a both mover, they do not conflict."""
        about = [(number, found) for number in threads if (found := self._about_to(state, number)) is not None]
        for (one, first), (other, second) in combinations(about, 2):
            if StepMover.BOTH not in (first.mover, second.mover):
                continue
            if any(ordered(a, b) or ordered(b, a) for a in first.touches for b in second.touches):
                raise Different(f"threads {one} and {other}: both movers that conflict: {first}, {second}")

    def _about_to(self, state: states.State, number: int) -> _Next | None:
        """The next instruction, if it can be executed and is noticed."""
        here, choices = self._threads[number], ()
        while True:
            LOG.clear()
            with mock.patch.object(machine, "MAX_SILENT", MOST_INSTRUCTIONS):
                outcome = self.machine.step(state, number, choices)
            if not isinstance(outcome, Choose):
                break
            choices = (*choices, outcome.values[0] if outcome.values else outcome.low)
        if not LOG or not LOG[0].noticed or LOG[0].before.depth or not here.letters:
            return None
        step = here.letters[0].steps[here.done]
        return _Next(step.mover, step.site, tuple(t for t in footprint(LOG[0].effects) if t.address < BEYOND))

    def _step(self, state: states.State, number: int, rng: Random) -> Outcome:
        choices: tuple[int, ...] = ()
        while True:
            LOG.clear()
            with mock.patch.object(machine, "MAX_SILENT", MOST_INSTRUCTIONS):
                outcome = self.machine.step(state, number, choices)
            if not isinstance(outcome, Choose):
                return outcome
            if self._first is not None and not choices:
                choices, self._first = (self._first,), None
                continue
            near = [value for value in (0, 1, 2, 3) if outcome.low <= value <= outcome.high]
            wide = [*near, outcome.low, outcome.high, rng.randint(outcome.low, outcome.high)]
            choices = (*choices, rng.choice(outcome.values or wide))

    def _new(self, template: str) -> _Thread:
        thread = self.automaton.templates[template]
        return _Thread(thread.entry, thread.letters_from(thread.entry))

    def _begin_new(self, state: states.State) -> None:
        for number, thread in state.threads.items():
            if number not in self._threads:
                assert thread.frames, "a thread that has just been created has not ended"
                self._threads[number] = self._new(thread.frames[0].function)

    # --- one step ----------------------------------------------------------------------------------------------------

    def _follow(self, number: int) -> None:
        for event in LOG:
            here = self._threads[number]
            self._before(here, event)
            if event.outcome == "done":
                self._executed(here, event)
            elif not isinstance(event.outcome, StopHere | NeedChoice):
                self._not_executed(here, event)

    def _before(self, here: _Thread, event: Event) -> None:
        """All letters go on with this instruction: they part behind instructions, not before them."""
        self.found.instructions += 1
        wanted = self._named(event.before)
        for letter in here.letters:
            step = letter.steps[here.done]
            if (step.context, step.site) != wanted[:2] or step.instr is not self._instr(event.before):
                raise Different(f"{_short(letter)} goes on with {step.site}, the machine with {wanted}")
        if not here.letters:
            raise Different(f"no letter at {here.location}, the machine goes on with {wanted}")

    def _executed(self, here: _Thread, event: Event) -> None:
        instr = self._instr(event.before)
        outside = event.before.depth == 0 and event.after is not None and event.after.depth == 0
        if event.noticed and outside and not all(self._may_be_noticed(letter, here.done) for letter in here.letters):
            raise Different(
                f"`{show_instr(instr)}` can be noticed and is not the visible step of {_short(here.letters[0])}"
            )
        kept = tuple(letter for letter in here.letters if self._leads_to(letter, here.done, event.after))
        for letter in here.letters:
            condition = letter.steps[here.done].condition
            if condition is not None and event.holds(condition) and letter not in kept:
                raise Different(f"{_short(letter)} goes on behind `{show_instr(instr)}`, the machine does not")
            if condition is not None and not event.holds(condition):
                kept = tuple(other for other in kept if other != letter)  # two ways may lead to one place
        if len(kept) < len(here.letters) and not self._parts(instr, here):
            raise Different(f"letters fall away behind `{show_instr(instr)}` at {here.location}")
        self._advance(here, kept, f"behind `{show_instr(instr)}`, the machine is at {event.after}")

    def _not_executed(self, here: _Thread, event: Event) -> None:
        """The machine stops here for others, waits, or ends the run."""
        if event.outcome == "stop" and all(a.steps[here.done].mover is not StepMover.NONE for a in here.letters):
            return
        if event.before.depth == 0 and any(self._is_over(a, here.done) for a in here.letters):
            raise Different(f"{event.outcome!r} behind the visible step of {_short(here.letters[0])}")
        instr = self._instr(event.before)
        ending = _ENDINGS.get(type(instr))
        if ending is not None and isinstance(event.outcome, ending[0]):
            kept = [a for a in here.letters if len(a.steps) == here.done + 1 and a.target.at is ending[1]]
            if not kept:
                raise Different(
                    f"`{show_instr(instr)}` ends with {event.outcome!r}, and no letter of {here.location} does"
                )

    @staticmethod
    def _may_be_noticed(letter: Letter, done: int) -> bool:
        """It is what the letter is about, or moves to it."""
        mover = letter.steps[done].mover
        behind = letter.visible is not None and letter.visible < done
        return (
            letter.visible == done
            or mover is StepMover.BOTH
            or mover is (StepMover.LEFT if behind else StepMover.RIGHT)
        )

    @staticmethod
    def _is_over(letter: Letter, done: int) -> bool:
        """Whether something has happened that others can see."""
        noticed = (step for step in letter.steps[:done] if step.mover in (StepMover.NONE, StepMover.LEFT))
        return any(changes(step.instr) for step in noticed)

    def _advance(self, here: _Thread, kept: tuple[Letter, ...], where: str) -> None:
        complete = [letter for letter in kept if len(letter.steps) == here.done + 1]
        if not kept or (complete and len(complete) != len(kept)):
            raise Different(f"{'no letter' if not kept else 'letters of different lengths'} {where}")
        here.letters, here.done = kept, here.done + 1
        if complete:
            if len(kept) > 1:
                raise Different(f"several letters {where}")
            self.found.letters += 1
            here.location, here.done = kept[0].target, 0
            here.letters = self.automaton.templates[here.location.template].letters_from(here.location)

    def _leads_to(self, letter: Letter, done: int, after: Point | None) -> bool:
        step = letter.steps[done]
        if done + 1 < len(letter.steps):
            following = letter.steps[done + 1]
            return after is not None and self._named(after)[:2] == (following.context, following.site)
        target = letter.target
        if after is None:
            return target.at is End.FINISHED
        if is_fork(step.instr) and step.enters not in self.automaton.templates:
            return False
        return self._named(after) == (target.context, target.at, target.depth, target.phase)

    def _parts(self, instr: ir.Instr, here: _Thread) -> bool:
        """Whether the letters say different things of this instruction."""
        said = {letter.steps[here.done][3:] for letter in here.letters}
        ending = isinstance(instr, ir.Return) or (isinstance(instr, ir.Sync) and instr.op == "thread_exit")
        return len(said) > 1 or ending

    # --- names -------------------------------------------------------------------------------------------------------

    def _instr(self, point: Point) -> ir.Instr:
        return self._instrs[point.function][point.pc]

    def _named(self, point: Point) -> tuple[Context, Site, int, LetterPhase]:
        context = tuple(self._flows[function].sites[pc - 1] for function, pc in point.frames)
        phase = LetterPhase.RUNNING if point.phase is states.Phase.RUNNING else LetterPhase.ENDING
        return context, self._flows[point.function].sites[point.pc], point.depth, phase


def _short(letter: Letter) -> str:
    return f"letter {letter.id} of {letter.template} from {letter.source} to {letter.target}"


def follow(
    program: Program,
    walks: int = 6,
    steps: int = 60,
    *,
    firsts: Sequence[int | None] = (None,),
    plant: Callable[[ProgramAutomaton], ProgramAutomaton] | None = None,
) -> Followed:
    """So many walks for each of the first choices. `plant` spoils the automaton, for testing this test."""
    try:
        automaton = program_automaton(program)
    except CannotUnfold as refusal:
        return Followed(programs=len(firsts), refused=[str(refusal)])
    follower = Follower(program, automaton if plant is None else plant(automaton))
    follower.found.programs = len(firsts)
    for first, seed in product(firsts, range(walks)):
        try:
            follower.walk(Random(seed), steps, first)
        except Different as different:
            follower.found.differences.append(f"walk {seed}: {different}")
            break
    return follower.found
