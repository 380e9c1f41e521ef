"""Paths: feasible with inputs, infeasible with a core, and assertions along them that are proved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from abstraction_programs import TWINS, Abstracted

from threadproof.abstraction.eliminate import without
from threadproof.abstraction.liveness import Liveness
from threadproof.abstraction.path import LetterPath, PathGoal
from threadproof.abstraction.predicates import CONTRADICTION
from threadproof.abstraction.sequence import Assertions, NoAssertions, prove
from threadproof.abstraction.sources import Refiner, SourceName
from threadproof.abstraction.trace_check import Feasible, Infeasible, PathCore, TraceCheck, TraceUnsure
from threadproof.abstraction.triples import Truth
from threadproof.automaton import Instance, Places
from threadproof.encoding.errors import CannotEncode
from threadproof.smt.context import Context, Core
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, SolverName, Undecided, Unsat, open_solver
from threadproof.smt.term import Array, Op, Term, in_order, variables
from threadproof.smt.terms import Terms

MAIN = Instance("main", 0)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Abstracted:
    return Abstracted(tmp_path_factory.mktemp("twins"), TWINS)


@pytest.fixture(scope="module")
def refuted(twins: Abstracted) -> list[tuple[LetterPath, PathCore]]:
    found: list[tuple[LetterPath, PathCore]] = []
    for path in twins.random_paths(Random(5), 40):
        answer = twins.trace_check.check(path)
        assert isinstance(answer, Infeasible)
        found.append((path, answer.core))
        if len(found) == 4:
            return found
    raise AssertionError("no paths")


def formulas(terms: Terms, core: PathCore) -> list[Term]:
    """A core in single static assignment, made here once more."""
    names: dict[Term, Term] = {}
    found = [terms.eq(variable, value) for variable, value in core.initial.items()]
    for index, step in enumerate(core.steps):
        fresh = {v: terms.var(f"{v.name} in {index}", v.sort) for v in variables(step.guard) if "input" in v.name}
        found += terms.substitute(step.guard, {**names, **fresh})
        values = terms.substitute(step.updates.values(), {**names, **fresh})
        names.update({v: terms.var(f"{v.name} of {index}", v.sort) for v in (*step.updates, *step.forgotten)})
        found += [terms.eq(names[v], value) for v, value in zip(step.updates, values, strict=True)]
    return found


def test_arrays_with_one_value_everywhere_have_no_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """bitwuzla does not fully support equations of them; z3, which does, finds the core contradictory."""
    zeros = """
    void *up(void *p) { int i = __VERIFIER_nondet_int(); if (i == 0 || i == 1) a[i] = 1; return 0; }
    int main(void) {
        pthread_t s; pthread_create(&s, 0, up, 0); pthread_join(s, 0);
        if (a[2]) reach_error();
        return 0;
    }
    """
    abstracted, asked = Abstracted(tmp_path, zeros), list[Term]()
    real = abstracted.context.core

    def core(named: Mapping[str, Term], seconds: float | None = None) -> Core | Sat | Undecided:
        asked.extend(named.values())
        return real(named, seconds)

    monkeypatch.setattr(abstracted.context, "core", core)
    answers = [abstracted.trace_check.check(path) for path in abstracted.random_paths(Random(0), 40)]
    cores = [answer.core for answer in answers if isinstance(answer, Infeasible)]
    assert any(isinstance(variable.sort, Array) for core in cores for step in core.steps for variable in step.updates)
    assert not any(part.op is Op.EQ and isinstance(part.args[0].sort, Array) for part in in_order(asked))
    for found in cores:
        solver = open_solver(SolverName.Z3)
        solver.add(*formulas(abstracted.terms, found))
        assert isinstance(solver.check(), Unsat)


def test_cores_are_unsatisfiable_and_minimal(twins: Abstracted, refuted: list[tuple[LetterPath, PathCore]]) -> None:
    for path, core in refuted:
        assert len(core.steps) == len(path)
        parts = formulas(twins.terms, core)
        solver = open_solver()
        assert isinstance(solver.check(parts), Unsat)
        for left_out in range(len(parts)):
            rest = [part for index, part in enumerate(parts) if index != left_out]
            assert not isinstance(open_solver().check(rest), Unsat)


@pytest.mark.parametrize("source", SourceName)
def test_assertions_are_inductive(
    twins: Abstracted, refuted: list[tuple[LetterPath, PathCore]], source: SourceName
) -> None:
    refiner = Refiner(twins.space, twins.triples)
    proved = 0
    for path, core in refuted:
        found = refiner.by(source, path, core)
        if isinstance(found, NoAssertions):
            continue
        proved += 1
        assert len(found.between) == len(path) + 1
        assert found.between[-1] == CONTRADICTION
        check_independently(twins, path, found)
        for bits in found.between:
            names = {v.name for one in twins.predicates.members(bits) for v in one.variables}
            assert not any("input" in name or "before" in name or "@" in name.split("+")[-1] for name in names)
    assert proved == len(refuted) or (source is SourceName.MINED and proved)


def check_independently(one: Abstracted, path: LetterPath, found: Assertions) -> None:
    """By a solver of its own, without any of the tests that save questions."""
    terms, predicates = one.terms, one.predicates
    [first] = terms.substitute([predicates.term(found.between[0])], one.space.initial())
    assert isinstance(open_solver().check([terms.not_(first)]), Unsat)
    for index, step in enumerate(path.steps):
        before, after = (predicates.term(bits) for bits in found.between[index : index + 2])
        assert isinstance(open_solver().check([before, terms.not_(step.transition.wp(after))]), Unsat)


def test_corrupted_assertions_are_rejected(twins: Abstracted, refuted: list[tuple[LetterPath, PathCore]]) -> None:
    refiner, terms = Refiner(twins.space, twins.triples), twins.terms
    path, core = refuted[0]
    found = refiner.assertions(path, core)
    assert isinstance(found, Assertions)
    good = [twins.predicates.terms_of(bits) for bits in found.between]
    assert isinstance(prove(twins.triples, twins.space.initial(), path, good), Assertions)
    needed = [index for index, formula in enumerate(good[:-1]) if formula]
    for index in needed:
        for bad in ([], [terms.not_(terms.all(good[index]))]):
            spoilt = [bad if place == index else part for place, part in enumerate(good)]
            assert isinstance(prove(twins.triples, twins.space.initial(), path, spoilt), NoAssertions)


def test_inputs_of_a_feasible_path(tmp_path: Path) -> None:
    one = Abstracted(
        tmp_path,
        "int main(void) { x = __VERIFIER_nondet_int(); if (x * 3 == 21 && x < 100 && x > 0) reach_error(); return 0; }",
    )
    answers = [one.trace_check.check(path) for path in one.random_paths(Random(1), 20)]
    [[(_, value)]] = [step for step in next(a for a in answers if isinstance(a, Feasible)).inputs if step]
    assert value == 7


def test_a_trap_is_a_goal(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, "int main(void) { y = 2; u = 10 / (unsigned)y; u = 10 / u; u = 10 / u; return 0; }")
    path = one.straight(*[MAIN] * len(one.automaton.templates["main"].letters))
    traps = [index for index, step in enumerate(path.steps) if step.transition.traps]
    refiner = Refiner(one.space, one.triples)
    for index in traps:
        to_trap = LetterPath(path.steps[: index + 1], PathGoal.TRAP)
        answer = one.trace_check.check(to_trap)
        assert isinstance(answer, Infeasible)
        for source in SourceName:
            found = refiner.by(source, to_trap, answer.core)
            assert isinstance(found, Assertions)
            assert one.triples.no_trap(found.between[-2], to_trap.steps[-1]).truth is Truth.YES
    assert isinstance(one.trace_check.check(path), Feasible)


def test_unsigned_numbers_wrap(tmp_path: Path) -> None:
    """Over integers the error could not be reached."""
    one = Abstracted(tmp_path, "int main(void) { u = 4294967295u; u = u + 1; if (!(u > 0)) reach_error(); return 0; }")
    assert any(isinstance(one.trace_check.check(path), Feasible) for path in one.random_paths(Random(1), 20))


def test_an_undecided_path_is_unsure(tmp_path: Path) -> None:
    one = Abstracted(
        tmp_path, "int main(void) { x = __VERIFIER_nondet_int(); if (x == 3 && x == 4) reach_error(); return 0; }"
    )

    class NoAnswer(Context):
        def solver(self, *_: object) -> object:  # type: ignore[override]
            class Solver:
                def check(self, *_: object, **__: object) -> Undecided:
                    from threadproof.smt.backend import SolverVerdict

                    return Undecided(SolverVerdict.OUT_OF_TIME)

            return Solver()

    check = TraceCheck(one.space, NoAnswer(one.terms))
    answers = [check.check(path) for path in one.random_paths(Random(1), 20)]
    assert answers
    assert all(isinstance(answer, TraceUnsure) for answer in answers)


# --- elimination -----------------------------------------------------------------------------------------------------


def test_what_is_left_follows_and_speaks_of_nothing_else() -> None:
    """Random conjunctions over three bits: the result holds wherever the conjunction does."""
    terms, rng = Terms(), Random(7)
    names = [terms.bv_var(name, 3) for name in "wxyz"]

    def number() -> Term:
        left, right = rng.choice(names), rng.choice([*names, terms.bv(rng.randrange(8), 3)])
        op = rng.choice((Op.ADD, Op.SUB, Op.BVXOR, Op.MUL))
        return rng.choice((left, terms.make(op, (left, right)), terms.make(op, (terms.bv(3, 3), left))))

    def literal() -> Term:
        atom = terms.make(rng.choice((Op.EQ, Op.EQ, Op.ULT, Op.SLT)), (number(), number()))
        return rng.choice((atom, atom, terms.not_(atom)))

    def chosen(condition: Term, a: Term, b: Term) -> Term:
        return terms.eq(rng.choice(names), terms.ite(condition, a, b))

    told = 0
    for _ in range(60):
        given = [literal() for _ in range(3)]
        given.append(rng.choice((literal(), terms.or_(literal(), literal()), chosen(literal(), number(), number()))))
        gone = set(rng.sample(names, 2))
        left = without(terms, given, gone.__contains__)
        assert not gone & set(variables(left))
        told += len(left)
        for number_ in range(0, 4096, 37):
            state = Assignment({name: number_ >> 3 * place & 7 for place, name in enumerate("wxyz")})
            if all(state.holds(formula) for formula in given):
                assert all(state.holds(formula) for formula in left)
    assert told > 30


def test_elements_survive_a_store() -> None:
    terms = Terms()
    sort = terms.store(terms.fill(terms.bv(0, 32), 32), terms.bv(0, 32), terms.bv(0, 32)).sort
    old, new, i, j = terms.var("old", sort), terms.var("new", sort), terms.bv_var("i", 32), terms.bv_var("j", 32)
    seven = terms.bv(7, 32)
    given = [
        terms.eq(new, terms.store(old, i, seven)),
        terms.eq(terms.select(old, j), terms.bv(3, 32)),
        terms.ne(i, j),
    ]
    left = without(terms, given, lambda variable: variable is old)
    for wanted in (terms.eq(terms.select(new, i), seven), terms.eq(terms.select(new, j), terms.bv(3, 32))):
        assert isinstance(open_solver().check([*left, terms.not_(wanted)]), Unsat)


# --- what a path may speak of ----------------------------------------------------------------------------------------


def test_assertions_speak_of_no_dead_register(twins: Abstracted, refuted: list[tuple[LetterPath, PathCore]]) -> None:
    liveness, refiner = Liveness(twins.space), Refiner(twins.space, twins.triples)
    for path, core in refuted:
        found = refiner.by(SourceName.SP, path, core)
        assert isinstance(found, Assertions)
        places = twins.automaton.initial()
        for step, bits in zip(path.steps, found.between, strict=False):
            dead = liveness.dead(places)
            assert dead
            assert not any(dead & one.variables for one in twins.predicates.members(bits))
            places = twins.automaton.after(places, step.instance, step.letter)


def test_a_dead_register_may_have_any_value(twins: Abstracted) -> None:
    """No letter of a location reads what is dead there."""
    liveness = Liveness(twins.space)
    for instance in twins.space.instances[1:3]:
        thread = twins.automaton.templates[instance.template]
        for letter in thread.letters:
            places = Places(((instance, letter.source),))
            transition = twins.encoder.transition(instance, letter)
            assert not transition.reads & liveness.dead(places)


def test_threads_that_the_space_does_not_have(tmp_path: Path) -> None:
    """Two threads of one function, variables for one: there is no path, and nothing is said about it."""
    text = "void *f(void *p) { x = 1; return 0; } "
    creates = "pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0); return 0;"
    one = Abstracted(tmp_path, f"{text} int main(void) {{ {creates} }}", most=1)
    with pytest.raises(CannotEncode):
        one.straight(*[MAIN] * 2)


def test_choices_are_projected_case_by_case() -> None:
    """What a lock does to its word, and what a truth value does to a number."""
    terms = Terms()
    new, old, bit = terms.bv_var("new", 32), terms.bv_var("old", 32), terms.bv_var("bit", 1)
    zero, one = terms.bv(0, 32), terms.bv(1, 32)
    taken = terms.eq(new, terms.ite(terms.eq(old, zero), one, old))
    left = without(terms, [taken], lambda variable: variable is old)
    assert isinstance(open_solver().check([*left, terms.eq(new, zero)]), Unsat)
    left = without(terms, [terms.eq(new, terms.zext(bit, 32))], lambda variable: variable is bit)
    assert isinstance(open_solver().check([*left, terms.ult(one, new)]), Unsat)


def test_several_stores() -> None:
    terms = Terms()
    sort = terms.store(terms.fill(terms.bv(0, 32), 32), terms.bv(0, 32), terms.bv(0, 32)).sort
    old, new, i, j = terms.var("old", sort), terms.var("new", sort), terms.bv_var("i", 32), terms.bv_var("j", 32)
    stored = terms.store(terms.store(old, i, terms.bv(1, 32)), j, terms.bv(2, 32))
    left = without(terms, [terms.eq(new, stored)], lambda variable: variable is old)
    assert not isinstance(open_solver().check([*left, terms.eq(i, j)]), Unsat)
    wrong = [terms.ne(i, j), terms.ne(terms.select(new, i), terms.bv(1, 32))]
    assert isinstance(open_solver().check([*left, *wrong]), Unsat)
    assert isinstance(open_solver().check([*left, terms.ne(terms.select(new, j), terms.bv(2, 32))]), Unsat)
