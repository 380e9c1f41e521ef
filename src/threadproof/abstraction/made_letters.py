"""Letters of a path that can be made, with values of what they leave open: what the reference machine is led along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from threadproof.abstraction.path import PathGoal, PathStep
from threadproof.automaton import End, Instance, Letter
from threadproof.automaton.letters import Step
from threadproof.encoding.transitions import Encoder
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Term

UNINITIALISED, OR = "uninitialised ", "|"


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


def made_letters(
    encoder: Encoder, model: Assignment, path: Sequence[PathStep], states: Sequence[Mapping[Term, Term]], goal: PathGoal
) -> list[MadeLetter]:
    """`states` are before each step, as terms over inputs of the path (`@` and the number of the step)."""
    made = [
        made_letter(encoder, model, step, state, index)
        for index, (step, state) in enumerate(zip(path, states, strict=True))
    ]
    ends = [step.letter.target.at in (End.HALTED, End.ERROR) for step in path]
    if goal is PathGoal.TRAP:
        ends[-1] = False
    return [_before_the_end(one) if last else one for one, last in zip(made, ends, strict=True)]


def _before_the_end(made: MadeLetter) -> MadeLetter:
    """Where others go on behind the end of the program, it may as well come later."""
    return replace(made, goal=len(made.steps) - 2)


def made_letter(
    encoder: Encoder, model: Assignment, step: PathStep, state: Mapping[Term, Term], index: int
) -> MadeLetter:
    """With values of inputs, and of what steps that load find."""
    terms, letter = encoder.space.terms, (step.instance, step.letter, step.starts)
    names = {one.term: terms.var(f"{one.term.name}@{index}", one.term.sort) for one in encoder.inputs(*letter)}
    inputs: list[tuple[int, str, int]] = []
    for one in step.transition.inputs:
        value = model.value(names[one.term])
        if isinstance(value, int) and not one.source.startswith(UNINITIALISED):
            inputs.append((one.step, one.source, value))
    inputs += _loaded(encoder, model, {**state, **names}, step)
    return MadeLetter(step.instance, step.letter.steps, step.starts, tuple(inputs), _goal(step.letter))


def _loaded(
    encoder: Encoder, model: Assignment, state: Mapping[Term, Term], step: PathStep
) -> Iterator[tuple[int, str, int]]:
    """What steps that load find. The machine asks for it if it is uninitialised; formulas chose it long before."""
    letter = step.instance, step.letter, step.starts
    objects = {one.step: [owner.root.name for owner in one.objects] for one in encoder.accesses(*letter)}
    found = encoder.loaded(*letter)
    for index, value in zip(found, encoder.space.terms.substitute(found.values(), state), strict=True):
        yield index, UNINITIALISED + OR.join(objects.get(index, ())), model.number(value)


def _goal(letter: Letter) -> int | None:
    return len(letter.steps) - 1 if isinstance(letter.target.at, End) else letter.noticed
