"""Hoare triples against the reference machine, on a sample; `triples_sweep.py` takes more. Planted faults must show."""

from __future__ import annotations

import pytest
from comparison import read
from samples import SHAPES
from triples_walk import compare_triples

from threadproof.abstraction.predicates import Predicate
from threadproof.abstraction.triples import TripleAnswer, Triples, Truth
from threadproof.automaton import LetterSize
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.smt.term import Term


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    return [normalise(read(SHAPES["tiny"](seed))) for seed in range(4)]


def test_no_answer_contradicts_a_step(programs: list[Program]) -> None:
    for program in programs:
        asked, differences = compare_triples(program, 1)
        assert differences == []
        assert asked.total() > 20


class Stale(Triples):
    """Forgets that the letter writes."""

    def _after(self, known: object, post: Predicate) -> tuple[Term, int]:
        return post.term, post.signature


class Hasty(Triples):
    """What is not refuted at once is a yes."""

    def _solve(self, pre: int, formulas: object) -> TripleAnswer:
        return TripleAnswer(Truth.YES, pre)


class Careless(Triples):
    """Leaves out too much of a core."""

    def _solve(self, pre: int, formulas: object) -> TripleAnswer:
        answer = super()._solve(pre, formulas)  # type: ignore[arg-type]
        return TripleAnswer(answer.truth, 0, answer.state, answer.by)


@pytest.mark.parametrize("service", [Stale, Hasty, Careless])
def test_planted_faults_show(programs: list[Program], service: type[Triples]) -> None:
    assert any(compare_triples(program, 3, service, LetterSize.SMALL)[1] for program in programs)
