"""The order of events: what is known of it, what its axioms say, and cycles as clauses."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product
from random import Random

import pytest
from events_by_hand import Hand, allowed, events, executed

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order.cycles import Following, cuts, in_order
from threadproof.engines.bmc.order.exclusion import exclusion, section_ends, slots
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.unwinding.events import EventRole
from threadproof.smt.evaluate import Assignment
from threadproof.smt.solver import Sat, Unsat, open_solver
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms

# --- cycles ---


def edges_of(following: Following, literals: set[Term] | None = None) -> dict[object, set[object]]:
    """Who must come before each node; of the chosen edges only those with these literals."""
    before: dict[object, set[object]] = {node: set() for node in following}
    for node, targets in following.items():
        for target, literal in targets:
            if literal is None or literals is None or literal in literals:
                before[target].add(node)
    return before


def is_cyclic(before: dict[object, set[object]]) -> bool:
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return True
    return False


def random_graph(terms: Terms, rng: Random) -> Following:
    """Three chains in their own order, and edges between them that a model chose."""
    nodes = [((chain, 0), slot) for chain in range(3) for slot in range(3)]
    following: Following = {node: [] for node in nodes}
    for chain in range(3):
        for slot in range(2):
            following[(chain, 0), slot].append((((chain, 0), slot + 1), None))
    for number, (a, b) in enumerate(p for p in combinations(nodes, 2) if p[0][0] != p[1][0]):
        if rng.random() < 0.25:
            one, two = (a, b) if rng.random() < 0.6 else (b, a)
            following[one].append((two, terms.bool_var(f"o{number}")))
    return following


@pytest.mark.parametrize("seed", range(20))
def test_cycles_are_cut_and_nothing_else_is(seed: int) -> None:
    terms = Terms()
    following = random_graph(terms, Random(seed))
    clauses = cuts(terms, following)
    assert bool(clauses) == is_cyclic(edges_of(following))
    for clause in clauses:
        literals = set(variables((clause,)))
        assert not Assignment({v.name: 1 for v in literals}).holds(clause)
        assert is_cyclic(edges_of(following, literals)), "the clause excludes an order"


@pytest.mark.parametrize("seed", range(20))
def test_of_every_edge_a_cycle_with_the_fewest_literals_is_cut(seed: int) -> None:
    terms = Terms()
    following = random_graph(terms, Random(seed))
    far = 1_000
    cost = {(a, b): 0 if a == b else far for a in following for b in following}
    for a, targets in following.items():
        for b, literal in targets:
            cost[a, b] = min(cost[a, b], int(literal is not None))
    for via, a, b in product(following, repeat=3):
        cost[a, b] = min(cost[a, b], cost[a, via] + cost[via, b])
    lengths: dict[Term, list[int]] = {}
    for clause in cuts(terms, following):
        for literal in variables((clause,)):
            lengths.setdefault(literal, []).append(len(variables((clause,))))
    for a, targets in following.items():
        for b, literal in targets:
            if literal is not None and cost[b, a] < far:
                assert min(lengths[literal]) == 1 + cost[b, a]


@pytest.mark.parametrize("seed", range(20))
def test_a_sequence_respects_the_graph(seed: int) -> None:
    following = random_graph(Terms(), Random(seed))
    place = {node: index for index, node in enumerate(in_order(following))}
    cyclic = is_cyclic(edges_of(following))
    assert (len(place) == len(following)) != cyclic
    assert all(place[a] < place[b] for a in place for b, _ in following[a] if b in place)


# --- order ---


def test_creation_and_joins_order_events() -> None:
    hand = Hand()
    early = hand.event(hand.main, writes={"x": 1})
    child = hand.fork(hand.main)
    inside = hand.event(child, reads="x")
    beside = hand.event(hand.main, reads="x")
    join = hand.join(hand.main, child)
    late = hand.event(hand.main, *join.guard, reads="x")
    order = EventOrder(hand.world, {})
    assert order.known(early, inside) is True
    assert order.known(inside, early) is False
    assert order.known(beside, inside) is None
    assert order.known(inside, late) is True
    assert order.known(late, inside) is False
    assert order.before(early, inside) is hand.terms.true
    assert order.previous(inside) is child.fork
    assert order.previous(beside) is child.fork


def test_either_comes_before_the_other() -> None:
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    a, b = hand.event(one, writes={"x": 1}), hand.event(two, writes={"x": 2})
    order = EventOrder(hand.world, {})
    assert order.before(a, b) is hand.terms.not_(order.before(b, a))


def test_the_order_of_two_threads_is_a_staircase() -> None:
    """Three events of each: as many orders as ways to shuffle them, (6 over 3)."""
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    firsts = [hand.event(one, writes={"x": 1}) for _ in range(3)]
    seconds = [hand.event(two, writes={"x": 1}) for _ in range(3)]
    order, solver = EventOrder(hand.world, {}), open_solver()
    pairs = [order.before(a, b) for a in firsts for b in seconds]
    assert order.size() == 9
    solver.add(*order.axioms())
    count = 0
    while isinstance(found := solver.check(), Sat):
        count += 1
        assert not order.cuts(found.model)
        sequence = [e for e in order.sorted(found.model) if e in (*firsts, *seconds)]
        assert all(
            (sequence.index(a) < sequence.index(b)) == found.model.holds(order.before(a, b))
            for a in firsts
            for b in seconds
        )
        solver.add(hand.terms.any(hand.terms.not_(v) if found.model.holds(v) else v for v in pairs))
    assert count == 20


def test_what_was_asked_of_another_order_is_known() -> None:
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    a, b = hand.event(one, writes={"x": 1}), hand.event(two, writes={"x": 2})
    later = hand.event(two, writes={"x": 3})
    asked, fresh = EventOrder(hand.world, {}), EventOrder(hand.world, {})
    asked.before(a, b)
    fresh.knows(asked)
    assert fresh.size() == asked.size() == 1
    fresh.before(a, later)
    assert (fresh.size(), asked.size()) == (2, 1)


def test_a_join_on_one_path_orders_nothing_on_the_other() -> None:
    """Main joins if p, and reads in any case: it may see the write, and must if it joined."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.fork(hand.main)
    hand.event(child, writes={"x": 1})
    join = hand.join(hand.main, child, p)
    hand.event(hand.main, *join.guard, reads="x")
    hand.event(hand.main, reads="x")
    assert allowed(hand.world) == executed(hand.world)


