"""The complete tree as a proof: nodes that are not below covered ones, their labels, covers and letters left out.

With a preference order it is a reduced product: an edge to a covered node is one to its coverer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from threadproof.abstraction.dead_ends import threads_inside
from threadproof.abstraction.product_proof import KeptNode, product_proof, reached
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import Instance, Places
from threadproof.core.proofs import LabelledTree, ReducedProduct, SkippedLetter, TreeNode
from threadproof.engines.impact.ordered import OrderedPaths
from threadproof.engines.impact.tree import AbstractNode, AbstractTree
from threadproof.smt.smtlib import script
from threadproof.smt.term import Term

ROOT = Instance("", 0)


def proof_of(
    product: ThreadProduct, tree: AbstractTree, skips: Callable[[AbstractNode, ThreadAction], bool]
) -> LabelledTree:
    """What follows from the places of the threads is said in every label: the checker does not know it."""
    kept = [node for node in tree.nodes if node.parent is None or not node.parent.covered]
    numbers = {node: number for number, node in enumerate(kept)}
    labels: dict[Term, int] = {}
    nodes: list[TreeNode] = []
    skipped: list[SkippedLetter] = []
    for node in kept:
        label = labels.setdefault(product.terms.all((*_known(product, node.places), *node.label)), len(labels))
        parent = None if node.parent is None else numbers[node.parent]
        thread, letter = (ROOT, 0) if node.action is None else (node.action.instance, node.action.letter.id)
        by = None if node.covered_by is None else numbers[node.covered_by]
        nodes.append(TreeNode(label, parent, (thread.template, thread.number), letter, by))
        if by is None:
            skipped += [
                SkippedLetter(numbers[node], (action.instance.template, action.instance.number), action.letter.id)
                for action in product.actions(node.places)
                if action.key not in node.tried and skips(node, action)
            ]
    return LabelledTree(script(list(labels)), tuple(nodes), tuple(product.instances.items()), tuple(skipped))


def product_of(
    product: ThreadProduct, tree: AbstractTree, ordered: OrderedPaths, order: str, dropped: Iterable[str] = ()
) -> ReducedProduct:
    """`dropped`: lines with assumptions that the tree does without."""
    kept = reached(tree.root, lambda node: map(_onward, node.children))
    numbers = {node: number for number, node in enumerate(kept)}
    nodes = (_kept(product, ordered, node, numbers) for node in kept)
    return product_proof(product, nodes, ordered.goal.thread, order, product.most, dropped)


def _kept(
    product: ThreadProduct, ordered: OrderedPaths, node: AbstractNode, numbers: dict[AbstractNode, int]
) -> KeptNode:
    targets = {child.action.key: (numbers[_onward(child)],) for child in node.children if child.action is not None}
    dead = ordered.dead_end(node)
    known = [*_known(product, node.places), *(product.terms.eq(v, x) for v, x in (dead.knowing if dead else ()))]
    ways = [(one.letter, targets.get(one.action.key, ())) for one in ordered.letters(node)]
    label = product.terms.all((*dict.fromkeys(known), *node.label))
    return KeptNode(label, ways, ordered.asleep(node), threads_inside(dead))


def _onward(node: AbstractNode) -> AbstractNode:
    return node if node.covered_by is None else node.covered_by


def _known(product: ThreadProduct, places: Places) -> list[Term]:
    terms = product.terms
    return [terms.eq(variable, value) for variable, value in product.known(places).items()]
