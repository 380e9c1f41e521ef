"""Checks a reduced product: every error of the program would be one of its own, and its labels exclude them.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022
(sleep sets under a preference order that depends on the state, commutativity under assertions).
Differs: the product is given, with the sleep set and the order of the letters at every node, and nothing is asked about
where they come from. Swaps are asked in one direction, under the label of the node where they happen; traps count.
Invariants: as in `labels.py`. To a label is added what follows from where the threads stand (`_standing`); that is part
of the label, so it is proved with it.

What must hold (a letter is always meant with its thread; to go wrong is to meet what forbids `true`, or to start more
threads than there are meant to be, in the thread that the product is about):
1. Node 0 has the places where the program begins; its label holds there, and nothing is asleep. Along every edge into
   a node the threads come to the same places.
2. At every node, every letter that a thread there can make is one of `letters`, or asleep, or futile
   (`encoding/transitions/futile.py`), or of another thread than the product is about and starts too many; or the node
   has a membrane to which its thread does not belong. No letter is two of the first, or twice one of them. So the graph
   is deterministic: of several targets of a letter, the first is meant whose label the state behind it has.
3. A letter with targets leads from the node's label to one of theirs. One without is impossible under the label.
   Neither can go wrong.
4. If b is asleep at the end of an edge n -a-> n': b is a letter of another thread than a, which is there at n already;
   not both start threads; b is asleep at n, or stands before a in the letters of n; and from states with the label of
   n, what a;b can do, b;a can do as well: for the same inputs it leads to the same state, and if b goes wrong behind a,
   then b goes wrong at once, or a goes wrong behind b.
5. A membrane is some threads, T, that are there and have not finished. As long as none of T moves, no letter of the
   others goes wrong, and for every letter x that they may make before, and every b at which one of T stands and that is
   not futile: not both start threads, and what x;b can do, b;x can do as well (`membranes.py`).
6. There is a product for every thread in which something may go wrong, unless labels of single threads show that
   nothing does as long as nothing has gone wrong before (`modular.py`). To start too many, no such labels exclude.

Why there is no error then. An error execution is a sequence of letters a1 ... ak that can be made from an initial
state, none of which ends the program, and a letter a(k+1) that goes wrong behind them, in a thread that a product is
about. Suppose there is one. Take one with the least k in all these threads, and the product that is about the thread of
a(k+1). No letter before that goes wrong, since it is made, and none starts too many, or there was a shorter one. Of
those with this k that go wrong in this thread, take one whose sequence of k+1 ranks is least in lexicographic order.
The rank of a letter: if the letters before it, with the states between them, are a walk in the graph, which then ends
at one node, its place in `letters` there, or infinity if it is none of them; without such a walk 0. So executions that
begin with the same letters and states begin with the same ranks, and ranks are among finitely many: there is a least
sequence.

It has no futile letter, or there was a shorter one. Walk it in the graph; by 1 and 3, the states on the way have the
labels of the nodes. By 3, the last letter does not go wrong where it is one of `letters`, and no letter of the
execution is one without a target. So the walk comes to a node where the next letter b (perhaps the last) is none of
`letters`; by 2, it is asleep, or there is a membrane without its thread.

If b is asleep: nothing is asleep at node 0, so by 4 the walk has a last node m at which b is not asleep, and there it
stands before the letter c1 that the walk makes. Let c1 ... cj be the letters made from m on. All that time b's thread
is there and does not move.
- If b can be made: by 4, at the nodes from the last back to m, cj b can be replaced by b cj, then c(j-1) b by b c(j-1),
  and so on, each time from the state that the walk has there. So c1 ... cj b may be replaced by b c1 ... cj: the same
  state, the same length, the same places (threads that are started get the same numbers, since no two letters that are
  exchanged start some). The rest follows and goes wrong as before.
- If b goes wrong: by 4, it goes wrong before cj, in a shorter error execution, against the choice of k; or it can be
  made there and cj goes wrong behind it. Then b moves on to m as above, before c1 ... c(j-1), and the last letter is
  cj.
Either way there is an error execution of the same length with the same letters and states up to m, and b there in the
place of c1.
Its ranks are the same before m and less at m, against the choice.

If there is a membrane, T: by 5, the execution has a letter of T from there on, or it could not go wrong. Let b be the
first, and x1 ... xi the letters before it, of which x1 is none of `letters`. By 5, they can be exchanged as above, so
that b is made at this node: it is not futile and does not start too many unless it goes wrong, so by 2 it is one of
`letters` there, or asleep. In the first case the rank there was infinite and is not any more, and those before it are
the same. In the second case go on as above: the rank at m gets less. A membrane all of whose letters are asleep is a
dead end: only the second case is left.

Which threads are in the membrane has nothing to do with the order of preference, as far as errors are concerned: a
letter that a membrane leaves out stands nowhere in `letters`, so by 4 it does not sleep behind those that are made.

With `kept`, all this is about letters that know fewer variables. An error execution of the program is one of theirs,
with the same letters: each finds what it reads among its inputs.

So nothing goes wrong in a thread that a product is about. What went wrong first would do so in a thread that is shown
by labels of single threads; behind letters that all went right, that is excluded. These labels are about the program
with all its assumptions, products perhaps about one without: it can do more.

Nothing of this asks whether b could be made at the nodes between: an atomic block may be there. Nor whether the walk
goes in circles: k is finite.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from threadproof.automaton import End, Instance, Letter, Places, for_letters
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import ProductLetter, ReducedProduct, ReducedProducts
from threadproof.core.property import Property
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.encoding.transitions.futile import futile_letters
from threadproof.encoding.transitions.space import ORDINAL_BITS
from threadproof.evidence.proofs.labels import LabelChecks, WrongProof, described, outcome
from threadproof.evidence.proofs.membranes import MembraneChecks
from threadproof.evidence.proofs.modular import check_modular
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, ProofCheck
from threadproof.evidence.proofs.skips import apart, cannot_swap
from threadproof.ir.program import Program
from threadproof.semantics.leaks import may_lose
from threadproof.smt.conjunctions import flat
from threadproof.smt.solver import SolverName
from threadproof.smt.term import Term

ERRORS = (Property.UNREACH_CALL, Property.NO_OVERFLOW)
WITHOUT_HEAP = (Property.VALID_MEMSAFETY, Property.VALID_MEMCLEANUP)
"""A product says nothing about blocks that are lost."""


def check_product(
    program: Program,
    prop: Property,
    proof: ReducedProduct | ReducedProducts,
    budget: Budget,
    model: MemoryModel = MemoryModel.SC,
    solver: SolverName = SolverName.Z3,
) -> ProofCheck:
    if model is not MemoryModel.SC:
        return NotChecked(f"reduced products are about sequential consistency, not {model}")
    if prop not in ERRORS and (prop not in WITHOUT_HEAP or may_lose(program, prop)):
        return NotChecked(f"reduced products are not checked for {prop}")
    alone = proof.alone if isinstance(proof, ReducedProducts) else None
    if alone is not None:
        checked = check_modular(program, prop, alone.proof, budget, model, solver, alone.templates)
        if not isinstance(checked, Accepted):
            return checked
    letters = for_letters(program, prop, dropped=frozenset(proof.dropped))
    return outcome(lambda: _checked(letters, prop, proof, budget, solver))


def _checked(
    program: Program, prop: Property, proof: ReducedProduct | ReducedProducts, budget: Budget, solver: SolverName
) -> ProofCheck:
    parts = proof.parts if isinstance(proof, ReducedProducts) else (proof,)
    alone = proof.alone if isinstance(proof, ReducedProducts) else None
    if len({(one.instances, one.most, one.unproved, one.dropped, one.kept) for one in parts}) != 1:
        raise WrongProof("the products are not about the same threads, or do not assume the same")
    nodes, questions = 0, 0
    for part in parts:
        checker = _ProductChecker(part, LabelChecks(program, prop, part, budget, solver))
        goals = [Instance(*one.goal) for one in parts if one.goal is not None]
        checker.check(goals, () if alone is None else alone.templates)
        nodes, questions = nodes + len(part.nodes), questions + checker.questions
    return Accepted({"nodes_checked": nodes, "questions": questions})


class _ProductChecker:
    def __init__(self, product: ReducedProduct, checks: LabelChecks) -> None:
        self._checks = checks
        self._nodes = product.nodes
        self._goal = None if product.goal is None else Instance(*product.goal)
        letters = AllLetters(checks.encoder, dict(product.most))
        self._all = letters if product.kept is None else checks.keep_only(product.kept, letters)
        self._futile = futile_letters(self._all, self._may_go_wrong)
        self._membranes = MembraneChecks(self._all, self._futile, checks.questions, self._wrong, self._swap)
        self._letters = {letter.id: letter for letter in checks.automaton.letters}
        self._places: list[Places] = []
        self._labels: list[Term] = []
        self._targets: list[dict[LetterKey, tuple[int, ...]]] = []  # of the letters of each node, in their order
        self._asleep: list[frozenset[LetterKey]] = []
        self._swaps: dict[tuple[Transition, Transition], Term] = {}

    @property
    def questions(self) -> int:
        return self._checks.questions.asked

    def check(self, goals: Sequence[Instance], alone: Collection[str]) -> None:
        """`goals` are the threads that products are about; none: this one is about all. Of templates in `alone` it was
        checked that nothing goes wrong in their threads."""
        self._check_goals(goals, alone)
        if not self._nodes:
            raise WrongProof("there is no node")
        for number, node in enumerate(self._nodes):
            self._targets.append({_made(one): one.targets for one in node.letters})
            self._asleep.append(frozenset((Instance(*thread), letter) for thread, letter in node.asleep))
            given = len(self._targets[number]) + len(self._asleep[number])
            if len(node.letters) + len(node.asleep) != given or not self._asleep[number].isdisjoint(
                self._targets[number]
            ):
                raise WrongProof(f"node {number} has a letter twice")
        if self._asleep[0]:
            raise WrongProof("something is asleep at the first node")
        self._unfold()
        for number in range(len(self._nodes)):
            self._check_letters(number)
        every = [one for several in self._all.transitions.values() for one in several]
        labels = self._checks.labels([*every, *self._made_there()])
        self._labels = [self._standing(places, label) for places, label in zip(self._places, labels, strict=True)]
        self._checks.check_first(self._labels[0])
        for number in range(len(self._nodes)):
            self._checks.check_time()
            self._check_steps(number)
        self._checks.check_runs(self)

    def _check_goals(self, goals: Sequence[Instance], alone: Collection[str]) -> None:
        strange = next((one for one in goals if one not in self._all.instances), None)
        if strange is not None:
            raise WrongProof(f"there is no thread {strange}")
        if self._goal is None:
            return
        rest = (key for key in self._all.letters if key[0] not in goals and not self._is_shown(key, alone))
        forgotten = next(filter(self._goes_wrong, rest), None)
        if forgotten is not None:
            raise WrongProof(f"no product is about {forgotten[0]}, where letter {forgotten[1]} may go wrong")

    def _is_shown(self, key: LetterKey, alone: Collection[str]) -> bool:
        """Labels of single threads say nothing about how many threads products have."""
        return key[0].template in alone and not self._all.may_start_too_many(key)

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def _may_go_wrong(self, key: LetterKey) -> bool:
        return self._goal in (None, key[0]) and self._goes_wrong(key)

    def _goes_wrong(self, key: LetterKey) -> bool:
        """In any product."""
        several = self._all.transitions[key]
        return self._all.may_start_too_many(key) or any(self._traps(key, transition) for transition in several)

    def _traps(self, key: LetterKey, transition: Transition) -> list[TransitionTrap]:
        letter = self._all.letters[key]
        return [trap for trap in transition.traps if self._checks.forbids(letter, trap)]

    def _wrong(self, key: LetterKey) -> Term:
        """When the letter goes wrong, or starts too many."""
        terms, several = self._checks.terms, self._all.transitions[key]
        if not self._may_go_wrong(key):
            return terms.false
        wrong = [trap.condition for transition in several for trap in self._traps(key, transition)]
        if self._all.may_start_too_many(key):
            wrong += [transition.guard for transition in several] or [terms.true]
        return terms.any(wrong)

    def _starts_too_many(self, number: int, key: LetterKey) -> bool:
        starts = self._checks.automaton.starts(self._places[number], self._letters[key[1]])
        return any(map(self._all.is_too_many, starts))

    # --- for runs ----------------------------------------------------------------------------------------------------

    def label(self, node: int) -> Term:
        return self._labels[node]

    def places(self, node: int) -> Places:
        return self._places[node]

    def onward(self, node: int) -> int:
        return node

    def preferred(self, node: int) -> list[Instance]:
        return [instance for instance, _ in self._targets[node]]

    def leaves_out(self, node: int, instance: Instance, letter: Letter) -> bool:
        made = (instance, letter.id)
        if made in self._targets[node]:
            return False
        return made in self._asleep[node] or self._is_left_out(node, made)

    def targets(self, node: int, instance: Instance, letter: Letter) -> tuple[int, ...]:
        return self._targets[node].get((instance, letter.id), ())

    # --- what is given -----------------------------------------------------------------------------------------------

    def _unfold(self) -> None:
        """Where all threads are at each node."""
        found: dict[int, Places] = {0: self._checks.automaton.initial()}
        todo = [0]
        while todo:
            number = todo.pop()
            there = {(instance, letter.id) for instance, letter in self._checks.letters(found[number])}
            for made in self._targets[number]:
                if made not in there:
                    raise WrongProof(f"node {number}: {made[0]} has no letter {made[1]}")
            for made, target in ((made, one) for made, several in self._targets[number].items() for one in several):
                if not 0 <= target < len(self._nodes):
                    raise WrongProof(f"node {number}: there is no node {target}")
                after = self._checks.automaton.after(found[number], made[0], self._letters[made[1]])
                if target not in found:
                    found[target] = after
                    todo.append(target)
                elif dict(found[target].threads) != dict(after.threads):
                    raise WrongProof(
                        f"node {number}: letter {made[1]} of {made[0]} leads elsewhere than to node {target}"
                    )
        unreached = next((number for number in range(len(self._nodes)) if number not in found), None)
        if unreached is not None:
            raise WrongProof(f"node {unreached} cannot be reached")
        self._places = [found[number] for number in range(len(self._nodes))]

    def _check_letters(self, number: int) -> None:
        """Each is there, and none is forgotten."""
        there = {
            (instance, letter.id) for instance, letter in self._checks.automaton.letters_from(self._places[number])
        }
        strange = next((made for made in self._asleep[number] if made not in there), None)
        if strange is not None:
            raise WrongProof(f"node {number}: {strange[0]} has no letter {strange[1]}, which is asleep")
        for instance, letter in self._checks.letters(self._places[number]):
            made = (instance, letter.id)
            known = made in self._targets[number] or made in self._asleep[number]
            if not known and not self._is_left_out(number, made):
                raise WrongProof(f"{described(number, instance, letter)} is neither there nor asleep")

    def _is_left_out(self, number: int, made: LetterKey) -> bool:
        """Without being asleep."""
        if made in self._futile:
            return True
        membrane = self._nodes[number].membrane
        if membrane and (made[0].template, made[0].number) not in membrane:
            return True
        return self._goal not in (None, made[0]) and self._starts_too_many(number, made)

    def _made_there(self) -> Iterator[Transition]:
        for number in range(len(self._nodes)):
            for made in (*self._targets[number], *self._asleep[number]):
                yield self._transition(number, made)

    def _transition(self, number: int, made: LetterKey) -> Transition:
        return self._checks.transition(number, self._places[number], made[0], self._letters[made[1]])

    def _standing(self, places: Places, label: Term) -> Term:
        """The label, and what others can ask of threads that stand there."""
        terms, space, at = self._checks.terms, self._checks.space, dict(places.threads)
        said = list(flat(label))
        for instance, thread in space.threads.items():
            said.append(thread.started if instance in at else terms.not_(thread.started))
            if instance in at and at[instance].at is End.FINISHED:
                said.append(thread.finished)
            elif instance in at and not isinstance(at[instance].at, End):
                said.append(terms.not_(thread.finished))
        owner = 0 if places.owner is None else space.ordinal(places.owner)
        return terms.all((*said, terms.eq(space.owner, terms.bv(owner, ORDINAL_BITS))))

    # --- what must hold ----------------------------------------------------------------------------------------------

    def _check_steps(self, number: int) -> None:
        label, places = self._labels[number], self._places[number]
        if self._nodes[number].membrane:
            threads = [Instance(*one) for one in self._nodes[number].membrane]
            standing = self._standing(places, self._checks.terms.true)
            self._membranes.check(f"node {number}", places, standing, label, threads)
        for place, (made, targets) in enumerate(self._targets[number].items()):
            letter, transition = self._letters[made[1]], self._transition(number, made)
            where = described(number, made[0], letter)
            if self._goal in (None, made[0]):
                self._checks.check_traps(label, letter, transition, where)
            if self._starts_too_many(number, made) and targets:
                raise WrongProof(f"{where} starts more threads than there are meant to be")
            if not targets:
                self._checks.check_impossible(label, transition, where)
                continue
            leads = f"{where} does not lead to the label of {' or '.join(map(str, targets))}"
            self._checks.check_cases(label, transition, [self._labels[target] for target in targets], leads)
            preferred = frozenset(list(self._targets[number])[:place])
            for target in targets:
                for asleep in self._asleep[target]:
                    what = f"letter {asleep[1]} of {asleep[0]} sleeps at {target}"
                    self._check_asleep(number, made, asleep, preferred, what)

    def _check_asleep(
        self, number: int, a: LetterKey, b: LetterKey, preferred: frozenset[LetterKey], what: str
    ) -> None:
        """`b` sleeps behind `a`, which is made at the node."""
        if b[0] == a[0]:
            raise WrongProof(f"{what}, but its thread makes letter {a[1]} at {number}")
        if all(one != b[0] for one, _ in self._places[number].threads):
            raise WrongProof(f"{what}, but its thread is not there at {number}")
        if b not in self._asleep[number] and b not in preferred:
            raise WrongProof(f"{what}, but was not preferred to letter {a[1]} of {a[0]} at {number}")
        first, second = self._letters[a[1]], self._letters[b[1]]
        if first.forks and second.forks:
            raise WrongProof(f"{what}, but it starts a thread, as does letter {a[1]} of {a[0]} at {number}")
        one, other = self._transition(number, a), self._transition(number, b)
        if self._checks.questions.possible(self._labels[number], self._swap(a, b, one, other)):
            raise WrongProof(f"{what}, but does not commute with letter {a[1]} of {a[0]} at {number}")

    def _swap(self, a: LetterKey, b: LetterKey, one: Transition, other: Transition) -> Term:
        """Where `a;b` can do what `b;a` cannot."""
        if (one, other) not in self._swaps:
            wrong, ahead = (
                self._traps(made, transition) if self._goal in (None, made[0]) else []
                for made, transition in ((b, other), (a, one))
            )
            lost = self._checks.terms.false if apart(one, other) else cannot_swap(one, other, wrong, ahead)
            self._swaps[one, other] = lost
        return self._swaps[one, other]


def _made(one: ProductLetter) -> LetterKey:
    return Instance(*one.thread), one.letter
