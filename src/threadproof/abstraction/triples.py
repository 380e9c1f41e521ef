"""Hoare triples `{P} letter {Q}`: P is a conjunction of predicates (a bit set), Q one predicate.

The answer is yes, with members of P that suffice; no, with a state; or unsure, if the solver gave up. Unsure is never
to be read as yes. Whether something goes wrong in the letter is a question of its own: `no_trap`.

Tests in order of their cost, each sound on its own:
1. P is contradictory, or Q is true; the letter does not write what Q speaks of, and P has Q or what implies it.
2. Answers to the same letter and Q: yes for fewer conjuncts, no for more (the monotone cache).
3. Samples and states from earlier answers that satisfy P and the guard, and lead outside Q.
4. Q after substitution is true, or a conjunct of P or of the guard; known constants put in.
5. Groups of formulas that share variables, each by itself (`questions.py`): a sample, a plain contradiction, an answer
   to the same shape (copies of a thread share them), a sample that can be mended.
6. A solver.

Paper: tests as in Ultimate's IncrementalHoareTripleChecker and its monotone cache. Differs: samples, groups, shapes.
Invariants: what is kept is bounded, so a hundred thousand questions take no more memory than ten thousand.

Stable: `Triples.ask`, `no_trap`, `initially`, `post`, `Truth`, `TripleAnswer`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from threadproof.abstraction.path import PathStep
from threadproof.abstraction.predicates import CONTRADICTION, NOTHING, Predicate, Predicates
from threadproof.abstraction.questions import Clash, Questions
from threadproof.abstraction.repair import repaired
from threadproof.encoding.transitions import Transition
from threadproof.smt.context import conjuncts
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import Value
from threadproof.smt.solver import Undecided
from threadproof.smt.term import BOOL, Op, Term, variables

_STATES = 8  # kept for each letter
_ANSWERS = 12  # of each kind kept for a letter and a Q
_LETTERS_AND_POSTS = 20_000
_FIRST = 1_000
_POSTS = 2_000  # of which each letter remembers what they say of the state before


class Truth(Enum):
    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


class TripleUse(Enum):
    """Which test had the answer."""

    TRIVIAL = "trivial"
    CACHE = "cache"
    STATE = "state"
    SUBSTITUTION = "substitution"
    GROUPS = "groups"  # formulas that hang together: their shape was known, or a look sufficed
    SOLVER = "solver"


@dataclass(frozen=True, slots=True)
class TripleAnswer:
    truth: Truth
    core: int = NOTHING  # yes: members of P that suffice
    state: Mapping[str, Value] | None = None  # no: of variables before, and of inputs; None: one from a sample
    by: TripleUse = TripleUse.TRIVIAL


_UNSURE = TripleAnswer(Truth.UNSURE, by=TripleUse.SOLVER)


@dataclass(slots=True)
class _State:
    """A state from which the letter can be made, and which predicates hold in it, as far as anybody asked."""

    values: Mapping[str, Value]
    asked: int = 0
    holds: int = 0


@dataclass(slots=True)
class _Kept:
    """Answers for a letter and a Q: yes with these cores, no for these conjunctions."""

    yes: list[int] = field(default_factory=list[int])
    no: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class _Known:
    """Of a transition: its guard in conjuncts, and what was found out about it."""

    transition: Transition
    guard: tuple[Term, ...]
    signature: int  # samples in which it can be made
    writes: frozenset[Term]
    states: deque[_State] = field(default_factory=lambda: deque[_State](maxlen=_STATES))
    after: dict[int, tuple[Term, int]] = field(default_factory=dict[int, tuple[Term, int]])  # Q, substituted


class Triples:
    """`facts` hold in every state that can be reached (`Space.facts`): they are part of every P, and of no core."""

    def __init__(self, predicates: Predicates, facts: Sequence[Term] = (), seconds: float = 1.0) -> None:
        self.predicates = predicates
        self.terms = predicates.terms
        self.facts = tuple(facts)
        self.questions = Questions(predicates.context, predicates.samples, seconds)
        self.uses = dict.fromkeys(TripleUse, 0)
        self._known: dict[Transition, _Known] = {}
        mentioned = variables(self.facts)
        self._numbers = frozenset(one.name for one in mentioned if one.sort is not BOOL)
        self._anyhow: dict[str, Value] = {  # facts say that numbers differ: with these, most hold
            one.name: 1 if one.sort is BOOL else _FIRST + place for place, one in enumerate(mentioned)
        }
        self._kept: dict[tuple[Transition, int], _Kept] = {}

    # --- questions ---------------------------------------------------------------------------------------------------

    def ask(self, pre: int, step: PathStep | Transition, post: Predicate) -> TripleAnswer:
        """Whether `post` holds after every way to make the letter from a state in which all of `pre` hold."""
        known = self._of(step)
        answer = self._trivial(pre, known, post) or self._found(known, pre, post.number)
        if answer is None:
            term, signature = self._after(known, post)
            answer = self._refuted(pre, known, term, signature) or self._decide(pre, known, post, term)
            self._remember(known, pre, post.number, answer)
        self.uses[answer.by] += 1
        return answer

    def no_trap(self, pre: int, step: PathStep | Transition) -> TripleAnswer:
        """Whether nothing goes wrong in the letter from any state in which all of `pre` hold."""
        known = self._of(step)
        if pre & CONTRADICTION or not known.transition.traps:
            return TripleAnswer(Truth.YES, pre & CONTRADICTION)
        key = -1
        answer = self._found(known, pre, key)
        if answer is None:
            answer = self._solve(pre, [known.transition.trapped])
            self._remember(known, pre, key, answer)
        self.uses[answer.by] += 1
        return answer

    def initially(self, initial: Mapping[Term, Term], post: Predicate) -> Truth:
        """Whether the predicate holds in every initial state (`Space.initial`)."""
        [start] = self.terms.substitute([post.term], initial)
        if start is self.terms.true:
            return Truth.YES
        return self._solve(NOTHING, [self.terms.not_(start)]).truth

    def post(self, pre: int, step: PathStep | Transition, wanted: int) -> int:
        """Which of the predicates `wanted` hold after the letter; `CONTRADICTION` if it cannot be made. Those of which
        the solver is unsure are left out."""
        if self.ask(pre, step, self.predicates.false).truth is Truth.YES:
            return CONTRADICTION
        found = NOTHING
        for one in self.predicates.members(wanted):
            if self.ask(pre, step, one).truth is Truth.YES:
                found |= one.bit
        return found

    def forget(self) -> None:
        """Everything that was found out; answers stay the same."""
        self._kept.clear()
        self.questions.forget()
        for known in self._known.values():
            known.states.clear()

    # --- 1: looking --------------------------------------------------------------------------------------------------

    def _trivial(self, pre: int, known: _Known, post: Predicate) -> TripleAnswer | None:
        if pre & CONTRADICTION:
            return TripleAnswer(Truth.YES, CONTRADICTION)
        if post is self.predicates.true or known.transition.guard is self.terms.false:
            return TripleAnswer(Truth.YES)
        if known.writes.isdisjoint(post.variables):
            enough = pre & post.implied_by
            if enough:
                return TripleAnswer(Truth.YES, enough & -enough)
        return None

    # --- 2: earlier answers ------------------------------------------------------------------------------------------

    def _found(self, known: _Known, pre: int, post: int) -> TripleAnswer | None:
        kept = self._kept.get((known.transition, post))
        if kept is None:
            return None
        for core in kept.yes:
            if not core & ~pre:
                return TripleAnswer(Truth.YES, core, by=TripleUse.CACHE)
        for weaker in kept.no:
            if not pre & ~weaker:
                return TripleAnswer(Truth.NO, by=TripleUse.CACHE)
        return None

    def _remember(self, known: _Known, pre: int, post: int, answer: TripleAnswer) -> None:
        if answer.truth is Truth.UNSURE:
            return
        if len(self._kept) > _LETTERS_AND_POSTS:
            self._kept.clear()
        kept = self._kept.setdefault((known.transition, post), _Kept())
        if answer.truth is Truth.YES:
            kept.yes = [*[core for core in kept.yes if answer.core & ~core][-_ANSWERS:], answer.core]
        else:
            kept.no = [*[held for held in kept.no if held & ~pre][-_ANSWERS:], pre]

    # --- 3: states ---------------------------------------------------------------------------------------------------

    def _refuted(self, pre: int, known: _Known, after: Term, signature: int) -> TripleAnswer | None:
        samples = known.signature & ~signature & self.predicates.signature(pre)
        if samples and (not self.facts or self._sampled(samples, pre, known, after)):
            return TripleAnswer(Truth.NO, by=TripleUse.STATE)
        for state in known.states:
            if not self._fails(state, pre) and not Assignment(state.values).holds(after):
                return TripleAnswer(Truth.NO, state=state.values, by=TripleUse.STATE)
        return None

    def _sampled(self, samples: int, pre: int, known: _Known, after: Term) -> bool:
        """Whether the facts hold, too, in one of the samples, or in nearly one."""
        formulas = [known.transition.guard, self.terms.not_(after), *self.predicates.terms_of(pre)]
        names = set[Term]().union(*(self.questions.support(formula) for formula in formulas))
        state = self.predicates.samples.state(names, samples.bit_length() - 1)
        return self._with_facts(state, formulas) is not None

    def _with_facts(self, state: Mapping[str, Value], formulas: Sequence[Term]) -> dict[str, Value] | None:
        """A state in which the formulas and the facts hold, if it is near one in which the formulas do: variables
        that only facts speak of have the values of `_anyhow`, or its numbers replace those of the state."""
        numbers = {name: value for name, value in self._anyhow.items() if name in self._numbers}
        for whole in ({**self._anyhow, **state}, {**self._anyhow, **state, **numbers}):
            values = Assignment(whole)
            if all(values.holds(one) for one in (*self.facts, *formulas)):
                return whole
        return repaired([*formulas, *self.facts], {**self._anyhow, **state, **numbers})

    def _fails(self, state: _State, pre: int) -> bool:
        """Whether some of `pre` does not hold in it."""
        new = pre & ~state.asked
        if new:
            values = Assignment(state.values)
            for one in self.predicates.members(new):
                state.holds |= one.bit if values.holds(one.term) else 0
            state.asked |= new
        return bool(pre & ~state.holds)

    # --- 4: substitution ---------------------------------------------------------------------------------------------

    def _decide(self, pre: int, known: _Known, post: Predicate, after: Term) -> TripleAnswer:
        if after is self.terms.true or after in known.guard:
            return TripleAnswer(Truth.YES, by=TripleUse.SUBSTITUTION)
        same = self.predicates.known(after)
        enough = pre & same.implied_by if same is not None else NOTHING
        if enough:
            return TripleAnswer(Truth.YES, enough & -enough, by=TripleUse.SUBSTITUTION)
        answer = self._by_constants(pre, known, after) or self._solve(pre, [*known.guard, self.terms.not_(after)])
        if answer.state is not None:
            known.states.appendleft(_State(answer.state))
        return answer

    def _by_constants(self, pre: int, known: _Known, after: Term) -> TripleAnswer | None:
        """With variables that P equates with constants replaced by them."""
        values: dict[Term, Term] = {}
        said: dict[Term, int] = {}
        for one in self.predicates.members(pre):
            fixed = constant_equation(one.term, self.terms.true, self.terms.false)
            if fixed is not None and fixed[0] not in values:
                values[fixed[0]] = fixed[1]
                said[fixed[0]] = one.bit
        if not values:
            return None
        formulas = [self.terms.not_(after), *known.guard]
        for formula, folded in zip(formulas, self.terms.substitute(formulas, values), strict=True):
            if folded is self.terms.false:
                core = sum(said.get(variable, NOTHING) for variable in self.questions.support(formula))
                return TripleAnswer(Truth.YES, core, by=TripleUse.SUBSTITUTION)
        return None

    # --- 5: the solver -----------------------------------------------------------------------------------------------

    def _solve(self, pre: int, formulas: Sequence[Term]) -> TripleAnswer:
        """Yes if the conjunction `pre` and the formulas cannot hold together."""
        parts = [conjunct for formula in formulas for conjunct in conjuncts(formula)]
        given = {one.term: one.bit for one in self.predicates.members(pre) if one.term not in parts}
        asked = self.questions.counts.by_solver
        answer = self.questions.together([*parts, *given])
        if self.facts and isinstance(answer, dict):  # facts are many, and seldom what matters
            whole = self._with_facts(answer, [*parts, *given])
            answer = self.questions.together([*parts, *given, *self.facts]) if whole is None else whole
        by = TripleUse.GROUPS if asked == self.questions.counts.by_solver else TripleUse.SOLVER
        match answer:
            case Clash(core):
                bits = NOTHING
                for formula in core:
                    bits |= given.get(formula, NOTHING)
                return TripleAnswer(Truth.YES, bits, by=by)
            case Undecided():
                return _UNSURE
            case _:
                return TripleAnswer(Truth.NO, state=answer, by=by)

    # --- what is known of letters ------------------------------------------------------------------------------------

    def _of(self, step: PathStep | Transition) -> _Known:
        transition = step if isinstance(step, Transition) else step.transition
        found = self._known.get(transition)
        if found is None:
            signature = self.predicates.samples.signature(transition.guard)
            guard = conjuncts(transition.guard)
            found = _Known(transition, guard, signature, frozenset(transition.updates))
            self._known[transition] = found
        return found

    def _after(self, known: _Known, post: Predicate) -> tuple[Term, int]:
        found = known.after.get(post.number)
        if found is None:
            if len(known.after) >= _POSTS:
                known.after.clear()
            [term] = known.transition.after([post.term])
            found = known.after[post.number] = (term, self.predicates.samples.signature(term))
        return found


def constant_equation(formula: Term, true: Term, false: Term) -> tuple[Term, Term] | None:
    """A variable and the constant that the formula says it is."""
    match formula.op:
        case Op.VAR:
            return formula, true
        case Op.NOT if formula.args[0].op is Op.VAR:
            return formula.args[0], false
        case Op.EQ if formula.args[0].op is Op.VAR and formula.args[1].op is Op.VALUE:
            return formula.args[0], formula.args[1]
        case _:
            return None
