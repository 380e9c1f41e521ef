"""The reference machine, letter by letter: instructions of one thread, and which letters of the automaton those are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeGuard

from threadproof.automaton import End, Letter, LetterPhase, Location, ProgramAutomaton
from threadproof.automaton.letters import Context, is_fork
from threadproof.ir.control_flow import Site, control_flow
from threadproof.ir.program import Program, Spurious
from threadproof.semantics import state as states
from threadproof.semantics.choices import at_random, fitted, step_with
from threadproof.semantics.domains import program_constants
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Answered, Choose, Effect, Finished, Moved
from threadproof.semantics.run import Granularity
from threadproof.semantics.state import State


class OffTheAutomaton(Exception):
    """The machine did what no letter says."""


@dataclass(slots=True)
class LetterMade:
    """What the machine did from a location on: one instruction after the other, up to the end of a letter."""

    states: list[State]  # before each instruction, and at the end
    choices: list[list[int]]  # at each instruction
    letters: tuple[Letter, ...]  # those that agree with it; one, if it came to the end
    outcome: Answered | None  # the last
    effects: list[tuple[Effect, ...]] = field(default_factory=list[tuple[Effect, ...]])  # of each instruction


class LetterFollower:
    def __init__(self, program: Program, automaton: ProgramAutomaton, spurious: Spurious = Spurious.ON) -> None:
        self.machine = Machine(program, Granularity.INSTRUCTION, spurious)
        self.automaton = automaton
        self.first: int | None = None  # the first choice, if it is given
        self.sites = {name: control_flow(f).sites for name, f in program.functions.items()}
        self.constants = program_constants(program)

    def made(
        self, state: State, number: int, location: Location, rng: Random, given: Mapping[int, int] | None = None
    ) -> LetterMade:
        """From a location on, up to the end of a letter or of the run. `given`: answers by the number of the step."""
        made = LetterMade([state], [], self.automaton.templates[location.template].letters_from(location), None)
        while True:
            choices: list[int] = []
            step = step_with(
                self.machine, made.states[-1], number, self._answer(rng, choices, (given or {}).get(len(made.choices)))
            )
            made.outcome = step.outcome
            made.choices.append(choices)
            done = len(made.choices)
            if not isinstance(made.outcome, Moved):
                if not _was_last(made.outcome, number):  # had it been cancelled, it would have ended
                    made.letters = tuple(one for one in made.letters if not one.steps[done - 1].cancelled)
                    return made
                made.outcome = Moved(made.outcome.state, getattr(made.outcome, "effects", ()))
            made.effects.append(made.outcome.effects)
            before, now = made.states[-1], made.outcome.state
            made.states.append(now)
            made.letters = tuple(one for one in made.letters if self._leads_to(one, done, before, now, number))
            if not made.letters:
                raise OffTheAutomaton(f"no letter at {location} after {done} instructions")
            if any(len(one.steps) == done for one in made.letters):
                return made

    def _answer(self, rng: Random, choices: list[int], given: int | None) -> Callable[[Choose], int]:
        usual = at_random(rng, self.constants)

        def answer(choice: Choose) -> int:
            value = usual(choice) if given is None else fitted(choice, given)
            if self.first is not None:
                value, self.first = self.first, None
            choices.append(value)
            return value

        return answer

    def _leads_to(self, letter: Letter, done: int, before: State, now: State, number: int) -> bool:
        thread = now.threads[number]
        step = letter.steps[done - 1]
        if is_fork(step.instr):
            new = [t for n, t in now.threads.items() if n not in before.threads]
            if not new or new[0].frames[0].function != step.enters:
                return False
        if thread.phase is states.Phase.FINISHED:
            return len(letter.steps) == done and letter.target.at is End.FINISHED
        context, site, depth, phase = self._named(thread)
        if done < len(letter.steps):
            return (letter.steps[done].context, letter.steps[done].site) == (context, site)
        target = letter.target
        return (target.context, target.at, target.depth, target.phase) == (context, site, depth, phase)

    def _named(self, thread: states.Thread) -> tuple[Context, Site, int, LetterPhase]:
        *calls, top = thread.frames
        context = tuple(self.sites[call.function][call.pc - 1] for call in calls)
        phase = LetterPhase.RUNNING if thread.phase is states.Phase.RUNNING else LetterPhase.ENDING
        return context, self.sites[top.function][top.pc], thread.atomic_depth, phase


def _was_last(outcome: Answered, number: int) -> TypeGuard[Finished]:
    """Whether the thread has just ended, as the last of all."""
    return isinstance(outcome, Finished) and outcome.state.threads[number].phase is states.Phase.FINISHED
