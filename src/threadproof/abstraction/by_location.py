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
from threadproof.automaton import (
    FillingLoops,
    Instance,
    LetterSize,
    Location,
    Places,
    ProgramAutomaton,
    for_letters,
    program_automaton,
)
from threadproof.automaton.store_buffers import with_store_buffers
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import (
    LabelledTree,
    LockOrderProof,
    Proof,
    ReducedProduct,
    ReducedProducts,
    ThreadModularProof,
)
from threadproof.core.property import Property
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.ir.program import Program
from threadproof.semantics.violations import spurious_for
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

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


def told_by_location(program: Program, prop: Property, proof: Proof, model: MemoryModel) -> ToldProof:
    """Of a proof without labels, the automaton alone. Raises CannotUnfold, CannotEncode."""
    match proof:
        case LabelledTree():
            return _tree(program, prop, proof, model)
        case ReducedProduct() | ReducedProducts():
            return _products(program, prop, proof)
        case ThreadModularProof():
            return _modular(program, prop, proof)
        case LockOrderProof():
            return _locks(program, proof)
        case _:
            return ToldProof(program_automaton(program))


def _locks(program: Program, proof: LockOrderProof) -> ToldProof:
    automaton = program_automaton(program, size=LetterSize.SMALL)
    places = {(one.template, one.number): one for thread in automaton.templates.values() for one in thread.locations}
    found: dict[Location, tuple[str, ...]] = {}
    for held in proof.held:
        lines = [f"holds {lock}" for lock in held.surely]
        lines += [f"may hold {lock}" for lock in held.maybe if lock not in held.surely]
        lines += ["no other thread was started"] if held.alone else []
        found[places[held.template, held.location]] = tuple(lines)
    return ToldProof(automaton, found)


def _modular(program: Program, prop: Property, proof: ThreadModularProof) -> ToldProof:
    letters = for_letters(program, prop)
    automaton = program_automaton(letters)
    spurious = spurious_for(prop, letters)
    any_number = AnyNumber(letters, automaton, frozenset(proof.many), spurious, proof.counted)
    words = _Words(any_number.space)
    labels = read(any_number.terms, proof.labels)
    said = {(template, number): labels[label] for template, number, label in proof.at}
    found: dict[Location, tuple[str, ...]] = {}
    for thread in automaton.templates.values():
        for location in thread.locations:
            label = said.get((location.template, location.number))
            if label is not None:
                found[location] = _lines([words.about(any_number.one(location.template), label)])
    return ToldProof(automaton, found)


def _tree(program: Program, prop: Property, proof: LabelledTree, model: MemoryModel) -> ToldProof:
    if model is MemoryModel.SC:
        letters = for_letters(program, prop)
    else:
        kept = for_letters(program, prop, FillingLoops.KEPT)
        letters = with_store_buffers(kept, model, proof.slots).program
    automaton = program_automaton(letters)
    by_id = {letter.id: letter for letter in automaton.letters}
    places = [automaton.initial()]
    for node in proof.nodes[1:]:
        assert node.parent is not None
        places.append(automaton.after(places[node.parent], Instance(*node.thread), by_id[node.letter]))
    labelled = [(where, node.label) for where, node in zip(places, proof.nodes, strict=True) if node.covered_by is None]
    return ToldProof(automaton, _by_location(letters, automaton, proof, labelled))


def _products(program: Program, prop: Property, proof: ReducedProduct | ReducedProducts) -> ToldProof:
    parts = proof.parts if isinstance(proof, ReducedProducts) else (proof,)
    letters = for_letters(program, prop, dropped=frozenset(proof.dropped))
    automaton = program_automaton(letters)
    found: dict[Location, Said] = {}
    for part in parts:
        places = _unfolded(automaton, part)
        labelled = [(where, part.nodes[number].label) for number, where in places.items()]
        for location, lines in _by_location(letters, automaton, part, labelled).items():
            found.setdefault(location, {}).update(dict.fromkeys(lines))
    return ToldProof(automaton, {location: tuple(lines) for location, lines in found.items()})


def _unfolded(automaton: ProgramAutomaton, part: ReducedProduct) -> dict[int, Places]:
    by_id = {letter.id: letter for letter in automaton.letters}
    found, todo = {0: automaton.initial()}, [0]
    while todo:
        number = todo.pop()
        for made in part.nodes[number].letters:
            for target in made.targets:
                if target not in found:
                    found[target] = automaton.after(found[number], Instance(*made.thread), by_id[made.letter])
                    todo.append(target)
    return found


def _by_location(
    program: Program,
    automaton: ProgramAutomaton,
    proof: LabelledTree | ReducedProduct,
    labelled: Iterable[tuple[Places, int]],
) -> dict[Location, tuple[str, ...]]:
    terms = Terms()
    words = _Words(Space(terms, program, automaton, dict(proof.instances)))
    labels = read(terms, proof.labels)
    cases: dict[Location, list[Said]] = {}
    for places, label in labelled:
        for instance, location in places.threads:
            cases.setdefault(location, []).append(words.about(instance, labels[label]))
    return {location: _lines(several) for location, several in cases.items()}


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
        self._known: dict[tuple[Instance, Term], Said] = {}

    def _handles(self) -> Iterator[tuple[Instance, Term]]:
        for instance, thread in self._space.threads.items():
            if thread.handle in self._space.known:
                yield instance, self._space.known[thread.handle]

    def about(self, instance: Instance, label: Term) -> Said:
        """The conditions of a label as a thread says them: its own variables have no name before them."""
        key = (instance, label)
        if key not in self._known:
            said = (self._condition(instance, one) for one in conjuncts(label))
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
