"""Concrete runs of letters: states that threads really reach, by where the threads stand.

A run evaluates transitions: from the initial state, it makes letters whose guards hold for inputs drawn at random.
Letters are held against the reference machine by tests, but nothing here is trusted: what is seen in runs is only ever
a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from threadproof.abstraction.path import PathStep, step_at
from threadproof.automaton import Places
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Input, Transition
from threadproof.smt.evaluate import Assignment, zero
from threadproof.smt.meaning import Value
from threadproof.smt.term import BOOL, Array

ConcreteState = dict[str, Value]
_TRIES = 3  # for inputs of a letter
_TELLING = (0, 1, 2, 3, 5, 8, -1, -2, 10, 100)


class ConcreteRuns:
    """At most `most` states are kept for places."""

    def __init__(self, encoder: Encoder, seed: int = 0, most: int = 40) -> None:
        self._encoder = encoder
        self._automaton = encoder.space.automaton
        self._rng = Random(seed)
        self._most = most
        self._seen: dict[Places, list[ConcreteState]] = {}
        self._steps: dict[Places, list[PathStep]] = {}

    def at(self, places: Places) -> Sequence[ConcreteState]:
        return self._seen.get(places, ())

    def run(self, length: int) -> None:
        """One more run, of at most so many letters."""
        places, state = self._automaton.initial(), self.initial()
        for _ in range(length):
            self.keep(places, state)
            ways = self._ways(places)
            self._rng.shuffle(ways)
            for step in ways:
                following = self._made(step.transition, state)
                if following is not None:
                    places, state = self._automaton.after(places, step.instance, step.letter), following
                    break
            else:
                return
        self.keep(places, state)

    def initial(self) -> ConcreteState:
        """What is arbitrary at first is 0."""
        values = Assignment({})
        return {variable.name: values.value(term) for variable, term in self._encoder.space.initial().items()}

    def keep(self, places: Places, state: ConcreteState) -> None:
        known = self._seen.setdefault(places, [])
        if len(known) < self._most and state not in known:
            known.append(state)

    def along(self, steps: Sequence[PathStep], inputs: Sequence[Sequence[tuple[Input, Value]]]) -> list[ConcreteState]:
        """The states of a path that can be made with these inputs, one more than steps."""
        places, states = self._automaton.initial(), [self.initial()]
        for step, given in zip(steps, inputs, strict=True):
            self.keep(places, states[-1])
            places = self._automaton.after(places, step.instance, step.letter)
            states.append(after(step.transition, {**states[-1], **{one.term.name: value for one, value in given}}))
        self.keep(places, states[-1])
        return states

    def _ways(self, places: Places) -> list[PathStep]:
        found = self._steps.get(places)
        if found is None:
            found = self._steps[places] = []
            for instance, letter in self._automaton.letters_from(places):
                try:
                    found.append(step_at(self._encoder, places, instance, letter))
                except CannotEncode:  # it has no formula, or there are no more instances
                    continue
        return list(found)

    def _made(self, transition: Transition, state: ConcreteState) -> ConcreteState | None:
        """The state afterwards, for some inputs, if it can be made."""
        for _ in range(_TRIES if transition.inputs else 1):
            values = {**state, **{one.term.name: self._drawn(one) for one in transition.inputs}}
            if Assignment(values).holds(transition.guard):
                return after(transition, values)
        return None

    def _drawn(self, one: Input) -> Value:
        sort = one.term.sort
        if isinstance(sort, Array):
            return zero(sort)
        if sort is BOOL:
            return self._rng.randrange(2)
        mask = (1 << one.term.width) - 1
        return (
            self._rng.choice((self._rng.choice(_TELLING), self._rng.choice(_TELLING), self._rng.getrandbits(64))) & mask
        )


def after(transition: Transition, values: ConcreteState) -> ConcreteState:
    """The state after the transition; inputs are gone."""
    before = Assignment(values)
    gone = {one.term.name for one in transition.inputs}
    kept = {name: value for name, value in values.items() if name not in gone}
    return {**kept, **{variable.name: before.value(new) for variable, new in transition.updates.items()}}
