"""Thread automata drawn as SVG: a box per location, and one per letter with what it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from threadproof.automaton.letters import End, Letter, Location
from threadproof.automaton.text import letter_lines, letter_name, location_text
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.report.svg import Box, Way, cut, draw_boxes

_BAD = (End.ERROR, End.UNDEFINED, End.UNSUPPORTED, End.EXHAUSTED)


def draw_automaton(threads: Iterable[ThreadAutomaton]) -> str:
    return draw_boxes([(thread.template, list(_boxes(thread))) for thread in threads])


def _boxes(thread: ThreadAutomaton) -> Iterator[Box]:
    for location in thread.locations:
        letters = thread.letters_from(location)
        yield _location(location, thread, letters)
        for letter in letters:
            lines = tuple((cut(line), "shared" if line.startswith("*") else "") for line in letter_lines(letter))
            yield Box(letter_name(letter), "plain", "", lines, (Way(str(letter.target)),))


def _location(location: Location, thread: ThreadAutomaton, letters: tuple[Letter, ...]) -> Box:
    head = " (loop head)" if location in thread.loop_heads else ""
    ways = tuple(Way(letter_name(a)) for a in letters)
    return Box(str(location), kind_of(location, thread), cut(location_text(location)) + head, (), ways)


def kind_of(location: Location, thread: ThreadAutomaton) -> str:
    """The style of its box."""
    if isinstance(location.at, End):
        return "bad" if location.at in _BAD else "final"
    return "entry" if location == thread.entry else "plain"
