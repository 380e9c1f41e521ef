"""ValueDomain weakened by models: what is left was proved, and nothing was dropped that holds."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from brute import condition, states

from threadproof.domains.box import StateBox
from threadproof.domains.by_models import after, kept, strongest
from threadproof.domains.candidates import candidates, constants
from threadproof.domains.equations import Equations
from threadproof.domains.intervals import Intervals
from threadproof.domains.literals import Literals, asking
from threadproof.domains.product import DomainProduct
from threadproof.domains.small_sets import SmallSets
from threadproof.smt.backend import SolverVerdict
from threadproof.smt.context import Context
from threadproof.smt.evaluate import Assignment
from threadproof.smt.integers import Signedness
from threadproof.smt.solver import Undecided
from threadproof.smt.term import Op, Term, in_order
from threadproof.smt.terms import Terms


def bottoms(terms: Terms, columns: tuple[Term, ...]) -> dict[str, Any]:
    literals = candidates(terms, columns, {3: [0, 1, 5, 7]})
    return {
        "equations": Equations(terms, columns).bottom(),
        "intervals": StateBox(terms, Intervals(), columns).bottom(),
        "sets": StateBox(terms, SmallSets(4), columns).bottom(),
        "literals": Literals(terms, literals).bottom(),
        "product": DomainProduct(Equations(terms, columns), Literals(terms, literals)).bottom(),
    }


@pytest.mark.parametrize("kind", ["equations", "intervals", "sets", "literals", "product"])
def test_the_strongest_value_is_the_join_of_all_states(kind: str) -> None:
    """Found by few models, it is what one gets from all states of the formula."""
    for seed in range(6):
        random, terms = Random(seed), Terms()
        x, y = terms.bv_var("x", 3), terms.bv_var("y", 3)
        bottom = bottoms(terms, (x, y))[kind]
        before = [condition(terms, random, (x, y), 3)]
        updates = {x: terms.add(x, terms.bv(random.randrange(3), 3)), y: terms.make(Op.BVXOR, (y, x))}
        found = strongest(Context(terms), before, bottom, updates)
        expected = bottom
        for state in states((x, y)):
            if state.holds(before[0]):
                expected = expected.admit(after(state, updates))
        assert found.value == expected
        assert not found.given_up
        assert all(found.value.holds(model) for model in found.models)


def test_a_loop_of_two_counters() -> None:
    """`i = j` and `i <= n` of `while (i < n) { i++; j++; }` at 32 bits: by weakening at the loop head alone."""
    terms = Terms()
    i, j, n = (terms.bv_var(name, 32) for name in "ijn")
    guard = terms.slt(i, n)
    updates = {v: terms.add(v, terms.bv(1, 32)) for v in (i, j)}
    first = terms.all([terms.eq(i, terms.bv(0, 32)), terms.eq(j, terms.bv(0, 32)), terms.sle(i, n)])
    literals = candidates(terms, (i, j, n), constants([guard, first, *updates.values()]))
    context = Context(terms)
    bottom = DomainProduct(Equations(terms, (i, j, n)), Literals(terms, literals)).bottom()
    head = strongest(context, [first], bottom).value
    while True:
        again = strongest(context, [*head.to_terms(), guard], head, updates).value
        if again == head:
            break
        assert head.leq(again)
        head = again
    known = head.to_terms()
    assert terms.eq(i, j) in known
    assert terms.sle(i, n) in known
    assert terms.slt(i, terms.bv(0, 32)) not in known
    for update in (first, terms.all([*known, guard])):
        for claim in terms.substitute(known, {} if update is first else updates):
            assert context.implies(update, claim)


def test_a_loop_in_steps_of_three() -> None:
    """Literals know what equations modulo 2**w cannot say, as long as nothing wraps around."""
    terms = Terms()
    x = terms.bv_var("x", 8)
    guard, step = terms.ult(x, terms.bv(90, 8)), {x: terms.add(x, terms.bv(3, 8))}
    literals = candidates(terms, (x,), constants([guard, step[x]]), lambda _: Signedness.UNSIGNED)
    context = Context(terms)
    head = strongest(context, [terms.eq(x, terms.bv(0, 8))], Literals(terms, literals).bottom()).value
    while (again := strongest(context, [*head.to_terms(), guard], head, step).value) != head:
        head = again
    third = terms.eq(terms.make(Op.UREM, (x, terms.bv(3, 8))), terms.bv(0, 8))
    assert third in head.kept
    assert terms.ule(x, terms.bv(90, 8)) in head.kept


def test_undecided_claims_are_given_up_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    bounds = [terms.ult(x, terms.bv(number, 8)) for number in range(10, 40)]
    hard = bounds[13]
    context = Context(terms)
    real = context.check

    def check(formulas: list[Term], seconds: float | None = None) -> object:
        parts = in_order(formulas)
        return Undecided(SolverVerdict.OUT_OF_TIME) if hard in parts else real(formulas, seconds)

    monkeypatch.setattr(context, "check", check)
    found = strongest(context, [terms.eq(x, terms.bv(3, 8))], Literals(terms, bounds).bottom())
    assert found.given_up == (hard,)
    assert found.value.kept == set(bounds) - {hard}


def test_after_many_models_claims_are_given_up() -> None:
    terms = Terms()
    x, y = terms.bv_var("x", 32), terms.bv_var("y", 32)
    before = [terms.ult(x, terms.bv(10**6, 32)), terms.eq(y, terms.bv(7, 32))]
    found = strongest(Context(terms), before, StateBox(terms, Intervals(), (x, y)).bottom(), most=5)
    assert len(found.models) == 5
    assert found.value[y].value == 7
    assert found.value[x] == Intervals().top(32)


def test_an_impossible_formula_needs_no_model() -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    found = strongest(Context(terms), [terms.false], Equations(terms, (x,)).bottom())
    assert found.value.is_bottom
    assert not found.models


# --- literals --------------------------------------------------------------------------------------------------------


def test_literals_are_kept_by_states() -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    small, odd = terms.ult(x, terms.bv(9, 8)), terms.eq(terms.extract(x, 0, 0), terms.bv(1, 1))
    seen = [Assignment({"x": value}) for value in (3, 5, 8)]
    assert kept([small, odd], seen) == [small]
    value = Literals(terms, [small, odd]).bottom()
    assert value.admit(seen[0]).kept == {small, odd}
    assert value.admit(seen[0]).admit(seen[2]).to_terms() == [small]


def test_lattice_of_literals() -> None:
    terms = Terms()
    x = terms.bv_var("x", 3)
    literals = candidates(terms, (x,), {3: [0, 2, 5]})
    for seed in range(30):
        random = Random(seed)
        a, b = (
            Literals(
                terms, literals, frozenset(random.sample(literals, random.randrange(3))), empty=not random.randrange(6)
            )
            for _ in "ab"
        )
        left, right = ({s.number(x) for s in states((x,)) if value.holds(s)} for value in (a, b))
        assert {s.number(x) for s in states((x,)) if a.meet(b).holds(s)} == left & right
        assert all(a.join(b).holds(Assignment({"x": one})) for one in left | right)
        assert not a.leq(b) or left <= right
        assert a.join(a.meet(b)) == a == a.meet(a.join(b)) == a.join(a.bottom()) == a.meet(a.top())


def test_literals_move_with_a_solver_or_where_they_stand() -> None:
    terms = Terms()
    x, y = terms.bv_var("x", 8), terms.bv_var("y", 8)
    literals = [
        terms.ult(x, terms.bv(9, 8)),
        terms.ult(y, terms.bv(9, 8)),
        terms.eq(x, y),
        terms.ult(x, terms.bv(12, 8)),
    ]
    plain = Literals(terms, literals, frozenset(literals[:2]))
    clever = Literals(terms, literals, frozenset(literals[:2]), proves=asking(Context(terms)))
    swap = {x: y, y: x}
    assert plain.assign(swap).kept == set(literals[:2])
    assert clever.assign(swap).kept == {literals[0], literals[1], literals[3]}
    step = {x: terms.add(x, terms.bv(2, 8))}
    assert plain.assign(step).kept == {literals[1]}
    assert clever.assign(step).kept == {literals[1], literals[3]}
    assert clever.assume(terms.eq(x, y)).kept == set(literals)
    assert clever.assume(terms.ult(terms.bv(20, 8), x)).is_bottom
    assert plain.assume(terms.false).is_bottom


def test_candidates_compare_with_each_other_and_with_constants() -> None:
    terms = Terms()
    x, y, p, q = terms.bv_var("x", 8), terms.bv_var("y", 8), terms.bool_var("p"), terms.bool_var("q")
    wide = terms.bv_var("wide", 16)
    numbers = constants([terms.ult(x, terms.bv(40, 8))])
    assert numbers == {8: [0, 1, 40, 255]}
    found = candidates(
        terms, (x, y, p, q, wide), numbers, lambda v: Signedness.UNSIGNED if v is y else Signedness.SIGNED
    )
    expected = [
        terms.slt(x, terms.bv(40, 8)),
        terms.ult(y, terms.bv(40, 8)),
        terms.sle(x, y),
        terms.ule(x, y),
        terms.eq(terms.add(x, y), terms.bv(40, 8)),
        terms.eq(terms.sub(x, y), terms.bv(1, 8)),
        p,
        terms.or_(p, terms.not_(q)),
    ]
    assert set(expected) <= set(found)
    assert len(set(found)) == len(found)
    assert not {terms.true, terms.false} & set(found)
