"""Labels of single threads as what Horn clauses define, for z3's Spacer to find.

Paper: A. Gupta, C. Popeea, A. Rybalchenko, Predicate Abstraction and Refinement for Verifying Multi-Threaded Programs,
POPL 2011, and S. Grebenshchikov et al., Synthesizing Software Verifiers from Proof Rules, PLDI 2012 (rely-guarantee
reasoning as Horn clauses).
Differs: there is no relation for what others may do; each letter of another thread is a clause with two labels before
it, as in `evidence/proofs/modular.py`. What the fixpoint knows is taken for granted. How often main goes round a loop
in which it creates threads is forgotten: Spacer would count all rounds.
Invariants: a solution of the clauses, together with what the fixpoint knows, is a proof. Nobody takes that for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from threadproof.automaton import Instance, Letter, Location
from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.engines.modular.horn_words import HornWords
from threadproof.smt.context import Context, conjuncts
from threadproof.smt.horn import Applied, HornClause, Relation, Solution
from threadproof.smt.integers import Signedness
from threadproof.smt.solver import Unsat
from threadproof.smt.term import BOOL, Op, Term, variables
from threadproof.thread_modular.cone import creation_counters
from threadproof.thread_modular.fixpoint import ModularFixpoint
from threadproof.thread_modular.locks import guarding, held


@dataclass(frozen=True, slots=True, eq=False)
class HornLabel:
    """What the label of a location may speak of, and the relation between that."""

    relation: Relation
    columns: tuple[Term, ...]  # numbers and conditions, of one thread of the template


@dataclass(frozen=True, slots=True)
class Assumed:
    """The label of a location, for columns of a thread that is there."""

    label: HornLabel
    columns: Sequence[Term]


There = tuple[Location, Instance]


@dataclass(frozen=True, slots=True)
class Before:
    """What is known before a step."""

    body: list[Assumed]
    given: list[Term]
    step: Transition


class HornLabels:
    def __init__(
        self,
        any_number: AnyNumber,
        forbids: Callable[[TransitionTrap], bool],
        fixpoint: ModularFixpoint,
        sign: Signedness,
    ) -> None:
        """Where the labels of `fixpoint` are inductive, they are taken for granted. Numbers are read with that sign."""
        self._any = any_number
        self._terms = any_number.terms
        self._forbids = forbids
        self._fixpoint = fixpoint
        self._words = HornWords(any_number, fixpoint.values.words, sign)
        self._context = Context(self._terms)
        self._facts = [*any_number.facts(), *(fixpoint.sums.facts() if fixpoint.is_inductive else ())]
        self._forgotten = frozenset(creation_counters(any_number.automaton, fixpoint.letters))
        letters, locks, cells = fixpoint.letters, fixpoint.values.words, fixpoint.values.shared
        self._written_under = guarding(any_number.automaton, letters, locks, cells, lambda step: step.writes)
        self._known_under = guarding(any_number.automaton, letters, locks, cells, lambda step: step.writes | step.reads)
        self._held = held(any_number.automaton, letters, frozenset(locks))
        self._free = {word: label for word in locks if (label := self._label_if_free(word)) is not None}
        self._labels = {
            location: self._label(location)
            for location, node in fixpoint.nodes.items()
            if not (fixpoint.is_inductive and node.value.is_bottom)
        }

    def _label(self, location: Location) -> HornLabel:
        values = self._fixpoint.values
        held_here, columns = self._held.get(location, frozenset[Term]()), list[Term]()
        for one in self._fixpoint.columns(location):
            locks = self._known_under.get(one)
            if one not in self._forgotten and (not locks or not locks.isdisjoint(held_here)):
                columns.append(one)
        columns += [one for word in values.words for one in self._of_lock(word, location)]
        parameters = tuple(map(self._words.parameter, columns))
        return HornLabel(Relation(f"{location.template} {location.number}", parameters), tuple(columns))

    def _of_lock(self, word: Term, location: Location) -> Iterator[Term]:
        """What the fixpoint knows already need not be found: where it may be held, whether it is."""
        is_mine = self._fixpoint.values.is_mine(word, self._any.one(location.template))
        if not self._fixpoint.is_inductive:
            yield is_mine
            if not self._is_by_hand(word):
                yield self._fixpoint.values.is_free(word)
        elif word in self._held[location]:
            said = self._fixpoint.label(self._fixpoint.nodes[location])
            if is_mine not in said and self._terms.not_(is_mine) not in said:
                yield is_mine

    def _label_if_free(self, word: Term) -> HornLabel | None:
        """Of all states in which a lock is free: what is written under it only."""
        cells = tuple(cell for cell, locks in self._written_under.items() if word in locks)
        if not cells:
            return None
        return HornLabel(Relation(f"free {word.name}", tuple(map(self._words.parameter, cells))), cells)

    def _is_by_hand(self, word: Term) -> bool:
        """Then it is free where the cell that it says the holder of has its first value."""
        return word in self._any.ghosts.holders.values()

    def said(self, solution: Solution) -> Mapping[Location, Term]:
        """The labels of a solution. Raises NoBits."""
        terms, is_free = self._terms, self._fixpoint.values.is_free
        shared = [
            terms.implies(is_free(word), self._said(label, solution[label.relation]))
            for word, label in self._free.items()
            if label.relation in solution
        ]
        return {
            place: terms.all([*shared, self._said(label, solution.get(label.relation, terms.true))])
            for place, label in self._labels.items()
        }

    def _said(self, label: HornLabel, formula: Term) -> Term:
        conditions = zip(label.relation.params, label.columns, strict=True)
        meant = {param: column for param, column in conditions if column.sort is BOOL}
        return self._terms.substitute([self._words.in_bits(formula)], meant)[0]

    # --- what must hold: as in evidence/proofs/modular.py -------------------------------------------------------------

    def clauses(self) -> Iterator[HornClause]:
        found = (self._first(), *map(self._of_letter, self._any.automaton.letters))
        return (clause for some in found for clause in some if clause is not None)

    def _first(self) -> Iterator[HornClause | None]:
        entry = self._labels[self._any.automaton.templates[self._any.automaton.main].entry]
        values, known = self._any.initial(), self._any.space.known
        for label in (entry, *self._free.values()):
            names = [one for one in variables(label.columns) if one in values and one not in known]
            first = [self._terms.eq(one, values[one]) for one in names]
            yield self._clause([], first, Assumed(label, label.columns))

    def _of_letter(self, letter: Letter) -> Iterator[HornClause | None]:
        if letter.source not in self._labels:
            return
        one = self._any.one(letter.template)
        starts = self._any.starts(one, letter)
        own = self._any.transition(one, letter, starts)
        before = Before([self._at(letter.source, one)], self._known(letter.source, one), own)
        if letter.target in self._labels:
            yield from self._leads(before, own.guard, self._after(letter.target, own))
        wrong = [trap.condition for trap in own.traps if self._forbids(trap)]
        wrong += [self._any.space.threads[new].started for new in starts if new.template not in self._any.many]
        for condition in wrong:
            yield from self._leads(before, condition, None)
        for about, template in enumerate(letter.forks):
            yield from self._creation(letter, template, about)
        for word, label in self._free.items():
            if word in own.updates or not own.updates.keys().isdisjoint(label.columns):
                freed = own.after([self._fixpoint.values.is_free(word)])[0]
                yield from self._leads(
                    before, self._terms.and_(own.guard, freed), Assumed(label, own.after(label.columns))
                )
        for place in self._labels:
            yield from self._interference(letter, place)

    def _creation(self, letter: Letter, template: str, about: int) -> Iterator[HornClause | None]:
        entry = self._any.automaton.templates[template].entry
        if entry in self._labels:
            actor = self._any.other(template) if template == letter.template else self._any.one(letter.template)
            step = self._any.transition(actor, letter, self._any.starts(actor, letter, about=about))
            given = [*self._known(letter.source, actor), *self._any.unstarted()]
            before = Before([self._at(letter.source, actor)], given, step)
            yield from self._leads(before, step.guard, self._after(entry, step))

    def _interference(self, letter: Letter, place: Location) -> Iterator[HornClause | None]:
        actor, mine = self._any.beside(letter.template, place.template), self._any.one(place.template)
        if actor is None or place.depth:
            return
        step = self._any.transition(actor, letter, self._any.starts(actor, letter, mine))
        after = self._after(place, step)
        columns = zip(after.label.columns, after.columns, strict=True)
        changed = self._terms.any(self._terms.ne(before, now) for before, now in columns if before is not now)
        given = [*self._known(letter.source, actor), *self._known(place, mine)]
        if self._is_possible([*given, step.guard, changed]):
            together = self._together((letter.source, actor), (place, mine))
            before = Before([self._at(letter.source, actor), self._at(place, mine), *together], given, step)
            yield from self._leads(before, step.guard, after)

    def _together(self, one: There, other: There) -> list[Assumed]:
        """What else is known of two threads that are at these places: nothing of single threads."""
        return []

    def _leads(self, before: Before, condition: Term, head: Assumed | None) -> Iterator[HornClause | None]:
        """One clause for each way in which locks may be free before; then what they guard is known."""
        cases: list[tuple[list[Assumed], list[Term]]] = [(before.body, [*before.given, condition])]
        for word, label in self._free.items():
            if word in before.step.reads or word in before.step.updates:
                is_free = self._fixpoint.values.is_free(word)
                known = Assumed(label, label.columns)
                cases = [
                    case
                    for body, given in cases
                    for case in (([*body, known], [*given, is_free]), (body, [*given, self._terms.not_(is_free)]))
                    if self._is_possible(case[1])
                ]
        for body, given in cases:
            yield self._clause(body, given, head)

    def _is_possible(self, given: Sequence[Term]) -> bool:
        return not isinstance(self._context.check([*given, *self._related(given)]), Unsat)

    # --- labels ------------------------------------------------------------------------------------------------------

    def _at(self, place: Location, instance: Instance) -> Assumed:
        label = self._labels[place]
        return Assumed(label, self._of(instance, label.columns))

    def _after(self, place: Location, step: Transition) -> Assumed:
        """What has to hold after a step of the thread that the label is about."""
        label = self._labels[place]
        return Assumed(label, step.after(label.columns))

    def _known(self, place: Location, instance: Instance) -> list[Term]:
        node = self._fixpoint.nodes[place]
        return self._of(
            instance, [*node.standing, *(self._fixpoint.label(node) if self._fixpoint.is_inductive else ())]
        )

    def _of(self, instance: Instance, said: Iterable[Term]) -> list[Term]:
        one = self._any.one(instance.template)
        return list(said) if instance == one else self._any.renamed(said, (one,), (instance,))

    def _related(self, formulas: Iterable[Term]) -> list[Term]:
        names = frozenset(variables(list(formulas)))
        return [fact for fact in self._facts if names.issuperset(variables([fact]))]

    # --- clauses -----------------------------------------------------------------------------------------------------

    def _clause(self, body: Sequence[Assumed], given: Sequence[Term], head: Assumed | None) -> HornClause | None:
        """None: it holds anyway."""
        of = self._words.of
        applied = [*body, *([] if head is None else [head])]
        columns = [column for one in applied for column in one.columns]
        related = self._related([*given, *columns])
        conditions = [self._words.assumed(part) for one in (*given, *related) for part in conjuncts(one)]
        written = [of(column) for column in columns]
        conditions += self._words.equality(frozenset(variables([*conditions, *written])))
        conditions, written = self._settled(conditions, written)
        if self._terms.false in conditions:
            return None
        names = set(variables(written))
        if head is not None:
            conditions = _near(conditions, names)
        ranges = self._words.ranges(names.union(variables(conditions)))
        rest = iter(written)
        calls = [Applied(one.label.relation, tuple(next(rest) for _ in one.columns)) for one in applied]
        to = None if head is None else calls.pop()
        return HornClause(tuple(calls), self._terms.all([*conditions, *ranges]), to)

    def _settled(self, conditions: list[Term], written: list[Term]) -> tuple[list[Term], list[Term]]:
        """With truth values that are known put in."""
        terms = self._terms
        while known := {_variable(one): terms.bool(one.op is Op.VAR) for one in conditions if _is_literal(one)}:
            conditions, written = terms.substitute(conditions, known), terms.substitute(written, known)
            conditions = [part for one in conditions for part in conjuncts(one) if part is not terms.true]
        return conditions, written


def _is_literal(condition: Term) -> bool:
    return condition.op is Op.VAR or (condition.op is Op.NOT and condition.args[0].op is Op.VAR)


def _variable(literal: Term) -> Term:
    return literal if literal.op is Op.VAR else literal.args[0]


def _near(conditions: Sequence[Term], names: Iterable[Term]) -> list[Term]:
    """Those that have to do with the names, also by way of others. What others say among themselves may contradict
    itself; then the clause says more than it has to."""
    about, found, rest = set(names), list[Term](), list(dict.fromkeys(conditions))
    while near := [one for one in rest if not about.isdisjoint(variables([one]))]:
        found += near
        about.update(variables(near))
        taken = frozenset(near)
        rest = [one for one in rest if one not in taken]
    return found
