"""Synchronisation in an unwound program: locks, condition variables, atomic blocks; `thread_steps` has threads.

A mutex that is only locked and unlocked in turn (`RoundFacts.odd` lists the others) has no words: a lock is an event
with a literal for having been obtained, and exclusion is a condition on pairs of sections. Everything else is read
from the sync table (`sync_cases`): one event that reads the words of the object and writes them.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.sync_cases import WORD, guarded_step
from threadproof.engines.bmc.unwinding.events import Atomic, EventRole
from threadproof.engines.bmc.unwinding.guards import extended
from threadproof.engines.bmc.unwinding.memory import PendingAccess, UnwoundMemory
from threadproof.engines.bmc.unwinding.state import BLOCK
from threadproof.engines.bmc.unwinding.thread_steps import StartThread, ThreadSteps
from threadproof.engines.bmc.unwinding.world import BlockedWait, Ends, MutexUse, Unwound, UnwoundStep
from threadproof.smt.term import Op, Term
from threadproof.sync.facts import DETACHING, FACTS, Act, Attempt
from threadproof.sync.operations import ETIMEDOUT, MUTEX_FIELDS, OPERATIONS, Field, Guarded, extent

_LOCK, _UNLOCK = "mutex_lock", "mutex_unlock"  # as which waits take and release their mutex
_PLAIN = frozenset((_LOCK, _UNLOCK, "mutex_init", "mutex_init_type", "mutex_destroy"))
"""Operations under which a mutex may go without words; others, such as those of robust mutexes, ask for more of it."""
_MUTEX = extent(MUTEX_FIELDS)


class SyncSteps:
    def __init__(self, world: Unwound, memory: UnwoundMemory, start: StartThread) -> None:
        self._world = world
        self._memory = memory
        self._threads = ThreadSteps(world, memory, start)
        self._terms = world.terms

    def operation(self, step: UnwoundStep, op: str, args: Sequence[Term]) -> Term | None:
        """The result; the path may end on the way."""
        operation = OPERATIONS[op]
        if op in _PLAIN:
            return self._mutex(step, op, args)
        if FACTS[op].act is Act.LOOK:
            for address in args:
                self._valid(step, address, 4)
            return self._terms.bv(0, WORD)
        if isinstance(operation, Guarded):
            return self._guarded(step, operation, args)
        return self._primitive(step, op, args)

    def _primitive(self, step: UnwoundStep, op: str, args: Sequence[Term]) -> Term | None:
        zero = self._terms.bv(0, WORD)
        facts = FACTS[op]
        match facts.act:
            case Act.CREATE:
                return self._threads.create(step, args, detached=op in DETACHING)
            case Act.JOIN:
                [stores] = facts.stores
                return self._threads.join(step, args, 8 * stores.bytes(self._world.pointer_bits // 8))
            case Act.SELF:
                return self._terms.bv(step.thread.handle, self._world.pointer_bits)
            case Act.ENQUEUE if self._world.bounds.ends is Ends.WAITS:
                self._world.end(step, self._terms.true, NotEncoded("deadlocks of condition variables"))
                return zero
            case Act.ENQUEUE:
                self._valid(step, args[0])
                failed = self._mutex(step, _UNLOCK, args[1:]) or zero
                what = NotEncoded("waiting without holding the mutex")
                self._world.end(step, self._terms.not_(self._terms.eq(failed, zero)), what)
                return zero
            case Act.WAKE:
                self._mutex(step, _LOCK, args[1:])
                if facts.attempt is Attempt.NO:
                    return zero
                late = self._world.fresh(step, "late", 0)
                self._world.log(step, visible=False, choice=self._bit(late))
                return self._terms.ite(late, self._terms.bv(ETIMEDOUT, WORD), zero)
            case Act.SIGNAL | Act.BROADCAST:
                self._valid(step, args[0])
                self._world.event(step, EventRole.FENCE)
                return zero
            case Act.DETACH:
                return self._threads.detach(step, args[0])
            case Act.BEGIN | Act.END:
                self._bracket(step, facts.act)
                return None
            case _:
                self._world.end(step, self._terms.true, NotEncoded(op))
                return zero

    def _bit(self, truth: Term) -> Term:
        return self._terms.ite(truth, self._terms.bv(1, WORD), self._terms.bv(0, WORD))

    def _valid(self, step: UnwoundStep, address: Term, size: int = 1) -> None:
        targets = self._memory.targets(step, address, size)
        self._memory.check_alive(PendingAccess(step, Atomic.NO_ACCESS, drains=True), targets)

    # --- atomic blocks ---------------------------------------------------------------------------------------------

    def _bracket(self, step: UnwoundStep, act: Act) -> None:
        state, world = step.state, self._world
        if act is Act.BEGIN:
            state.depth += 1
            if state.depth == 1:
                self._memory.flush_locks(step)
                state.block = world.names.number(("block", step.thread.number, step.site)) + 1
                state.sections[BLOCK] = world.event(step, EventRole.FENCE)
        elif state.depth:
            state.depth -= 1
            if not state.depth:
                self._memory.leave(state, BLOCK, world.event(step, EventRole.FENCE))
                state.block = 0

    # --- mutexes ---------------------------------------------------------------------------------------------------

    def _mutex(self, step: UnwoundStep, op: str, args: Sequence[Term]) -> Term | None:
        address = self._world.values.folded(args[0])
        operation = OPERATIONS[op]
        assert isinstance(operation, Guarded)
        if address.op is not Op.VALUE:
            for number in self._world.values.of(address) or ():
                self._world.odd.add(number)
            if self._world.values.of(address) is None:
                self._world.odd.update(self._world.mutexes)
                self._world.odd.add(-1)
            return self._guarded(step, operation, args)
        mutex = address.value
        if mutex in self._world.facts.odd or -1 in self._world.facts.odd:
            result = self._guarded(step, operation, args)
            self._world.mutexes[mutex].append(MutexUse(None, step.thread.events[-1]))
            return result
        self._valid(step, address, _MUTEX)
        if step.alive:
            self._plain(step, FACTS[op].act, mutex, args)
        return self._terms.bv(0, WORD)

    def _plain(self, step: UnwoundStep, act: Act, mutex: int, args: Sequence[Term]) -> None:
        world, state = self._world, step.state
        kind = {Act.LOCK: EventRole.LOCK, Act.UNLOCK: EventRole.UNLOCK}.get(act, EventRole.FENCE)
        if act is Act.LOCK:
            world.may_wait = world.may_wait or bool(state.held)
        if act is Act.LOCK and mutex in state.held:
            reached = self._terms.all(state.guard)
            step.alive = False  # waits for itself for ever
            itself = world.event(step, EventRole.LOCK)
            itself.mutex, itself.acquired = mutex, self._terms.false
            self._world.completed(step, itself)
            world.waits.append(BlockedWait(itself, reached, self._terms.false))
            return
        event = world.event(step, kind)
        event.mutex = mutex
        world.mutexes[mutex].append(MutexUse(act, event))
        match act:
            case Act.LOCK:
                event.acquired = world.fresh(step, "acquired", 0)
                world.waits.append(BlockedWait(event, self._terms.all(state.guard), event.acquired))
                state.guard = extended(self._terms, state.guard, event.acquired)
                state.held |= {mutex}
                event.held = state.held
                self._world.completed(step, event)
                state.sections[mutex] = event
            case Act.UNLOCK:
                if mutex not in state.held:
                    world.odd.add(mutex)
                state.held -= {mutex}
                if mutex in state.sections:
                    self._memory.leave(state, mutex, event)
            case Act.INIT if world.values.of(args[1]) == frozenset((0,)):
                pass
            case _:  # an unusual kind, or the question whether it is held
                world.odd.add(mutex)

    # --- operations of the table -------------------------------------------------------------------------------------

    def _guarded(self, step: UnwoundStep, operation: Guarded, args: Sequence[Term]) -> Term:
        world, terms = self._world, self._terms
        access = PendingAccess(step, Atomic.NO_ACCESS, drains=True, kind=EventRole.FENCE)
        if operation.fields:
            access.needed(world)
            numbers = world.values.of(args[0])
            world.table.update(numbers or ())
            if numbers is None:
                world.odd.add(-1)  # it could be any mutex
        words = {field.name: self._word(access, field, args) for field in operation.fields if not field.arg}
        for field in operation.fields:
            if field.arg:
                words[field.name] = self._attribute(step, field, args)
        if not step.alive:
            return terms.bv(0, WORD)
        own = terms.bv(step.thread.handle, WORD)
        done = guarded_step(terms, world.layout, operation, words, args, own)
        if world.values.decided(done.moves) is not True:
            world.may_wait = True
            if access.event is not None:
                world.waits.append(BlockedWait(access.event, terms.all(step.state.guard), done.moves))
        world.assume(step, done.moves)
        if access.event is not None:
            self._world.completed(step, access.event)
        for field in operation.fields if step.alive else ():
            if done.words[field.name] is not words[field.name]:
                into = PendingAccess(step, Atomic.PLAIN, drains=True) if field.arg else access
                self._store(into, field, args, done.words[field.name])
        return done.result

    def _field_address(self, field: Field, args: Sequence[Term]) -> Term:
        offset = field.offset64 if self._world.pointer_bits == 64 else field.offset32
        base = args[field.arg]
        return self._terms.add(base, self._terms.bv(offset, base.width))

    def _word(self, access: PendingAccess, field: Field, args: Sequence[Term]) -> Term:
        targets = self._memory.targets(access.step, self._field_address(field, args), field.bits // 8)
        return self._memory.read(access, targets, field.bits // 8)

    def _attribute(self, step: UnwoundStep, field: Field, args: Sequence[Term]) -> Term:
        null = self._world.values.decided(self._terms.eq(args[field.arg], self._terms.bv(0, args[field.arg].width)))
        if field.if_null is not None and null is True:
            return self._terms.bv(field.if_null, field.bits)
        if field.if_null is not None and null is None:
            self._world.end(step, self._terms.true, NotEncoded("attributes that may be null or not"))
        return self._word(PendingAccess(step, Atomic.NO_ACCESS, drains=True), field, args)

    def _store(self, access: PendingAccess, field: Field, args: Sequence[Term], value: Term) -> None:
        targets = self._memory.targets(access.step, self._field_address(field, args), field.bits // 8)
        self._memory.write(access, targets, field.bits // 8, value)
