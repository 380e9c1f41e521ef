"""Order, reads, exclusion and cycles together: the formula allows exactly what executing the events can do."""

from __future__ import annotations

from random import Random

import pytest
from events_by_hand import Hand, allowed, executed

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.unwinding.events import UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term


class SmallProgram:
    """A small unwound program: main creates threads, does something itself, and may join them."""

    def __init__(self, rng: Random, model: MemoryModel) -> None:
        self.hand, self.rng = Hand(model), rng
        self.value = 0
        self.branch = self.hand.terms.bool_var("p")
        main = self.hand.main
        children = [self.hand.fork(main) for _ in range(rng.choice((1, 2, 2)))]
        for child in children:
            child.end = self.body(child, 2)
        guard = self.body(main, 1) if len(children) == 1 else ()
        for child in children:
            match rng.randrange(3):
                case 0:
                    joined = self.hand.join(main, child, *guard)
                    guard = joined.guard
                case 1:  # on one path only
                    joined = self.hand.join(main, child, *guard, self.branch)
                    self.event(main, joined.guard)
                case _:
                    pass
        self.event(main, guard)

    def body(self, thread: UnwoundThread, count: int) -> tuple[Term, ...]:
        """Its events; the guard of what follows them. Only z is protected by the mutex: the events that take and
        release it may read and write nothing else, as what lies between them is one moment."""
        guard: tuple[Term, ...] = thread.begin
        for _ in range(count):
            match self.rng.randrange(20):
                case 0:
                    lock = self.hand.lock(thread, 1, *guard, reads=self.rng.choice(("", "z")))
                    if self.rng.randrange(2):
                        self.event(thread, lock.guard)
                    self.hand.unlock(thread, 1, *lock.guard, writes=self.rng.choice((None, {"z": self.fresh()})))
                    guard = lock.guard
                case 1 if self.hand.world.model is MemoryModel.SC:
                    block = 10 * thread.number + len(thread.events) + 1
                    self.event(thread, guard, block)
                    self.event(thread, guard, block)
                case 2:
                    self.event(thread, (*guard, self.branch))
                case 3:
                    self.hand.event(thread, *guard, drains=self.rng.random() < 0.5, releases=True)
                case _:
                    self.event(thread, guard)
        return guard

    def fresh(self) -> int:
        self.value += 1
        return self.value

    def event(self, thread: UnwoundThread, guard: tuple[Term, ...], block: int = 0) -> None:
        hand, rng, cell = self.hand, self.rng, self.rng.choice("xxy")
        match rng.randrange(5):
            case 0 | 1:
                hand.event(thread, *guard, reads=cell, block=block)
            case 2:
                event = hand.event(thread, *guard, reads=cell, block=block)
                plus_one = hand.terms.add(event.reads[0].value, hand.terms.bv(1, 8))
                event.writes.append(hand.world.part(event, event.reads[0].cell, hand.terms.true, plus_one))
            case _:
                when = hand.terms.bool_var("q") if rng.random() < 0.2 else None
                hand.event(thread, *guard, writes={cell: self.fresh()}, when=when, block=block)


def world(seed: int, model: MemoryModel) -> Unwound:
    return SmallProgram(Random(seed), model).hand.world


@pytest.mark.parametrize("seed", range(40))
def test_interleavings(seed: int) -> None:
    assert allowed(world(seed, MemoryModel.SC)) == executed(world(seed, MemoryModel.SC))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("model", [MemoryModel.TSO, MemoryModel.PSO], ids=str)
def test_store_buffers(seed: int, model: MemoryModel) -> None:
    assert allowed(world(seed, model)) == executed(world(seed, model))
