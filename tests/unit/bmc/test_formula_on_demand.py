"""A question brings in what it depends on, all of it, nothing twice, and no more."""

from __future__ import annotations

import pytest
from events_by_hand import Hand, everything

from threadproof.engines.bmc.order.formula import Formula
from threadproof.engines.bmc.unwinding.events import UnwoundEvent
from threadproof.smt.solver import Sat, open_solver
from threadproof.smt.term import Term, variables


def names(clauses: list[Term]) -> set[str]:
    return {v.name for v in variables(clauses)}


def chain() -> tuple[Hand, UnwoundEvent, UnwoundEvent, UnwoundEvent]:
    """One thread copies x to y if `p`, another y to z, main reads z: a question about the last depends on all."""
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    hand.event(hand.main, writes={"x": 1})
    first = hand.event(one, reads="x")
    hand.event(one, hand.terms.bool_var("p"), writes={"y": first.reads[0].value})
    second = hand.event(two, reads="y")
    hand.event(two, writes={"z": second.reads[0].value})
    return hand, first, second, hand.event(hand.main, reads="z")


def test_reads_bring_in_the_reads_that_they_depend_on() -> None:
    hand, first, second, last = chain()
    value = last.reads[0].value
    found = list(Formula(hand.world).needed((value,)))
    assert {first.reads[0].value, second.reads[0].value, value} <= set(variables(found))
    assert "p" in names(found)


def test_reads_that_nothing_depends_on_are_left_out() -> None:
    hand, first, second, last = chain()
    found = list(Formula(hand.world).needed((second.reads[0].value,)))
    assert first.reads[0].value in variables(found)
    assert last.reads[0].value not in variables(found)


@pytest.mark.parametrize("p", [False, True])
def test_leaving_out_reads_leaves_out_no_execution_and_lets_none_in(p: bool) -> None:
    """What the last read can be: the same with what it depends on, and with everything."""
    hand, _, _, last = chain()
    value, condition = last.reads[0].value, hand.terms.bool_var("p")
    chosen = condition if p else hand.terms.not_(condition)
    for roots in ([value, chosen], [*everything(hand.world), chosen]):
        formula, solver, found = Formula(hand.world), open_solver(), set[int]()
        solver.add(chosen, *formula.needed(roots))
        while isinstance(outcome := solver.check(), Sat):
            cuts = formula.order.cuts(outcome.model)
            solver.add(*cuts)
            if not cuts:
                found.add(outcome.model.number(value))
                solver.add(hand.terms.ne(value, hand.terms.bv(outcome.model.number(value), 8)))
        assert found == ({0, 1} if p else {0})


def test_definitions_come_with_their_variables() -> None:
    hand, first, _, _ = chain()
    joined, size = hand.terms.bool_var("joined.0.9"), hand.terms.bv_var("any.0.1", 8)
    one = hand.terms.implies(joined, hand.terms.ult(size, hand.terms.bv(9, 8)))
    two = hand.terms.ult(hand.terms.bv(2, 8), size)
    hand.world.definitions += [one, two]
    formula = Formula(hand.world)
    assert not {one, two} & set(formula.needed((first.reads[0].value,)))
    assert {one, two} <= set(formula.needed((joined,)))


def test_nothing_is_asserted_twice() -> None:
    hand, first, _, last = chain()
    again = hand.event(hand.main, reads="z").reads[0].value
    formula = Formula(hand.world)
    some = list(formula.needed((first.reads[0].value,)))
    rest = list(formula.needed((last.reads[0].value, again)))
    assert set(formula.order.axioms()) - {hand.terms.true} <= {*some, *rest}
    assert any(formula.order.axioms())
    assert rest
    assert len({*some, *rest}) == len(some) + len(rest)
    assert list(formula.needed((first.reads[0].value, again))) == []
    assert hand.terms.true not in (*some, *rest)


def test_in_two_goes_as_at_once() -> None:
    """The staircase that comes with the second question includes the pairs of the first."""
    hand, first, _, last = chain()
    formula, at_once = Formula(hand.world), Formula(hand.world)
    parts = {*formula.needed((first.reads[0].value,)), *formula.needed((last.reads[0].value,))}
    assert parts >= set(at_once.needed((first.reads[0].value, last.reads[0].value)))


def test_again_asserts_everything_again_and_knows_the_pairs() -> None:
    hand, _, _, last = chain()
    formula = Formula(hand.world)
    asserted = set(formula.needed((last.reads[0].value,)))
    fresh = formula.again()
    assert fresh.order.size() == formula.order.size() > 0
    assert set(fresh.needed((last.reads[0].value,))) == asserted


def test_sections_and_demands_come_with_every_question() -> None:
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    a, b = hand.lock(one, 7), hand.lock(two, 7)
    hand.event(one, *a.guard, writes={"x": 1})
    hand.event(two, *b.guard, writes={"x": 1})
    d = hand.terms.bool_var("d")
    hand.world.demands.append((d, a, b))
    formula, solver = Formula(hand.world), open_solver()
    solver.add(*formula.needed((hand.terms.true,)))
    held = (*a.guard, *b.guard)
    assert not isinstance(solver.check(held), Sat), "two threads keep one lock"
    assert isinstance(solver.check((d, formula.order.before(a, b))), Sat)
    assert not isinstance(solver.check((d, formula.order.before(b, a))), Sat)


def test_what_sections_depend_on_comes_too() -> None:
    """One thread takes the lock if it read 1: who asks about sections asks about that read."""
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    read = hand.event(one, reads="x").reads[0]
    hand.lock(one, 7, hand.terms.eq(read.value, hand.terms.bv(1, 8)))
    hand.lock(two, 7)
    hand.event(hand.main, writes={"x": 1})
    formula = Formula(hand.world)
    assert set(formula.reads.axioms(read)) <= set(formula.needed((hand.terms.true,)))
