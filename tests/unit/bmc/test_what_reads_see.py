"""A read sees the last write to its cell before it; writes certainly overwritten are no candidates."""

from __future__ import annotations

from events_by_hand import Hand, allowed, executed

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order.exclusion import slots
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.reads import Reads
from threadproof.engines.bmc.unwinding.events import CellPart
from threadproof.engines.bmc.unwinding.memory import Hidden
from threadproof.smt.term import Op, Term, in_order, variables


def axioms(hand: Hand, read: CellPart) -> list[Term]:
    return list(Reads(hand.world, EventOrder(hand.world, slots(hand.world))).axioms(read))


def numbers(terms: list[Term]) -> set[int]:
    return {part.value for part in in_order(terms) if part.op is Op.VALUE}


def literals(terms: list[Term]) -> list[str]:
    return [v.name for v in variables(terms) if v.name.startswith("rf.")]


def test_writes_in_a_known_order_need_no_literals() -> None:
    hand = Hand()
    writer, reader = hand.fork(hand.main), hand.fork(hand.main)
    for value in (3, 4):
        hand.event(writer, writes={"x": value})
    read = hand.event(reader, reads="x").reads[0]
    found = axioms(hand, read)
    assert len(found) == 1
    assert not literals(found)
    assert numbers(found) == {0, 3, 4}


def test_writes_of_two_threads_do() -> None:
    hand = Hand()
    for value in (3, 4):
        hand.event(hand.fork(hand.main), writes={"x": value})
    read = hand.event(hand.main, reads="x").reads[0]
    assert len(literals(axioms(hand, read))) == 3


def test_what_is_certainly_overwritten_is_not_seen() -> None:
    """By a later write of the own thread; by one that happens before the read; not by one that may not happen."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    hand.event(hand.main, writes={"x": 3})
    hand.event(hand.main, writes={"x": 4})
    hand.event(hand.main, p, writes={"x": 5})
    hand.event(hand.main, writes={"x": 6}, when=hand.terms.bool_var("q"))
    child = hand.fork(hand.main)
    read = hand.event(child, reads="x").reads[0]
    hand.event(child, writes={"x": 7})
    assert numbers(axioms(hand, read)) == {4, 5, 6}
    assert allowed(hand.world) == executed(hand.world)


def test_what_is_certainly_overwritten_is_no_candidate() -> None:
    """Of main's writes only the last, and not what x held at first: with those of two threads three are left."""
    hand = Hand()
    for value in (3, 4):
        hand.event(hand.main, writes={"x": value})
    for value in (5, 6):
        hand.event(hand.fork(hand.main), writes={"x": value})
    read = hand.event(hand.main, reads="x").reads[0]
    assert len(literals(axioms(hand, read))) == 3


def test_nothing_is_known_through_a_write_that_may_not_happen() -> None:
    """A join if p orders the child's write, one that happens if p, and one in any case: the first and the last are
    in no known order, and a reader may see them in either."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.fork(hand.main)
    reader = hand.fork(hand.main)
    hand.event(child, writes={"x": 1})
    join = hand.join(hand.main, child, p)
    hand.event(hand.main, *join.guard, writes={"x": 2})
    hand.event(hand.main, writes={"x": 3})
    for _ in range(2):
        hand.event(reader, reads="x")
    found = allowed(hand.world)
    assert found == executed(hand.world)
    seen = {tuple(v for name, v in outcome if name.startswith("r.")) for outcome in found}
    assert (1, 3) in seen
    assert (3, 1) in seen


def test_a_write_after_the_join_is_not_seen_before_it() -> None:
    hand = Hand()
    child = hand.fork(hand.main)
    read = hand.event(child, reads="x").reads[0]
    join = hand.join(hand.main, child)
    hand.event(hand.main, *join.guard, writes={"x": 5})
    assert numbers(axioms(hand, read)) == {0}


def test_increments_are_not_lost() -> None:
    """A read and a write in one event: two threads add 1, and main sees 2 when it has joined them."""
    hand = Hand()
    children = [hand.fork(hand.main) for _ in range(2)]
    for child in children:
        event = hand.event(child, reads="x")
        more = hand.terms.add(event.reads[0].value, hand.terms.bv(1, 8))
        event.writes.append(hand.world.part(event, event.reads[0].cell, hand.terms.true, more))
    guard: tuple[Term, ...] = ()
    for child in children:
        guard = hand.join(hand.main, child, *guard).guard
    last = hand.event(hand.main, *guard, reads="x").reads[0]
    seen = {dict(outcome).get(last.value.name) for outcome in allowed(hand.world)}
    assert seen == {None, 2}


def test_reads_see_writes_in_one_order() -> None:
    """Two readers never disagree about the order of two writes to one cell."""
    hand = Hand()
    for value in (1, 2):
        hand.event(hand.fork(hand.main), writes={"x": value})
    for _ in range(2):
        reader = hand.fork(hand.main)
        hand.event(reader, reads="x")
        hand.event(reader, reads="x")
    found = {tuple(v for _, v in outcome) for outcome in allowed(hand.world)}
    assert found == {tuple(v for _, v in outcome) for outcome in executed(hand.world)}
    assert (1, 2, 2, 1) not in found


def test_a_thread_that_waits_has_looked() -> None:
    """The read of an operation that blocks is bound by what it sees also where the operation does not happen."""
    hand = Hand()
    child = hand.fork(hand.main)
    hand.event(hand.main, writes={"x": 1})
    for value in (2, 3):
        hand.event(hand.fork(hand.main), writes={"x": value})
    read = hand.lock(child, 7, reads="x").reads[0]
    last = axioms(hand, read)[-1]
    acquired = read.event.acquired
    assert acquired is not None
    assert acquired not in variables((last,))
    assert set(variables((last,))) == {v for v in variables(axioms(hand, read)) if v.name.startswith("rf.")}


def test_own_stores_are_seen_before_they_reach_memory() -> None:
    hand = Hand(MemoryModel.TSO)
    child = hand.fork(hand.main)
    hand.event(child, writes={"x": 1})
    read = hand.event(child, reads="x").reads[0]
    assert numbers(axioms(hand, read)) == {1}


def test_hidden_writes() -> None:
    """Those before a sure write: of its thread by program order, of others by its clock."""
    hidden = Hidden([(1, 5, {2: 3}), (1, 4, {2: 1, 3: 2})])
    assert hidden.covers(1, 4, 0)
    assert not hidden.covers(1, 5, 0), "the last sure write itself is seen"
    assert hidden.covers(2, 9, 2)
    assert not hidden.covers(2, 0, 3)
    assert hidden.covers(3, 0, 1)
    assert not hidden.covers(3, 0, 2)
    assert not hidden.covers(4, 0, 0)
