"""Synchronisation in an unwound program: threads, locks, condition variables, atomic blocks.

A mutex that is only ever locked and unlocked in turn (`Facts.odd` lists the others) has no words: a lock is an event
with a literal for having been obtained, and exclusion is a condition on pairs of sections. Everything else is read
from the sync table (`sync_cases`): one event that reads the words of the object and writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from threadproof.core.thread_id import MAIN, ThreadId, handle, name
from threadproof.encoding.encoded import Unsupported
from threadproof.encoding.events import Atomic, Event, Kind, Limit, Thread, Why
from threadproof.encoding.guards import extended
from threadproof.encoding.memory import Access, Memory
from threadproof.encoding.state import BLOCK, State
from threadproof.encoding.sync_cases import WORD, guarded_step
from threadproof.encoding.world import Ends, MutexUse, Step, Wait, World
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Function
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms
from threadproof.sync.operations import ESRCH, MUTEX_FIELDS, OPERATIONS, Field, Guarded, extent

StartThread = Callable[[Thread, Function, list[Term], State], None]

_PLAIN = frozenset(("mutex_lock", "mutex_unlock", "mutex_init"))
_MUTEX = extent(MUTEX_FIELDS)


class Sync:
    def __init__(self, world: World, memory: Memory, start: StartThread) -> None:
        self._world = world
        self._memory = memory
        self._start = start
        self._terms = world.terms
        self._created: dict[int, int] = {}
        self._identities: dict[int, ThreadId] = {0: MAIN}

    def operation(self, step: Step, op: str, args: Sequence[Term]) -> Term | None:
        """The result; the path may end on the way."""
        operation = OPERATIONS[op]
        if op in _PLAIN:
            return self._mutex(step, op, args)
        if isinstance(operation, Guarded):
            return self._guarded(step, operation, args)
        return self._primitive(step, op, args)

    def _primitive(self, step: Step, op: str, args: Sequence[Term]) -> Term | None:
        zero = self._terms.bv(0, WORD)
        match op:
            case "thread_create":
                return self._create(step, args)
            case "thread_join" | "thread_join_int":
                return self._join(step, args, self._world.pointer_bits if op == "thread_join" else 32)
            case "thread_self":
                return self._terms.bv(step.thread.handle, self._world.pointer_bits)
            case "cond_enqueue" if self._world.bounds.ends is Ends.WAITS:
                self._world.end(step, self._terms.true, Unsupported("deadlocks of condition variables"))
                return zero
            case "cond_enqueue":
                self._valid(step, args[0])
                return self._mutex(step, "mutex_unlock", args[1:])
            case "cond_relock":
                self._mutex(step, "mutex_lock", args[1:])
                return zero
            case "cond_relock_timed":
                self._mutex(step, "mutex_lock", args[1:])
                late = self._world.fresh(step, "late", 0)
                self._world.log(step, visible=False, choice=self._bit(late))
                return self._terms.ite(late, self._terms.bv(110, WORD), zero)
            case "cond_signal" | "cond_broadcast":
                self._valid(step, args[0])
                self._world.event(step, Kind.FENCE)
                return zero
            case "thread_detach":
                return self._detach(step, args[0])
            case "atomic_begin" | "atomic_end":
                self._bracket(step, op)
                return None
            case _:
                self._world.end(step, self._terms.true, Unsupported(op))
                return zero

    def _completed(self, step: Step, event: Event) -> None:
        """An operation that may block happens only if it does not."""
        event.arrives = event.guard
        event.guard = step.state.guard if step.alive else (*event.guard, self._terms.false)

    def _bit(self, truth: Term) -> Term:
        return self._terms.ite(truth, self._terms.bv(1, WORD), self._terms.bv(0, WORD))

    def _valid(self, step: Step, address: Term, size: int = 1) -> None:
        targets = self._memory.targets(step, address, size)
        self._memory.check_alive(Access(step, Atomic.NO_ACCESS, drains=True), targets)

    # --- atomic blocks ---------------------------------------------------------------------------------------------

    def _bracket(self, step: Step, op: str) -> None:
        state, world = step.state, self._world
        if op == "atomic_begin":
            state.depth += 1
            if state.depth == 1:
                self._memory.flush_locks(step)
                state.block = world.names.number(("block", step.thread.number, step.site)) + 1
                state.sections[BLOCK] = world.event(step, Kind.FENCE)
        elif state.depth:
            state.depth -= 1
            if not state.depth:
                self._memory.leave(state, BLOCK, world.event(step, Kind.FENCE))
                state.block = 0

    # --- mutexes ---------------------------------------------------------------------------------------------------

    def _mutex(self, step: Step, op: str, args: Sequence[Term]) -> Term | None:
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
            self._world.mutexes[mutex].append(MutexUse("odd", step.thread.events[-1]))
            return result
        self._valid(step, address, _MUTEX)
        if step.alive:
            self._plain(step, op, mutex, args)
        return self._terms.bv(0, WORD)

    def _plain(self, step: Step, op: str, mutex: int, args: Sequence[Term]) -> None:
        world, state = self._world, step.state
        kind = {"mutex_lock": Kind.LOCK, "mutex_unlock": Kind.UNLOCK}.get(op, Kind.FENCE)
        if op == "mutex_lock":
            world.may_wait = world.may_wait or bool(state.held)
        if op == "mutex_lock" and mutex in state.held:
            reached = self._terms.all(state.guard)
            step.alive = False  # waits for itself for ever
            itself = world.event(step, Kind.LOCK)
            itself.mutex, itself.acquired = mutex, self._terms.false
            self._completed(step, itself)
            world.waits.append(Wait(itself, reached, self._terms.false))
            return
        event = world.event(step, kind)
        event.mutex = mutex
        world.mutexes[mutex].append(MutexUse(op, event))
        match op:
            case "mutex_lock":
                event.acquired = world.fresh(step, "acquired", 0)
                world.waits.append(Wait(event, self._terms.all(state.guard), event.acquired))
                state.guard = extended(self._terms, state.guard, event.acquired)
                state.held |= {mutex}
                event.held = state.held
                self._completed(step, event)
                state.sections[mutex] = event
            case "mutex_unlock":
                if mutex not in state.held:
                    world.odd.add(mutex)
                state.held -= {mutex}
                if mutex in state.sections:
                    self._memory.leave(state, mutex, event)
            case _:
                if world.values.of(args[1]) != frozenset((0,)):
                    world.odd.add(mutex)

    # --- operations of the table -------------------------------------------------------------------------------------

    def _guarded(self, step: Step, operation: Guarded, args: Sequence[Term]) -> Term:
        world, terms = self._world, self._terms
        access = Access(step, Atomic.NO_ACCESS, drains=True, kind=Kind.FENCE)
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
        late = terms.false
        if operation.may_also is not None:
            late = world.fresh(step, "late", 0)
            world.log(step, visible=False, choice=self._bit(late))
        if not step.alive:
            return terms.bv(0, WORD)
        own = terms.bv(step.thread.handle, WORD)
        done = guarded_step(terms, world.layout, operation, words, args, own, late)
        if world.values.decided(done.moves) is not True:
            world.may_wait = True
            if access.event is not None:
                world.waits.append(Wait(access.event, terms.all(step.state.guard), done.moves))
        world.assume(step, done.moves)
        if access.event is not None:
            self._completed(step, access.event)
        for field in operation.fields if step.alive else ():
            if done.words[field.name] is not words[field.name]:
                into = Access(step, Atomic.PLAIN, drains=True) if field.arg else access
                self._store(into, field, args, done.words[field.name])
        return done.result

    def _field_address(self, field: Field, args: Sequence[Term]) -> Term:
        offset = field.offset64 if self._world.pointer_bits == 64 else field.offset32
        base = args[field.arg]
        return self._terms.add(base, self._terms.bv(offset, base.width))

    def _word(self, access: Access, field: Field, args: Sequence[Term]) -> Term:
        targets = self._memory.targets(access.step, self._field_address(field, args), field.bits // 8)
        return self._memory.read(access, targets, field.bits // 8)

    def _attribute(self, step: Step, field: Field, args: Sequence[Term]) -> Term:
        null = self._world.values.decided(self._terms.eq(args[field.arg], self._terms.bv(0, args[field.arg].width)))
        if field.if_null is not None and null is True:
            return self._terms.bv(field.if_null, field.bits)
        if field.if_null is not None and null is None:
            self._world.end(step, self._terms.true, Unsupported("attributes that may be null or not"))
        return self._word(Access(step, Atomic.NO_ACCESS, drains=True), field, args)

    def _store(self, access: Access, field: Field, args: Sequence[Term], value: Term) -> None:
        targets = self._memory.targets(access.step, self._field_address(field, args), field.bits // 8)
        self._memory.write(access, targets, field.bits // 8, value)

    # --- threads -----------------------------------------------------------------------------------------------------

    def _create(self, step: Step, args: Sequence[Term]) -> Term:
        world, terms = self._world, self._terms
        where, routine, argument = args
        numbers = world.values.of(routine)
        names = [world.functions_at[n] for n in sorted(numbers or ()) if n in world.functions_at]
        unknown = terms.not_(
            terms.any(terms.eq(routine, terms.bv(world.layout.functions[n], routine.width)) for n in names)
        )
        world.end(step, unknown, UndefinedKind.BAD_CALL if numbers is not None else Unsupported("an unknown routine"))
        self._memory.flush_locks(step)
        access = Access(step, Atomic.PLAIN, drains=True, kind=Kind.FORK)
        event = access.needed(world)
        targets = self._memory.targets(step, where, world.pointer_bits // 8)
        if not step.alive:
            return terms.bv(0, WORD)
        identity = self._next_identity(step.thread.number)
        self._memory.write(access, targets, world.pointer_bits // 8, terms.bv(handle(identity), world.pointer_bits))
        for routine_name in names:
            when = terms.eq(routine, terms.bv(world.layout.functions[routine_name], routine.width))
            number = world.names.number(("thread", step.thread.number, step.site, routine_name))
            if len(world.threads) > world.bounds.threads:
                world.end(step, when, Limit(Why.THREADS, (routine_name, "")))
                continue
            function = world.program.functions[routine_name]
            if len(function.params) > 1 or any(p.width != world.pointer_bits for p in function.params):
                world.end(step, when, Unsupported("the parameters of a thread's routine"))
                continue
            key = ("tls", number)
            child = Thread(number, name(identity), handle(identity), world.objects.thread_locals(key), event)
            world.threads[number] = child
            self._identities[number] = identity
            state = State(extended(terms, step.state.guard, when), {}, dict(step.state.clock), frozenset())
            state.clock[step.thread.number] = len(step.thread.events)
            child.begin, child.begin_clock = state.guard, dict(state.clock)
            self._start(child, function, [argument] if function.params else [], state)
        return terms.bv(0, WORD)

    def _next_identity(self, parent: int) -> ThreadId:
        index = self._created.get(parent, 0)
        self._created[parent] = index + 1
        return (*self._identities[parent], index)

    def _join(self, step: Step, args: Sequence[Term], bits: int) -> Term:
        world, terms = self._world, self._terms
        who, where = args
        numbers = world.values.of(who)
        threads = [t for t in world.threads.values() if numbers is None or t.handle in numbers]
        if numbers is None:
            world.end(step, terms.true, Unsupported("joining a thread that could be any"))
            return terms.bv(0, WORD)
        if not numbers.isdisjoint(world.facts.handles - {t.handle for t in world.threads.values()}):
            world.end(step, terms.true, Unsupported("joining a thread that another one creates"))
            return terms.bv(0, WORD)
        if not numbers.isdisjoint(world.facts.detached):
            world.end(step, terms.true, Unsupported("joining a detached thread"))
            return terms.bv(0, WORD)
        nobody = [n for n in sorted(numbers) if all(t.handle != n for t in world.threads.values())]
        ended: list[Term] = []
        result = terms.bv(0, bits)
        for thread in threads:
            is_it = terms.eq(who, terms.bv(thread.handle, who.width))
            over = terms.false if thread.end is None or thread.number == step.thread.number else terms.all(thread.end)
            ended.append(terms.and_(is_it, over))
            if thread.result is not None:
                result = terms.ite(is_it, _fitted(terms, thread.result, bits), result)
        none = terms.any(terms.eq(who, terms.bv(n, who.width)) for n in nobody)
        self._memory.flush_locks(step)
        world.may_wait = world.may_wait or bool(step.state.held)
        event = world.event(step, Kind.JOIN)
        self._wait_for(step, threads, ended, none, event)
        event.clock = dict(step.state.clock)
        self._completed(step, event)
        if step.alive:
            self._deliver(step, where, bits, result, none)
        return terms.ite(none, terms.bv(ESRCH, WORD), terms.bv(0, WORD))

    def _wait_for(self, step: Step, threads: list[Thread], ended: list[Term], none: Term, event: Event) -> None:
        """Only a thread that is certainly the one joined is certainly over."""
        world, terms = self._world, self._terms
        acquired = world.fresh(step, "joined", 0)
        condition = terms.or_(none, *ended)
        if len(threads) == 1:
            world.waits.append(Wait(event, terms.all(step.state.guard), terms.and_(acquired, condition), threads[0]))
        elif world.bounds.ends is Ends.WAITS:
            world.end(step, terms.true, Unsupported("who waits for one of several threads"))
        if world.values.decided(condition) is False:
            step.alive = False
            return
        world.definitions.append(terms.implies(acquired, condition))
        world.assume(step, acquired)
        if len(threads) == 1 and threads[0].end is not None and none is terms.false:
            child = threads[0]
            for literal in child.end or ():
                step.state.guard = extended(terms, step.state.guard, literal)
            for thread, count in (*child.end_clock.items(), (child.number, len(child.events))):
                step.state.clock[thread] = max(step.state.clock.get(thread, 0), count)
        else:
            for child, over in zip(threads, ended, strict=True):
                if child.events:
                    world.demands.append((terms.and_(acquired, over), child.events[-1], event))

    def _detach(self, step: Step, who: Term) -> Term:
        """Nothing changes, but nobody may join the thread."""
        terms, world = self._terms, self._world
        numbers = world.values.of(who)
        world.event(step, Kind.FENCE)
        known = {thread.handle for thread in world.threads.values()}
        if numbers is None or not numbers <= known:
            world.end(step, terms.true, Unsupported("detaching a thread that could be any"))
        world.detached.update(numbers or ())
        return terms.bv(0, WORD)

    def _deliver(self, step: Step, where: Term, bits: int, result: Term, none: Term) -> None:
        terms, world = self._terms, self._world
        null = terms.eq(where, terms.bv(0, where.width))
        wanted = world.values.decided(null)
        if wanted is True:
            return
        if wanted is None or none is not terms.false:
            world.end(step, terms.true, Unsupported("a result that may or may not be stored"))
            return
        targets = self._memory.targets(step, where, bits // 8)
        self._memory.write(Access(step, Atomic.PLAIN, drains=True), targets, bits // 8, result)


def _fitted(terms: Terms, result: Term, bits: int) -> Term:
    if result.width == bits:
        return result
    return terms.extract(result, bits - 1, 0) if result.width > bits else terms.zext(result, bits)
