"""Random unwound programs with paths that part, meet again and end early: in sections, in atomic blocks, around joins.

    PYTHONPATH=src python tests/unit/bmc/paths_by_hand.py FIRST LAST

holds what is counted out of reads against random executions of each, with one number for each thread, for routines and
for all. The last line counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from events_by_hand import Hand, events

from threadproof.core.memory_model import MemoryModel
from threadproof.engines.bmc.order import places
from threadproof.engines.bmc.order.exclusion import slots
from threadproof.engines.bmc.order.order import EventOrder
from threadproof.engines.bmc.order.ranges import ReadRanges
from threadproof.engines.bmc.order.walks import WalkedProgram
from threadproof.engines.bmc.unwinding.events import EventRole, UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.guards import Guard, merged
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.smt.term import Term

POINTS = (places.POINTS, 12, 4)
"""So few that threads are added up by their routine, or all."""


class RandomPaths:
    """Main and two threads; what a thread knows on a path are the values it has read there."""

    def __init__(self, rng: Random) -> None:
        self.hand, self.rng = Hand(MemoryModel.SC), rng
        self.terms = self.hand.terms
        self.branches = [self.terms.bool_var(name) for name in "pq"]
        self.waiting: list[UnwoundThread] = []  # that main may join
        self.ends: list[Guard] = []
        for _ in range(rng.choice((1, 2, 2))):
            self.begin(self.hand.main, (rng.choice(self.branches),) if not rng.randrange(4) else ())
        self.thread(self.hand.main, (), 5)

    def begin(self, parent: UnwoundThread, guard: Guard) -> None:
        child = self.hand.thread(self.hand.event(parent, *guard, kind=EventRole.FORK, drains=True))
        waiting, self.waiting = self.waiting, []
        self.thread(child, child.begin, 3)
        self.waiting = [*waiting, child]

    def thread(self, thread: UnwoundThread, guard: Guard, steps: int) -> None:
        ends, self.ends = self.ends, []
        over = self.body(thread, guard, [], (), 0, steps)
        paths = self.ends if over is None else [*self.ends, over]
        self.ends = ends
        while len(paths) > 1:
            paths[-2:] = [merged(self.terms, paths[-2], paths[-1])[0]]
        thread.end = paths[0]

    def body(
        self, thread: UnwoundThread, guard: Guard, seen: list[Term], held: tuple[int, ...], block: int, steps: int
    ) -> Guard | None:
        """The guard of what comes after it; None if every path ends in it."""
        now: Guard | None = guard
        for _ in range(self.rng.randrange(1, steps + 1)):
            if now is None:
                return None
            match self.rng.randrange(9):
                case 0 | 1 if not block and len(held) < 2:
                    now = self.section(thread, now, seen, held, steps - 1)
                case 2 | 3:
                    now = self.branch(thread, now, seen, held, block, steps - 1)
                case 4 if not block:
                    number = 10 * thread.number + len(thread.events) + 1
                    self.hand.event(thread, *now, kind=EventRole.FENCE, block=number)
                    now = self.body(thread, now, seen, held, number, 2)
                    if now is not None:
                        self.hand.event(thread, *now, kind=EventRole.FENCE, block=number)
                case 5 if self.waiting:
                    now = self.join(thread, now, block)
                case 6 if held and not block and not self.rng.randrange(2):
                    self.leave(thread, now, seen, held)
                    return None
                case _:
                    self.access(thread, now, seen, held, block)
        return now

    def section(
        self, thread: UnwoundThread, guard: Guard, seen: list[Term], held: tuple[int, ...], steps: int
    ) -> Guard | None:
        mutex = self.rng.choice([number for number in (1, 1, 2) if number not in held])
        lock = self.lock(thread, guard, mutex)
        after: Guard | None = lock.guard
        inside = [*seen, *(part.value for part in lock.reads)]
        if self.rng.randrange(3):
            after = self.body(thread, lock.guard, inside, (*held, mutex), 0, max(steps, 1))
        if after is not None:
            self.unlock(thread, after, inside, mutex)
        return after

    def lock(self, thread: UnwoundThread, guard: Guard, mutex: int) -> UnwoundEvent:
        return self.hand.lock(thread, mutex, *guard, reads=self.rng.choice(("", "z", "z")) if mutex == 1 else "")

    def unlock(self, thread: UnwoundThread, guard: Guard, seen: list[Term], mutex: int) -> None:
        writes = {"z": self.value(seen)} if mutex == 1 and self.rng.randrange(3) else {}
        self.hand.unlock(thread, mutex, *guard, writes=writes)

    def branch(
        self, thread: UnwoundThread, guard: Guard, seen: list[Term], held: tuple[int, ...], block: int, steps: int
    ) -> Guard | None:
        decided = [t for b in self.branches for t in (b, self.terms.not_(b)) if t in guard]
        free = [b for b in self.branches if b not in decided and self.terms.not_(b) not in decided]
        about = self.rng.choice((*free, *free, *(self.terms.eq(v, self.terms.bv(1, 8)) for v in seen[-1:]))) if (
            free or seen
        ) else None  # fmt: skip
        if about is None or about in guard or self.terms.not_(about) in guard:
            return guard
        after: list[Guard] = []
        for literal in (about, self.terms.not_(about)):
            path: Guard | None = (*guard, literal)
            if not self.rng.randrange(3):
                path = self.body(thread, (*guard, literal), list(seen), held, block, max(steps, 1))
            if path is not None and not block and not self.rng.randrange(2 if held else 5):
                self.leave(thread, path, seen, held)
                path = None
            if path is not None:
                after.append(path)
        if len(after) == 2:
            return merged(self.terms, after[0], after[1])[0]
        return after[0] if after else None

    def leave(self, thread: UnwoundThread, guard: Guard, seen: list[Term], held: tuple[int, ...]) -> None:
        """Gives up what it holds, perhaps joins and takes it again, and ends."""
        for mutex in reversed(held):
            self.unlock(thread, guard, seen, mutex)
        if self.waiting and self.rng.randrange(4):
            guard = self.join(thread, guard, 0)
        if self.rng.randrange(3):
            for mutex in held:
                guard = self.lock(thread, guard, mutex).guard
        self.ends.append(guard)

    def join(self, thread: UnwoundThread, guard: Guard, block: int) -> Guard:
        child = self.rng.choice(self.waiting)
        assert child.fork is not None
        if not set(child.fork.guard) <= set(guard):
            return guard
        event = self.hand.join(thread, child, *guard)
        event.block = block
        return event.guard

    def access(self, thread: UnwoundThread, guard: Guard, seen: list[Term], held: tuple[int, ...], block: int) -> None:
        """Of z only under the first mutex, which protects it."""
        cell = self.rng.choice("xyzz" if 1 in held else "xxy")
        when = self.branches[0] if not self.rng.randrange(8) else None
        match self.rng.randrange(5):
            case 0 | 1:
                event = self.hand.event(thread, *guard, reads=cell, block=block)
                seen.append(event.reads[0].value)
            case 2:
                event = self.hand.event(thread, *guard, reads=cell, block=block)
                more = self.terms.add(event.reads[0].value, self.terms.bv(1, 8))
                event.writes.append(self.hand.world.part(event, event.reads[0].cell, when or self.terms.true, more))
                seen.append(event.reads[0].value)
            case _:
                self.hand.event(thread, *guard, writes={cell: self.value(seen)}, when=when, block=block)

    def value(self, seen: list[Term]) -> Term:
        terms, rng = self.terms, self.rng
        if not seen or not rng.randrange(3):
            return terms.bv(rng.randrange(1, 4), 8)
        one, two = rng.choice(seen), rng.choice(seen)
        made = rng.choice((terms.add(one, terms.bv(1, 8)), terms.add(one, two), terms.sub(one, terms.bv(1, 8)), one))
        return made if rng.randrange(2) else terms.ite(terms.ult(terms.bv(1, 8), one), made, two)


def missed(world: Unwound, walks: int, rng: Random, counts: Counter[str]) -> list[str]:
    """What is read in random executions though it was counted out."""
    order = EventOrder(world, slots(world))
    cells = {part.cell for event in events(world) for part in (*event.reads, *event.writes)}
    usual, found, wrong = places.POINTS, list[ReadRanges](), list[str]()
    for points in POINTS:
        places.POINTS = points
        found.append(ReadRanges(world, order, cells, order.loose))
    places.POINTS = usual
    walked = WalkedProgram(world)
    for _ in range(walks):
        seen = walked.reads(rng)
        counts["walks"] += bool(seen)
        for part, value in seen:
            for points, ranges in zip(POINTS, found, strict=True):
                spread = ranges.of(part)
                counts["reads"] += bool(spread)
                counts["of one"] += isinstance(spread, frozenset) and len(spread) == 1
                if spread and value not in spread:
                    wrong.append(f"{part.event} reads {value}, not in {spread} ({points} points)")
    return wrong


def main() -> int:
    first, last = map(int, sys.argv[1:])
    counts, bad = Counter[str](), 0
    for seed in range(first, last):
        wrong = missed(RandomPaths(Random(seed)).hand.world, 12, Random(seed), counts)
        bad += bool(wrong)
        if wrong:
            print(f"--- seed {seed}", *dict.fromkeys(wrong), sep="\n", flush=True)
    print(f"{last - first} programs, {dict(counts)}, {bad} with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
