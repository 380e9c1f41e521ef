"""What checkers of proofs by labels share: labels read from text, letters as formulas, and the questions about them.

Invariants: nothing of the engine is used but the text of the proof. The automaton, the variables and the transitions
are made anew from the program, labels are read from text, and z3 answers (engines ask bitwuzla).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from threadproof.automaton import CannotUnfold, Instance, Letter, Places, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.proofs import LabelledTree, ReducedProduct
from threadproof.core.property import Property
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space, Transition, TransitionTrap
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.encoding.transitions.forgetting import unforgettable
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.evidence.proofs.label_runs import LabelRuns, RunGraph
from threadproof.evidence.proofs.outcome import NotChecked, ProofCheck, Rejected
from threadproof.evidence.proofs.questions import NotAnswered, ProofQuestions
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.program import Program
from threadproof.semantics.violations import spurious_for, sub_property
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.solver import SolverName
from threadproof.smt.term import BOOL, Term, variables
from threadproof.smt.terms import Terms


class WrongProof(Exception):
    """It is no proof."""


def outcome(check: Callable[[], ProofCheck]) -> ProofCheck:
    try:
        return check()
    except WrongProof as wrong:
        return Rejected(str(wrong))
    except (CannotUnfold, CannotEncode, NotAnswered) as why:
        return NotChecked(str(why))


class LabelChecks:
    """`program` is the one whose letters the proof is about."""

    def __init__(
        self,
        program: Program,
        prop: Property,
        proof: LabelledTree | ReducedProduct,
        budget: Budget,
        solver: SolverName,
    ) -> None:
        self.property = prop
        self.budget = budget
        self.automaton = program_automaton(program)
        self.terms = Terms()
        self.space = Space(self.terms, program, self.automaton, dict(proof.instances))
        self.encoder = Encoder(self.space, spurious_for(prop, program))
        self.questions = ProofQuestions(self.terms, self.space.facts(), solver, budget)
        self._proof = proof
        self._initial = self.space.initial()  # also makes the variables, before labels are read
        self._variables: dict[Term, frozenset[Term]] = {}  # of conjuncts
        self._forgotten: frozenset[Term] = frozenset()

    def check_time(self) -> None:
        limit = self.budget.exhausted()
        if limit is not None:
            raise NotAnswered(f"the check of the proof was not over: {limit}")

    def keep_only(self, names: Iterable[str], letters: AllLetters) -> AllLetters:
        """From now on, letters know no other variables than these, and what others can ask of threads. Facts must hold
        of such letters, too: handles follow from the handles and the numbers of children of who creates threads, and
        that is all that may be needed for what letters write to these."""
        kept, known = set(names), unforgettable(self.space)
        self._forgotten = frozenset(one for one in letters.variables - known if one.name not in kept)
        self.encoder = self.encoder.forgetting(self._forgotten)
        found = letters.seen_by(self.encoder)
        handles = {*variables(self.space.facts()), *(thread.children for thread in self.space.threads.values())}
        for key, several in found.transitions.items():
            for variable, value in ((v, x) for one in several for v, x in one.updates.items()):
                if variable in handles and not known.issuperset(variables([value])):
                    raise WrongProof(
                        f"letter {key[1]} of {key[0]} writes {variable.name}, which needs what is forgotten"
                    )
        return found

    # --- what is given -----------------------------------------------------------------------------------------------

    def labels(self, transitions: Iterable[Transition]) -> list[Term]:
        """Of each node. All transitions that are asked for come before: so variables have the sorts of the state.
        Labels are about the state: an input is another one in each step that asks for it. Known handles are numbers
        here, too, whatever the engine knew."""
        inputs = {one.term for transition in transitions for one in transition.inputs}
        try:
            labels = read(self.terms, self._proof.labels)
        except (InputError, InternalError) as error:  # also a variable of another sort
            raise WrongProof(f"the labels cannot be read: {error}") from None
        if any(label.sort is not BOOL for label in labels):
            raise WrongProof("a label is no condition")
        if not inputs.isdisjoint(variables(labels)):
            raise WrongProof("a label speaks of an input, not of the state")
        if not self._forgotten.isdisjoint(variables(labels)):
            raise WrongProof("a label speaks of a variable that the proof forgets")
        missing = [n for n, node in enumerate(self._proof.nodes) if not 0 <= node.label < len(labels)]
        if missing:
            raise WrongProof(f"node {missing[0]} has no label")
        known = self.terms.substitute(labels, self.space.known)
        return [known[node.label] for node in self._proof.nodes]

    def letters(self, places: Places) -> Iterator[tuple[Instance, Letter]]:
        """While a thread is inside an atomic block, all others wait."""
        owner = places.owner
        return ((i, letter) for i, letter in self.automaton.letters_from(places) if owner is None or i == owner)

    def transition(self, number: int, places: Places, instance: Instance, letter: Letter) -> Transition:
        starts = self.automaton.starts(places, letter)
        beyond = next((one for one in starts if one not in self.space.threads), None)
        if beyond is not None:
            raise WrongProof(f"node {number}: {instance} starts {beyond}, which the proof does not speak of")
        return self.encoder.transition(instance, letter, starts)

    def forbids(self, letter: Letter, trap: TransitionTrap) -> bool:
        """Whether `true` cannot be said if this happens. Errors that the property does not ask about end the run."""
        if role(self.property, trap.what) is TrapRole.ENDS:
            return False
        if not isinstance(trap.what, UndefinedKind) or self.property is Property.VALID_MEMSAFETY:
            return True
        assumed = str(letter.steps[trap.step].instr.loc) in self._proof.unproved
        return not (assumed and sub_property(trap.what))

    # --- what must hold ----------------------------------------------------------------------------------------------

    def check_first(self, label: Term) -> None:
        known = self.space.known
        initial = [self.terms.eq(v, value) for v, value in self._initial.items() if v not in known]
        if self.questions.possible(self.terms.all(initial), self.terms.not_(label)):
            raise WrongProof("the label of the root does not hold at first")

    def check_implied(self, label: Term, other: Term, where: str) -> None:
        said = set(conjuncts(label))
        more = [one for one in conjuncts(other) if one not in said]
        if self.questions.possible(label, self.terms.not_(self.terms.all(more))):
            raise WrongProof(f"{where}, whose label it does not imply")

    def check_triple(self, label: Term, transition: Transition, target: Term, where: str) -> None:
        """What the label says already, and the letter does not write, need not be asked."""
        said = set(conjuncts(label))
        new = [one for one in conjuncts(target) if one not in said or self._writes(transition, one)]
        for post in transition.after(new):
            if self.questions.possible(label, self.terms.and_(transition.guard, self.terms.not_(post))):
                raise WrongProof(where)

    def check_cases(self, label: Term, transition: Transition, targets: Sequence[Term], where: str) -> None:
        """It leads to one of the labels. What they all say is asked by itself."""
        several = [dict.fromkeys(conjuncts(target)) for target in targets]
        common = [one for one in several[0] if all(one in other for other in several[1:])]
        self.check_triple(label, transition, self.terms.all(common), where)
        rest = [self.terms.all(one for one in said if one not in common) for said in several]
        none = self.terms.not_(self.terms.any(transition.after(rest)))
        if self.questions.possible(label, self.terms.and_(transition.guard, none)):
            raise WrongProof(where)

    def _writes(self, transition: Transition, formula: Term) -> bool:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return not self._variables[formula].isdisjoint(transition.updates)

    def check_impossible(self, label: Term, transition: Transition, where: str) -> None:
        if self.questions.possible(label, transition.guard):
            raise WrongProof(f"{where} is possible, but no edge")

    def check_traps(self, label: Term, letter: Letter, transition: Transition, where: str) -> None:
        traps = [trap for trap in transition.traps if self.forbids(letter, trap)]
        if traps and self.questions.possible(label, self.terms.any(trap.condition for trap in traps)):
            what = ", ".join(dict.fromkeys(_shown(trap) for trap in traps))
            raise WrongProof(f"{where} may go wrong ({what})")

    def check_runs(self, graph: RunGraph) -> None:
        runs = LabelRuns(self.space, graph)
        found = runs.contradiction(spurious_for(self.property, self.space.program), self.budget)
        if found is not None:
            raise WrongProof(f"a run of the reference semantics contradicts it: {found}")


def described(number: int, instance: Instance, letter: Letter) -> str:
    return f"node {number}: {instance} at {letter.steps[0].instr.loc} (letter {letter.id})"


def _shown(trap: TransitionTrap) -> str:
    return str(trap.what.value) if isinstance(trap.what, ErrorKind | UndefinedKind) else trap.what.reason
