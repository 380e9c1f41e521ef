"""Both solvers against each other, against brute force, and within their limits."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import build, recipe

from threadproof.core.errors import InternalError
from threadproof.smt.backend import Cores, SolverVerdict
from threadproof.smt.bitwuzla_backend import Bitwuzla
from threadproof.smt.evaluate import Assignment
from threadproof.smt.floats import to_integer
from threadproof.smt.ieee import to_bits
from threadproof.smt.meaning import Value
from threadproof.smt.smtlib import script, text
from threadproof.smt.solver import Outcome, Sat, Solver, SolverName, Undecided, Unsat, open_solver
from threadproof.smt.term import BOOL, Array, Op, Term, in_order, variables
from threadproof.smt.terms import Rewriting, Terms

BOTH = list(SolverName)


def asked(name: SolverName, *formulas: Term) -> Outcome:
    solver = open_solver(name)
    solver.add(*formulas)
    return solver.check()


def agree(random: Random) -> None:
    """Simplified and not, bitwuzla and z3: one answer."""
    steps = recipe(random, length=40)
    wanted = [len(steps) - 1, *(i for i, step in enumerate(steps[-25:], len(steps) - 25) if step.sort == BOOL)][:4]
    answers: set[type] = set()
    for rewriting, name in itertools.product(Rewriting, BOTH):
        made = build(Terms(rewriting), steps)
        formulas = [made[i] for i in wanted]
        outcome = asked(name, *formulas)  # every model is checked on the way
        if outcome == Undecided(SolverVerdict.GAVE_UP) and name is SolverName.BITWUZLA:
            assert compares_constant_arrays(formulas)
        else:
            answers.add(type(outcome))
    assert answers in ({Sat}, {Unsat})


def compares_constant_arrays(formulas: list[Term]) -> bool:
    """bitwuzla gives up on some of these."""
    parts = in_order(formulas)
    compared = any(part.op is Op.EQ and isinstance(part.args[0].sort, Array) for part in parts)
    return compared and any(part.op is Op.FILL for part in parts)


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_solvers_agree(random: Random) -> None:
    agree(random)


def test_solvers_agree_on_many_formulas() -> None:
    for seed in range(100):
        agree(Random(seed))


@pytest.mark.slow
def test_solvers_agree_on_thousands_of_formulas() -> None:
    for seed in range(100, 4000):
        agree(Random(seed))


def assignments(of: list[Term]) -> Iterator[dict[str, Value]]:
    ranges = [range(2 if v.sort == BOOL else 1 << v.width) for v in of]
    for values in itertools.product(*ranges):
        yield {v.name: value for v, value in zip(of, values, strict=True)}


def test_solvers_agree_with_brute_force() -> None:
    compared = satisfiable = 0
    for seed in range(400):
        formula = build(Terms(Rewriting.NONE), recipe(Random(seed), length=12, widths=(1, 2, 3)))[-1]
        free = variables([formula])
        if any(isinstance(v.sort, Array) for v in free) or sum(1 if v.sort == BOOL else v.width for v in free) > 9:
            continue
        expected = any(Assignment(values).holds(formula) for values in assignments(free))
        for name in BOTH:
            assert isinstance(asked(name, formula), Sat) == expected
        compared += 1
        satisfiable += expected
    assert compared > 200
    assert 0 < satisfiable < compared


@pytest.mark.parametrize("name", BOTH)
def test_cores_are_enough_and_assumptions_are_forgotten(name: SolverName) -> None:
    seen = smaller = 0
    for seed in range(40):
        terms = Terms()
        assumed = [t for t in build(terms, recipe(Random(seed), length=40))[-30:] if t.sort is BOOL]
        assumed = [t for t in dict.fromkeys(assumed) if t not in (terms.true, terms.false)]
        solver = open_solver(name, cores=Cores.WANTED)
        outcome = solver.check(assumed)
        if isinstance(outcome, Unsat):
            seen += 1
            assert set(outcome.core) <= set(assumed)
            assert isinstance(asked(name, *outcome.core), Unsat)
            assert isinstance(solver.check(), Sat)
            smaller += len(outcome.core) < len(assumed)
    assert seen > 5
    assert smaller > 5


@pytest.mark.parametrize("name", BOTH)
def test_levels(name: SolverName) -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    solver = open_solver(name)
    solver.add(terms.ult(x, terms.bv(5, 8)))
    with solver.scope():
        solver.add(terms.ult(terms.bv(7, 8), x))
        assert solver.check() == Unsat(())
    outcome = solver.check([terms.ult(terms.bv(3, 8), x)])
    assert isinstance(outcome, Sat)
    assert outcome.model.number(terms.add(x, x)) == 8
    assert solver.checks == 2
    with pytest.raises(InternalError):
        solver.pop()


def hard(terms: Terms, width: int = 256) -> Term:
    """Two factors of a product of two primes (2**127 - 1 and 2**107 - 1): too much for any solver on any machine."""
    x, y = terms.bv_var("x", width), terms.bv_var("y", width)
    product = terms.bv((2**127 - 1) * (2**107 - 1), width)
    one, high = terms.bv(1, width), terms.bv(1 << 128, width)
    bounds = [part for v in (x, y) for part in (terms.ult(one, v), terms.ult(v, high))]
    return terms.all([terms.eq(terms.make(Op.MUL, (x, y)), product), *bounds])


@pytest.mark.parametrize("name", BOTH)
def test_a_timeout_is_no_answer(name: SolverName) -> None:
    solver = open_solver(name)
    solver.add(hard(Terms()))
    for limit in (0.05, 0.4):
        assert solver.check(seconds=limit) == Undecided(SolverVerdict.OUT_OF_TIME)


@pytest.mark.parametrize("name", BOTH)
def test_running_out_of_memory_is_no_answer(name: SolverName) -> None:
    solver = open_solver(name, megabytes=8)
    solver.add(hard(Terms(), width=400))
    assert solver.check(seconds=900) == Undecided(SolverVerdict.OUT_OF_MEMORY)


def test_giving_up_is_said_by_the_answer_alone(capfd: pytest.CaptureFixture[str]) -> None:
    """bitwuzla also writes a warning, which came between the lines of an answer."""
    terms = Terms()
    a, b = (terms.var(name, Array(4, 8)) for name in "ab")
    i, j, x, y = terms.bv_var("i", 4), terms.bv_var("j", 4), terms.bv_var("x", 8), terms.bv_var("y", 8)
    first = terms.ite(terms.bool_var("c"), a, terms.fill(x, 4))
    second = terms.ite(terms.bool_var("d"), b, terms.fill(y, 4))
    equal = terms.eq(first, terms.store(b, i, y)), terms.eq(second, terms.store(a, j, x))
    outcome = asked(SolverName.BITWUZLA, *equal, terms.not_(terms.eq(x, y)))
    assert outcome == Undecided(SolverVerdict.GAVE_UP)
    assert capfd.readouterr().err == ""


def test_an_interrupt_is_not_lost() -> None:
    """bitwuzla calls back through C++, which knows nothing of Python's exceptions."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    solver = open_solver()
    solver.add(hard(Terms()))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            _ = signal.setitimer(signal.ITIMER_REAL, 0.2), solver.check(seconds=900)
    finally:
        signal.signal(signal.SIGALRM, before)


