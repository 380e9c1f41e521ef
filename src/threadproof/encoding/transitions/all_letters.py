"""All letters of all thread instances, with what they do, and which of them may still be made from given places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy

from threadproof.automaton.bounds import instance_bounds
from threadproof.automaton.letters import Letter, Location
from threadproof.automaton.program import Instance
from threadproof.encoding.transitions.encoder import Encoder
from threadproof.encoding.transitions.transition import Transition
from threadproof.smt.term import Term

LetterKey = tuple[Instance, int]
"""A letter of a thread instance, by its number."""


class AllLetters:
    """A letter that starts threads is there once for each choice of instances that it may start. `most` threads of each
    template are meant to exist (as many as there are variables for, if not said): to start another is to go wrong.
    Raises CannotEncode."""

    def __init__(self, encoder: Encoder, most: Mapping[str, int] | None = None) -> None:
        self.encoder = encoder
        self.instances = encoder.space.instances
        self._templates = encoder.space.automaton.templates
        counts = {name: sum(one.template == name for one in self.instances) for name in self._templates}
        self._most = {name: min(often, (most or counts).get(name, often)) for name, often in counts.items()}
        self._bounds = instance_bounds(encoder.space.automaton)
        self.letters: dict[LetterKey, Letter] = {
            (instance, letter.id): letter
            for instance in self.instances
            for letter in self._templates[instance.template].letters
        }
        self.starts = {key: tuple(self._starts(letter)) for key, letter in self.letters.items()}
        self._read: dict[Transition, frozenset[Term]] = {}
        self._encode()

    def seen_by(self, encoder: Encoder) -> AllLetters:
        """The same, as another encoder of the same space makes them."""
        found = copy(self)
        found.encoder = encoder
        found._encode()
        return found

    def _encode(self) -> None:
        self.transitions: dict[LetterKey, tuple[Transition, ...]] = {
            key: tuple(self.encoder.transition(key[0], self.letters[key], one) for one in several)
            for key, several in self.starts.items()
        }
        self.reads = {key: _union(map(self._reads, several)) for key, several in self.transitions.items()}
        self.writes = {key: _union(one.writes for one in several) for key, several in self.transitions.items()}

    def _reads(self, transition: Transition) -> frozenset[Term]:
        if transition not in self._read:
            self._read[transition] = transition.reads
        return self._read[transition]

    @property
    def variables(self) -> frozenset[Term]:
        """All that letters read or write."""
        return _union((*self.reads.values(), *self.writes.values()))

    def _starts(self, letter: Letter) -> Iterator[tuple[Instance, ...]]:
        found: list[tuple[Instance, ...]] = [()]
        for template in letter.forks:
            started = [one for one in self.instances if one.template == template]
            found = [(*before, one) for before in found for one in started if one not in before]
        return iter(found)

    def is_too_many(self, instance: Instance) -> bool:
        return instance.number >= self._most[instance.template]

    def may_start_too_many(self, key: LetterKey) -> bool:
        """As far as control flow says."""
        return any(self._bounds[name] > self._most[name] for name in self.letters[key].forks)

    def at(self, instance: Instance, location: Location) -> list[LetterKey]:
        return [(instance, one.id) for one in self._templates[instance.template].letters_from(location)]

    def ahead(
        self, threads: Iterable[tuple[Instance, Location]], possible: Callable[[LetterKey], bool]
    ) -> Iterator[LetterKey]:
        """Every letter at a location that the threads, and those they start, may come to by letters that are possible;
        also those that are not."""
        todo = list(threads)
        seen = set(todo)
        while todo:
            instance, location = todo.pop()
            for key in self.at(instance, location):
                yield key
                if possible(key):
                    new = [one for one in self._following(key) if one not in seen]
                    seen.update(new)
                    todo += new

    def _following(self, key: LetterKey) -> Iterator[tuple[Instance, Location]]:
        instance, letter = key[0], self.letters[key]
        yield instance, letter.target
        for started in self.instances:
            if started.template in letter.forks:
                yield started, self._templates[started.template].entry


def _union(sets: Iterable[frozenset[Term]]) -> frozenset[Term]:
    return frozenset[Term]().union(*sets)
