"""Abstract values of ir expressions include what the reference semantics computes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from expressions import expressions, numbers, widths_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_encoded_expressions import as_variables, environment
from test_evaluate import reference

from threadproof.domains.box import StateBox
from threadproof.domains.equations import Equations
from threadproof.domains.intervals import Intervals
from threadproof.domains.small_sets import SmallSets
from threadproof.encoding.expressions import value
from threadproof.ir.expr import Expr
from threadproof.semantics.outcome import Trap
from threadproof.smt.evaluate import Assignment
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

WIDTHS = (1, 8, 32, 64)


@st.composite
def examples(draw: st.DrawFn) -> tuple[Expr, list[dict[str, int]]]:
    """An expression and a few values of its registers."""
    expr = draw(expressions(draw(st.sampled_from(WIDTHS)), WIDTHS))
    widths = widths_of(expr)
    return expr, [{name: draw(numbers(width)) for name, width in widths.items()} for _ in range(3)]


@pytest.mark.parametrize("values", [Intervals(), SmallSets(4)], ids=["intervals", "sets"])
@settings(max_examples=30)
@given(examples())
def test_boxes(values: Any, example: tuple[Expr, list[dict[str, int]]]) -> None:
    expr, given_values = example
    terms = Terms()
    registers = as_variables(terms, widths_of(expr))
    encoded = value(terms, environment(terms, registers), expr)
    box = StateBox(terms, values, tuple(registers.values())).bottom()
    for one in given_values:
        box = box.admit(Assignment(one))
    allowed = box.evaluate(encoded.value)
    for one in given_values:
        try:
            assert reference(expr, one) in allowed
        except Trap:
            continue


@settings(max_examples=30)
@given(examples(), st.randoms(use_true_random=False))
def test_equations(example: tuple[Expr, list[dict[str, int]]], random: Random) -> None:
    """Assigned to a new register, and to an old one of its width at once."""
    expr, given_values = example
    terms = Terms()
    registers = as_variables(terms, widths_of(expr))
    encoded = value(terms, environment(terms, registers), expr)
    alike = [term for term in registers.values() if term.width == expr.width]
    result = terms.bv_var("result", expr.width)
    columns = (result, *alike)
    equations = Equations(terms, columns).bottom()
    for one in given_values:
        equations = equations.admit(Assignment(one))
    updates: dict[Term, Term] = {result: encoded.value}
    if alike:
        updates[random.choice(alike)] = terms.add(encoded.value, random.choice(alike))
    after = equations.assign(updates)
    for one in given_values:
        state = Assignment(one)
        assert after.holds(Assignment({c.name: state.value(updates.get(c, c)) for c in columns}))
        condition = terms.make(random.choice((Op.EQ, Op.ULT, Op.SLT)), (encoded.value, random.choice(columns)))
        given_condition = condition if state.holds(condition) else terms.not_(condition)
        assert equations.assume(given_condition).holds(state)
