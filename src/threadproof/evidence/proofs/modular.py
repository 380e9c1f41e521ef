"""Checks thread-modular invariants: labels of single threads that every step of every thread keeps.

Paper: S. Owicki, D. Gries, An axiomatic proof technique for parallel programs I, Acta Informatica 1976 (freedom from
interference); for any number of threads, C. Flanagan, S. Qadeer, Thread-modular model checking, SPIN 2003.
Differs: labels are over the words of mutexes and the handles of threads, so that a lock excludes because two
labels contradict each other, and nobody has to believe in locks.
Invariants: nothing of the engine is used but the text of the proof. Letters, variables and transitions are made anew
(`encoding/transitions/any_number.py`), labels are read from text, and z3 answers.

What must hold. The label of a location is meant with what follows from standing there (the thread was started, it has
not finished), and about one thread of the template; it speaks of no other thread of which there may be many, and not of
who is inside an atomic block.
1. The label of main's first location holds at first.
2. A letter leads from the label of its source to that of its target, and starts threads with the label of their first
   location. Of a template of which there is meant to be one thread, none was started before.
3. A letter of another thread keeps the label of each thread that it can meet, under the labels of both. Who is inside
   an atomic block meets nobody.
4. Under the label of its source, no letter goes wrong.
5. Of words that threads add to, a letter leaves what its thread has added within what the proof says of its template;
   and no letter starts more threads than the proof says.
6. What is said of two threads at once (`modular_pairs.py`) holds of any two; it is known in 3.

Steps of a template may be looked at beside a thread of another template, of which there is one at most (`watched`).
Then 2, 4 and 5 are asked for each place where that thread can be, with what is known of it there and of both. It has
not been started, has ended (which labels say then), or is at a place that is not inside an atomic block; behind other
ends there are no more steps.

Labels may speak of variables that are followed here, whatever the proof says of them: which threads there were, what
they added, who holds a word that is used as a lock, the smallest and the largest value that memory has had (marks).
Of marks it is taken for granted that every value which memory has is between them: that is what they are
(`encoding/transitions/marks.py`). How far a thread has moved a mark is what it has added to it, for 5.

From 5 it follows between which numbers such a word is, if no sum can wrap (`encoding/transitions/ghosts.py`); this is
taken for granted in all questions. That is no circle: what is asked of a step takes it for granted before the step.

Why there is no error then. In every state of an execution, the label of the place of each thread holds of it: at first
by 1. A step of one thread is a letter; it keeps the label of each other thread by 3, and leads to those of the thread
itself and of new threads by 2. Each time the instances of the formulas can be given to the threads that the step
concerns. By 4 nothing goes wrong.

If 4 is asked about some templates alone (`about`), the labels hold up to the first step at which anything goes wrong
(what a letter leads to is asked of what it does when it goes right: guards and traps exclude each other), and that one
is not in a thread of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from threadproof.automaton import End, Instance, Letter, Location, for_letters, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError, InternalError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import ThreadModularProof
from threadproof.core.property import Property
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.ghosts import MOST_THREADS, SumBounds
from threadproof.encoding.transitions.questions import TrapRole, role
from threadproof.evidence.proofs.labels import WrongProof, outcome
from threadproof.evidence.proofs.modular_pairs import Made, PairLabels, Places, There, made_beside
from threadproof.evidence.proofs.modular_runs import ModularRuns
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, ProofCheck
from threadproof.evidence.proofs.questions import NotAnswered, ProofQuestions
from threadproof.ir.program import Program
from threadproof.semantics.leaks import may_lose
from threadproof.semantics.violations import spurious_for
from threadproof.smt.context import conjuncts
from threadproof.smt.reading import read
from threadproof.smt.solver import SolverName
from threadproof.smt.term import BOOL, Term, variables

BY_LABELS = (Property.UNREACH_CALL, Property.NO_OVERFLOW)


def check_modular(
    program: Program,
    prop: Property,
    proof: ThreadModularProof,
    budget: Budget,
    model: MemoryModel = MemoryModel.SC,
    solver: SolverName = SolverName.Z3,
    about: Collection[str] | None = None,
) -> ProofCheck:
    """`about`: the templates in whose threads nothing may go wrong; none named: all."""
    if model is not MemoryModel.SC:
        return NotChecked(f"thread-modular invariants are not checked under {model}")
    if prop not in BY_LABELS and (prop is not Property.VALID_MEMSAFETY or may_lose(program, prop)):
        return NotChecked(f"thread-modular invariants are not checked for {prop}")
    return outcome(lambda: _ModularChecker(for_letters(program, prop), prop, proof, budget, solver, about).check())


class _ModularChecker:
    def __init__(
        self,
        program: Program,
        prop: Property,
        proof: ThreadModularProof,
        budget: Budget,
        solver: SolverName,
        about: Collection[str] | None,
    ) -> None:
        self._property = prop
        self._about = about
        self._proof = proof
        self._budget = budget
        self._spurious = spurious_for(prop, program)
        automaton = program_automaton(program)
        many = frozenset(proof.many)
        if automaton.main in many or not many <= automaton.templates.keys():
            raise WrongProof("it speaks of threads that there are none of")
        if about is not None and not set(about) <= automaton.templates.keys():
            raise WrongProof("it is about threads that there are none of")
        followed = (proof.counted, proof.locks, proof.marked)
        self._any = AnyNumber(program, automaton, many, self._spurious, *followed, observers=2 if proof.pairs else 1)
        self._terms, self._space = self._any.terms, self._any.space
        self._templates = automaton.templates
        if {cell.name for cell in self._any.ghosts.holders} != set(proof.locks):
            raise WrongProof("it speaks of holders of words that are none, or whose first value nobody knows")
        if {memory.name for memory in self._any.ghosts.marked.marks} != set(proof.marked):
            raise WrongProof("it speaks of marks of what is no memory, or whose first values nobody knows")
        self._watched = dict(proof.watched)
        once = automaton.templates.keys() - many
        if len(self._watched) < len(proof.watched) or any(a == b or b not in once for a, b in proof.watched):
            raise WrongProof("steps are looked at beside a thread of which there may be none, or several")
        self._bounds = self._sum_bounds(dict.fromkeys(one.cell for one in proof.added))
        sums = [fact for cell, bounds in self._bounds.items() for fact in self._any.ghosts.sum_facts(cell, bounds)]
        self._sums = tuple(sums)
        self._questions = ProofQuestions(self._terms, [*self._any.facts(), *sums], solver, budget)
        self._unstarted = self._terms.all(self._any.unstarted())
        self._initial = self._any.initial()
        self._labels: dict[Location, tuple[Term, ...]] = {}  # with what follows from standing there
        self._of_others: dict[There, tuple[Term, ...]] = {}
        self._pairs = PairLabels(self._any, {})
        self._variables: dict[Term, frozenset[Term]] = {}
        self._private: frozenset[Term] = frozenset()  # registers and memory of single threads
        self._meeting: dict[Term, bool] = {}

    def check(self) -> ProofCheck:
        steps = list(self._steps())
        for actor, letter, starts in steps:
            self._any.transition(actor, letter, starts)
        self._read_labels(steps)
        self._check_first()
        for template in self._templates.values():
            for letter in template.letters:
                self._check_time()
                for beside in self._cases(letter):
                    self._check_letter(letter, beside)
                for observer in self._places():
                    self._check_interference(letter, observer)
                for places in self._pairs.places:
                    self._check_time()
                    self._check_pair(letter, places)
        everywhere = (*self._sums, *(self._terms.eq(word, value) for word, value in self._any.constants.items()))
        said = {where: self._terms.all((*label, *everywhere)) for where, label in self._labels.items()}
        runs = ModularRuns(self._any, said, self._pairs)
        found = runs.contradiction(self._spurious, self._budget)
        if found is not None:
            raise WrongProof(f"a run of the reference semantics contradicts it: {found}")
        return Accepted({"locations_checked": len(self._labels), "questions": self._questions.asked})

    def _check_time(self) -> None:
        limit = self._budget.exhausted()
        if limit is not None:
            raise NotAnswered(f"the check of the proof was not over: {limit}")

    # --- what is given -----------------------------------------------------------------------------------------------

    def _sum_bounds(self, names: Iterable[str]) -> dict[Term, SumBounds]:
        """Of words that are added to, for all templates."""
        proof, ghosts = self._proof, self._any.ghosts
        cells = {cell.name: cell for cell in ghosts.cells}
        threads = dict(proof.threads)
        found: dict[Term, SumBounds] = {}
        for name in names:
            cell = cells.get(name)
            if cell is None or ghosts.first(cell) is None:
                raise WrongProof(f"nothing is known of what is added to {name}")
            said = [one for one in proof.added if one.cell == name]
            each = {one.template: (one.least, one.most) for one in said}
            if len(each) < len(said) or not each.keys() <= self._templates.keys():
                raise WrongProof(f"what is added to {name} is said twice, or of threads that there are none of")
            half = 1 << (cell.width - 1)
            if not all(-half <= least <= most < half for least, most in each.values()):
                raise WrongProof(f"nobody can have added that much to {name}")
            if not all(0 <= threads.get(one, -1) <= MOST_THREADS for one in self._any.many & each.keys()):
                raise WrongProof(f"it is not said how many threads add to {name}")
            found[cell] = SumBounds({template: each.get(template, (0, 0)) for template in self._templates}, threads)
        return found

    def _places(self) -> Iterator[Location]:
        """Where a thread can meet another. Behind ends there is nothing, and a label says nothing, but that the thread
        has ended, if others look at it."""
        watched = self._watched.values()
        for name, template in self._templates.items():
            for location in template.locations:
                if template.letters_from(location) or (name in watched and location.at is End.FINISHED):
                    yield location

    def _steps(self) -> Iterator[Made]:
        """All that is asked about, so that variables have the sorts of the state before labels are read."""
        for template in self._templates.values():
            for letter in template.letters:
                one = self._any.one(letter.template)
                for about in range(max(1, len(letter.forks))):
                    yield one, letter, self._any.starts(one, letter, about=about)
                for observer in self._templates:
                    actor = self._any.beside(letter.template, observer)
                    if actor is not None:
                        yield actor, letter, self._any.starts(actor, letter, self._any.one(observer))
        if self._proof.pairs:
            yield from made_beside(self._any)

    def _read_labels(self, steps: Iterable[Made]) -> None:
        inputs = {one.term for step in steps for one in self._any.transition(*step).inputs}
        for instance in self._space.instances:
            self._any.renamed((), (self._any.one(instance.template),), (instance,))  # makes all its variables
        owners = self._any.owners()
        of_threads = {variable for thread in self._space.threads.values() for variable in thread.all}
        self._private = frozenset(variable for variable in owners if variable not in of_threads)
        try:
            texts = read(self._terms, self._proof.labels)
        except (InputError, InternalError) as error:  # also a variable of another sort
            raise WrongProof(f"the labels cannot be read: {error}") from None
        if any(label.sort is not BOOL for label in texts):
            raise WrongProof("a label is no condition")
        said: dict[tuple[str, int], Term] = {}
        for template, number, label in self._proof.at:
            if not 0 <= label < len(texts) or (template, number) in said:
                raise WrongProof(f"location {number} of {template} has no label, or two")
            said[template, number] = texts[label]

        def known(label: Term, about: tuple[Instance, ...], where: str) -> Term:
            for variable in variables([label]):
                owner = owners.get(variable)
                others = owner is not None and owner not in about and owner.template in self._any.many
                if variable in inputs or variable is self._space.owner or others:
                    raise WrongProof(f"the label {where} speaks of {variable.name}")
            return self._terms.substitute([label], self._space.known)[0]

        for location in self._places():
            label, mine = (
                said.get((location.template, location.number), self._terms.true),
                self._any.one(location.template),
            )
            label = known(label, (mine,), f"at {location} of {location.template}")
            ended = [self._space.threads[mine].finished] if location.at is End.FINISHED else []
            self._labels[location] = (*conjuncts(label), *self._any.standing(mine, location), *ended)
        self._pairs = PairLabels(
            self._any,
            {places: known(texts[label], roles, where) for places, label, roles, where in self._of_pairs(len(texts))},
        )

    def _of_pairs(self, labels: int) -> Iterator[tuple[Places, int, tuple[Instance, ...], str]]:
        places, found = {(one.template, one.number): one for one in self._places()}, set[Places]()
        for x, first, y, second, label in self._proof.pairs:
            one, other, roles = places.get((x, first)), places.get((y, second)), self._any.cast(x, y)
            where = f"at {first} of {x} and {second} of {y}"
            if one is None or other is None or roles is None or not 0 <= label < labels or (one, other) in found:
                raise WrongProof(f"no threads are {where}, or they have no label, or two")
            found.add((one, other))
            yield (one, other), label, roles, where

    def _label(self, location: Location, instance: Instance) -> tuple[Term, ...]:
        one = self._any.one(location.template)
        if instance == one or location not in self._labels:
            return self._labels.get(location, ())
        if (location, instance) not in self._of_others:
            self._of_others[location, instance] = tuple(self._any.renamed(self._labels[location], (one,), (instance,)))
        return self._of_others[location, instance]

    def _cases(self, letter: Letter) -> Iterator[tuple[Term, ...]]:
        """Where the thread can be that a step of this template is looked at beside."""
        watched = self._watched.get(letter.template)
        if watched is None:
            yield ()
            return
        other, actor = self._any.one(watched), self._any.one(letter.template)
        thread = self._space.threads[other]
        yield (self._terms.not_(thread.started),)
        for place in self._templates[watched].locations:
            if not place.depth and (not isinstance(place.at, End) or place.at is End.FINISHED):
                known = self._label(place, other) or self._any.standing(other, place)
                yield (*known, *self._pairs.known(((letter.source, actor), (place, other))))

    # --- what must hold ----------------------------------------------------------------------------------------------

    def _check_first(self) -> None:
        entry = self._templates[self._any.automaton.main].entry
        known = self._space.known
        initial = [self._terms.eq(v, value) for v, value in self._initial.items() if v not in known]
        label = self._terms.all(self._label(entry, self._any.one(entry.template)))
        if self._questions.possible(self._terms.all(initial), self._terms.not_(label)):
            raise WrongProof("the label of main's first location does not hold at first")

    def _check_letter(self, letter: Letter, beside: Iterable[Term] = ()) -> None:
        """`beside`: where another thread is, and what is known of it and of both."""
        actor = self._any.one(letter.template)
        starts = self._any.starts(actor, letter)
        transition = self._any.transition(actor, letter, starts)
        before = self._terms.all((*self._label(letter.source, actor), *beside))
        where = _described(letter)
        self._check_traps(before, transition, letter.template, where)
        self._check_leads(before, transition, self._label(letter.target, actor), f"{where} does not lead to its target")
        self._check_sums(before, transition, actor, where)
        for template, often in Counter(letter.forks).items():
            self._check_number(self._terms.and_(before, transition.guard), template, often, where)
        for about, new in enumerate(starts):
            started = self._space.threads[new].started
            if new.template not in self._any.many and self._questions.possible(before, started):
                raise WrongProof(f"{where} may start a second thread of {new.template}")
            self._check_start(letter, actor, about, before)

    def _check_sums(self, before: Term, transition: Transition, actor: Instance, where: str) -> None:
        """What the thread has added so far is within what is said of it."""
        ghosts = self._any.ghosts
        for cell, bounds in self._bounds.items():
            if cell in transition.updates:
                within = tuple(ghosts.within(ghosts.added[cell, actor], bounds.each[actor.template]))
                self._check_leads(before, transition, within, f"{where} adds more to {cell.name} than is said")

    def _check_number(self, before: Term, template: str, often: int, where: str) -> None:
        most, threads = dict(self._proof.threads).get(template), self._any.ghosts.threads.get(template)
        if most is None or threads is None:
            return
        more = self._terms.ult(self._terms.bv(max(0, most - often), threads.width), threads)
        if most < often or self._questions.possible(before, more):
            raise WrongProof(f"{where} may start more threads of {template} than is said")

    def _check_start(self, letter: Letter, actor: Instance, about: int, before: Term) -> None:
        """One of the threads that a letter starts. If it is of the kind of its creator, it is the other."""
        starts = self._any.starts(actor, letter, about=about)
        new, transition = starts[about], self._any.transition(actor, letter, starts)
        label = self._label(self._templates[new.template].entry, new)
        given = self._terms.and_(before, self._unstarted)
        self._check_leads(given, transition, label, f"{_described(letter)} starts {new.template} elsewhere")

    def _check_interference(self, letter: Letter, observer: Location) -> None:
        actor = self._any.beside(letter.template, observer.template)
        if actor is None or observer.depth:
            return
        mine = self._any.one(observer.template)
        transition = self._any.transition(actor, letter, self._any.starts(actor, letter, mine))
        label = self._label(observer, mine)
        if not any(self._writes(transition, one) for one in label):
            return
        of_actor = self._label(letter.source, actor)
        if not self._can_meet(label, of_actor):
            return
        both = self._pairs.known(((letter.source, actor), (observer, mine)))
        before = self._terms.all((*label, *of_actor, *both))
        where = f"{_described(letter)} does not keep the label at {observer} of {observer.template}"
        self._check_leads(before, transition, label, where)

    def _check_pair(self, letter: Letter, places: Places) -> None:
        for step in self._pairs.steps(letter, places):
            transition, after = self._any.transition(*step.made), self._pairs.told(places, step.told)
            if len(step.there) > 2 and not any(self._writes(transition, one) for one in after):
                continue  # of two threads that others see
            before = [part for place, thread in step.there for part in self._label(place, thread)]
            before += [*self._pairs.known(step.there), *([self._unstarted] if step.starts else [])]
            shown = " and ".join(f"{place} of {place.template}" for place in places)
            where = f"{_described(letter)} does not lead to the label of {shown}"
            self._check_leads(self._terms.all(before), transition, after, where)

    def _can_meet(self, one: tuple[Term, ...], other: tuple[Term, ...]) -> bool:
        """Whether two threads can have these labels at once: not if both hold a lock, for one. Only what is said of
        what they share is looked at."""
        labels = self._terms.all(part for part in (*one, *other) if self._is_shared(part))
        if labels not in self._meeting:
            self._meeting[labels] = self._questions.possible(labels, self._terms.true)
        return self._meeting[labels]

    def _is_shared(self, formula: Term) -> bool:
        return self._private.isdisjoint(self._names(formula))

    def _check_leads(self, before: Term, transition: Transition, after: tuple[Term, ...], where: str) -> None:
        """What is said already, and the letter does not write, need not be asked."""
        said = set(conjuncts(before))
        new = [one for one in after if one not in said or self._writes(transition, one)]
        for post in transition.after(new):
            if self._questions.possible(before, self._terms.and_(transition.guard, self._terms.not_(post))):
                raise WrongProof(where)

    def _check_traps(self, before: Term, transition: Transition, template: str, where: str) -> None:
        if self._about is not None and template not in self._about:
            return
        traps = [trap for trap in transition.traps if role(self._property, trap.what) is not TrapRole.ENDS]
        if traps and self._questions.possible(before, self._terms.any(trap.condition for trap in traps)):
            raise WrongProof(f"{where} may go wrong")

    def _writes(self, transition: Transition, formula: Term) -> bool:
        return not self._names(formula).isdisjoint(transition.updates)

    def _names(self, formula: Term) -> frozenset[Term]:
        if formula not in self._variables:
            self._variables[formula] = frozenset(variables([formula]))
        return self._variables[formula]


def _described(letter: Letter) -> str:
    return f"letter {letter.id} of {letter.template} at {letter.steps[0].instr.loc}"
