"""Rounds of loops that change nothing: which do, and what makes a round work."""

from __future__ import annotations

import pytest
from events_by_hand import Hand
from unwound_programs import create, ends, function, is_equal, load, number, spinning, store, unwound

from threadproof.engines.bmc.unwinding.events import Entry, EventRole, Limit, Why
from threadproof.engines.bmc.unwinding.guards import Guard
from threadproof.engines.bmc.unwinding.idling import Idle, Idling, idles
from threadproof.engines.bmc.unwinding.state import Arrival, Cached, PathState
from threadproof.ir.expr import Const, Reg
from threadproof.ir.instr import Call, CompareExchange, Fence, Instr, Load, Rmw, RmwOp, Store, Sync
from threadproof.smt.term import Term

WHERE, R, ONE = Const(0x1000, 64), Reg("r", 8), Const(1, 8)
LOAD, STORE, FENCE = Load(R, WHERE, 1), Store(WHERE, ONE, 1), Fence()
XCHG = Rmw(R, RmwOp.XCHG, WHERE, ONE, 1)
CAS = CompareExchange(R, Reg("s", 1), WHERE, Const(0, 8), ONE, 1)
LOCK, UNLOCK, TRYLOCK = (Sync(None, f"mutex_{op}", (WHERE,)) for op in ("lock", "unlock", "trylock"))
POST = Sync(None, "sem_post", (WHERE,))
M = 7


class LoopRound:
    """A round that begins and ends in the same state, unless something is done to it."""

    def __init__(self, held: frozenset[int] = frozenset()) -> None:
        self.hand = Hand()
        self.began = Arrival(PathState((), {}, {}, held), {"r": self.hand.terms.bv(0, 8)})
        self.ended = Arrival(self.began.state.copy(), dict(self.began.registers))
        self.passed: list[Entry] = []

    def entry(self, instr: Instr, choice: Term | None = None) -> Entry:
        self.passed.append(Entry(instr, "main", (), visible=True, choice=choice))
        return self.passed[-1]

    def atomically(self, instr: Instr, possible: frozenset[int] | None) -> Term:
        """A read and a write in one event; gives what was read."""
        event = self.hand.event(self.hand.main, reads="x")
        self.hand.world.values.declare(event.reads[0].value, possible)
        self.entry(instr).events.append(event)
        return event.reads[0].value

    def write(self, value: Term, when: Term | None = None) -> None:
        event = self.passed[-1].events[-1]
        part = self.hand.world.part(event, self.hand.cell("x"), when or self.hand.terms.true, value)
        event.writes.append(part)

    def mutex(self, kind: EventRole, mutex: int = M) -> None:
        entry = self.entry(LOCK if kind is EventRole.LOCK else UNLOCK)
        thread = self.hand.main
        event = self.hand.lock(thread, mutex) if kind is EventRole.LOCK else self.hand.unlock(thread, mutex)
        entry.events.append(event)
        if event.acquired is not None:
            self.ended.state.guard = (*self.ended.state.guard, event.acquired)

    def guard(self, *guard: Term) -> None:
        self.ended.state.guard = guard

    def idles(self) -> Idle:
        return idles(self.hand.world, self.began, self.ended, self.passed, frozenset("r"))


@pytest.mark.parametrize("instr", [LOAD, FENCE], ids=["load", "fence"])
def test_a_round_that_only_reads(instr: Instr) -> None:
    spins = LoopRound()
    spins.entry(instr)
    assert spins.idles() is Idling.NOTHING


@pytest.mark.parametrize("instr", [STORE, TRYLOCK], ids=["store", "trylock"])
def test_a_round_that_does_something(instr: Instr) -> None:
    works = LoopRound()
    works.entry(LOAD)
    works.entry(instr)
    assert works.idles() is Idling.WORKED


def test_a_semaphore_that_is_posted() -> None:
    works = LoopRound()
    works.entry(POST).events.append(works.hand.event(works.hand.main, writes={"x": 1}))
    assert works.idles() is Idling.WORKED


def test_a_round_that_asks() -> None:
    works = LoopRound()
    works.entry(LOCK, choice=works.hand.terms.bool_var("late"))
    assert works.idles() is Idling.WORKED


def test_what_a_round_must_leave_as_it_was() -> None:
    def changed(what: str) -> Idle:
        round_ = LoopRound()
        state, one = round_.ended.state, round_.hand.terms.bv(1, 8)
        cell = round_.hand.cell("x")
        match what:
            case "a live register":
                round_.ended.registers["r"] = one
            case "a register nobody needs":
                round_.ended.registers["dead"] = one
            case "memory":
                state.memory[cell] = one
            case "a lock":
                state.held = frozenset((M,))
            case "something written under a lock":
                state.cached[cell] = Cached(M, one, dirty=True)
            case "something read under a lock":
                state.cached[cell] = Cached(M, one, dirty=False)
            case _:
                round_.began.state.depth = state.depth = 1
        return round_.idles()

    for what in ("a live register", "memory", "a lock", "something written under a lock", "an atomic block"):
        assert changed(what) is Idling.WORKED, what
    for what in ("a register nobody needs", "something read under a lock"):
        assert changed(what) is Idling.NOTHING, what


