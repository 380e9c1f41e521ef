"""However many questions are asked, what is kept of them stays small; what is forgotten changes no answer."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

import pytest
from random_terms import build, recipe

from threadproof.smt import context as context_module
from threadproof.smt import terms as terms_module
from threadproof.smt.backend import Cores
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, SolverName, Unsat, open_solver
from threadproof.smt.term import BOOL, Op, Term
from threadproof.smt.terms import Terms

BOTH = list(SolverName)


def test_terms_that_nobody_holds_go_and_the_others_stay_the_only_ones() -> None:
    for seed in range(30):
        terms, random = Terms(), Random(seed)
        made = build(terms, recipe(random))
        held = random.sample(made, 5)
        keys = [(term.op, term.args, term.params) for term in held]
        x = terms.bv_var("x", 8)
        kept = terms.add(x, terms.bv(3, 8))
        del made
        before = len(terms._known)
        gone = terms.forget_unused()
        assert len(terms._known) == before - gone
        assert [terms.make(*key) for key in keys if key[0] is not Op.VAR] == [t for t in held if t.op is not Op.VAR]
        assert terms.add(x, terms.bv(3, 8)) is kept
        assert terms.make(Op.TRUE, ()) is terms.true
        again = build(terms, recipe(Random(seed)))
        assert all(a.id < t.id for t in again for a in t.args)


def test_forgetting_does_not_change_what_terms_mean() -> None:
    for seed in range(20):
        steps = recipe(Random(seed))
        plain, short = build(Terms(), steps), []
        terms = Terms()
        for index in range(1, len(steps) + 1):
            short = build(terms, steps[:index])
            terms.forget_unused()
        state = Assignment({})
        booleans = [i for i, step in enumerate(steps) if step.sort == BOOL]
        assert [state.holds(plain[i]) for i in booleans] == [Assignment({}).holds(short[i]) for i in booleans]


def test_deep_terms_are_forgotten_without_a_deep_stack() -> None:
    terms = Terms()
    deep = terms.bv_var("x", 32)
    for _ in range(8_000):
        deep = terms.make(Op.BVXOR, (terms.make(Op.MUL, (deep, deep)), terms.bv(5, 32)))
    del deep
    assert terms.forget_unused() > 16_000


def question(terms: Terms, number: int) -> tuple[Term, Term]:
    x, y = terms.bv_var("x", 16), terms.bv_var("y", 16)
    low = terms.and_(terms.ult(x, terms.bv(number, 16)), terms.eq(y, terms.add(x, terms.bv(number, 16))))
    return low, terms.ult(x, terms.bv(number + 1, 16))


@pytest.mark.parametrize("name", BOTH)
def test_what_is_kept_is_bounded(name: SolverName, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"_TRANSLATED": 40, "_IMPLICATIONS": 20, "_EVALUATED": 30}
    for limit, value in limits.items():
        monkeypatch.setattr(context_module, limit, value)
    monkeypatch.setattr(terms_module, "_MANY", 50)
    terms = Terms()
    context = Context(terms, name)
    for number in range(2, 80):
        low, high = question(terms, number)
        assert context.implies(low, high) is True
        assert context.implies(high, low) is False
        assert len(context._translation) < 80
        assert len(context._known.implications) < 60
        assert len(terms._known) < 400
        assert all(len(model._known) < 60 for model in context._known.models)


@pytest.mark.parametrize("name", BOTH)
def test_solvers_that_were_given_out_go_on(name: SolverName) -> None:
    """A variable that is forgotten and made again would be another one: x < 5 and x > 7 could hold together."""
    terms = Terms()
    context = Context(terms, name)
    x = terms.bv_var("x", 8)
    solver = context.solver(Cores.WANTED)
    solver.add(terms.ult(x, terms.bv(5, 8)))
    assert isinstance(solver.check(), Sat)
    context.forget()
    large = terms.ult(terms.bv(7, 8), x)
    assert solver.check([large]) == Unsat((large,))
    context.forget()
    assert isinstance(solver.check([terms.eq(x, terms.bv(4, 8))]), Sat)


@pytest.mark.parametrize("name", BOTH)
def test_solvers_of_a_context_share_what_is_translated(name: SolverName) -> None:
    """An empty translation is false: each solver made one of its own, never to be given back."""
    terms = Terms()
    context = Context(terms, name)
    low, high = question(terms, 3)
    assert context.implies(low, high) is True
    assert len(context._translation) > 2


def resident() -> float:
    """Megabytes that the process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


def asked(questions: int, settled: int) -> float:
    """Megabytes that come on top of those after `settled` questions."""
    terms = Terms()
    context = Context(terms)
    x, y = terms.bv_var("x", 16), terms.bv_var("y", 16)
    before = 0.0
    for number in range(1, questions + 1):
        moved = terms.add(x, terms.bv(number, 16))
        low, high = terms.ult(y, moved), terms.ule(y, moved)
        assert context.implies(low, high) is True
        if number == settled:
            before = resident()
    return resident() - before


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc here to read memory from")
def test_memory_is_flat_over_a_hundred_thousand_questions() -> None:
    """All of them answered by the solver. It was 16 MB for every thousand."""
    assert asked(100_000, settled=20_000) < 25


def test_what_z3_needs_goes_with_its_solver() -> None:
    """A context of z3's has megabytes: it must not wait for the garbage collector."""
    terms = Terms()
    solver = open_solver(SolverName.Z3)
    solver.add(terms.ult(terms.bv_var("x", 8), terms.bv(5, 8)))
    assert isinstance(solver.check(), Sat)
    gc.disable()
    try:
        kept = type(solver._backend._context)
        before = sum(isinstance(thing, kept) for thing in gc.get_objects())
        del solver
        assert sum(isinstance(thing, kept) for thing in gc.get_objects()) == before - 1
    finally:
        gc.enable()
