"""What a proof by labels says where a thread stands: the label of every node at which it does.

As candidates only: of a proof about some interleavings, states of others are no matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.automaton import (
    FillingLoops,
    Instance,
    Location,
    Places,
    ProgramAutomaton,
    for_letters,
    program_automaton,
)
from threadproof.automaton.store_buffers import with_store_buffers
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import LabelledTree, Proof, ReducedProduct, ReducedProducts, ThreadModularProof
from threadproof.core.property import Property
from threadproof.encoding.transitions import Space
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.ir.program import Program
from threadproof.semantics.violations import spurious_for
from threadproof.smt.conjunctions import flat
from threadproof.smt.reading import read
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms


@dataclass(frozen=True, slots=True)
class PlaceLabel:
    """`says` holds while the thread stands there, at one node of the proof. `started`: templates of which there is a
    thread by then, as far as the proof tells."""

    instance: Instance
    location: Location
    says: tuple[Term, ...]
    started: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ProofLabels:
    space: Space
    program: Program
    places: tuple[PlaceLabel, ...]
    apart: tuple[tuple[Location, Location], ...] = ()  # where two threads never are at once


def labels_of(
    program: Program, prop: Property, proof: Proof, model: MemoryModel = MemoryModel.SC
) -> Iterator[ProofLabels]:
    """Of proofs by labels; of others there are none. Under TSO and PSO, of the program with store buffers."""
    match proof:
        case LabelledTree() if model is not MemoryModel.SC:
            kept = for_letters(program, prop, FillingLoops.KEPT)
            yield _of_nodes(with_store_buffers(kept, model, proof.slots).program, proof)
        case LabelledTree(slots=0):
            yield _of_nodes(for_letters(program, prop), proof)
        case ReducedProduct():
            yield _of_nodes(for_letters(program, prop, dropped=frozenset(proof.dropped)), proof)
        case ReducedProducts():
            for part in proof.parts:
                yield from labels_of(program, prop, part)
        case ThreadModularProof():
            yield _of_locations(for_letters(program, prop), prop, proof)
        case _:
            return


def _of_nodes(program: Program, proof: LabelledTree | ReducedProduct) -> ProofLabels:
    automaton = program_automaton(program)
    terms = Terms()
    space = Space(terms, program, automaton, dict(proof.instances))
    space.initial()  # makes the variables, before labels are read
    labels = terms.substitute(read(terms, proof.labels), space.known)
    unfolded = _tree_places(automaton, proof) if isinstance(proof, LabelledTree) else _product_places(automaton, proof)
    found = [
        PlaceLabel(instance, location, tuple(flat(labels[proof.nodes[node].label])), _started(places))
        for node, places in unfolded
        for instance, location in places.threads
    ]
    return ProofLabels(space, program, tuple(found))


def _started(places: Places) -> frozenset[str]:
    return frozenset(instance.template for instance, _ in places.threads[1:])


def _tree_places(automaton: ProgramAutomaton, tree: LabelledTree) -> Iterator[tuple[int, Places]]:
    letters = {letter.id: letter for letter in automaton.letters}
    found: list[Places] = []
    for number, node in enumerate(tree.nodes):
        before = None if node.parent is None else found[node.parent]
        there = (
            automaton.initial()
            if before is None
            else automaton.after(before, Instance(*node.thread), letters[node.letter])
        )
        found.append(there)
        if node.covered_by is None:
            yield number, there


def _product_places(automaton: ProgramAutomaton, product: ReducedProduct) -> Iterator[tuple[int, Places]]:
    letters = {letter.id: letter for letter in automaton.letters}
    found = {0: automaton.initial()}
    todo = [0]
    while todo:
        number = todo.pop()
        yield number, found[number]
        for made in product.nodes[number].letters:
            after = automaton.after(found[number], Instance(*made.thread), letters[made.letter])
            for target in made.targets:
                if target not in found:
                    found[target] = after
                    todo.append(target)


def _of_locations(program: Program, prop: Property, proof: ThreadModularProof) -> ProofLabels:
    automaton = program_automaton(program)
    many, spurious = frozenset(proof.many), spurious_for(prop, program)
    any_number = AnyNumber(program, automaton, many, spurious, proof.counted, proof.locks, proof.marked)
    any_number.initial()
    labels = any_number.terms.substitute(read(any_number.terms, proof.labels), any_number.space.known)
    locations = {(one.template, one.number): one for t in automaton.templates.values() for one in t.locations}
    found = [
        PlaceLabel(any_number.one(template), locations[template, number], tuple(flat(labels[label])))
        for template, number, label in proof.at
    ]
    apart = [
        (locations[x, first], locations[y, second])
        for x, first, y, second, label in proof.pairs
        if labels[label] is any_number.terms.false
    ]
    return ProofLabels(any_number.space, program, tuple(found), tuple(apart))