@pytest.mark.parametrize("writes_last", [False, True])
def test_two_threads_need_no_cuts(writes_last: bool) -> None:
    """Also where a join on one path orders what follows it on all paths: if it happens, it is in the staircase."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.fork(hand.main)
    first = hand.event(child, writes={"x": 1})
    join = hand.join(hand.main, child, p)
    last = hand.event(hand.main, reads="" if writes_last else "x", writes={"x": 2} if writes_last else None)
    order, solver = EventOrder(hand.world, {}), open_solver()
    solver.add(order.before(last, first))
    solver.add(*order.axioms())
    assert isinstance(solver.check(join.guard), Unsat)
    found = solver.check()
    assert isinstance(found, Sat)
    assert not order.cuts(found.model)


def test_an_event_that_does_not_happen_pushes_nobody() -> None:
    """The join that does not happen comes after all of the child, the write before it need not."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.fork(hand.main)
    hand.event(child, reads="x")
    hand.event(child, writes={"y": 1})
    hand.event(hand.main, reads="y")
    join = hand.join(hand.main, child, p)
    hand.event(hand.main, *join.guard, writes={"y": 2})
    hand.event(hand.main, writes={"x": 1})
    found = allowed(hand.world)
    assert found == executed(hand.world)
    unjoined = [dict(outcome) for outcome in found if not dict(outcome)["p"]]
    assert {o[hand.world.threads[1].events[0].reads[0].value.name] for o in unjoined} == {0, 1}


