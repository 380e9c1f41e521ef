"""Checks a labelled tree: its nodes that are not covered, with their labels, are an inductive invariant without errors.

Paper: K. McMillan, Lazy Abstraction with Interpolants, CAV 2006 (well-labelled, complete unwindings).
Differs: trees are over letters of all threads; nothing is asked about the order in which nodes were covered, since what
is checked is the invariant: a state whose places and label are those of a node that is not covered is led by every step
into such a state again.
Invariants: nothing of the engine is used but the text of the proof (`labels.py`).

What must hold:
- the root is where the program begins, and its label holds there;
- each edge is a letter of a thread there, and leads from states with the label into states with the child's label;
- a covered node has the places of its coverer, which is not covered, and its label implies that one's;
- at every node that is not covered, under its label: a letter without an edge is impossible, no letter of any thread
  meets what violates the property or forbids `true`, and for their properties, no two threads race and not all wait;
- or the letter is one that a reduction leaves out there: see `skips.py`.

Formulas are held against the reference semantics by tests, and here by random runs (`label_runs.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.automaton import FillingLoops, Instance, Letter, Places, for_letters
from threadproof.automaton.store_buffers import with_store_buffers
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.questions import deadlock, race
from threadproof.evidence.proofs.labels import LabelChecks, WrongProof, described, outcome
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, ProofCheck
from threadproof.evidence.proofs.skips import apart, cannot_swap
from threadproof.ir.program import Program, Spurious
from threadproof.semantics.leaks import may_lose
from threadproof.semantics.violations import spurious_for
from threadproof.smt.solver import SolverName
from threadproof.smt.term import Term

BY_LABELS = (Property.UNREACH_CALL, Property.NO_OVERFLOW, Property.NO_DATA_RACE, Property.NO_DEADLOCK)
WITHOUT_HEAP = (Property.VALID_MEMSAFETY, Property.VALID_MEMCLEANUP)
"""A tree says nothing about blocks that are lost."""


def check_tree(
    program: Program,
    prop: Property,
    tree: LabelledTree,
    budget: Budget,
    model: MemoryModel = MemoryModel.SC,
    solver: SolverName = SolverName.Z3,
) -> ProofCheck:
    if model is not MemoryModel.SC and prop is not Property.UNREACH_CALL:
        return NotChecked(f"labelled trees are not checked for {prop} under {model}")
    if prop not in BY_LABELS and (prop not in WITHOUT_HEAP or may_lose(program, prop)):
        return NotChecked(f"labelled trees are not checked for {prop}")
    if prop is Property.NO_DEADLOCK and spurious_for(prop, program) is not Spurious.OFF:
        return NotChecked("deadlocks are looked for without spurious wake-ups")

    def check() -> ProofCheck:
        return _TreeChecker(tree, LabelChecks(_about(program, prop, tree, model), prop, tree, budget, solver)).check()

    return outcome(check)


def _about(program: Program, prop: Property, tree: LabelledTree, model: MemoryModel) -> Program:
    """The program whose letters the tree is about. With store buffers it forbids `true` where a buffer has more stores
    than slots."""
    if model is MemoryModel.SC:
        if tree.slots:
            raise WrongProof("it speaks of store buffers, which there are none of")
        return for_letters(program, prop)
    if tree.slots < 1:
        raise WrongProof("it says nothing about store buffers")
    return with_store_buffers(for_letters(program, prop, FillingLoops.KEPT), model, tree.slots).program


class _TreeChecker:
    def __init__(self, tree: LabelledTree, checks: LabelChecks) -> None:
        self._tree = tree
        self._checks = checks
        self._labels: list[Term] = []
        self._places: list[Places] = []
        self._children: list[dict[tuple[Instance, int], list[int]]] = [{} for _ in tree.nodes]
        self._edges: list[tuple[Instance, Letter] | None] = []  # that lead to each node
        self._skipped = {(one.node, Instance(*one.thread), one.letter) for one in tree.skipped}
        self._covers: dict[int, list[int]] = {}
        self._swaps: dict[tuple[Transition, Transition], Term] = {}
        for number, node in enumerate(tree.nodes):
            if node.covered_by is not None:
                self._covers.setdefault(node.covered_by, []).append(number)

    def check(self) -> ProofCheck:
        self._unfold()
        self._labels = self._checks.labels(list(self._transitions()))
        self._checks.check_first(self._labels[0])
        for number, node in enumerate(self._tree.nodes):
            self._checks.check_time()
            if node.covered_by is not None:
                self._check_covered(number, node.covered_by)
            self._check_steps(number)
            if node.covered_by is None:
                self._check_places(number)
        self._checks.check_runs(self)
        return Accepted({"nodes_checked": len(self._tree.nodes), "questions": self._checks.questions.asked})

    # --- for runs ----------------------------------------------------------------------------------------------------

    def label(self, node: int) -> Term:
        return self._labels[node]

    def places(self, node: int) -> Places:
        return self._places[node]

    def onward(self, node: int) -> int:
        cover = self._tree.nodes[node].covered_by
        return node if cover is None else cover

    def preferred(self, node: int) -> tuple[Instance, ...]:
        return ()

    def leaves_out(self, node: int, instance: Instance, letter: Letter) -> bool:
        return (node, instance, letter.id) in self._skipped

    def targets(self, node: int, instance: Instance, letter: Letter) -> list[int]:
        return self._children[node].get((instance, letter.id), [])[:1]  # the state has the labels of all

    # --- what is given -----------------------------------------------------------------------------------------------

    def _unfold(self) -> None:
        """Where all threads are at each node, and the children of each, by thread and letter."""
        if not self._tree.nodes or self._tree.nodes[0].parent is not None:
            raise WrongProof("there is no root")
        self._places, self._edges = [self._checks.automaton.initial()], [None]
        for number, node in enumerate(self._tree.nodes[1:], 1):
            if node.parent is None or not 0 <= node.parent < number:
                raise WrongProof(f"node {number} has no parent before it")
            instance, before = Instance(*node.thread), self._places[node.parent]
            letter = next(
                (a for one, a in self._checks.letters(before) if (one, a.id) == (instance, node.letter)), None
            )
            if letter is None:
                raise WrongProof(f"node {number}: {instance} has no letter {node.letter} at node {node.parent}")
            self._places.append(self._checks.automaton.after(before, instance, letter))
            self._edges.append((instance, letter))
            self._children[node.parent].setdefault((instance, node.letter), []).append(number)

    def _transitions(self) -> Iterator[Transition]:
        for number in range(len(self._tree.nodes)):
            for instance, letter, _ in self._steps(number):
                yield self._transition(number, instance, letter)

    def _transition(self, number: int, instance: Instance, letter: Letter) -> Transition:
        return self._checks.transition(number, self._places[number], instance, letter)

    # --- what must hold ----------------------------------------------------------------------------------------------

    def _check_covered(self, number: int, by: int) -> None:
        nodes = self._tree.nodes
        if not 0 <= by < len(nodes) or nodes[by].covered_by is not None:
            raise WrongProof(f"node {number} is covered by {by}, which is covered itself, or no node")
        if dict(self._places[number].threads) != dict(self._places[by].threads):
            raise WrongProof(f"node {number} is covered by {by}, where threads are elsewhere")
        where = f"node {number} is covered by {by}"
        self._checks.check_implied(self._labels[number], self._labels[by], where)

    def _steps(self, number: int) -> Iterator[tuple[Instance, Letter, list[int]]]:
        """The letters to look at, with the children they lead to: all, but at covered nodes only those with an edge."""
        covered = self._tree.nodes[number].covered_by is not None
        for instance, letter in self._checks.letters(self._places[number]):
            targets = self._children[number].get((instance, letter.id), [])
            if targets or not covered:
                yield instance, letter, targets

    def _check_steps(self, number: int) -> None:
        for instance, letter, targets in self._steps(number):
            if not targets and (number, instance, letter.id) in self._skipped:
                for one in (number, *self._covers.get(number, ())):
                    self._check_skip(one, instance, letter)
                continue
            transition, label = self._transition(number, instance, letter), self._labels[number]
            where = described(number, instance, letter)
            if self._tree.nodes[number].covered_by is None:
                self._checks.check_traps(label, letter, transition, where)
            if not targets:
                self._checks.check_impossible(label, transition, where)
            for target in targets:
                leads = f"{where} does not lead to the label of {target}"
                self._checks.check_triple(label, transition, self._labels[target], leads)

    def _check_skip(self, number: int, instance: Instance, letter: Letter) -> None:
        """The letter would come behind the one that leads to the node, and may as well come before it."""
        edge, parent = self._edges[number], self._tree.nodes[number].parent
        where = f"node {number}: letter {letter.id} of {instance} is left out,"
        if edge is None or parent is None:
            raise WrongProof(f"{where} but nothing comes before it")
        before, last = edge
        order = self._checks.space.instances.index
        if order(instance) >= order(before):
            raise WrongProof(f"{where} but {before} does not come after it")
        if all(one != instance for one, _ in self._places[parent].threads):
            raise WrongProof(f"{where} but it is started by the letter before")
        if last.forks and letter.forks:
            raise WrongProof(f"{where} but both letters start threads")
        first, second = self._transition(parent, before, last), self._transition(number, instance, letter)
        if self._checks.questions.possible(self._labels[parent], self._cannot_swap(first, second, letter)):
            raise WrongProof(f"{where} but does not commute with letter {last.id} of {before}")

    def _cannot_swap(self, first: Transition, second: Transition, letter: Letter) -> Term:
        """`letter` is that of the second."""
        if (first, second) not in self._swaps:
            traps = [trap for trap in second.traps if self._checks.forbids(letter, trap)]
            lost = self._checks.terms.false if apart(first, second) else cannot_swap(first, second, traps)
            self._swaps[first, second] = lost
        return self._swaps[first, second]

    def _check_places(self, number: int) -> None:
        """What is asked of several threads at once."""
        places, label, checks = self._places[number], self._labels[number], self._checks
        if checks.property is Property.NO_DEADLOCK:
            if checks.questions.possible(label, deadlock(checks.encoder, places)):
                raise WrongProof(f"node {number}: all threads may wait for ever")
        elif checks.property is Property.NO_DATA_RACE:
            letters = list(checks.letters(places))
            found = [checks.encoder.accesses(i, one, checks.automaton.starts(places, one)) for i, one in letters]
            for index, (instance, _) in enumerate(letters):
                for earlier, (other, _) in enumerate(letters[:index]):
                    if other == instance:
                        continue
                    if checks.questions.possible(label, race(checks.terms, found[index], found[earlier])):
                        raise WrongProof(f"node {number}: {instance} and {other} may race")
