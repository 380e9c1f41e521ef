"""The grammar: what queries mean, and what a wrong one is told."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadproof.engines.smc.language import syntax as s
from threadproof.engines.smc.language.parse import QueryError, parse_expression, parse_query


def test_the_papers_queries():
    query = parse_query("Pr[<=5000] (<> [0.VERIFIERError])")
    assert isinstance(query, s.Probability)
    assert query.steps == 5000
    assert query.path.kind is s.PathKind.EVENTUALLY
    assert isinstance(query.path.goal, s.Calls)
    assert (query.path.goal.process, query.path.goal.function) == (0, "VERIFIERError")
    both = parse_query("Pr[<=5000] (<> ([1.crit] && [2.crit]))")
    assert isinstance(both, s.Probability)
    some = parse_query("Pr[<=5000] (<> Exists (p)([p.__verifier_error]))")
    assert isinstance(some, s.Probability)
    assert isinstance(some.path.goal, s.Quantified)
    mean = parse_query("Estimate [<=5000,500] {max @0.main.%tmp11}")
    assert isinstance(mean, s.Expectation)
    assert (mean.steps, mean.runs, mean.measure) == (5000, 500, s.Measure.MAX)
    assert parse_query("EnumStatesSMC <=500 5000") == s.EnumStates(500, 5000)


def test_paths_and_bounds():
    until = parse_query("Pr[<=9] (x < 3 U y == 2) >= 0.25")
    assert isinstance(until, s.Probability)
    assert until.path.kind is s.PathKind.UNTIL
    assert until.bound == s.ProbabilityBound(">=", 0.25)
    always = parse_query("Pr[<=9] ([] x)")
    assert isinstance(always, s.Probability)
    assert always.path.kind is s.PathKind.GLOBALLY


def test_keywords_are_still_names():
    expr = parse_expression("U + at + max")
    assert isinstance(expr, s.QueryBinary)
    assert isinstance(expr.right, s.QueryName)
    assert expr.right.first == "max"


def shape(expr: s.Expr) -> str:
    match expr:
        case s.QueryNumber():
            return str(expr.value)
        case s.QueryUnary():
            return f"({expr.op}{shape(expr.operand)})"
        case s.QueryBinary():
            return f"({shape(expr.left)}{expr.op}{shape(expr.right)})"
        case s.QueryChoice():
            return f"({shape(expr.condition)}?{shape(expr.then)}:{shape(expr.otherwise)})"
        case s.QueryName():
            return expr.first
        case _:
            raise AssertionError(expr)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 + 2 * 3", "(1+(2*3))"),
        ("1 - 2 - 3", "((1-2)-3)"),
        ("a & 1 == 0", "(a&(1==0))"),
        ("a == 1 && b < 2 || c", "(((a==1)&&(b<2))||c)"),
        ("-a * !b", "((-a)*(!b))"),
        ("a << 1 + 2", "(a<<(1+2))"),
        ("a ? b : c ? 1 : 2", "(a?b:(c?1:2))"),
        ("a | b ^ c & 3", "(a|(b^(c&3)))"),
        ("0x1F", "31"),
        ("'a' == '\\n'", "(97==10)"),
    ],
)
def test_precedence_is_that_of_c(text: str, meant: str):
    assert shape(parse_expression(text)) == meant


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("Pr[<=5] (> x)", 10, "expected an expression or <>, found '>'"),
        ("Pr[<=5] (<> x +)", 16, "expected an expression, found ')'"),
        ("Pr[<=5 (<> x)", 8, "expected ']', found '('"),
        ("Pr[<=5] (<> x", 14, "found the end of the query"),
        ("pr[<=5] (<> x)", 1, "expected EnumStatesSMC or Estimate or Pr"),
        ("Pr[<=5] (<> x) >= 2", 19, "lies between 0 and 1"),
        ("Pr[<=5] (<> x # 2)", 15, "found '#'"),
        ("Estimate [<=5,0] {max x}", 15, "at least one run"),
        ("", 1, "found the end of the query"),
    ],
)
def test_a_wrong_query_says_where_and_why(text: str, column: int, says: str):
    with pytest.raises(QueryError) as caught:
        parse_query(text)
    message = str(caught.value)
    assert message.startswith(f"query:1:{column}: ")
    assert says in message
    assert message.splitlines()[-1] == "  " + " " * (column - 1) + "^"


@given(st.text(alphabet="Pr[<=5](>x+@.%;&|!UEstimate{max} 0123456789abp:'\n", max_size=40))
def test_any_text_is_a_query_or_a_query_error(text: str):
    with suppress(QueryError):
        parse_query(text)
