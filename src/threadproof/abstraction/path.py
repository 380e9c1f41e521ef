"""Paths of letters from the initial state, with their transitions.

Stable: all of this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from threadproof.automaton import Instance, Letter, Places
from threadproof.encoding.transitions import Encoder, Transition


class PathStep(NamedTuple):
    """A letter of a thread instance; `starts` are the instances that it starts."""

    instance: Instance
    letter: Letter
    starts: tuple[Instance, ...]
    transition: Transition

    @property
    def key(self) -> tuple[Instance, int, tuple[Instance, ...]]:
        return self.instance, self.letter.id, self.starts

    def __str__(self) -> str:
        return f"{self.instance}: a{self.letter.id} {self.letter.source}->{self.letter.target}"


class PathGoal(Enum):
    LETTERS = "all letters are made"
    TRAP = "the last letter traps"


@dataclass(frozen=True, slots=True)
class LetterPath:
    """From the initial state. With `TRAP`, the last letter is not made: something goes wrong in it."""

    steps: tuple[PathStep, ...]
    goal: PathGoal = PathGoal.LETTERS

    def __len__(self) -> int:
        return len(self.steps)


def step_at(encoder: Encoder, places: Places, instance: Instance, letter: Letter) -> PathStep:
    """A letter where threads stand so: its forks start the instances that `ProgramAutomaton.after` says. Raises
    CannotEncode, also if `Space` has not that many instances."""
    starts: list[Instance] = []
    for template in letter.forks:
        number = sum(one.template == template for one in (*(one for one, _ in places.threads), *starts))
        starts.append(Instance(template, number))
    return PathStep(instance, letter, tuple(starts), encoder.transition(instance, letter, tuple(starts)))


def path_of(
    encoder: Encoder, letters: Iterable[tuple[Instance, Letter]], goal: PathGoal = PathGoal.LETTERS
) -> LetterPath:
    """These letters one after the other, from where the program begins."""
    automaton = encoder.space.automaton
    places, steps = automaton.initial(), list[PathStep]()
    for instance, letter in letters:
        assert places.at(instance) == letter.source, f"{instance} is not at the letter's source"
        steps.append(step_at(encoder, places, instance, letter))
        places = automaton.after(places, instance, letter)
    return LetterPath(tuple(steps), goal)
