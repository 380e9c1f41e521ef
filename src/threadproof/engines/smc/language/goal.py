"""A query with its names resolved: what a sampler is asked to watch."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language import syntax as s
from threadproof.engines.smc.language.parse import parse_expression, parse_query
from threadproof.engines.smc.language.resolve import Resolver
from threadproof.ir.program import Program


@dataclass(frozen=True, slots=True)
class PathFormula:
    """A path formula over at most `steps` steps."""

    kind: s.PathKind
    goal: e.Term
    keep: e.Term | None = None


@dataclass(frozen=True, slots=True)
class WatchedTerm:
    """A number of which a run's largest, smallest or average value is taken."""

    measure: s.Measure
    term: e.Term


@dataclass(frozen=True, slots=True)
class CountStates:
    """The states a run visits."""


Question = PathFormula | WatchedTerm | CountStates


@dataclass(frozen=True, slots=True)
class QueryGoal:
    text: str
    query: s.Query
    question: Question
    steps: int


def resolve_query(program: Program, text: str, steps: int | None = None) -> QueryGoal:
    """`steps` replaces the query's own bound."""
    query = parse_query(text)
    resolver = Resolver(program, text)
    match query:
        case s.Probability():
            path = query.path
            keep = None if path.keep is None else resolver.term(path.keep)
            question: Question = PathFormula(path.kind, resolver.term(path.goal), keep)
        case s.Expectation():
            question = WatchedTerm(query.measure, resolver.term(query.expr))
        case s.EnumStates():
            question = CountStates()
    return QueryGoal(text, query, question, query.steps if steps is None else steps)


def resolve_expression(program: Program, text: str) -> e.Term:
    return Resolver(program, text).term(parse_expression(text))


def terms(question: Question) -> list[e.Term]:
    """Every term inside."""
    match question:
        case PathFormula():
            return [*e.walk(question.goal), *(e.walk(question.keep) if question.keep is not None else ())]
        case WatchedTerm():
            return e.walk(question.term)
        case CountStates():
            return []
