"""The labelled product of a fixpoint as a proof: its nodes that are reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.abstraction.dead_ends import threads_inside
from threadproof.abstraction.labelled_product import Fixpoint, LabelledPlace
from threadproof.abstraction.product_proof import KeptNode, product_proof, reached
from threadproof.abstraction.told_invariants import invariants
from threadproof.automaton import Instance, Places
from threadproof.core.proofs import ReducedProduct
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.term import Term


def proof_of(
    fixpoint: Fixpoint, goal: Instance | None, order: str, most: Mapping[str, int], dropped: Iterable[str]
) -> ReducedProduct:
    kept = reached(fixpoint.root, LabelledPlace.following)
    numbers = {node: number for number, node in enumerate(kept)}
    nodes: list[KeptNode] = []
    for node in kept:
        ways: dict[InstanceLetter, dict[int, None]] = {}  # of all cases of a letter
        for one, to in zip(node.letters, node.edges, strict=True) if node.dead is None else ():
            ways.setdefault(one.letter, {}).update({} if to is None else {numbers[to]: None})
        every = [(letter, tuple(targets)) for letter, targets in ways.items()]
        membrane = threads_inside(node.membrane if node.dead is None else node.dead)
        nodes.append(KeptNode(fixpoint.terms.all(fixpoint.label(node)), every, node.at.asleep, membrane))
    product = fixpoint.reduction.product
    alive = [node for node in kept if node.dead is None]
    known: dict[Places, set[frozenset[Term]]] = {}
    for node in alive:
        known.setdefault(node.at.places, set()).add(node.known)
    whole = (node for node in alive if len(known[node.at.places]) == 1)  # of several cases, each says too much
    told = invariants(product, ((node.at.places, node.value.to_terms()) for node in whole))
    return product_proof(product, nodes, goal, order, most, dropped, told)
