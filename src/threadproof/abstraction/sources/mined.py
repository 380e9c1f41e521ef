"""Relations that hold in all concrete states seen at a place: constants, equations, differences, sums, bounds.

They are candidates for the assertion there; from the first place on, those are kept that follow from the ones before
by a triple, so what is proposed is inductive as far as the path can be made.

Paper: M. D. Ernst et al., Dynamically Discovering Likely Program Invariants (Daikon), ICSE 1999. Differs: only over
variables that the core of the path still asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from threadproof.abstraction.native_runs import NativeRuns
from threadproof.abstraction.path import LetterPath, PathGoal
from threadproof.abstraction.predicates import NOTHING
from threadproof.abstraction.runs import ConcreteRuns, ConcreteState
from threadproof.abstraction.sequence import NoAssertions
from threadproof.abstraction.sources.postconditions import asked_for
from threadproof.abstraction.sources.source import Proposal
from threadproof.abstraction.trace_check import Feasible, PathCore, TraceCheck
from threadproof.abstraction.triples import Triples, Truth
from threadproof.encoding.transitions import Encoder, Space
from threadproof.smt.meaning import to_signed
from threadproof.smt.term import BOOL, BitVec, Term
from threadproof.smt.terms import Terms

_RUNS, _LENGTH = 24, 80
_MOST_VARIABLES = 8
_MOST_CANDIDATES = 60


class Mined:
    """First with all states seen where the threads stand, then with those of this path alone, which says more."""

    def __init__(self, space: Space, triples: Triples) -> None:
        self._space = space
        self._triples = triples
        self._check = TraceCheck(space, triples.predicates.context)
        self._runs: ConcreteRuns | None = None
        self._native = NativeRuns(space)

    def predicates(self, path: LetterPath, core: PathCore) -> Proposal | NoAssertions:
        runs = self._concrete()
        own = self._own_states(path, core, runs)
        if own is None:
            return NoAssertions("no concrete run along the path")
        places, general = self._space.automaton.initial(), list[list[ConcreteState]]()
        for step, state in zip(path.steps, own, strict=False):
            general.append([state, *runs.at(places), *self._native.at(places)])
            places = self._space.automaton.after(places, step.instance, step.letter)
        for states in (general, [[state] for state in own]):
            found = self._inductive(path, core, states)
            if found is not None:
                return found
        return NoAssertions("what holds in runs is not enough")

    def _inductive(
        self, path: LetterPath, core: PathCore, states: Sequence[Sequence[ConcreteState]]
    ) -> Proposal | None:
        predicates, terms, triples = self._triples.predicates, self._space.terms, self._triples
        initial = self._space.initial()
        now, found = NOTHING, list[list[Term]]()
        for index, (asked, seen) in enumerate(zip(asked_for(core), states, strict=False)):
            wanted = NOTHING
            for candidate in candidates(terms, sorted(asked, key=_name), seen):
                wanted |= predicates.unify(candidate).bit
            if index:
                now = triples.post(now, path.steps[index - 1], wanted)
            else:
                now = sum(p.bit for p in predicates.members(wanted) if triples.initially(initial, p) is Truth.YES)
            found.append(predicates.terms_of(now))
        return (
            [*found, *([[terms.false]] * (len(path) + 1 - len(found)))] if self._ends(path, len(found), now) else None
        )

    def _ends(self, path: LetterPath, length: int, now: int) -> bool:
        """Whether the next step cannot be made."""
        step = path.steps[length - 1]
        if path.goal is PathGoal.TRAP and length == len(path):
            return self._triples.no_trap(now, step).truth is Truth.YES
        return self._triples.ask(now, step, self._triples.predicates.false).truth is Truth.YES

    def _own_states(self, path: LetterPath, core: PathCore, runs: ConcreteRuns) -> list[ConcreteState] | None:
        """Before each step up to the one that cannot be made."""
        prefix = LetterPath(path.steps[: core.length - 1])
        answer = self._check.check(prefix)
        return runs.along(prefix.steps, answer.inputs) if isinstance(answer, Feasible) else None

    def _concrete(self) -> ConcreteRuns:
        if self._runs is None:
            self._runs = ConcreteRuns(Encoder(self._space))
            for _ in range(_RUNS):
                self._runs.run(_LENGTH)
        return self._runs


def candidates(terms: Terms, variables: Sequence[Term], states: Sequence[ConcreteState]) -> list[Term]:
    """What holds in all states, of variables that all of them know; where none was seen, nothing."""
    numbers = [one for one in variables if isinstance(one.sort, BitVec)]
    known = [state for state in states if all(one.name in state for one in numbers)]
    states = known or states
    scalars = [one for one in numbers if all(one.name in state for state in states)][:_MOST_VARIABLES]
    truths = [one for one in variables if one.sort is BOOL]
    if not states:
        return []
    found: list[Term] = []
    for one in truths:
        values = {state[one.name] for state in states if one.name in state}
        if len(values) == 1:
            found.append(one if values.pop() else terms.not_(one))
    found += _relations(terms, scalars, [[_int(state[one.name]) for one in scalars] for state in states])
    return found[:_MOST_CANDIDATES]


def _relations(terms: Terms, scalars: Sequence[Term], rows: list[list[int]]) -> Iterator[Term]:
    columns = list(zip(*rows, strict=True))
    for one, column in zip(scalars, columns, strict=True):
        if len(set(column)) == 1:
            yield terms.eq(one, terms.bv(column[0], one.width))
    pairs = [(a, b) for a, b in combinations(range(len(scalars)), 2) if scalars[a].sort == scalars[b].sort]
    for a, b in pairs:
        yield from _pair(terms, scalars[a], scalars[b], columns[a], columns[b])
    for a, b in pairs:
        for c in range(len(scalars)):
            yield from _triple(terms, scalars, columns, (a, b, c))
    for one, column in zip(scalars, columns, strict=True):
        signed = [to_signed(value, one.width) for value in column]
        if min(signed) >= 0:
            yield terms.sle(terms.bv(0, one.width), one)
        if len(set(column)) > 1:
            yield terms.sle(one, terms.bv(max(signed), one.width))
            yield terms.sle(terms.bv(min(signed), one.width), one)


def _pair(terms: Terms, a: Term, b: Term, left: Sequence[int], right: Sequence[int]) -> Iterator[Term]:
    width, mask = a.width, (1 << a.width) - 1
    differences = {x - y & mask for x, y in zip(left, right, strict=True)}
    sums = {x + y & mask for x, y in zip(left, right, strict=True)}
    if len(differences) == 1:
        yield terms.eq(a, terms.add(b, terms.bv(differences.pop(), width)))
    elif len(sums) == 1:
        yield terms.eq(terms.add(a, b), terms.bv(sums.pop(), width))
    signed = [(to_signed(x, width), to_signed(y, width)) for x, y in zip(left, right, strict=True)]
    if all(x <= y for x, y in signed):
        yield terms.sle(a, b)
    elif all(y <= x for x, y in signed):
        yield terms.sle(b, a)


def _triple(
    terms: Terms, scalars: Sequence[Term], columns: Sequence[Sequence[int]], chosen: tuple[int, int, int]
) -> Iterator[Term]:
    """a + b = c + constant, a - b = c + constant."""
    a, b, c = chosen
    if c in (a, b) or scalars[c].sort != scalars[a].sort:
        return
    width, mask = scalars[a].width, (1 << scalars[a].width) - 1
    rows = list(zip(columns[a], columns[b], columns[c], strict=True))
    if any(len(set(columns[one])) == 1 for one in chosen):
        return  # a relation of two
    over = {x + y - z & mask for x, y, z in rows}
    if len(over) == 1:
        yield terms.eq(terms.add(scalars[a], scalars[b]), terms.add(scalars[c], terms.bv(over.pop(), width)))


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _name(variable: Term) -> str:
    return variable.name
