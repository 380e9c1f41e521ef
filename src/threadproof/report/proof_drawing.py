"""Thread automata as readers of a proof see them: source lines along the way, and what holds at each location."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from threadproof.automaton.letters import End, Letter, Location, Step
from threadproof.automaton.text import letter_name
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.ir.dot import guarded_edges
from threadproof.ir.expr import GlobalRef
from threadproof.ir.instr import Branch, Load, Switch
from threadproof.report.automaton_svg import kind_of
from threadproof.report.svg import Box, Way, cut, draw_boxes

Quote = Callable[[str, int], str]
"""The text of a line of a file."""

MOST_LINES = 12  # of the source, for one letter


Told = Mapping[Location, tuple[str, ...]]


def draw_proof(threads: Iterable[ThreadAutomaton], told: Told, quote: Quote) -> str:
    return draw_boxes([(thread.template, list(_boxes(thread, told, quote))) for thread in threads])


def _boxes(thread: ThreadAutomaton, told: Told, quote: Quote) -> Iterator[Box]:
    reached = {letter.target for letter in thread.letters}
    for location in thread.locations:
        if isinstance(location.at, End) and location not in reached:
            continue
        letters = thread.letters_from(location)
        lines = tuple((cut(line), "holds") for line in told.get(location, ()))
        ways = tuple(Way(letter_name(letter)) for letter in letters)
        yield Box(str(location), kind_of(location, thread), _where(location, thread), lines, ways)
        for letter in letters:
            shown = tuple(_lines(letter, quote))
            yield Box(letter_name(letter), "plain", "", shown, (Way(str(letter.target)),))


def _where(location: Location, thread: ThreadAutomaton) -> str:
    if isinstance(location.at, End):
        return location.at.value
    letters = thread.letters_from(location)
    line = letters[0].steps[0].instr.loc.line if letters else 0
    head = " (loop head)" if location in thread.loop_heads else ""
    return f"line {line}{head}" if line else f"{location.at.function}{head}"


def _lines(letter: Letter, quote: Quote) -> Iterator[tuple[str, str]]:
    """The source lines of its steps, each once, and the conditions of its branches where the source has words for
    them."""
    names = dict(_loaded(letter.steps))
    shown: dict[tuple[str, str], None] = {}
    for step in letter.steps:
        loc = step.instr.loc
        text = quote(loc.file, loc.line).strip() if loc.line else ""
        if text:
            shown[f"{loc.line}  {text}", ""] = None
        condition = _condition(step, names)
        if condition:
            shown[f"[{condition}]", "flow"] = None
    several = list(shown)
    if len(several) > MOST_LINES:
        several = [*several[: MOST_LINES - 1], (f"... {len(several) - MOST_LINES + 1} more lines", "flow")]
    yield from ((cut(text), style) for text, style in several)


def _loaded(steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
    """Registers that hold what was read from a global variable."""
    for step in steps:
        if isinstance(step.instr, Load) and isinstance(step.instr.address, GlobalRef):
            yield step.instr.dst.name, step.instr.address.name


def _condition(step: Step, names: Mapping[str, str]) -> str:
    if not isinstance(step.instr, Branch | Switch):
        return ""
    guard, _ = list(guarded_edges(step.instr))[step.taken or 0]
    text = re.sub(r"%\w+", lambda found: names.get(found[0], found[0]), guard)
    return "" if "%" in text else text
