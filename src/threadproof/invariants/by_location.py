"""What a proof says of the locations of threads, in the program's words: for people, no part of any check.

A proof by labels speaks of all threads at once. Of one location are told the conditions that hold wherever a thread
stands there, whatever the others do; and the cases, if these are few. A condition that cannot be said over variables of
the source is left out, so what is told may be weaker than the proof, and is never stronger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from threadproof.abstraction.names import CNames
from threadproof.automaton import Instance, LetterSize, Location, ProgramAutomaton, program_automaton
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import LockOrderProof, LocksAtLocation, Proof
from threadproof.core.property import Property
from threadproof.encoding.transitions import Space
from threadproof.invariants.labels import labels_of
from threadproof.ir.program import Program
from threadproof.smt.term import Term

MOST_CASES = 3
MOST_CONDITIONS = 8
LONGEST = 70  # characters of one condition: longer ones say little to people
_FREE = re.compile(r"^(.+)\.__data\.__lock == 0U?$")
_HELD = re.compile(r"^(.+)\.__data\.__lock == (?:handle\((.+)\)|(\d+)U?)$")
_WORDS = re.compile(r"__data|\b(?:handle|result|detached|children|waits_on|woken|cancelled)\(|\binside_atomic\b")
_CERTAIN = ("started(main)", "!finished(main)")

Said = dict[str, None]
"""Conditions, in their order."""


@dataclass(frozen=True, slots=True)
class ToldProof:
    """The automaton that the proof is about, and what holds at its locations."""

    automaton: ProgramAutomaton
    at: Mapping[Location, tuple[str, ...]] = field(default_factory=dict[Location, tuple[str, ...]])


def _apart(pairs: Iterable[tuple[Location, Location]]) -> Iterator[tuple[Location, str]]:
    """Where no other thread is meanwhile."""
    others: dict[Location, dict[str, list[Location]]] = {}
    for x, y in pairs:
        for here, there in {(x, y), (y, x)}:
            others.setdefault(here, {}).setdefault(there.template, []).append(there)
    for here, by_template in others.items():
        for template, places in by_template.items():
            names = ", ".join(f"L{number}" for number in sorted({one.number for one in places}))
            yield here, f"no {'other ' if template == here.template else ''}thread {template} at {names}"


def told_by_location(program: Program, prop: Property, proof: Proof, model: MemoryModel) -> ToldProof:
    """Of a proof without labels, the automaton alone. Raises CannotUnfold, CannotEncode."""
    if isinstance(proof, LockOrderProof):
        return _locks(program, proof)
    automaton: ProgramAutomaton | None = None
    found: dict[Location, Said] = {}
    for labels in labels_of(program, prop, proof, model):
        automaton, words = labels.space.automaton, _Words(labels.space)
        cases: dict[Location, list[Said]] = {}
        for one in labels.places:
            cases.setdefault(one.location, []).append(words.about(one.instance, one.says))
        for location, several in cases.items():
            found.setdefault(location, {}).update(dict.fromkeys(_lines(several)))
        for location, line in _apart(labels.apart):
            found.setdefault(location, {})[line] = None
    told = {location: tuple(lines) for location, lines in found.items()}
    return ToldProof(automaton or program_automaton(program), told)


def _locks(program: Program, proof: LockOrderProof) -> ToldProof:
    automaton = program_automaton(program, size=LetterSize.SMALL)
    places = {(one.template, one.number): one for thread in automaton.templates.values() for one in thread.locations}
    labels: dict[Location, list[LocksAtLocation]] = {}
    for held in proof.held:
        labels.setdefault(places[held.template, held.location], []).append(held)
    return ToldProof(automaton, {place: _of_locks(cases) for place, cases in labels.items()})


def _of_locks(cases: list[LocksAtLocation]) -> tuple[str, ...]:
    """What all alternatives of a location say."""
    surely = [lock for lock in cases[0].surely if all(lock in one.surely for one in cases)]
    maybe = dict.fromkeys(lock for one in cases for lock in (*one.maybe, *one.placed) if lock not in surely)
    alone = ["no other thread was started"] if all(one.alone for one in cases) else []
    return (*(f"holds {lock}" for lock in surely), *(f"may hold {lock}" for lock in maybe), *alone)


def _lines(cases: list[Said]) -> tuple[str, ...]:
    """What all cases say; then the rest of each, if they are few and each says something."""
    common = [one for one in cases[0] if all(one in other for other in cases[1:])]
    rest = {tuple(one for one in case if one not in common): None for case in cases}
    shown = common[:MOST_CONDITIONS]
    left = len(common) - len(shown)
    more = [f"... {left} more"] if left else []
    if 1 < len(rest) <= MOST_CASES and () not in rest:
        joined = [" && ".join(case[:MOST_CONDITIONS]) for case in rest]
        more += [f"{'or' if number else 'either'} {case}" for number, case in enumerate(joined)]
    return (*shown, *more)


class _Words:
    def __init__(self, space: Space) -> None:
        self._names = CNames(space)
        self._space = space
        self._threads = {value.value: thread for thread, value in self._handles()}
        self._known: dict[tuple[Instance, tuple[Term, ...]], Said] = {}

    def _handles(self) -> Iterator[tuple[Instance, Term]]:
        for instance, thread in self._space.threads.items():
            if thread.handle in self._space.known:
                yield instance, self._space.known[thread.handle]

    def about(self, instance: Instance, label: tuple[Term, ...]) -> Said:
        """The conditions of a label as a thread says them: its own variables have no name before them."""
        key = (instance, label)
        if key not in self._known:
            said = (self._condition(instance, one) for one in label)
            shown = sorted((one for one in said if 0 < len(one) <= LONGEST), key=_rank)
            self._known[key] = dict.fromkeys(shown)
        return self._known[key]

    def _condition(self, instance: Instance, formula: Term) -> str:
        text = self._names.for_people(formula)
        free, held = _FREE.match(text), _HELD.match(text)
        if free is not None:
            return f"{free[1]} is free"
        if held is not None:
            holder = held[2] or str(self._threads.get(int(held[3]), ""))
            return "" if not holder else f"holds {held[1]}" if holder == str(instance) else f"{holder} holds {held[1]}"
        if _WORDS.search(text) or text in (f"started({instance})", f"!finished({instance})", *_CERTAIN):
            return ""
        return re.sub(rf"(?<![\w#.]){re.escape(str(instance))}\.", "", text)


def _rank(condition: str) -> tuple[bool, bool]:
    """Equations say most, what is about locks and threads least."""
    return " " not in condition or condition.endswith("is free"), "==" not in condition
