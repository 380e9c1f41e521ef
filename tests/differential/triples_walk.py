"""Hoare triples against steps of the reference machine.

The walks of `transitions_walk` meet states before and after letters. Of formulas about them, those that hold before
are a P, and one that does not hold afterwards is a Q: the answer to `{P} letter {Q}` must not be yes. Where the
machine's step goes wrong, `{P} letter {no trap}` must not be yes either. The states that come with a no, and the cores
that come with a yes, are looked at as well.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from transitions_algebra import Known, KnownState
from transitions_follow import Different, Made
from transitions_state import Values
from transitions_walk import Walker

from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.triples import TripleAnswer, Triples, Truth
from threadproof.automaton import CannotUnfold, Letter, LetterSize, program_automaton
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Transition
from threadproof.ir.program import Program
from threadproof.semantics.outcome import Failed, NotSupported, UndefinedBehaviour
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.solver import Sat, SolverName, open_solver
from threadproof.smt.term import BOOL, Op, Term
from threadproof.smt.terms import Terms

SECOND_OPINION = 40  # one in so many cores is shown to the other solver


class TriplesWalker(Walker):
    def __init__(
        self, program: Program, seed: int, service: type[Triples] = Triples, size: LetterSize = LetterSize.LARGE
    ) -> None:
        super().__init__(program, program_automaton(program, size=size), most=2)
        self.triples = service(Predicates(Context(self.space.terms)), self.space.facts())
        self.asked: Counter[str] = Counter()
        self._dice = Random(seed)

    # --- the walk's looks at a step ----------------------------------------------------------------------------------

    def _check(self, letter: Letter, transition: Transition, values: Values, pre: KnownState, made: Made) -> bool:
        wrong = isinstance(made.outcome, UndefinedBehaviour | NotSupported | Failed) and letter in made.letters
        known = {name: value for name, value in values.items() if value is not None}
        if transition.traps:
            answer = self.triples.no_trap(self._some_that_hold(transition, known), transition)
            self.asked[f"no trap: {answer.truth.value}"] += 1
            if wrong and answer.truth is Truth.YES:
                raise Different(f"letter {letter.id}: no trap, the machine: {made.outcome}")
        return super()._check(letter, transition, values, pre, made)

    def _next_state(
        self, where: str, transition: Transition, pre: KnownState, values: Values, expected: Values
    ) -> None:
        before = {name: value for name, value in values.items() if value is not None}
        after = {**before, **{name: value for name, value in expected.items() if value is not None}}
        given = self._some_that_hold(transition, before)
        for _ in range(3):
            formula = _formula(self.space.terms, transition, after, self._dice)
            if formula is None:
                return
            if Assignment(after).holds(formula):
                formula = self.space.terms.not_(formula)
            self._ask(where, given, transition, formula, wrong=True)
            self._ask(where, given, transition, self.space.terms.not_(formula), wrong=False)

    def _some_that_hold(self, transition: Transition, state: Known) -> int:
        terms, found = self.space.terms, 0
        for _ in range(self._dice.randrange(4)):
            formula = _formula(terms, transition, state, self._dice)
            if formula is not None:
                holds = Assignment(state).holds(formula)
                found |= self.triples.predicates.unify(formula if holds else terms.not_(formula)).bit
        return self.triples.predicates.normal(found)

    # --- one question ------------------------------------------------------------------------------------------------

    def _ask(self, where: str, pre: int, transition: Transition, formula: Term, *, wrong: bool) -> None:
        post = self.triples.predicates.unify(formula)
        answer = self.triples.ask(pre, transition, post)
        self.asked[f"{answer.by.value}: {answer.truth.value}"] += 1
        if wrong and answer.truth is Truth.YES:
            raise Different(f"{where}: yes by {answer.by.value}, but the machine's step leads elsewhere")
        self._state(where, pre, transition, post.term, answer)
        self._core(where, pre, transition, post.term, answer)

    def _state(self, where: str, pre: int, transition: Transition, post: Term, answer: TripleAnswer) -> None:
        if answer.state is None:
            return
        state = Assignment(answer.state)
        needed = [transition.guard, *self.triples.facts, *self.triples.predicates.terms_of(pre)]
        if not all(state.holds(one) for one in needed) or state.holds(transition.after([post])[0]):
            raise Different(f"{where}: the state of a no is none")

    def _core(self, where: str, pre: int, transition: Transition, post: Term, answer: TripleAnswer) -> None:
        if answer.truth is not Truth.YES:
            return
        if answer.core & ~pre:
            raise Different(f"{where}: a core that is no part of P")
        if self._dice.randrange(SECOND_OPINION):
            return
        self.asked["second opinion"] += 1
        core = self.triples.predicates.terms_of(answer.core)
        question = [*core, *self.triples.facts, self.space.terms.not_(transition.wp(post))]
        if isinstance(open_solver(SolverName.Z3).check(question, seconds=5), Sat):
            raise Different(f"{where}: the core does not suffice")


def _formula(terms: Terms, transition: Transition, state: Known, rng: Random) -> Term | None:
    """About variables of the letter, near the values they have."""
    names = sorted(transition.reads | transition.writes, key=lambda variable: variable.name)
    known = [(variable, state[variable.name]) for variable in names if variable.name in state]
    numbers = [one for one in (_number(terms, v, value, rng) for v, value in known) if one is not None]
    truths = [v for v, _ in known if v.sort is BOOL]
    if truths and (not numbers or rng.random() < 0.2):
        return rng.choice(truths)
    if not numbers:
        return None
    left, value = rng.choice(numbers)
    alike = [one for one in numbers if one[0].width == left.width and one[0] is not left]
    right = terms.bv(value + rng.choice((-1, 0, 0, 1)), left.width)
    if alike and rng.random() < 0.5:
        other, its = rng.choice(alike)
        right = rng.choice((other, terms.add(other, terms.bv(value - its, left.width))))
    return terms.make(rng.choice((Op.EQ, Op.ULT, Op.SLT)), (left, right))


def _number(terms: Terms, variable: Term, value: Value, rng: Random) -> tuple[Term, int] | None:
    """The variable, or an element of it, with its value."""
    if isinstance(value, ArrayValue):
        if not value.entries:
            return None
        index = rng.choice(sorted(value.entries))
        array = variable.sort
        return terms.select(variable, terms.bv(index, array.index)), value.entries[index]  # type: ignore[union-attr]
    return (variable, value) if isinstance(value, int) and variable.sort is not BOOL else None


def compare_triples(
    program: Program, walks: int = 1, service: type[Triples] = Triples, size: LetterSize = LetterSize.LARGE
) -> tuple[Counter[str], list[str]]:
    """How questions were answered, and differences."""
    try:
        walker = TriplesWalker(program, walks, service, size)
    except (CannotUnfold, CannotEncode) as refusal:
        return Counter([f"refused: {refusal}"]), []
    for seed in range(walks):
        try:
            walker.walk(Random(seed))
        except Different as different:
            return walker.asked, [f"walk {seed}: {different}"]
    return walker.asked, []