@pytest.mark.parametrize(("found", "idle"), [(1, Idling.NOTHING), (0, Idling.WORKED)])
def test_a_test_and_set_that_finds_the_lock_taken(found: int, idle: Idle) -> None:
    spins = LoopRound()
    terms = spins.hand.terms
    read = spins.atomically(XCHG, frozenset((0, 1)))
    spins.write(terms.bv(1, 8))
    spins.guard(terms.eq(read, terms.bv(found, 8)))
    assert spins.idles() is idle


@pytest.mark.parametrize("possible", [frozenset((0, 1)), None], ids=["few values", "any value"])
@pytest.mark.parametrize(("fails", "idle"), [(True, Idling.NOTHING), (False, Idling.WORKED)])
def test_a_compare_and_swap_that_fails(possible: frozenset[int] | None, fails: bool, idle: Idle) -> None:
    spins = LoopRound()
    terms = spins.hand.terms
    same = terms.eq(spins.atomically(CAS, possible), terms.bv(0, 8))
    spins.write(terms.bv(1, 8), same)
    spins.guard(terms.not_(same) if fails else same)
    assert spins.idles() is idle


def test_a_value_put_back_may_not_depend_on_anything_else() -> None:
    spins = LoopRound()
    spins.atomically(XCHG, frozenset((0,)))
    spins.write(spins.hand.terms.bv_var("other", 8))
    assert spins.idles() is Idling.WORKED


def test_a_write_without_a_read() -> None:
    works = LoopRound()
    works.entry(XCHG).events.append(works.hand.event(works.hand.main, writes={"x": 1}))
    assert works.idles() is Idling.WORKED


def rounds(*kinds: EventRole, then: Guard = (), after: Instr | None = None) -> Idle:
    """A round of a loop that is entered with the lock held."""
    waits = LoopRound(frozenset((M,)))
    for kind in kinds:
        waits.mutex(kind)
    if after is not None:
        waits.entry(after)
    waits.ended.state.guard += then
    return waits.idles()


def test_looking_under_a_lock() -> None:
    looks = LoopRound()
    looks.mutex(EventRole.LOCK)
    looks.entry(LOAD)
    looks.mutex(EventRole.UNLOCK)
    assert looks.idles() is Idling.NOTHING


def test_writing_under_a_lock() -> None:
    works = LoopRound()
    works.mutex(EventRole.LOCK)
    works.mutex(EventRole.UNLOCK)
    event = works.passed[-1].events[-1]
    event.writes.append(
        works.hand.world.part(event, works.hand.cell("x"), works.hand.terms.true, works.hand.terms.true)
    )
    assert works.idles() is Idling.WORKED


def test_waiting_is_named_by_its_mutex() -> None:
    assert rounds(EventRole.UNLOCK, EventRole.LOCK) == M


def test_waiting_twice_in_a_round() -> None:
    assert rounds(EventRole.UNLOCK, EventRole.LOCK, EventRole.UNLOCK, EventRole.LOCK) is Idling.WORKED


def test_waiting_and_then_looking_again() -> None:
    """What is read after taking the lock again may be compared with what was read before."""
    assert rounds(EventRole.UNLOCK, EventRole.LOCK, after=LOAD) is Idling.WORKED
    compares = (Hand().terms.bool_var("the two are equal"),)
    assert rounds(EventRole.UNLOCK, EventRole.LOCK, then=compares) is Idling.WORKED


# --- rounds of loops in programs ---


def test_a_loop_that_waits_is_not_unwound_for_ever() -> None:
    """while (x == 0); the flag is set once: no limit is reached whatever the bound."""
    waits = spinning("wait", load("a"), until=is_equal("a", 1))
    world = unwound(function("main", create("t", "f"), Call(None, "wait", ())), function("f", store("x", 1)), waits)
    assert not any(isinstance(what, Limit) for what in ends(world))


def test_a_loop_that_counts_is() -> None:
    counts = spinning("wait", load("a"), store("y", number(0)), until=is_equal("a", 1))
    world = unwound(function("main", create("t", "f"), Call(None, "wait", ())), function("f", store("x", 1)), counts)
    assert Limit(Why.LOOP, ("wait", "loop")) in ends(world)
