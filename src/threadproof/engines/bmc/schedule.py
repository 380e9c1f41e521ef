"""From a model to a schedule: the reference semantics is led along the model's events.

The events are taken in an order the model allows. To make one happen, its thread is stepped until it stands at that
instruction and then once more; the choices on the way are the model's. Steps that are no events (nobody else takes
part) happen when their thread next moves. Whatever does not come out as the model says ends the attempt: then there is
no schedule, and no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from threadproof.core.schedule import Move
from threadproof.core.source import SourceLoc
from threadproof.core.thread_id import MAIN, ThreadId, handle, number
from threadproof.engines.bmc.unwinding.events import Entry, EventRole, UnwoundEvent, UnwoundThread
from threadproof.engines.bmc.unwinding.world import Unwound
from threadproof.ir.instr import Free, Sync
from threadproof.semantics.choices import fitted
from threadproof.semantics.guide import Astray, Guide
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import Blocked, Choose, Happening, Moved, OwnChoice, Telling
from threadproof.semantics.state import Pending, live_threads
from threadproof.semantics.weak import WAITS_FOR_BUFFER, flushes
from threadproof.smt.evaluate import Assignment
from threadproof.sync.facts import WAITS_FOR_THREAD

STEPS = 20_000


@dataclass(slots=True)
class LedThread:
    """A thread being led: its entries that happen in the model, and how far it has come."""

    id: ThreadId
    entries: list[Entry]
    at: int = 0
    chosen: set[int] = field(default_factory=set[int])
    buffer: list[UnwoundEvent | None] = field(
        default_factory=list["UnwoundEvent | None"]
    )  # whose stores are on their way


class Leading(Guide):
    def __init__(self, machine: Machine, world: Unwound, model: Assignment) -> None:
        super().__init__(machine)
        self._world = world
        self._model = model
        self._walkers: dict[int, LedThread] = {0: self._walker(0, MAIN)}

    def _walker(self, thread: int, identity: ThreadId) -> LedThread:
        entries = [e for e in self._world.threads[thread].entries if self._happens(e)]
        return LedThread(identity, entries)

    def _happens(self, entry: Entry) -> bool:
        return all(self._model.holds(literal) for literal in entry.guard)

    # --- moving ---

    def perform(self, event: UnwoundEvent, *, flush: bool) -> None:
        """Lead the event's thread over it; a buffered store also reaches memory."""
        self._pass(event)
        if flush:
            self._flush(self._walkers[event.thread], event)

    def _flush(self, walker: LedThread, event: UnwoundEvent) -> None:
        """The event's store leaves the buffer, after those that must go first."""
        while event in walker.buffer:
            places = flushes(self.machine, self.state, number(walker.id))
            wanted = walker.buffer.index(event)
            self._flush_at(walker, wanted if wanted in places else places[0])

    def _flush_at(self, walker: LedThread, place: int) -> None:
        if not isinstance(self.take(Move(walker.id, flush=place)), Moved):
            raise Astray("a store that cannot reach memory")
        walker.buffer.pop(place)

    def _pass(self, event: UnwoundEvent) -> None:
        walker = self._walkers.get(event.thread)
        if walker is None:
            raise Astray("a thread that does not exist")
        goal = next((i for i, entry in enumerate(walker.entries) if entry.events[-1:] == [event]), None)
        if goal is None or walker.at > goal:
            return  # part of another's step, or done on the way
        while walker.at <= goal and self.goes_on:
            self._step(walker)

    def approach(self, thread: int, entry: int) -> None:
        """Lead a thread up to one of its entries, without making it."""
        walker = self._walkers.get(thread)
        if walker is None:
            raise Astray("a thread that does not exist")
        wanted = self._world.threads[thread].entries[entry]
        goal = next((i for i, e in enumerate(walker.entries) if e is wanted), None)
        if goal is None:
            raise Astray("an access that does not happen")
        while not (self._position(walker) == goal and self._stands_at(walker, goal)):
            if walker.at > goal or not self.goes_on:
                raise Astray("an access that is over")
            self._step(walker)
        if isinstance(wanted.instr, Sync):  # a join stores its result: it must be about to, not wait
            while isinstance(blocked := self.machine.step(self.state, number(walker.id)), Blocked):
                self._unblock(blocked)

    def finish(self, thread: int) -> None:
        """Lead a thread on to the end of the execution."""
        walker = self._walkers.get(thread)
        if walker is None:
            raise Astray("a thread that does not exist")
        while self.goes_on:
            self._step(walker)

    def settle(self) -> bool:
        """Lead all threads on until each has ended or is blocked. Whether at least one is blocked."""
        waiting = False
        while self.goes_on:
            live = live_threads(self.state)
            outcomes = {n: self.machine.step(self.state, n) for n in live}
            free = next((n for n in live if not isinstance(outcomes[n], Blocked)), None)
            waiting = bool(live)
            if free is None:
                break
            walker = next((w for w in self._walkers.values() if number(w.id) == free), None)
            if walker is None or len(self.moves) > STEPS:
                raise Astray("a thread that goes on")
            self._step(walker)
        return waiting and self.goes_on

    def _position(self, walker: LedThread) -> int:
        """The entry whose instruction the thread stands at."""
        found = self.machine.next_instr(self.state, number(walker.id))
        if found is None:
            raise Astray("a thread that has finished")
        _, instr = found
        for index in range(walker.at, len(walker.entries)):
            if walker.entries[index].instr is instr:
                return index
        return walker.at

    def _step(self, walker: LedThread) -> None:
        if len(self.moves) > STEPS or number(walker.id) not in self.state.threads:
            raise Astray("too far")
        at, before = self._position(walker), self.state
        stood, alone = self._stands_at(walker, at), len(live_threads(before)) == 1
        outcome = self.step(number(walker.id), partial(self._choice, walker))
        if isinstance(outcome, Blocked):
            if outcome.operation == WAITS_FOR_BUFFER and walker.buffer:
                self._flush_at(walker, flushes(self.machine, self.state, number(walker.id))[0])
            else:
                self._unblock(outcome)
            self._step(walker)
            return
        if isinstance(outcome, Moved):
            began = walker.at
            synced = sum(1 for e in outcome.effects if isinstance(e, Happening) and e.kind is Telling.SYNC)
            walker.at = self._passed(walker, at + 1 if stood else walker.at, synced if alone else None)
            self._adopt(walker.entries[began : walker.at], set(before.threads))
            self._buffered(walker, walker.entries[at] if stood else None)

    def _buffered(self, walker: LedThread, entry: Entry | None) -> None:
        """A store that went into the buffer belongs to the event of its entry, if it has one."""
        events = entry.events if entry is not None else []
        while len(walker.buffer) < len(self.state.threads[number(walker.id)].buffer):
            walker.buffer.append(events[0] if events else None)

    def _unblock(self, blocked: Blocked) -> None:
        """A thread that is joined has nothing left that others could notice: it ends now."""
        ended = next((w for w in self._walkers.values() if handle(w.id) == blocked.address), None)
        if blocked.operation != WAITS_FOR_THREAD or ended is None:
            raise Astray(f"{blocked.operation} blocks")
        before = len(self.moves)
        self._step(ended)
        if len(self.moves) == before:
            raise Astray("a thread that is joined does not end")

    def _stands_at(self, walker: LedThread, at: int) -> bool:
        """Whether the next step begins with this entry, rather than with private instructions before it."""
        found = self.machine.next_instr(self.state, number(walker.id))
        local = self.state.threads[number(walker.id)].pending is Pending.LOCAL and len(live_threads(self.state)) > 1
        return found is not None and not local and at < len(walker.entries) and walker.entries[at].instr is found[1]

    def _passed(self, walker: LedThread, first: int, synced: int | None) -> int:
        """After a step: the entry the thread has come to. Alone, it passes by what others could notice, and `synced`
        of the operations on the way tell how far."""
        found = self.machine.next_instr(self.state, number(walker.id))
        if found is None:
            return len(walker.entries)
        passed = sum(1 for entry in walker.entries[walker.at : first] if _synchronises(entry))
        for index in range(first, len(walker.entries)):
            entry = walker.entries[index]
            if synced is None and (entry.instr is found[1] or entry.visible):
                return index
            if synced is not None and entry.instr is found[1] and passed >= synced:
                return index
            passed += _synchronises(entry)
        return first

    def _adopt(self, passed: list[Entry], before: set[int]) -> None:
        """New threads belong to the creations just made, in their order."""
        new = iter(n for n in self.state.threads if n not in before)
        for event in [e for entry in passed for e in entry.events if e.kind is EventRole.FORK]:
            created = next(new, -1)
            for thread in self._world.threads.values() if created >= 0 else ():
                if thread.fork is event and self._begins(thread):
                    self._walkers[thread.number] = self._walker(thread.number, self.state.threads[created].id)

    def _begins(self, thread: UnwoundThread) -> bool:
        return all(self._model.holds(literal) for literal in thread.begin)

    # --- choices ---

    def _choice(self, walker: LedThread, asked: Choose) -> int:
        """As the model says; where it says nothing, and of blocks to use again, 0."""
        return fitted(asked, 0 if asked.own is OwnChoice.BLOCK else self._from_model(walker, asked.loc, asked))

    def _from_model(self, walker: LedThread, loc: SourceLoc, asked: Choose) -> int:
        for index in range(walker.at, len(walker.entries)):
            entry = walker.entries[index]
            if entry.choice is not None and index not in walker.chosen and entry.instr.loc == loc:
                walker.chosen.add(index)
                return self._model.number(entry.choice) & ((1 << asked.bits) - 1)
        return 0


def _synchronises(entry: Entry) -> bool:
    return isinstance(entry.instr, Sync | Free) and entry.visible
