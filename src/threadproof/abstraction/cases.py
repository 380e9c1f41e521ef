"""Letters taken apart by cases, for proofs by disjunctions: which choice a letter makes, and what its thread leaves.

Comparisons are the example: `r = a < b ? -1 : a > b`. Threads that have seen a difference and those that have not are
at the same places, and no conjunction says of both what matters. So each letter is made once for each way through the
choices in what it assigns; the last letter of a thread also for each answer to what is asked in the end about what it
leaves behind. Nodes at the same places are told apart by such answers, and by the flags that loops ask about.

Invariants: the cases of a letter are all of it, so a proof names the letter with all their targets. Nothing is claimed
of a case; what tells nodes apart is proved to hold there like anything that labels say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_values import Relevance
from threadproof.abstraction.thread_product import ThreadAction, ThreadProduct
from threadproof.automaton import End, Instance, Places
from threadproof.encoding.transitions import Transition
from threadproof.smt.conjunctions import flat
from threadproof.smt.term import BOOL, Op, Term, in_order, variables

_MOST = 12  # cases of a letter
_PREDICATES = 10  # that tell nodes apart at one place, and their contraries
_COMPARED = (Op.EQ, Op.ULT, Op.SLT)


def _by_thread(relevance: Relevance, names: Callable[[Transition], frozenset[Term]]) -> dict[Instance, frozenset[Term]]:
    """Of what decides."""
    found: dict[Instance, frozenset[Term]] = {}
    for (instance, _), transition in relevance.transitions:
        found[instance] = found.get(instance, frozenset[Term]()) | (names(transition) & relevance.deciding)
    return found


class Cases:
    def __init__(self, product: ThreadProduct, goal: ThreadGoal, relevance: Relevance) -> None:
        self._product = product
        self._terms = product.terms
        self._relevance = relevance
        self._goal = goal
        self._writes = _by_thread(relevance, lambda one: one.writes)
        by_others = (names for one, names in self._writes.items() if one != goal.thread)
        self._written = frozenset[Term]().union(*by_others)
        ends = {asked for one in product.space.threads.values() for asked in (one.started, one.finished)}
        inputs = {one.term for _, t in relevance.transitions for one in t.inputs}
        self._not_asked = ends | inputs
        self.asked = tuple(self._asked_in_the_end())
        self._flags = tuple(self._flag_atoms())
        self._at: dict[Places, tuple[Term, ...]] = {}

    def are_worth_it(self) -> bool:
        """Whether something is compared in the end that threads have left, which have nothing to do with each other."""
        uses = _by_thread(self._relevance, lambda one: one.reads | one.writes)
        others = [one for one in uses if one != self._goal.thread]
        return any(
            one.op in (Op.SLT, Op.ULT) and not self._written.isdisjoint(variables([one])) for one in self.asked
        ) and all(
            self._writes[a].isdisjoint(uses[b]) and self._writes[b].isdisjoint(uses[a])
            for a, b in combinations(others, 2)
        )

    # --- what tells nodes apart --------------------------------------------------------------------------------------

    def predicates(self, places: Places) -> tuple[Term, ...]:
        found = self._at.get(places)
        if found is None:
            there = frozenset(self._relevance.at(places))
            flags = (one for one in self._flags if there.issuperset(variables([one])))
            atoms = list(dict.fromkeys((*self.settled(places), *flags)))[:_PREDICATES]
            found = self._at[places] = tuple(p for one in atoms for p in (one, self._terms.not_(one)))
        return found

    def settled(self, places: Places) -> list[Term]:
        """What is asked in the end of variables that nobody is left to write, and somebody has written."""
        at = dict(places.threads)
        running = [one for one in self._writes if one not in at or at[one].at is not End.FINISHED]
        open_yet = frozenset[Term]().union(*(self._writes[one] for one in running))
        known = ((one, frozenset(variables([one]))) for one in self.asked)
        return [one for one, names in known if names & self._written and names.isdisjoint(open_yet)]

    def _asked_in_the_end(self) -> Iterator[Term]:
        """Comparisons in what must not happen, and in the guards of letters in which it may."""
        wrong = [
            condition
            for key, t in self._relevance.transitions
            if self._goal.may_go_wrong(key)
            for condition in self._goal.conditions(key, t)[1:]
        ]
        return self._atoms(wrong)

    def _atoms(self, formulas: Iterable[Term]) -> Iterator[Term]:
        for part in in_order(list(formulas)):
            if part.sort is BOOL and (part.op is Op.VAR or part.op in _COMPARED):
                names = frozenset(variables([part]))
                if names and names.isdisjoint(self._not_asked) and not any(map(self._is_open, part.args)):
                    yield part

    def _is_open(self, arg: Term) -> bool:
        return arg.sort is BOOL or any(one.op is Op.ITE for one in in_order([arg]))

    def _flag_atoms(self) -> Iterator[Term]:
        """Of guards and of what is asked in the end: of a variable that threads write and do not count with."""
        every = [t for _, t in self._relevance.transitions]
        counters = {v for t in every for v, new in t.updates.items() if new.op in (Op.ADD, Op.SUB) and v in new.args}
        flags = self._written.difference(counters)
        for one in dict.fromkeys((*self.asked, *self._atoms(t.guard for t in every))):
            if flags.issuperset(variables([one])) and all(arg.op in (Op.VAR, Op.VALUE) for arg in one.args):
                yield one

    # --- cases of letters --------------------------------------------------------------------------------------------

    def of(self, places: Places, action: ThreadAction, transition: Transition) -> list[Transition]:
        """The letter's cases; itself, if there are none or too many."""
        deciding = {v: new for v, new in transition.updates.items() if v in self._relevance.deciding}
        if transition.guard.op is Op.FALSE or not deciding or self._goal.traps(action):
            return [transition]
        known = {part.args[0] if part.op is Op.NOT else part: part.op is not Op.NOT for part in flat(transition.guard)}
        said = {part: self._terms.bool(value) for part, value in known.items()}
        values = self._terms.substitute(transition.updates.values(), said)
        done = list[Transition]()
        todo = [replace(transition, updates=dict(zip(transition.updates, values, strict=True)))]
        while todo:
            if len(done) + len(todo) > _MOST:
                return [transition]
            one = todo.pop()
            condition = self._choice(one.updates[v] for v in deciding)
            if condition is None:
                done.append(one)
            else:
                todo += self._both(one, condition)
        settled = set(self.settled(action.target)).difference(self.settled(places))
        for asked in sorted(settled, key=lambda term: term.id):
            if 2 * len(done) <= _MOST:
                done = [case for one in done for case in self._both(one, one.after([asked])[0])]
        return done

    def _choice(self, values: Iterable[Term]) -> Term | None:
        """The first question of a choice that holds no other."""
        chosen = (part.args[0] for part in in_order(list(values)) if part.op is Op.ITE)
        parts = (part for one in chosen for part in in_order([one]))
        return next((one for one in parts if one.sort is BOOL and all(arg.sort is not BOOL for arg in one.args)), None)

    def _both(self, one: Transition, condition: Term) -> list[Transition]:
        if condition.op in (Op.TRUE, Op.FALSE):
            return [one]
        terms, found = self._terms, list[Transition]()
        for value, said in ((terms.true, condition), (terms.false, terms.not_(condition))):
            guard, *news = terms.substitute([one.guard, *one.updates.values()], {condition: value})
            guard = terms.and_(guard, said)
            if guard.op is not Op.FALSE:
                found.append(replace(one, guard=guard, updates=dict(zip(one.updates, news, strict=True))))
        return found
