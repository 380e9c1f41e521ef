"""The handles of thread instances: numbers where the program's text settles them, else variables.

A handle is a function of who created the thread and as which of its children (`core.thread_id`). Main's n-th child has
the handle 2n + 2, whatever the schedule; so if only main starts threads of a template, and the n-th of them is always
main's k-th thread, its handle is a number. Otherwise it is a variable that the creation sets by the same function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from threadproof.automaton.letters import Location
from threadproof.automaton.program import Instance, ProgramAutomaton
from threadproof.core.thread_id import MAIN, handle
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

_MOST = 20_000
"""Pairs of location and counts to look at."""


@dataclass(frozen=True, slots=True)
class KnownHandles:
    numbers: dict[Instance, int]
    apart: frozenset[Instance]
    """Those whose number no other can have. Main's second thread may be the first of one template or the second
    of another: both numbers are known, and the same, but only one of the two instances is ever started."""

    @staticmethod
    def of_main(automaton: ProgramAutomaton) -> KnownHandles:
        main = Instance(automaton.main, 0)
        return KnownHandles({main: handle(MAIN)}, frozenset({main}))


def known_handles(automaton: ProgramAutomaton, most: Mapping[str, int]) -> KnownHandles:
    """Handles that are the same in every execution, if there are at most so many instances of each template."""
    main = Instance(automaton.main, 0)
    known, apart = {main: handle(MAIN)}, {main}
    elsewhere = {
        template
        for name, thread in automaton.templates.items()
        if name != automaton.main
        for letter in thread.letters
        for template in letter.forks
    }
    children = _places_among_children(automaton, most)
    often = Counter(place for places in children.values() for place in places)
    for instance, places in children.items():
        if len(places) == 1 and instance.template not in elsewhere:
            [place] = places
            known[instance] = handle((place,))
            if often[place] == 1:
                apart.add(instance)
    return KnownHandles(known, frozenset(apart))


def _places_among_children(automaton: ProgramAutomaton, most: Mapping[str, int]) -> dict[Instance, set[int]]:
    """Which of main's children each instance can be; nothing if there are too many ways."""
    thread = automaton.templates[automaton.main]
    found: dict[Instance, set[int]] = {}
    todo: list[tuple[Location, tuple[str, ...]]] = [(thread.entry, ())]
    seen = set(todo)
    while todo:
        location, started = todo.pop()
        for letter in thread.letters_from(location):
            after = started
            for template in letter.forks:
                found.setdefault(Instance(template, after.count(template)), set()).add(len(after))
                after = tuple(sorted((*after, template)))
            new = (letter.target, after)
            if new not in seen and all(after.count(template) <= most.get(template, 0) for template in letter.forks):
                seen.add(new)
                todo.append(new)
        if len(seen) > _MOST:
            return {}
    return found


def child_handle(terms: Terms, parent: Term, children: Term) -> Term:
    """`core.thread_id` as a term: the handle of the next thread that `parent` creates, after so many others."""
    width = parent.width

    def number(value: int) -> Term:
        return terms.bv(value, width)

    def times(a: Term, b: Term) -> Term:
        return terms.make(Op.MUL, (a, b))

    def numbered(near: Term) -> Term:
        return terms.add(times(near, number(2)), number(2))

    above = terms.sub(parent, number(2))
    rest = terms.sub(children, number(3))
    diagonal = terms.add(above, rest)
    pairs = terms.make(Op.LSHR, (times(diagonal, terms.add(diagonal, number(1))), number(1)))
    far = terms.add(times(terms.add(pairs, rest), number(4)), number(3))
    near = terms.add(times(above, number(4)), children)
    deeper = numbered(terms.ite(terms.ult(children, number(3)), near, far))
    of_main = terms.add(times(children, number(2)), number(1))
    return terms.add(terms.ite(terms.eq(parent, number(1)), of_main, deeper), number(1))
