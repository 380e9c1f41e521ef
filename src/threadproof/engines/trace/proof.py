"""The labelled product as a proof: its nodes that are reached, their labels, letters, sleeping letters, dead ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from threadproof.abstraction.dead_ends import DeadEnd
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct
from threadproof.engines.trace.fixpoint import Fixpoint, LabelledPlace
from threadproof.engines.trace.invariants import invariants
from threadproof.engines.trace.reduction import PlacedLetter, ProductPlace
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term

Invariants = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptNode:
    at: ProductPlace
    label: Term
    letters: Sequence[tuple[PlacedLetter, int | None]]  # preferred ones first, with the numbers of their targets
    dead: DeadEnd | None


def proof_of(
    fixpoint: Fixpoint, goal: Instance | None, order: str, most: Mapping[str, int], dropped: Iterable[str]
) -> ReducedProduct:
    kept = reached(fixpoint.root, _following)
    numbers = {node: number for number, node in enumerate(kept)}
    nodes: list[KeptNode] = []
    for node in kept:
        targets = (None if to is None else numbers[to] for to in node.edges)
        ways = list(zip(node.letters, targets, strict=True)) if node.dead is None else []
        nodes.append(KeptNode(node.at, fixpoint.terms.all(fixpoint.label(node)), ways, node.dead))
    product = fixpoint.reduction.product
    told = invariants(product, ((node.at.places, node.value.to_terms()) for node in kept if node.dead is None))
    return product_proof(product, nodes, goal, order, most, dropped, told)


def product_proof(
    product: ThreadProduct,
    kept: Iterable[KeptNode],
    goal: Instance | None,
    order: str,
    most: Mapping[str, int],
    dropped: Iterable[str],
    told: Invariants = (),
) -> ReducedProduct:
    labels: dict[Term, int] = {}
    nodes: list[ProductNode] = []
    for node in kept:
        label = labels.setdefault(node.label, len(labels))
        letters = tuple(ProductLetter(_name(one.letter.instance), one.letter.letter.id, to) for one, to in node.letters)
        asleep = tuple(sorted((_name(one.instance), one.letter.id) for one in node.at.asleep))
        nodes.append(ProductNode(label, letters, asleep, None if node.dead is None else _name(node.dead.thread)))
    instances = tuple(product.instances.items())
    meant = tuple((name, often) for name, often in most.items() if name in dict(instances))
    return ReducedProduct(
        script(list(labels)),
        tuple(nodes),
        instances,
        order,
        goal=None if goal is None else _name(goal),
        most=meant,
        dropped=tuple(sorted(dropped)),
        invariants=told,
    )


_Node = TypeVar("_Node")


def reached(root: _Node, following: Callable[[_Node], Iterable[_Node | None]]) -> list[_Node]:
    found, todo = {root: None}, [root]
    while todo:
        for target in following(todo.pop()):
            if target is not None and target not in found:
                found[target] = None
                todo.append(target)
    return list(found)


def _following(node: LabelledPlace) -> Iterable[LabelledPlace | None]:
    return node.edges if node.dead is None else []


def _name(instance: Instance) -> tuple[str, int]:
    return instance.template, instance.number
