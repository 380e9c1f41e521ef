"""Trees of `impact` with one change: a conjunct lost, a subtree dropped, a covering added, a letter left out.

Other than those of `tests/unit/evidence/corruptions.py` they may still be proofs: a label may say more than is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from threadproof.core.proofs import LabelledTree, SkippedLetter, TreeNode
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.terms import Terms

Way = Callable[[LabelledTree, Random], LabelledTree | None]
"""None: nothing that was drawn can be changed so."""


def weakened(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    number = rng.randrange(len(tree.nodes))
    terms = Terms()
    labels = read(terms, tree.labels)
    parts = list(conjuncts(labels[tree.nodes[number].label]))
    used = any(number in (node.parent, node.covered_by) for node in tree.nodes)
    if not used or len(parts) < 2:  # the label of an end is nobody's
        return None
    parts.pop(rng.randrange(len(parts)))
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], label=len(labels))
    return replace(tree, labels=script([*labels, terms.all(parts)]), nodes=tuple(nodes))


def forgotten(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    """A label that says nothing."""
    number = rng.randrange(len(tree.nodes))
    if not any(number in (node.parent, node.covered_by) for node in tree.nodes):
        return None
    terms = Terms()
    labels = read(terms, tree.labels)
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], label=len(labels))
    return replace(tree, labels=script([*labels, terms.true]), nodes=tuple(nodes))


def dropped(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    return _without(tree, rng.randrange(1, len(tree.nodes)))


def covered(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    """Mostly by a node that the same letter leads to: other places are seen at a glance."""
    number = rng.randrange(1, len(tree.nodes))
    node = tree.nodes[number]
    open_nodes = [n for n, one in enumerate(tree.nodes) if one.covered_by is None and n != number]
    alike = [n for n in open_nodes if (tree.nodes[n].thread, tree.nodes[n].letter) == (node.thread, node.letter)]
    if node.covered_by is not None or any(one.covered_by == number for one in tree.nodes):
        return None
    by = rng.choice(alike if alike and rng.random() < 0.8 else open_nodes)
    nodes = list(tree.nodes)
    nodes[number] = replace(node, covered_by=by)
    return replace(tree, nodes=tuple(nodes))


def left_out(tree: LabelledTree, rng: Random) -> LabelledTree | None:
    """An edge and what is below it is gone, and said to be needless."""
    number = rng.randrange(1, len(tree.nodes))
    node = tree.nodes[number]
    less = _without(tree, number)
    if less is None or node.parent is None:
        return None
    return replace(less, skipped=(*less.skipped, SkippedLetter(node.parent, node.thread, node.letter)))


def _without(tree: LabelledTree, number: int) -> LabelledTree | None:
    """Without a subtree, unless something outside is covered by a node of it."""
    gone = {number}
    for child, node in enumerate(tree.nodes):
        if node.parent in gone:
            gone.add(child)
    if any(node.covered_by in gone for n, node in enumerate(tree.nodes) if n not in gone):
        return None
    places = {old: new for new, old in enumerate(n for n in range(len(tree.nodes)) if n not in gone)}
    nodes = tuple(_moved(tree.nodes[old], places) for old in places)
    skipped = tuple(replace(one, node=places[one.node]) for one in tree.skipped if one.node in places)
    return replace(tree, nodes=nodes, skipped=skipped)


def _moved(node: TreeNode, places: dict[int, int]) -> TreeNode:
    parent = None if node.parent is None else places[node.parent]
    return replace(node, parent=parent, covered_by=None if node.covered_by is None else places[node.covered_by])


WAYS: tuple[Way, ...] = (weakened, forgotten, dropped, covered, left_out)
