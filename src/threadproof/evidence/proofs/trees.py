"""Checks a labelled tree: its nodes that are not covered, with their labels, are an inductive invariant without errors.

Paper: K. McMillan, Lazy Abstraction with Interpolants, CAV 2006 (well-labelled, complete unwindings).
Differs: trees are over letters of all threads; nothing is asked about the order in which nodes were covered, since what
is checked is the invariant: a state whose places and label are those of a node that is not covered is led by every step
into such a state again.
Invariants: nothing of the engine is used but the text of the proof. The automaton, the variables and the transitions
are made anew from the program, labels are read from text, and z3 answers (engines ask bitwuzla).

What must hold:
- the root is where the program begins, and its label holds there;
- each edge is a letter of a thread there, and leads from states with the label into states with the child's label;
- a covered node has the places of its coverer, which is not covered, and its label implies that one's;
- at every node that is not covered, under its label: a letter without an edge is impossible, no letter of any thread
  meets what violates the property or forbids `true`, and for their properties, no two threads race and not all wait;
- or the letter is one that a reduction leaves out there: see `skips.py`.

Formulas are held against the reference semantics by tests, and here by random runs (`tree_runs`).
"""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.automaton import CannotUnfold, Instance, Letter, Places, for_letters, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import LabelledTree
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space, Transition, TransitionTrap
from threadproof.encoding.transitions.questions import TrapRole, deadlock, race, role
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, ProofCheck, Rejected
from threadproof.evidence.proofs.questions import NotAnswered, ProofQuestions
from threadproof.evidence.proofs.skips import apart, cannot_swap
from threadproof.evidence.proofs.tree_runs import TreeRuns
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.program import Program, Spurious
from threadproof.semantics.leaks import allocates
from threadproof.semantics.violations import spurious_for, sub_property
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.solver import SolverName
from threadproof.smt.term import BOOL, Term, variables
from threadproof.smt.terms import Terms

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
    if model is not MemoryModel.SC:
        return NotChecked(f"labelled trees are about sequential consistency, not {model}")
    if prop not in BY_LABELS and (prop not in WITHOUT_HEAP or allocates(program)):
        return NotChecked(f"labelled trees are not checked for {prop}")
    if prop is Property.NO_DEADLOCK and spurious_for(prop, program) is not Spurious.OFF:
        return NotChecked("deadlocks are looked for without spurious wake-ups")
    try:
        return _TreeChecker(program, prop, tree, budget, solver).check()
    except _Wrong as wrong:
        return Rejected(str(wrong))
    except (CannotUnfold, CannotEncode, NotAnswered) as why:
        return NotChecked(str(why))


class _Wrong(Exception):
    """The tree is no proof."""


