"""Labelled nodes of a reduced product as a proof: their labels, letters, sleeping letters and dead ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct
from threadproof.independence.pairs import InstanceLetter
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term

Invariants = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptNode:
    label: Term
    letters: Sequence[tuple[InstanceLetter, Sequence[int]]]  # preferred ones first, with the numbers of their targets
    asleep: Iterable[InstanceLetter]
    membrane: Iterable[Instance] = ()  # threads of which one moves first


def product_proof(
    product: ThreadProduct,
    kept: Iterable[KeptNode],
    goal: Instance | None,
    order: str,
    most: Mapping[str, int],
    dropped: Iterable[str] = (),
    told: Invariants = (),
    variables: Iterable[Term] | None = None,
) -> ReducedProduct:
    labels: dict[Term, int] = {}
    nodes: list[ProductNode] = []
    for node in kept:
        label = labels.setdefault(node.label, len(labels))
        letters = tuple(
            ProductLetter(_name(one.instance), one.letter.id, to[0] if to else None, tuple(to[1:]))
            for one, to in node.letters
        )
        asleep = tuple(sorted((_name(one.instance), one.letter.id) for one in node.asleep))
        nodes.append(ProductNode(label, letters, asleep, tuple(sorted(map(_name, node.membrane)))))
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
        kept=None if variables is None else tuple(sorted(one.name for one in variables)),
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


def _name(instance: Instance) -> tuple[str, int]:
    return instance.template, instance.number
