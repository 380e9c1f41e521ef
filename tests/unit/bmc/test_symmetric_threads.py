"""Threads that cannot be told apart: one order of them stands for all, and whatever tells them apart is noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from events_by_hand import Hand, Outcome, allowed

from threadproof.engines.bmc.order.symmetry import classes, firsts
from threadproof.engines.bmc.unwinding.events import (
    Atomic,
    EventRole,
    PathEnd,
    UnwoundAccess,
    UnwoundEvent,
    UnwoundThread,
)
from threadproof.engines.bmc.unwinding.world import Ends
from threadproof.ir.instr import ErrorKind, Return


def routine(hand: Hand, thread: UnwoundThread) -> UnwoundEvent:
    """x = x + 1 in one event, then a read of y."""
    event = hand.event(thread, reads="x")
    more = hand.terms.add(event.reads[0].value, hand.terms.bv(1, 8))
    event.writes.append(hand.world.part(event, event.reads[0].cell, hand.terms.true, more))
    return hand.event(thread, reads="y")


def two(ends: Ends = Ends.NOTHING) -> tuple[Hand, UnwoundThread, UnwoundThread]:
    hand = Hand(ends=ends)
    one, other = hand.fork(hand.main), hand.fork(hand.main)
    routine(hand, one)
    routine(hand, other)
    return hand, one, other


def alike(hand: Hand) -> list[list[int]]:
    return [[thread.number for thread in group] for group in classes(hand.world)]


def exchanged(outcome: Outcome) -> Outcome:
    names = {"1": "2", "2": "1"}
    renamed = {
        f"r.{names.get(name.split('.')[1], name.split('.')[1])}.{name.split('.', 2)[2]}": v for name, v in outcome
    }
    return tuple((name, renamed[name]) for name, _ in outcome)


def test_one_order_stands_for_both() -> None:
    """With symmetry some outcomes are missing; exchanging the threads brings them back."""
    whole = allowed(two(Ends.WAITS)[0].world)
    some = allowed(two(Ends.NOTHING)[0].world)
    assert some < whole
    assert some | {exchanged(outcome) for outcome in some} == whole


def test_first_events_in_the_order_of_creation() -> None:
    hand, one, other = two()
    third = hand.fork(hand.main)
    routine(hand, third)
    assert alike(hand) == [[1, 2, 3]]
    assert list(firsts(hand.world)) == [(one.events[0], other.events[0]), (other.events[0], third.events[0])]


def test_joined_one_after_the_other() -> None:
    hand, one, other = two()
    guard = hand.join(hand.main, one).guard
    hand.join(hand.main, other, *guard)
    assert alike(hand) == [[1, 2]]


def test_joined_on_the_same_path() -> None:
    hand, one, other = two()
    guard = hand.join(hand.main, one, hand.terms.bool_var("p")).guard
    hand.join(hand.main, other, *guard)
    assert alike(hand) == [[1, 2]]


def access(hand: Hand, thread: UnwoundThread, atomic: Atomic) -> None:
    event = thread.events[-1]
    touch = UnwoundAccess(
        event, thread.number, event.index, event.clock, frozenset(), hand.cell("y"), False, atomic, event.guard,
        hand.terms.true, Return(), 0,
    )  # fmt: skip
    hand.world.touches[hand.cell("y")].append(touch)


def another_event(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    hand.event(other, reads="y")


def another_cell(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    other.events[-1].reads[0].cell = hand.cell("z")


def another_value(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    read = other.events[0].reads[0].value
    other.events[0].writes[0].value = hand.terms.add(read, hand.terms.bv(2, 8))


def another_mutex(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    other.events[-1].mutex = 7


def an_atomic_block(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    other.events[-1].block = 3


def another_condition(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    """One writes if it read 1, the other unless."""
    for thread, wanted in ((one, True), (other, False)):
        is_one = hand.terms.eq(thread.events[1].reads[0].value, hand.terms.bv(1, 8))
        hand.event(thread, is_one if wanted else hand.terms.not_(is_one), writes={"x": 1})


def variables_mixed_up(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    """One writes what it read in y, the other what it read in x."""
    hand.event(one, writes={"z": one.events[1].reads[0].value})
    hand.event(other, writes={"z": other.events[0].reads[0].value})


def another_end(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    for thread, kind in ((one, ErrorKind.ASSERTION), (other, ErrorKind.OVERFLOW)):
        hand.world.ends.append(PathEnd(thread.number, 2, (), kind, Return(), 0))


def only_one_ends(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    hand.world.ends.append(PathEnd(one.number, 2, (), ErrorKind.ASSERTION, Return(), 0))


def never_over(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    other.end = None


def a_result(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    """Another thread may look at it."""
    one.result, other.result = one.events[0].reads[0].value, other.events[0].reads[0].value


def threads_of_their_own(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    for thread in (one, other):
        hand.event(thread, kind=EventRole.FORK)


def one_atomic_access(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    access(hand, one, Atomic.PLAIN)
    access(hand, other, Atomic.ATOMIC)


def known_of_one(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    read = one.events[0].reads[0].value
    hand.world.definitions.append(hand.terms.ult(read, hand.terms.bv(9, 8)))


def after_one_of_them(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    """Main joins only one, and looks."""
    guard = hand.join(hand.main, one).guard
    hand.event(hand.main, *guard, reads="x")


def joined_on_a_path(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    """Main joins one if p; where the paths meet, no clock says so, but the join still orders what follows."""
    hand.join(hand.main, one, hand.terms.bool_var("p"))
    hand.event(hand.main, reads="x")


def joined_on_two_paths(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    for thread, name in ((one, "p"), (other, "q")):
        hand.join(hand.main, thread, hand.terms.bool_var(name))
    hand.event(hand.main, reads="x")


def joined_by_two(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    hand.join(hand.main, one)
    hand.join(hand.fork(hand.main), other)


def a_look_between_the_joins(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    p = hand.terms.bool_var("p")
    guard = hand.join(hand.main, one, p).guard
    hand.event(hand.main, *guard, reads="x")
    hand.join(hand.main, other, *guard)


def used_by_another(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    hand.event(hand.main, writes={"z": one.events[0].reads[0].value})


def demanded(hand: Hand, one: UnwoundThread, other: UnwoundThread) -> None:
    hand.world.demands.append((hand.terms.true, one.events[0], other.events[0]))


@pytest.mark.parametrize(
    "different",
    [
        another_event, another_cell, another_value, another_mutex, an_atomic_block, another_condition,
        variables_mixed_up, another_end, only_one_ends, never_over, a_result, threads_of_their_own, one_atomic_access,
        known_of_one, after_one_of_them, joined_on_a_path, joined_on_two_paths, joined_by_two, a_look_between_the_joins,
        used_by_another, demanded,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_what_tells_them_apart(different: Callable[[Hand, UnwoundThread, UnwoundThread], None]) -> None:
    hand, one, other = two()
    assert alike(hand) == [[1, 2]]
    different(hand, one, other)
    assert alike(hand) == []


def test_what_is_known_of_both_does_not() -> None:
    hand, one, other = two()
    for thread in (one, other):
        access(hand, thread, Atomic.ATOMIC)
        read = thread.events[0].reads[0].value
        hand.world.definitions.append(hand.terms.ult(read, hand.terms.bv(9, 8)))
    assert alike(hand) == [[1, 2]]


def test_their_creator_does_something_in_between() -> None:
    hand = Hand(ends=Ends.NOTHING)
    one = hand.fork(hand.main)
    hand.event(hand.main, writes={"y": 1})
    other = hand.fork(hand.main)
    routine(hand, one)
    routine(hand, other)
    assert alike(hand) == []


def test_created_on_one_path_only() -> None:
    hand = Hand(ends=Ends.NOTHING)
    one, other = hand.fork(hand.main), hand.fork(hand.main, hand.terms.bool_var("p"))
    routine(hand, one)
    routine(hand, other)
    assert alike(hand) == []
