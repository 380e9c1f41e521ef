"""How many threads of each template there may be, as far as control flow says."""

from __future__ import annotations

from threadproof.automaton.letters import Location
from threadproof.automaton.program import ProgramAutomaton
from threadproof.automaton.threads import ThreadAutomaton
from threadproof.core.graph import reached

MANY = 1_000


def instance_bounds(automaton: ProgramAutomaton) -> dict[str, int]:
    """How many threads of each template there may be at most; `MANY` where loops create them, or threads their like."""
    each = {
        (name, template): _most_forks(thread, template)
        for name, thread in automaton.templates.items()
        for template in automaton.templates
    }
    started = {name: [to for to in automaton.templates if each[name, to]] for name in automaton.templates}
    again = {name for name, forks in started.items() if name in reached(forks, started.__getitem__)}
    bounds = {automaton.main: 1}
    for _ in automaton.templates:  # no way of creations is longer, but for those in circles
        found = {automaton.main: 1, **dict.fromkeys(again, MANY)}
        for (name, template), often in each.items():
            if often:
                found[template] = min(MANY, found.get(template, 0) + often * bounds.get(name, 0))
        bounds = found
    return {name: bounds[name] if bounds.get(name) else MANY for name in automaton.templates}


def _most_forks(thread: ThreadAutomaton, template: str) -> int:
    """How many threads of the template one thread can start, on one way through it."""
    forks = {letter: letter.forks.count(template) for letter in thread.letters if template in letter.forks}
    if not forks:
        return 0
    if any(letter.source in _after(thread, letter.target) for letter in forks):
        return MANY
    most, before = dict.fromkeys(thread.locations, 0), None
    while most != before:  # no cycle has a fork
        before = dict(most)
        for letter in reversed(thread.letters):
            most[letter.source] = max(most[letter.source], most[letter.target] + forks.get(letter, 0))
    return most[thread.entry]


def _after(thread: ThreadAutomaton, location: Location) -> set[Location]:
    return set(reached([location], lambda one: (letter.target for letter in thread.letters_from(one))))