def test_three_threads_do_not_go_round_in_a_circle() -> None:
    """Each write is seen by the next thread, which did not see the one after it: a ring of store buffers."""
    hand = Hand()
    children = [hand.fork(hand.main) for _ in range(3)]
    for child, (own, next_) in zip(children, ("xy", "yz", "zx"), strict=True):
        hand.event(child, writes={own: 1})
        hand.event(child, reads=next_)
    found = allowed(hand.world)
    assert found == executed(hand.world)
    assert not any(all(value == 0 for _, value in outcome) for outcome in found)


@pytest.mark.parametrize(("model", "both_zero"), [(MemoryModel.SC, False), (MemoryModel.TSO, True)], ids=["sc", "tso"])
@pytest.mark.parametrize("fence", [False, True], ids=["", "fence"])
def test_stores_wait_in_the_buffer_unless_something_drains_it(model: MemoryModel, both_zero: bool, fence: bool) -> None:
    hand = Hand(model)
    for own, other in ("xy", "yx"):
        child = hand.fork(hand.main)
        hand.event(child, writes={own: 1})
        if fence:
            hand.event(child, kind=EventRole.FENCE, drains=True)
        hand.event(child, reads=other)
    found = allowed(hand.world)
    assert found == executed(hand.world)
    assert any(all(v == 0 for _, v in outcome) for outcome in found) == (both_zero and not fence)


@pytest.mark.parametrize(("model", "fence"), [("tso", False), ("pso", False), ("pso", True)])
def test_stores_to_two_cells_change_places_under_pso_only(model: str, fence: bool) -> None:
    hand = Hand(MemoryModel(model))
    writer, reader = hand.fork(hand.main), hand.fork(hand.main)
    hand.event(writer, writes={"x": 1})
    if fence:
        hand.event(writer, kind=EventRole.FENCE, releases=True)
    hand.event(writer, writes={"y": 1})
    hand.event(reader, reads="y")
    hand.event(reader, reads="x")
    found = allowed(hand.world)
    assert found == executed(hand.world)
    assert any([v for _, v in outcome] == [1, 0] for outcome in found) == (model == "pso" and not fence)


def test_a_fence_on_one_path_drains_nothing_on_the_other() -> None:
    hand = Hand(MemoryModel.TSO)
    p = hand.terms.bool_var("p")
    for own, other in ("xy", "yx"):
        child = hand.fork(hand.main)
        hand.event(child, writes={own: 1})
        hand.event(child, p, kind=EventRole.FENCE, drains=True)
        hand.event(child, reads=other)
    found = allowed(hand.world)
    assert found == executed(hand.world)
    zeros = {dict(o)["p"] for o in found if all(v == 0 for name, v in o if name != "p")}
    assert zeros == {0}


def test_a_releasing_store_stays_behind_earlier_ones() -> None:
    hand = Hand(MemoryModel.PSO)
    writer, reader = hand.fork(hand.main), hand.fork(hand.main)
    hand.event(writer, writes={"x": 1})
    hand.event(writer, writes={"y": 1}, releases=True)
    hand.event(reader, reads="y")
    hand.event(reader, reads="x")
    found = allowed(hand.world)
    assert found == executed(hand.world)
    assert not any([v for _, v in outcome] == [1, 0] for outcome in found)


def test_stores_that_share_a_cell_keep_their_order() -> None:
    """Under PSO a store of two cells has a chain of its own."""
    hand = Hand(MemoryModel.PSO)
    child = hand.fork(hand.main)
    both = hand.event(child, writes={"x": 1, "y": 1})
    shared, other = hand.event(child, writes={"x": 2}), hand.event(child, writes={"z": 2})
    order = EventOrder(hand.world, {})
    assert order.known(both, shared) is True
    assert order.known(shared, both) is False
    assert order.known(both, other) is None


