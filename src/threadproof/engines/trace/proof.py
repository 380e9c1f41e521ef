"""The labelled product as a proof: its nodes that are reached, their labels, letters, sleeping letters, dead ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from threadproof.automaton import Instance
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct
from threadproof.engines.trace.fixpoint import Fixpoint, LabelledPlace
from threadproof.engines.trace.invariants import invariants
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term


def proof_of(
    fixpoint: Fixpoint, goal: Instance, order: str, most: Mapping[str, int], dropped: Iterable[str]
) -> ReducedProduct:
    kept = _reached(fixpoint.root)
    numbers = {node: number for number, node in enumerate(kept)}
    labels: dict[Term, int] = {}
    nodes: list[ProductNode] = []
    for node in kept:
        label = labels.setdefault(fixpoint.terms.all(fixpoint.label(node)), len(labels))
        ways = zip(node.letters, node.edges, strict=True) if node.dead is None else ()
        letters = tuple(
            ProductLetter(_name(one.letter.instance), one.letter.letter.id, None if to is None else numbers[to])
            for one, to in ways
        )
        asleep = tuple(sorted((_name(one.instance), one.letter.id) for one in node.at.asleep))
        dead = None if node.dead is None else _name(node.dead.thread)
        nodes.append(ProductNode(label, letters, asleep, dead))
    instances = tuple(fixpoint.reduction.product.instances.items())
    meant = tuple((name, often) for name, often in most.items() if name in dict(instances))
    told = invariants(fixpoint.reduction.product, kept)
    return ReducedProduct(
        script(list(labels)),
        tuple(nodes),
        instances,
        order,
        goal=_name(goal),
        most=meant,
        dropped=tuple(sorted(dropped)),
        invariants=told,
    )


def _reached(root: LabelledPlace) -> list[LabelledPlace]:
    found, todo = {root: None}, [root]
    while todo:
        node = todo.pop()
        following = node.edges if node.dead is None else []
        for target in following:
            if target is not None and target not in found:
                found[target] = None
                todo.append(target)
    return list(found)


def _name(instance: Instance) -> tuple[str, int]:
    return instance.template, instance.number
