"""What checkers ask of labels: the answer for one label says nothing about another."""

from __future__ import annotations

from threadproof.core.budget import Budget
from threadproof.evidence.proofs.questions import ProofQuestions
from threadproof.smt.solver import SolverName
from threadproof.smt.terms import Terms


def test_a_label_that_contradicts_itself_settles_nothing_for_others() -> None:
    """What is near to the formula is the same in both labels; only the first is impossible, by what is far from it. The
    answer was kept by what is near alone, so every later label of the kind was impossible, too. Labels of single nodes
    are seldom impossible; those of two threads that hold one lock are."""
    terms = Terms()
    x, y, z = (terms.bv_var(name, 8) for name in "xyz")
    near = terms.ult(x, terms.bv(9, 8))
    never = terms.all((near, terms.ult(y, z), terms.ult(z, y)))
    questions = ProofQuestions(terms, [], SolverName.Z3, Budget(300))
    formula = terms.ult(x, terms.bv(5, 8))
    assert not questions.possible(never, formula)
    assert questions.possible(near, formula)
    assert not questions.possible(never, formula)