# --- exclusion ---


def test_sections_exclude_each_other() -> None:
    """Each reads x when it takes the lock and leaves x + 1: no increment is lost."""
    hand = Hand()
    terms = hand.terms
    for _ in range(2):
        child = hand.fork(hand.main)
        lock = hand.lock(child, 7, reads="x")
        hand.event(child, *lock.guard, writes={"y": 1})
        plus_one = terms.add(lock.reads[0].value, terms.bv(1, 8))
        hand.unlock(child, 7, *lock.guard, writes={"x": plus_one})
    found = allowed(hand.world)
    assert found == executed(hand.world)
    both = [dict(o) for o in found if all(v for name, v in o if name.startswith("acquired"))]
    assert all(sorted(v for name, v in o.items() if name.startswith("r.")) == [0, 1] for o in both)
    assert len(both) == 2


def test_a_lock_that_is_kept_lets_nobody_in_afterwards() -> None:
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    keeps = hand.lock(one, 7)
    hand.event(one, *keeps.guard, writes={"x": 1})
    lock = hand.lock(two, 7)
    hand.event(two, *lock.guard, reads="x")
    hand.unlock(two, 7, *lock.guard)
    found = allowed(hand.world)
    assert found == executed(hand.world)
    assert {tuple(v for _, v in o) for o in found if dict(o)[str(keeps.acquired and keeps.acquired.name)]} == {
        (1, 0),
        (1, 1, 0),
    }


def test_an_unlock_on_one_path_only_does_not_end_the_section_on_the_other() -> None:
    hand = Hand()
    p = hand.terms.bool_var("p")
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    lock = hand.lock(one, 7)
    maybe = hand.unlock(one, 7, *lock.guard, p)
    hand.event(one, *lock.guard, writes={"x": 1})
    last = hand.unlock(one, 7, *lock.guard)
    hand.unlock(one, 7, *lock.guard)
    assert section_ends(lock, list(events(hand.world))) == [maybe, last]
    other = hand.lock(two, 7)
    hand.event(two, *other.guard, reads="x")
    hand.unlock(two, 7, *other.guard)
    order, solver = EventOrder(hand.world, slots(hand.world)), open_solver()
    inside = (order.before(lock, other), hand.terms.not_(order.before(last, other)))
    solver.add(*exclusion(hand.world, order), *inside, *lock.guard, *other.guard)
    solver.add(*order.axioms())
    assert isinstance(solver.check((p,)), Sat)
    assert isinstance(solver.check((hand.terms.not_(p),)), Unsat)


def test_what_happens_as_one() -> None:
    """Atomic blocks, and a section with nothing inside; not a section with something in it, nor two mutexes, nor what
    two paths end with."""
    hand = Hand()
    child = hand.fork(hand.main)
    for block in (1, 1, 0, 2, 2):
        hand.event(child, writes={"x": 1}, block=block)
    guard = child.begin
    for one, two in ((7, 7), (7, 8)):
        guard = hand.lock(child, one, *guard).guard
        hand.unlock(child, two, *guard)
    guard = hand.lock(child, 7, *guard).guard
    hand.event(child, *guard, reads="x")
    hand.unlock(child, 7, *guard)
    p = hand.terms.bool_var("p")
    hand.lock(child, 7, *guard, p)
    hand.unlock(child, 7, *guard, hand.terms.not_(p))
    assert slots(hand.world) == {(1, i): j for i, j in ((0, 0), (1, 0), (3, 3), (4, 3), (6, 5))}


def test_nobody_sees_the_middle_of_an_atomic_block() -> None:
    hand = Hand()
    one, two = hand.fork(hand.main), hand.fork(hand.main)
    hand.event(one, writes={"x": 1}, block=1)
    hand.event(one, writes={"x": 2}, block=1)
    hand.event(two, reads="x")
    assert {v for outcome in allowed(hand.world) for _, v in outcome} == {0, 2}
