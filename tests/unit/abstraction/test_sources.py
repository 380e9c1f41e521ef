"""Sources one by one: what makes each of them worth asking, and what they must not do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from abstraction_programs import TWINS, Abstracted

from threadproof.abstraction.names import CNames
from threadproof.abstraction.path import LetterPath
from threadproof.abstraction.runs import ConcreteRuns
from threadproof.abstraction.sequence import Assertions, NoAssertions
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.sources.farkas import Farkas, Inequation, over_integers, ways
from threadproof.abstraction.sources.interpolants import ProcessInterpolants
from threadproof.abstraction.sources.mined import candidates
from threadproof.abstraction.sources.preconditions import Preconditions
from threadproof.abstraction.trace_check import CoreStep, Feasible, Infeasible, PathCore
from threadproof.abstraction.triples import Truth
from threadproof.encoding.transitions import Transition
from threadproof.smt.evaluate import Assignment
from threadproof.smt.linear import Linear
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

COUNTED = """
void *up(void *p) { while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 1; } return 0; }
int main(void) {
    pthread_t s; pthread_create(&s, 0, up, 0); pthread_join(s, 0);
    if (x > y) reach_error();
    return 0;
}
"""


def refuted(one: Abstracted, count: int, tries: int = 60) -> list[tuple[LetterPath, Infeasible]]:
    found: list[tuple[LetterPath, Infeasible]] = []
    for path in one.random_paths(Random(2), tries):
        answer = one.trace_check.check(path)
        if isinstance(answer, Infeasible):
            found.append((path, answer))
        if len(found) == count:
            return found
    raise AssertionError("too few paths")


def test_integers_say_what_every_round_keeps(tmp_path: Path) -> None:
    """Not x == 1, x == 2 and so on, but a relation of x and y that is the same in every round."""
    one = Abstracted(tmp_path, COUNTED)
    refiner, names = Refiner(one.space, one.triples), CNames(one.space)
    texts: set[str] = set()
    for path, answer in refuted(one, 3):
        if not {one.word("x"), one.word("y")} <= {v for step in answer.core.steps for v in step.updates}:
            continue
        found = refiner.by(SourceName.INTEGERS, path, answer.core)
        assert isinstance(found, Assertions)
        texts |= {names.condition(p.term) for bits in found.between for p in one.predicates.members(bits)}
    assert texts & {"x == y", "y == x"}


def test_what_integers_say_is_no_triple(tmp_path: Path) -> None:
    """Over integers x + 1 > x. The guess is refused, and the path that wraps is found."""
    text = "u = __VERIFIER_nondet_int(); y = u; u = u + 1; if (u <= (unsigned)y) reach_error(); return 0;"
    one = Abstracted(tmp_path, f"int main(void) {{ {text} }}")
    terms, u, y = one.terms, one.word("u"), one.word("y")
    step = Transition(terms, terms.true, {u: terms.add(u, one.number(1))})
    same, more = one.predicates.unify(terms.eq(u, y)), one.predicates.unify(terms.ult(y, u))
    assert one.triples.ask(same.bit, step, more).truth is Truth.NO
    assert any(isinstance(one.trace_check.check(path), Feasible) for path in one.random_paths(Random(1), 30))


def test_a_sum_that_contradicts() -> None:
    """x <= y, y <= z, z < x: after the first, x <= y; after the second, x <= z."""
    terms = Terms()
    x, y, z = (terms.int_var(name) for name in "xyz")
    formulas = [terms.at_most(x, y), terms.at_most(y, z), terms.less(z, x)]
    given = [one for place, formula in enumerate(formulas) for one in ways(formula, place)[0]]
    found = Farkas(terms).interpolants(given, [], 2, over_integers(terms))
    assert found is not None
    for values in ({"x": 1, "y": 1, "z": 1}, {"x": -2, "y": 0, "z": 3}, {"x": 3, "y": 2, "z": 1}):
        state = Assignment(values)
        assert state.holds(found[0]) == (values["x"] <= values["y"])
        assert state.holds(found[1]) == (values["x"] <= values["z"])
    assert Farkas(terms).interpolants(given[:2], [], 1, over_integers(terms)) is None


def test_alternatives_are_joined() -> None:
    """x = 0 and then x != 0: both alternatives are refuted, and x = 0 is what both need."""
    terms = Terms()
    x = terms.int_var("x")
    zero = terms.integer(0)
    [given] = ways(terms.eq(x, zero), 0)
    other = ways(terms.not_(terms.eq(x, zero)), 1)
    found = Farkas(terms).interpolants(given, [(1, other)], 1, over_integers(terms))
    assert found is not None
    assert [Assignment({"x": value}).holds(found[0]) for value in (-1, 0, 1)] == [False, True, False]


def test_a_factor_of_zero_takes_nothing_away() -> None:
    terms = Terms()
    x = Linear({terms.int_var("x"): 2}, 1)
    assert x.plus(Linear({terms.int_var("y"): 5}, 7), 0) == x
    assert Inequation(x, True, 0).sum is x


def test_interpolants_that_take_for_ever_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def for_ever(self: object, answer: object, formulas: object, seconds: object) -> None:
        while True:
            pass

    monkeypatch.setattr(ProcessInterpolants, "_child", for_ever)
    terms = Terms()
    formulas = [terms.bool_var("a"), terms.not_(terms.bool_var("a"))]
    assert ProcessInterpolants(terms).propose(formulas, 0.05) is None


def test_a_child_that_dies_has_no_interpolants(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(self: object, answer: object, formulas: object, seconds: object) -> None:
        return

    monkeypatch.setattr(ProcessInterpolants, "_child", dies)
    assert ProcessInterpolants(Terms()).propose([], 5.0) is None


# --- concrete runs ---------------------------------------------------------------------------------------------------


def test_candidates_hold_in_all_states() -> None:
    terms, rng = Terms(), Random(4)
    names = [terms.bv_var(name, 32) for name in "abcd"]
    rows: list[dict[str, int]] = []
    for _ in range(6):
        a, b = rng.randrange(9), rng.randrange(9)
        rows.append({"a": a, "b": b, "c": a + b, "d": (a - 3) % (1 << 32)})
    found = candidates(terms, names, [dict(row) for row in rows])
    assert all(Assignment(dict(row)).holds(one) for row in rows for one in found)
    a, b, c, d = names
    assert terms.eq(terms.add(a, b), terms.add(c, terms.bv(0, 32))) in found
    assert any(set(one.args) & {a, d} for one in found if one.args)
    assert candidates(terms, names, []) == []


def test_runs_are_made_of_letters(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, TWINS)
    runs = ConcreteRuns(one.encoder, seed=1)
    for _ in range(3):
        runs.run(40)
    start = one.automaton.initial()
    [state] = runs.at(start)
    assert state["x+0"] == 0
    initial = Assignment(dict(state))
    assert all(initial.value(variable) == initial.value(term) for variable, term in one.space.initial().items())


def test_states_along_a_feasible_path(tmp_path: Path) -> None:
    """Inputs of a feasible path make every guard true, evaluated letter by letter."""
    one = Abstracted(
        tmp_path,
        "int main(void) { x = __VERIFIER_nondet_int(); y = x + 1; if (y == 8 && x > 0) reach_error(); return 0; }",
    )
    runs, seen = ConcreteRuns(one.encoder), 0
    for path in one.random_paths(Random(3), 30):
        answer = one.trace_check.check(path)
        if isinstance(answer, Feasible):
            states = runs.along(path.steps, answer.inputs)
            for state, step, given in zip(states, path.steps, answer.inputs, strict=False):
                values = {**state, **{of.term.name: value for of, value in given}}
                assert Assignment(values).holds(step.transition.guard)
            assert states[-1]["x+0"] == 7
            seen += 1
    assert seen


# --- names -----------------------------------------------------------------------------------------------------------


def test_predicates_in_c(tmp_path: Path) -> None:
    one = Abstracted(
        tmp_path,
        """struct queue { int head; unsigned size; } q; unsigned char b[8];
        void *work(void *p) { int i = __VERIFIER_nondet_int(); q.head = i; q.size = i;
            if (i >= 0 && i < 4) { a[i] = i; b[i] = 1; }
            while (i > 0) { i--; x = q.head; } return 0; }
        int main(void) { pthread_t s; pthread_create(&s, 0, work, 0); pthread_join(s, 0); return a[2] + b[x]; }""",
    )
    terms, names = one.terms, CNames(one.space)

    def variable(name: str) -> Term:
        return next(
            v
            for v in (c.term for o in one.space.objects for c in one.space.objects.cells(o))
            if names.of(v).text == name
        )

    head, size, array = variable("q.head"), variable("q.size"), variable("a")
    assert names.condition(terms.slt(head, terms.bv(-3, 32))) == "q.head < -3"
    assert names.condition(terms.ult(size, terms.bv(7, 32))) == "q.size < 7U"
    assert names.condition(terms.eq(terms.select(array, terms.bv(8, 64)), terms.bv(1, 32))) == "a[2LL] == 1"
    started = one.space.threads[one.space.instances[1]].started
    assert names.condition(started) == "started(work)"
    letters = one.automaton.templates["work"].letters
    locals_ = {
        names.of(v).text for letter in letters for v in one.encoder.transition(one.space.instances[1], letter).writes
    }
    assert "work.i" in locals_


def test_a_source_that_fails_says_so(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, "int main(void) { if (x * x * y == 7 * y + 3 && x == 0) reach_error(); return 0; }")
    refiner = Refiner(one.space, one.triples)
    for path, answer in refuted(one, 1):
        for name in SourceName:
            found = refiner.by(name, path, answer.core)
            assert isinstance(found, Assertions) or found.reason
        assert isinstance(refiner.assertions(path, answer.core), Assertions | NoAssertions)
    assert refiner.counts[SourceName.SP].asked == 2


def test_preconditions_go_on_behind_what_surely_happens(tmp_path: Path) -> None:
    """The rest of a path that can surely be made from somewhere on: that place must not be reached. It was taken for a
    rest of which nothing could be said."""
    one = Abstracted(tmp_path, TWINS)
    terms, x, y = one.terms, one.word("x"), one.word("y")
    guarded = CoreStep((terms.ne(x, one.number(0)),), {}, ())
    written = CoreStep((), {y: one.number(1)}, ())
    asked = CoreStep((terms.ne(y, one.number(0)),), {}, ())
    path, _ = refuted(one, 1)[0]
    short = LetterPath(path.steps[1:4])
    found = Preconditions(terms).predicates(short, PathCore({}, (guarded, written, asked)))
    assert found == [
        [terms.eq(x, one.number(0))],
        [terms.false],
        [terms.eq(y, one.number(0))],
        [terms.false],
    ]