class Liar(Bitwuzla):
    def values(self, variables: object) -> dict[str, Value]:
        return {"x": 3}


def test_a_wrong_model_is_noticed() -> None:
    terms = Terms()
    solver = Solver(Liar())
    solver.add(terms.eq(terms.bv_var("x", 8), terms.bv(4, 8)))
    with pytest.raises(InternalError, match="does not satisfy"):
        solver.check()


def test_queries_are_kept_and_mean_the_same(tmp_path: Path) -> None:
    z3 = pytest.importorskip("z3")
    for seed in range(40):
        terms = Terms()
        formulas = [t for t in build(terms, recipe(Random(seed), length=40))[-30:] if t.sort is BOOL][:4]
        solver = open_solver(dump=tmp_path)
        solver.add(*formulas[1:])
        outcome = solver.check(formulas[:1])
        reader = z3.Solver()
        dumped = (tmp_path / "00001.smt2").read_text()
        assert "check-sat-assuming (assumption0)" in dumped
        reader.add(z3.parse_smt2_string(script(formulas)))
        assert (reader.check() == z3.sat) == isinstance(outcome, Sat)


def test_text_grows_with_the_number_of_terms() -> None:
    terms = Terms()
    x = terms.bv_var("x", 32)
    for _ in range(3000):
        x = terms.make(Op.MUL, (x, x))
    assert len(text(x)) < 200_000
    assert len(script([terms.eq(x, terms.bv(7, 32))])) < 300_000


