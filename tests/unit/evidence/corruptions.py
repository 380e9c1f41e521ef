"""Proofs made wrong, in ways that matter: what comes out is no proof, whatever a checker says.

The trees are of constants, as the toy engine makes them. Each way changes a node that executions reach (its edge is
*feasible*: bitwuzla, which the checker does not ask, has a model of the parent's label and the letter's guard), and
says why nothing valid can be left:

- weakened: a label forgets the value of a variable that an edge keeps, does not read, and the child's label names. So
  there is a state with another value there from which that edge leads out of the child's label.
- dropped: a node is gone with its subtree, though its edge is feasible. So a letter without an edge is possible.
- moved: a node hangs below another parent. So the same holds where it was.
- covered: a node is covered by one whose threads are elsewhere, or by one that is covered itself.
- claimed: a node is covered by one at the same places whose label gives another value to some variable.
- exchanged: two children of a node exchange their letters, where the first has a child by the same thread, whose letter
  does not begin where that thread now is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from threadproof.automaton import Instance, Letter, Places, program_automaton
from threadproof.core.proofs import LabelledTree, TreeNode
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.ir.program import Program
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.reading import read
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Sat
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms


class Tree:
    """A proof, read."""

    def __init__(self, program: Program, proof: LabelledTree) -> None:
        self.program, self.proof, self.nodes = program, proof, proof.nodes
        self.automaton = program_automaton(program)
        space = Space(Terms(), program, self.automaton, dict(proof.instances))
        self._encoder = Encoder(space)
        self.known = frozenset(space.known)  # what a label says of these is so anyway
        self.terms = space.terms
        self._context = Context(self.terms)
        self.labels = read(self.terms, proof.labels)
        self.places: list[Places] = [self.automaton.initial()]
        self.children: list[list[int]] = [[] for _ in self.nodes]
        self._letters = {letter.id: letter for letter in self.automaton.letters}
        for number, node in enumerate(self.nodes[1:], 1):
            assert node.parent is not None
            self.children[node.parent].append(number)
            self.places.append(self.automaton.after(self.places[node.parent], *self.edge(number)))

    def edge(self, number: int) -> tuple[Instance, Letter]:
        return Instance(*self.nodes[number].thread), self._letters[self.nodes[number].letter]

    def label(self, number: int) -> Term:
        return self.labels[self.nodes[number].label]

    def transition(self, number: int) -> Transition:
        """Of the edge that leads to the node."""
        parent = self.nodes[number].parent
        assert parent is not None
        starts = tuple(one for one, _ in self.places[number].threads[len(self.places[parent].threads) :])
        return self._encoder.transition(*self.edge(number), starts)

    def is_feasible(self, number: int) -> bool:
        parent = self.nodes[number].parent
        if parent is None:
            return True
        return isinstance(self._context.check([self.label(parent), self.transition(number).guard], 60.0), Sat)

    def with_nodes(self, changed: dict[int, TreeNode]) -> LabelledTree:
        nodes = tuple(changed.get(number, node) for number, node in enumerate(self.nodes))
        return replace(self.proof, nodes=nodes)

    def below(self, number: int) -> Iterator[int]:
        yield number
        for child in self.children[number]:
            yield from self.below(child)


Way = Callable[[Tree, Random], LabelledTree | None]
"""None: not possible at the node that was drawn."""


def _drawn(tree: Tree, rng: Random) -> int | None:
    """A node that is not the root, with a feasible edge."""
    if len(tree.nodes) < 2:
        return None
    number = rng.randrange(1, len(tree.nodes))
    return number if tree.is_feasible(number) else None


def weakened(tree: Tree, rng: Random) -> LabelledTree | None:
    child = _drawn(tree, rng)
    parent = None if child is None else tree.nodes[child].parent
    if child is None or parent is None or tree.nodes[parent].covered_by is not None:
        return None
    transition = tree.transition(child)
    kept = set(conjuncts(tree.label(parent))) & set(conjuncts(tree.label(child)))
    others = transition.reads | transition.writes | tree.known
    free = [one for one in kept if not set(variables([one])) & others]
    if not free:
        return None
    lost = min(free, key=lambda one: (rng.random(), one.id))
    label = tree.terms.all(one for one in conjuncts(tree.label(parent)) if one is not lost)
    labels = script([*tree.labels, label])
    return replace(tree.with_nodes({parent: replace(tree.nodes[parent], label=len(tree.labels))}), labels=labels)


def dropped(tree: Tree, rng: Random) -> LabelledTree | None:
    number = _drawn(tree, rng)
    if number is None or tree.nodes[tree.nodes[number].parent or 0].covered_by is not None:
        return None
    gone = set(tree.below(number))
    places = {old: new for new, old in enumerate(one for one in range(len(tree.nodes)) if one not in gone)}
    kept = [replace(tree.nodes[old], parent=places.get(tree.nodes[old].parent or 0)) for old in places]
    kept[0] = replace(kept[0], parent=None)
    kept = [one if one.covered_by is None else replace(one, covered_by=places.get(one.covered_by)) for one in kept]
    return replace(tree.proof, nodes=tuple(kept))


def moved(tree: Tree, rng: Random) -> LabelledTree | None:
    number = _drawn(tree, rng)
    if number is None or tree.nodes[tree.nodes[number].parent or 0].covered_by is not None:
        return None
    other = rng.randrange(number)
    if other == tree.nodes[number].parent:
        return None
    return tree.with_nodes({number: replace(tree.nodes[number], parent=other)})


def covered(tree: Tree, rng: Random) -> LabelledTree | None:
    number = _drawn(tree, rng)
    other = rng.randrange(len(tree.nodes))
    if number is None:
        return None
    elsewhere = dict(tree.places[number].threads) != dict(tree.places[other].threads)
    if not elsewhere and tree.nodes[other].covered_by is None and other != number:
        return None
    return tree.with_nodes({number: replace(tree.nodes[number], covered_by=other)})


def claimed(tree: Tree, rng: Random) -> LabelledTree | None:
    number = rng.randrange(len(tree.nodes))
    here = dict(tree.places[number].threads)
    others = [n for n, places in enumerate(tree.places) if dict(places.threads) == here and n != number]
    others = [n for n in others if tree.nodes[n].covered_by is None]
    others = [n for n in others if _differ(tree.label(n), tree.label(number))]
    if not others or not tree.is_feasible(number):
        return None
    return tree.with_nodes({number: replace(tree.nodes[number], covered_by=rng.choice(others))})


def _differ(label: Term, other: Term) -> bool:
    """Conjunctions of equations. What one says of a variable, the other says otherwise."""
    said, said_otherwise = (
        {variable: one for one in conjuncts(formula) for variable in variables([one])} for formula in (label, other)
    )
    return any(said[variable] is not one for variable, one in said_otherwise.items() if variable in said)


def exchanged(tree: Tree, rng: Random) -> LabelledTree | None:
    number = _drawn(tree, rng)
    if number is None:
        return None
    node, mover = tree.nodes[number], Instance(*tree.nodes[number].thread)
    siblings = [one for one in tree.children[node.parent or 0] if one != number]
    siblings = [one for one in siblings if tree.places[one].at(mover) != tree.places[number].at(mover)]
    if not siblings or all(tree.nodes[child].thread != mover for child in tree.children[number]):
        return None
    other = rng.choice(siblings)
    mine, theirs = (node.thread, node.letter), (tree.nodes[other].thread, tree.nodes[other].letter)
    return tree.with_nodes(
        {
            number: replace(node, thread=theirs[0], letter=theirs[1]),
            other: replace(tree.nodes[other], thread=mine[0], letter=mine[1]),
        }
    )


WAYS: tuple[Way, ...] = (weakened, dropped, moved, covered, claimed, exchanged)
TRIES = 60


def corrupted(tree: Tree, way: Way, rng: Random) -> LabelledTree | None:
    """None if the proof has no node where this can be done."""
    return next((found for _ in range(TRIES) if (found := way(tree, rng)) is not None), None)