class _TreeChecker:
    def __init__(
        self, program: Program, prop: Property, tree: LabelledTree, budget: Budget, solver: SolverName
    ) -> None:
        self._tree = tree
        self._property = prop
        self._budget = budget
        program = for_letters(program, prop)
        self._automaton = program_automaton(program)
        self._terms = Terms()
        self._space = Space(self._terms, program, self._automaton, dict(tree.instances))
        self._encoder = Encoder(self._space, spurious_for(prop, program))
        self._questions = ProofQuestions(self._terms, self._space.facts(), solver, budget)
        self._initial = self._space.initial()
        self._labels: list[Term] = []
        self._places: list[Places] = []
        self._children: list[dict[tuple[Instance, int], list[int]]] = [{} for _ in tree.nodes]
        self._edges: list[tuple[Instance, Letter] | None] = []  # that lead to each node
        self._skipped = {(one.node, Instance(*one.thread), one.letter) for one in tree.skipped}
        self._covers: dict[int, list[int]] = {}
        for number, node in enumerate(tree.nodes):
            if node.covered_by is not None:
                self._covers.setdefault(node.covered_by, []).append(number)
        self._variables: dict[Term, frozenset[Term]] = {}  # of conjuncts

    def check(self) -> ProofCheck:
        self._unfold()
        inputs = self._encode()
        self._labels = self._read(inputs)
        self._check_root()
        for number, node in enumerate(self._tree.nodes):
            limit = self._budget.exhausted()
            if limit is not None:
                raise NotAnswered(f"the check of the proof was not over: {limit}")
            if node.covered_by is not None:
                self._check_covered(number, node.covered_by)
            self._check_steps(number)
            if node.covered_by is None:
                self._check_places(number)
        self._check_runs()
        return Accepted({"nodes_checked": len(self._tree.nodes), "questions": self._questions.asked})

    # --- what is given -----------------------------------------------------------------------------------------------

    def _encode(self) -> set[Term]:
        """All transitions that are asked for, before labels are read: so variables have the sorts of the state. Returns
        their inputs."""
        found: set[Term] = set()
        for number in range(len(self._tree.nodes)):
            for instance, letter, _ in self._steps(number):
                found.update(one.term for one in self._transition(number, instance, letter).inputs)
        return found

    def _read(self, inputs: set[Term]) -> list[Term]:
        """Labels are about the state: an input is another one in each step that asks for it. Known handles are numbers
        here, too, whatever the engine knew."""
        try:
            labels = read(self._terms, self._tree.labels)
        except (InputError, InternalError) as error:  # also a variable of another sort
            raise _Wrong(f"the labels cannot be read: {error}") from None
        if any(label.sort is not BOOL for label in labels):
            raise _Wrong("a label is no condition")
        if not inputs.isdisjoint(variables(labels)):
            raise _Wrong("a label speaks of an input, not of the state")
        return self._terms.substitute(labels, self._space.known)

    def _label(self, number: int) -> Term:
        label = self._tree.nodes[number].label
        if not 0 <= label < len(self._labels):
            raise _Wrong(f"node {number} has no label")
        return self._labels[label]

    def _unfold(self) -> None:
        """Where all threads are at each node, and the children of each, by thread and letter."""
        if not self._tree.nodes or self._tree.nodes[0].parent is not None:
            raise _Wrong("there is no root")
        self._places, self._edges = [self._automaton.initial()], [None]
        for number, node in enumerate(self._tree.nodes[1:], 1):
            if node.parent is None or not 0 <= node.parent < number:
                raise _Wrong(f"node {number} has no parent before it")
            instance, before = Instance(*node.thread), self._places[node.parent]
            letter = next((le for one, le in self._letters(before) if (one, le.id) == (instance, node.letter)), None)
            if letter is None:
                raise _Wrong(f"node {number}: {instance} has no letter {node.letter} at node {node.parent}")
            self._places.append(self._automaton.after(before, instance, letter))
            self._edges.append((instance, letter))
            self._children[node.parent].setdefault((instance, node.letter), []).append(number)

    def _letters(self, places: Places) -> Iterator[tuple[Instance, Letter]]:
        """While a thread is inside an atomic block, all others wait."""
        owner = places.owner
        return ((i, letter) for i, letter in self._automaton.letters_from(places) if owner is None or i == owner)

    # --- what must hold ----------------------------------------------------------------------------------------------

    def _check_root(self) -> None:
        known = self._space.known
        initial = [self._terms.eq(v, value) for v, value in self._initial.items() if v not in known]
        if self._questions.possible(self._terms.all(initial), self._terms.not_(self._label(0))):
            raise _Wrong("the label of the root does not hold at first")

    def _check_covered(self, number: int, by: int) -> None:
        nodes = self._tree.nodes
        if not 0 <= by < len(nodes) or nodes[by].covered_by is not None:
            raise _Wrong(f"node {number} is covered by {by}, which is covered itself, or no node")
        if dict(self._places[number].threads) != dict(self._places[by].threads):
            raise _Wrong(f"node {number} is covered by {by}, where threads are elsewhere")
        said = set(conjuncts(self._label(number)))
        more = [one for one in conjuncts(self._label(by)) if one not in said]
        if self._questions.possible(self._label(number), self._terms.not_(self._terms.all(more))):
            raise _Wrong(f"node {number} is covered by {by}, whose label it does not imply")

    def _steps(self, number: int) -> Iterator[tuple[Instance, Letter, list[int]]]:
        """The letters to look at, with the children they lead to: all, but at covered nodes only those with an edge."""
        covered = self._tree.nodes[number].covered_by is not None
        for instance, letter in self._letters(self._places[number]):
            targets = self._children[number].get((instance, letter.id), [])
            if targets or not covered:
                yield instance, letter, targets

    def _check_steps(self, number: int) -> None:
        for instance, letter, targets in self._steps(number):
            if not targets and (number, instance, letter.id) in self._skipped:
                for one in (number, *self._covers.get(number, ())):
                    self._check_skip(one, instance, letter)
                continue
            transition = self._transition(number, instance, letter)
            where = f"node {number}: {instance} at {letter.steps[0].instr.loc} (letter {letter.id})"
            if self._tree.nodes[number].covered_by is None:
                self._check_traps(number, letter, transition, where)
            if not targets and self._questions.possible(self._label(number), transition.guard):
                raise _Wrong(f"{where} is possible, but no edge")
            for target in targets:
                self._check_triple(number, transition, target, where)

    def _check_triple(self, number: int, transition: Transition, target: int, where: str) -> None:
        """What the label says already, and the letter does not write, need not be asked."""
        said = set(conjuncts(self._label(number)))
        new = [one for one in conjuncts(self._label(target)) if one not in said or self._writes(transition, one)]
        post = self._terms.all(transition.after(new))
        if self._questions.possible(self._label(number), self._terms.and_(transition.guard, self._terms.not_(post))):
            raise _Wrong(f"{where} does not lead to the label of {target}")

    def _writes(self, transition: Transition, formula: Term) -> bool:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return not self._variables[formula].isdisjoint(transition.updates)

    def _check_traps(self, number: int, letter: Letter, transition: Transition, where: str) -> None:
        traps = [trap for trap in transition.traps if self._forbids(letter, trap)]
        if traps and self._questions.possible(self._label(number), self._terms.any(trap.condition for trap in traps)):
            what = ", ".join(dict.fromkeys(_shown(trap) for trap in traps))
            raise _Wrong(f"{where} may go wrong ({what})")

    def _check_skip(self, number: int, instance: Instance, letter: Letter) -> None:
        """The letter would come behind the one that leads to the node, and may as well come before it."""
        edge, parent = self._edges[number], self._tree.nodes[number].parent
        where = f"node {number}: letter {letter.id} of {instance} is left out,"
        if edge is None or parent is None:
            raise _Wrong(f"{where} but nothing comes before it")
        before, last = edge
        order = self._space.instances.index
        if order(instance) >= order(before):
            raise _Wrong(f"{where} but {before} does not come after it")
        if all(one != instance for one, _ in self._places[parent].threads):
            raise _Wrong(f"{where} but it is started by the letter before")
        if last.forks and letter.forks:
            raise _Wrong(f"{where} but both letters start threads")
        first, second = self._transition(parent, before, last), self._transition(number, instance, letter)
        if apart(first, second):
            return
        traps = [trap for trap in second.traps if self._forbids(letter, trap)]
        if self._questions.possible(self._label(parent), cannot_swap(first, second, traps)):
            raise _Wrong(f"{where} but does not commute with letter {last.id} of {before}")

    def _forbids(self, letter: Letter, trap: TransitionTrap) -> bool:
        """Whether `true` cannot be said if this happens. Errors that the property does not ask about end the run."""
        if role(self._property, trap.what) is TrapRole.ENDS:
            return False
        if not isinstance(trap.what, UndefinedKind) or self._property is Property.VALID_MEMSAFETY:
            return True
        assumed = str(letter.steps[trap.step].instr.loc) in self._tree.unproved
        return not (assumed and sub_property(trap.what))

    def _check_places(self, number: int) -> None:
        """What is asked of several threads at once."""
        places = self._places[number]
        if self._property is Property.NO_DEADLOCK:
            if self._questions.possible(self._label(number), deadlock(self._encoder, places)):
                raise _Wrong(f"node {number}: all threads may wait for ever")
        elif self._property is Property.NO_DATA_RACE:
            letters = list(self._letters(places))
            found = [self._encoder.accesses(i, one, self._automaton.starts(places, one)) for i, one in letters]
            for index, (instance, _) in enumerate(letters):
                for earlier, (other, _) in enumerate(letters[:index]):
                    races = self._terms.false if other == instance else race(self._terms, found[index], found[earlier])
                    if self._questions.possible(self._label(number), races):
                        raise _Wrong(f"node {number}: {instance} and {other} may race")

    def _check_runs(self) -> None:
        runs = TreeRuns(self._tree, self._encoder, self._places, self._children, self._labels)
        found = runs.contradiction(spurious_for(self._property, self._space.program), self._budget)
        if found is not None:
            raise _Wrong(f"a run of the reference semantics contradicts it: {found}")

    def _transition(self, number: int, instance: Instance, letter: Letter) -> Transition:
        starts = self._automaton.starts(self._places[number], letter)
        beyond = next((one for one in starts if one not in self._space.threads), None)
        if beyond is not None:
            raise _Wrong(f"node {number}: {instance} starts {beyond}, which the proof does not speak of")
        return self._encoder.transition(instance, letter, starts)


def _shown(trap: TransitionTrap) -> str:
    return str(trap.what.value) if isinstance(trap.what, ErrorKind | UndefinedKind) else trap.what.reason
