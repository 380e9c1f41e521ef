"""Horn clauses: a solution makes all of them true, there may be none, and nobody waits longer than told."""

from __future__ import annotations

import multiprocessing
import time

from threadproof.smt.horn import Applied, HornClause, NoSolution, Relation, solve
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms

MILLIONS = 2_000_000  # Spacer goes round by round


def counted(terms: Terms, wrong: int) -> list[HornClause]:
    """A number that begins with 0 and grows by 2 is never `wrong`."""
    x = terms.int_var("x")
    even = Relation("even", (x,))
    more = terms.make(Op.INT_ADD, (x, terms.integer(2)))
    return [
        HornClause((), terms.true, Applied(even, (terms.integer(0),))),
        HornClause((Applied(even, (x,)),), terms.true, Applied(even, (more,))),
        HornClause((Applied(even, (x,)),), terms.eq(x, terms.integer(wrong)), None),
    ]


def test_a_solution_holds_of_what_is_reached_and_excludes_what_must_not_be() -> None:
    terms = Terms()
    clauses = counted(terms, wrong=-4)
    found = solve(terms, clauses, 30)
    assert not isinstance(found, NoSolution)
    [(relation, said)] = found.items()

    def holds(number: int) -> Term:
        return terms.substitute([said], {relation.params[0]: terms.integer(number)})[0]

    assert holds(0) is terms.true
    assert holds(8) is terms.true
    assert holds(-4) is terms.false


def test_there_is_none_where_what_must_not_be_is_reached() -> None:
    terms = Terms()
    assert solve(terms, counted(terms, wrong=6), 30) is NoSolution.NONE


def test_it_ends_in_time_whatever_the_solver_does() -> None:
    terms, begun = Terms(), time.monotonic()
    before = multiprocessing.active_children()
    assert solve(terms, counted(terms, wrong=MILLIONS), 3.0) is NoSolution.LIMIT
    assert time.monotonic() - begun < 30  # on a busy machine; alone it takes three seconds
    assert multiprocessing.active_children() == before


def test_it_uses_no_more_of_a_processor_than_it_may() -> None:
    terms, begun = Terms(), time.monotonic()
    assert solve(terms, counted(terms, wrong=MILLIONS), 500.0, processor_s=1.0) is NoSolution.LIMIT
    assert time.monotonic() - begun < 200  # on a busy machine; alone it takes two seconds


def test_nothing_is_begun_without_time() -> None:
    terms = Terms()
    assert solve(terms, counted(terms, wrong=6), 0.0) is NoSolution.LIMIT