SPECIAL = (0.0, -0.0, 1.0, -1.5, 0.1, 3.7, 1e300, -1e-310, 2.0**31, 16777217.0, *map(float, ("inf", "-inf", "nan")))


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("width", [32, 64])
def test_solvers_compute_as_our_floats_do(name: SolverName, width: int) -> None:
    """The result is unknown to the solver; what it finds is checked by evaluation, as every model is."""
    terms = Terms()
    solver = open_solver(name)
    random = Random(width)
    numbers = [terms.bv(to_bits(x, width), width) for x in SPECIAL]
    r, narrow = terms.bv_var("r", width), terms.bv_var("n", 96 - width)
    for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV):
        for _ in range(6):
            assert satisfiable(solver, terms.make(op, (random.choice(numbers), random.choice(numbers), r)))
    for number in numbers[:: 2 if name is SolverName.Z3 else 1]:
        assert satisfiable(solver, terms.make(Op.FP_SQRT, (number, r)))
        assert satisfiable(solver, terms.make(Op.FP_CAST, (number, narrow)))
        for mode in ("RTN", "RTP", "RTZ"):
            assert satisfiable(solver, terms.make(Op.FP_ROUND, (number, r), (mode,)))
    x = terms.bv_var("x", width)
    for op in (Op.FP_FROM_SIGNED, Op.FP_FROM_UNSIGNED):
        assert satisfiable(solver, terms.make(op, (terms.bv(0x87654321_12345678, 64), r)))
    for op, size in itertools.product((Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED), (8, 64)):
        number, fits = to_integer(terms, op, x, size)
        assert satisfiable(solver, terms.and_(fits, terms.eq(number, terms.bv(100, size))))
        assert satisfiable(solver, terms.and_(terms.not_(fits), terms.eq(number, terms.bv(0, size))))


def satisfiable(solver: Solver, formula: Term) -> bool:
    with solver.scope():
        solver.add(formula)
        return isinstance(solver.check(), Sat)


@pytest.mark.parametrize("name", BOTH)
def test_which_floats_fit_an_integer(name: SolverName) -> None:
    """The borders, by asking for a counterexample to each."""
    terms = Terms()
    cases = ((32, 8, 127.99, 128.0), (64, 32, 2147483647.9, 2147483648.0), (32, 64, 9223371487098961920.0, 2.0**63))
    for width, size, inside, outside in cases:
        for x, expected in ((inside, terms.true), (outside, terms.false)):
            _, fits = to_integer(terms, Op.FP_TO_SIGNED, terms.bv(to_bits(x, width), width), size)
            assert fits is expected
    x = terms.bv_var("x", 32)
    number, fits = to_integer(terms, Op.FP_TO_SIGNED, x, 16)
    back = terms.bv_var("back", 32)
    wrong = terms.and_(
        fits, terms.make(Op.FP_FROM_SIGNED, (number, back)), terms.not_(terms.make(Op.FP_ROUND, (x, back), ("RTZ",)))
    )
    outcome = asked(name, wrong)  # only -0.5 and the like, whose integer is 0 and not -0
    assert isinstance(outcome, Sat)
    assert outcome.model.number(back) == 0
