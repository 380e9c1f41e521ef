"""Many questions over one translation: the same answers as a solver asked anew, and text that is read back."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import build, recipe, values

from threadproof.smt import context as context_module
from threadproof.smt.backend import SolverVerdict
from threadproof.smt.context import Context, Core, minimal_core
from threadproof.smt.evaluate import Assignment
from threadproof.smt.floats import to_integer
from threadproof.smt.reading import Unreadable, read
from threadproof.smt.smtlib import script
from threadproof.smt.solver import Sat, SolverName, Undecided, Unsat, open_solver
from threadproof.smt.sums import are_same_sum
from threadproof.smt.term import BOOL, Op, Term, bitvec
from threadproof.smt.terms import Rewriting, Terms

BOTH = list(SolverName)


def conditions(terms: Terms, random: Random, most: int) -> list[Term]:
    steps = recipe(random, length=40)
    made = [term for step, term in zip(steps, build(terms, steps), strict=True) if step.sort == BOOL]
    return made[-most:]


@pytest.mark.parametrize("name", BOTH)
@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_implications_are_those_of_a_solver_asked_anew(name: SolverName, random: Random) -> None:
    terms = Terms()
    context = Context(terms, name)
    for a in (formulas := conditions(terms, random, 6)):
        for b in formulas:
            fresh = open_solver(SolverName.Z3)
            fresh.add(a, terms.not_(b))
            answer = context.implies(a, b)
            assert answer in (None, isinstance(fresh.check(), Unsat))
            assert context.implies(a, b) == answer


def test_questions_are_answered_without_a_solver_where_that_is_possible() -> None:
    terms = Terms()
    x = terms.bv_var("x", 32)
    small, smaller = terms.slt(x, terms.bv(5, 32)), terms.slt(x, terms.bv(3, 32))
    context = Context(terms)
    assert context.implies(terms.and_(small, terms.ne(x, terms.bv(1, 32))), small)
    assert context.implies(terms.false, small)
    assert context.implies(small, terms.true)
    assert context.asked.by_looking == 3
    assert context.implies(small, smaller) is False
    assert context.implies(small, smaller) is False
    assert (context.asked.by_solver, context.asked.by_cache) == (1, 1)
    assert context.implies(small, terms.and_(smaller, terms.ne(x, terms.bv(7, 32)))) is False
    assert (context.asked.by_solver, context.asked.by_model) == (1, 1)


def test_equal_sums_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sums that commute cost bitwuzla most of a second."""
    terms = Terms()
    x, y, z = (terms.bv_var(name, 32) for name in "xyz")
    left = terms.sub(terms.add(terms.add(x, y), z), terms.make(Op.MUL, (y, terms.bv(3, 32))))
    right = terms.add(terms.sub(z, terms.make(Op.SHL, (y, terms.bv(1, 32)))), x)
    monkeypatch.setattr(Context, "check", lambda *_, **__: pytest.fail("a solver is asked"))
    context = Context(terms)
    assert context.implies(terms.true, terms.eq(left, right))
    assert context.asked.by_looking == 1


def test_sums_in_normal_form_are_equal_in_every_state() -> None:
    same = 0
    for seed in range(80):
        random, terms = Random(seed), Terms(Rewriting.NONE)
        steps = recipe(random, length=60, widths=(2, 3))
        numbers = [t for step, t in zip(steps, build(terms, steps), strict=True) if step.sort == bitvec(3)][-12:]
        for a, b in itertools.combinations(numbers, 2):
            if are_same_sum(a, b):
                same += 1
                for _ in range(5):
                    model = Assignment(values(random, steps))
                    assert model.number(a) == model.number(b)
    assert same > 20


def test_what_was_not_decided_is_no_answer_and_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms()
    a, b = terms.bool_var("a"), terms.bool_var("b")
    context = Context(terms)
    with monkeypatch.context() as patch:
        patch.setattr(Context, "check", lambda *_, **__: Undecided(SolverVerdict.OUT_OF_TIME))
        assert context.implies(a, b) is None
    assert context.asked.undecided == 1
    assert context.implies(a, b) is False


@pytest.mark.parametrize("name", BOTH)
def test_cores_are_named_and_can_be_made_minimal(name: SolverName) -> None:
    terms = Terms()
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    named = {
        "low": terms.slt(x, terms.bv(3, 32)),
        "other": terms.eq(y, terms.bv(3, 32)),
        "high": terms.slt(terms.bv(9, 32), x),
        "higher": terms.slt(terms.bv(20, 32), x),
    }
    context = Context(terms, name)
    core = context.core(named)
    assert isinstance(core, Core)
    kept = minimal_core(context, named, core)
    assert set(kept.names) in ({"low", "high"}, {"low", "higher"})
    assert isinstance(context.core({key: named[key] for key in ("low", "other")}), Sat)


def test_few_models_are_kept() -> None:
    terms = Terms()
    x, context = terms.bv_var("x", 32), Context(terms)
    for number in range(context_module._MODELS + 5):
        assert isinstance(context.check([terms.eq(x, terms.bv(number, 32))]), Sat)
    assert len(context._known.models) == context_module._MODELS


# --- text ------------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_text_is_read_back_as_the_same_terms(random: Random) -> None:
    for rewriting in Rewriting:
        terms = Terms(rewriting)
        formulas = conditions(terms, random, 5)
        assert read(terms, script(formulas)) == formulas


@pytest.mark.parametrize("width", [32, 64])
def test_float_relations_are_read_back(width: int) -> None:
    terms = Terms(Rewriting.NONE)
    a, b, r = (terms.bv_var(name, width) for name in "abr")
    other = terms.bv_var("other", 96 - width)
    relations = [
        *(terms.make(op, (a, b, r)) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)),
        terms.make(Op.FP_SQRT, (a, r)),
        terms.make(Op.FP_ROUND, (a, r), ("RTN",)),
        terms.make(Op.FP_CAST, (other, r)),
        terms.make(Op.FP_FROM_SIGNED, (b, r)),
        terms.make(Op.FP_FROM_UNSIGNED, (b, r)),
        *(terms.make(op, (a, b)) for op in (Op.FP_LT, Op.FP_LEQ, Op.FP_EQ)),
        terms.make(Op.FP_NAN, (a,)),
        *(terms.eq(to_integer(terms, op, a, 8)[0], terms.bv(3, 8)) for op in (Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED)),
    ]
    assert read(terms, script(relations)) == relations


@pytest.mark.parametrize(
    "text", ["(assert (bvadd))", "(assert x)", "(exit)", "(assert (= a", ")", "(assert (_ bvx 3))"]
)
def test_other_text_is_an_error(text: str) -> None:
    with pytest.raises(Unreadable):
        read(Terms(), text)
