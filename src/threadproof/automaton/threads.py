"""One thread template as an automaton: what every thread does that starts in the same function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from threadproof.automaton.letters import End, Kind, Letter, Location
from threadproof.core.graph import reached

_NOTHING: tuple[Letter, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadAutomaton:
    """Every cycle of letters leads through a loop head."""

    template: str  # the function that threads of this template start in
    entry: Location
    locations: tuple[Location, ...]
    letters: tuple[Letter, ...]
    following: dict[Location, tuple[Letter, ...]]
    loop_heads: frozenset[Location]
    outermost_loop_heads: frozenset[Location]  # of loops that lie in no other loop, neither here nor in a caller

    def letters_from(self, location: Location) -> tuple[Letter, ...]:
        """All that a thread may do here, whether or not it can proceed now."""
        return self.following.get(location, _NOTHING)

    def end(self, end: End) -> Location | None:
        return next((location for location in self.locations if location.at is end), None)

    def reaching(self, wanted: Callable[[Letter], bool]) -> frozenset[Location]:
        """Where a thread stands that may still come to such a letter on its own."""
        before: dict[Location, list[Location]] = {}
        for letter in self.letters:
            before.setdefault(letter.target, []).append(letter.source)
        first = (letter.source for letter in self.letters if wanted(letter))
        return frozenset(reached(first, lambda location: before.get(location, ())))

    def reaching_error(self) -> frozenset[Location]:
        return self.reaching(lambda letter: letter.kind is Kind.ERROR)

    def reaching_fork(self, templates: Iterable[str] | None = None) -> frozenset[Location]:
        """Of a thread of one of these templates, or of any."""
        wanted = None if templates is None else set(templates)
        return self.reaching(lambda letter: bool(letter.forks if wanted is None else wanted.intersection(letter.forks)))

    def reaching_join(self) -> frozenset[Location]:
        return self.reaching(lambda letter: letter.joins)
