"""What reads can see, counted out by how far the threads have come: never less than executing the events can do."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from events_by_hand import Hand, allowed, events, executed
from paths_by_hand import RandomPaths
from paths_by_hand import missed as missed_by_walks

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order import places, ranges
from threadproof.engines.bmc.order.exclusion import slots
from threadproof.engines.bmc.order.known_ranges import KnownRanges
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.ranges import ReadRanges
from threadproof.engines.bmc.order.spread import Computation, Spread
from threadproof.engines.bmc.order.walks import contradict
from threadproof.engines.bmc.unwinding.events import CellPart, EventRole, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms


def ranges_of(world: Unwound) -> ReadRanges:
    order = EventOrder(world, slots(world))
    cells = {part.cell for event in events(world) for part in (*event.reads, *event.writes)}
    return ReadRanges(world, order, cells, order.loose)


def found(world: Unwound) -> dict[str, Spread]:
    seen = ranges_of(world)
    return {part.value.name: seen.of(part) for event in events(world) for part in event.reads}


class RandomWorld:
    """Threads that compute with what they read, now and before, in blocks and in sections."""

    def __init__(self, rng: Random) -> None:
        self.hand, self.rng = Hand(MemoryModel.SC), rng
        terms = self.hand.terms
        self.branch = terms.bool_var("p")
        main = self.hand.main
        self.body(main, 1, ())
        children = [self.hand.fork(main) for _ in range(rng.choice((1, 2, 2)))]
        for child in children:
            child.end = self.body(child, 3, child.begin)
        guard: tuple[Term, ...] = ()
        for child in children:
            match rng.randrange(3):
                case 0:
                    guard = self.hand.join(main, child, *guard).guard
                case 1:
                    self.access(main, self.hand.join(main, child, *guard, self.branch).guard, [])
                case _:
                    pass
        self.access(main, guard, [])

    def body(self, thread: UnwoundThread, count: int, guard: tuple[Term, ...]) -> tuple[Term, ...]:
        seen: list[Term] = []
        for _ in range(self.rng.randrange(1, count + 1)):
            match self.rng.randrange(10):
                case 0:
                    lock = self.hand.lock(thread, 1, *guard, reads="z")
                    seen.append(lock.reads[0].value)
                    self.hand.unlock(thread, 1, *lock.guard, writes={"z": self.value(seen)})
                    guard = lock.guard
                case 1:
                    block = 10 * thread.number + len(thread.events) + 1
                    self.access(thread, guard, seen, block)
                    self.access(thread, guard, seen, block)
                case 2:
                    self.access(thread, (*guard, self.branch), [])
                case _:
                    self.access(thread, guard, seen)
        return guard

    def value(self, seen: list[Term]) -> Term:
        terms, rng = self.hand.terms, self.rng
        if not seen or not rng.randrange(3):
            return terms.bv(rng.randrange(1, 4), 8)
        one, two = rng.choice(seen), rng.choice(seen)
        made = rng.choice((terms.add(one, terms.bv(1, 8)), terms.add(one, two), terms.sub(one, terms.bv(1, 8))))
        return made if rng.randrange(2) else terms.ite(terms.ult(terms.bv(0, 8), one), made, two)

    def access(self, thread: UnwoundThread, guard: tuple[Term, ...], seen: list[Term], block: int = 0) -> None:
        cell = self.rng.choice("xxy")
        match self.rng.randrange(4):
            case 0:
                seen.append(self.hand.event(thread, *guard, reads=cell, block=block).reads[0].value)
            case 1:
                event = self.hand.event(thread, *guard, reads=cell, block=block)
                more = self.hand.terms.add(event.reads[0].value, self.hand.terms.bv(1, 8))
                event.writes.append(self.hand.world.part(event, event.reads[0].cell, self.hand.terms.true, more))
                seen.append(event.reads[0].value)
            case _:
                when = self.hand.terms.bool_var("q") if not self.rng.randrange(6) else None
                made = self.value(seen)
                self.hand.event(thread, *guard, writes={cell: made}, when=when, block=block)


def missed(world: Unwound) -> list[tuple[str, int, Spread]]:
    ranges = found(world)
    return [
        (name, value, ranges[name])
        for outcome in executed(world)
        for name, value in outcome
        if name in ranges and ranges[name] and value not in ranges[name]
    ]


@pytest.mark.parametrize("points", [places.POINTS, 20, 12], ids=["threads", "routines", "all"])
@pytest.mark.parametrize("seed", range(25))
def test_nothing_that_can_be_read_is_missed(seed: int, points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "POINTS", points)
    assert not missed(RandomWorld(Random(seed)).hand.world)


@pytest.mark.parametrize("seed", [*range(20), 468, 479, 557, 602])
def test_the_formula_allows_what_can_be_executed(seed: int) -> None:
    """The last four: a read that does not happen has any value, whatever is known of it if it does."""
    world = RandomWorld(Random(seed)).hand.world
    assert allowed(world) == executed(world)


def section(hand: Hand, thread: UnwoundThread, guard: tuple[Term, ...]) -> CellPart:
    """x = x + 1 under a lock."""
    lock = hand.lock(thread, 1, *guard, reads="x")
    hand.unlock(thread, 1, *lock.guard, writes={"x": hand.terms.add(lock.reads[0].value, hand.terms.bv(1, 8))})
    return lock.reads[0]


def counter(threads: int, times: int) -> tuple[Hand, list[list[CellPart]], CellPart]:
    hand, reads = Hand(), list[list[CellPart]]()
    children = [hand.fork(hand.main) for _ in range(threads)]
    for child in children:
        parts: list[CellPart] = []
        for _ in range(times):
            parts.append(section(hand, child, child.end or ()))
            child.end = parts[-1].event.guard
        reads.append(parts)
    guard: tuple[Term, ...] = ()
    for child in children:
        guard = hand.join(hand.main, child, *guard).guard
    return hand, reads, hand.event(hand.main, *guard, reads="x").reads[0]


@pytest.mark.parametrize("points", [places.POINTS, 20], ids=["threads", "added up"])
def test_a_counter_is_counted(points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "POINTS", points)
    hand, reads, last = counter(3, 2)
    seen = found(hand.world)
    assert seen[last.value.name] == frozenset((6,))
    assert [seen[part.value.name] for part in reads[1]] == [frozenset(range(5)), frozenset(range(1, 6))]


def test_a_thread_that_nobody_waited_for_may_not_have_begun() -> None:
    hand = Hand()
    children = [hand.fork(hand.main) for _ in range(2)]
    for child in children:
        child.end = section(hand, child, ()).event.guard
    joined = hand.join(hand.main, children[0])
    read = hand.event(hand.main, *joined.guard, reads="x").reads[0]
    assert found(hand.world)[read.value.name] == frozenset((1, 2))


def test_a_join_on_one_path_says_nothing_of_the_other() -> None:
    hand = Hand()
    child = hand.fork(hand.main)
    hand.event(child, writes={"x": 3})
    child.end = ()
    hand.join(hand.main, child, hand.terms.bool_var("p"))
    read = hand.event(hand.main, reads="x").reads[0]
    assert found(hand.world)[read.value.name] == frozenset((0, 3))


def test_what_need_not_be_written_leaves_the_old_value() -> None:
    hand = Hand()
    child = hand.fork(hand.main)
    hand.event(child, hand.terms.bool_var("p"), writes={"x": 3})
    hand.event(child, writes={"x": 4}, when=hand.terms.bool_var("q"))
    child.end = ()
    joined = hand.join(hand.main, child)
    read = hand.event(hand.main, *joined.guard, reads="x").reads[0]
    assert found(hand.world)[read.value.name] == frozenset((0, 3, 4))


@pytest.mark.parametrize("seed", range(150))
def test_random_executions_miss_nothing_where_paths_part_and_end_early(seed: int) -> None:
    assert not missed_by_walks(RandomPaths(Random(seed)).hand.world, 12, Random(seed), Counter())


def test_random_executions_read_most_of_what_there_is() -> None:
    counts = Counter[str]()
    for seed in range(40):
        missed_by_walks(RandomPaths(Random(seed)).hand.world, 12, Random(seed), counts)
    assert counts["walks"] > 300
    assert counts["of one"] > 800


def test_what_an_execution_contradicts_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    hand, read = another_path()
    seen = ranges_of(hand.world)
    assert not contradict(hand.world, seen)
    monkeypatch.setattr(ranges.ReadRanges, "of", lambda self, part: frozenset((0,)) if part is read else frozenset())
    assert contradict(hand.world, seen)
    known = KnownRanges(hand.world)
    known.look(EventOrder(hand.world, slots(hand.world)), {read.cell})
    assert known.refuted
    assert known.of(hand.terms, read) == ([], True)


def another_path() -> tuple[Hand, CellPart]:
    """One path gives the lock up, joins and takes it again; the other path writes and gives it up."""
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.fork(hand.main)
    child.end = section(hand, child, ()).event.guard
    taken = hand.lock(hand.main, 1)
    hand.unlock(hand.main, 1, *taken.guard, p)
    joined = hand.join(hand.main, child, *taken.guard, p)
    hand.lock(hand.main, 1, *joined.guard)
    hand.unlock(hand.main, 1, *taken.guard, hand.terms.not_(p), writes={"x": 5})
    return hand, child.events[0].reads[0]


def test_the_lock_of_another_path_says_nothing_of_an_unlock() -> None:
    hand, read = another_path()
    assert found(hand.world)[read.value.name] == frozenset((0, 5))


def test_a_join_on_one_path_inside_a_block_says_nothing_of_the_other() -> None:
    hand = Hand()
    p = hand.terms.bool_var("p")
    child = hand.thread(hand.event(hand.main, p, kind=EventRole.FORK))
    hand.event(child, p, writes={"x": 1})
    joined = hand.join(hand.main, child, p)
    one = hand.event(hand.main, *joined.guard, reads="y", block=1).reads[0]
    two = hand.event(hand.main, reads="x", block=1).reads[0]
    joined.block = 1
    hand.event(hand.main, writes={"y": hand.terms.add(one.value, two.value)})
    hand.event(hand.main, reads="y")
    assert found(hand.world)[two.value.name] == frozenset((0, 1))


def test_too_much_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "EFFORT", 10)
    hand, _, last = counter(3, 2)
    assert not found(hand.world)[last.value.name]


def test_values_are_tried_one_by_one_where_they_are_few() -> None:
    terms = Terms()
    x = terms.bv_var("x", 8)
    lowered = terms.ite(terms.ult(terms.bv(0, 8), x), terms.sub(x, terms.bv(1, 8)), x)
    computation = Computation(terms, (x,), (), (lowered,))
    assert computation.of((frozenset((0, 1, 5)),)) == [frozenset((0, 4))]
    under = Computation(terms, (x,), (terms.ult(x, terms.bv(3, 8)),), (lowered,))
    assert under.of((frozenset((0, 1, 5)),)) == [frozenset((0,))]
    assert under.of((frozenset((5, 6)),)) is None
