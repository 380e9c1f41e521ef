"""Threads in an unwound program: their creation, which unwinds them, and who waits for their end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from threadproof.core.thread_id import MAIN, ThreadId, handle, name
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.sync_cases import WORD
from threadproof.engines.bmc.unwinding.events import Atomic, EventRole, Limit, UnwoundEvent, UnwoundThread, Why
from threadproof.engines.bmc.unwinding.guards import Guard, extended
from threadproof.engines.bmc.unwinding.learning import learn
from threadproof.engines.bmc.unwinding.memory import PendingAccess, UnwoundMemory
from threadproof.engines.bmc.unwinding.state import PathState
from threadproof.engines.bmc.unwinding.world import BlockedWait, Ends, Unwound, UnwoundStep
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Function
from threadproof.smt.term import Op, Term
from threadproof.smt.terms import Terms
from threadproof.sync.operations import EDEADLK, ESRCH

AWAKE = 2
"""Threads of each creation that run however many others there are."""

StartThread = Callable[[UnwoundThread, Function, list[Term], PathState], None]


class ThreadSteps:
    def __init__(self, world: Unwound, memory: UnwoundMemory, start: StartThread) -> None:
        self._world = world
        self._memory = memory
        self._start = start
        self._terms = world.terms
        self._created: dict[int, int] = {}
        self._awake = Counter[tuple[str, int, str]]()
        self._identities: dict[int, ThreadId] = {0: MAIN}

    def create(self, step: UnwoundStep, args: Sequence[Term], *, detached: bool) -> Term:
        world, terms = self._world, self._terms
        where, routine, argument = args
        numbers = world.values.of(routine)
        names = [world.functions_at[n] for n in sorted(numbers or ()) if n in world.functions_at]
        unknown = terms.not_(
            terms.any(terms.eq(routine, terms.bv(world.layout.functions[n], routine.width)) for n in names)
        )
        world.end(step, unknown, UndefinedKind.WILD_CALL if numbers is not None else NotEncoded("an unknown routine"))
        self._memory.flush_locks(step)
        access = PendingAccess(step, Atomic.PLAIN, drains=True, kind=EventRole.FORK)
        event = access.needed(world)
        targets = self._memory.targets(step, where, world.pointer_bits // 8)
        if not step.alive:
            return terms.bv(0, WORD)
        identity = self._next_identity(step.thread.number)
        if detached:
            world.detached.add(handle(identity))
        self._memory.write(access, targets, world.pointer_bits // 8, terms.bv(handle(identity), world.pointer_bits))
        for routine_name in names:
            when = terms.eq(routine, terms.bv(world.layout.functions[routine_name], routine.width))
            number = world.names.number(("thread", step.thread.number, step.site, routine_name))
            dormant = self._is_dormant(step, routine_name)
            if dormant and world.bounds.ends is Ends.WAITS:  # who waits for it for ever is in no deadlock
                world.end(step, when, Limit(Why.THREADS, (routine_name, "")))
                continue
            function = world.program.functions[routine_name]
            if len(function.params) > 1 or any(p.width != world.pointer_bits for p in function.params):
                world.end(step, when, NotEncoded("the parameters of a thread's routine"))
                continue
            key = ("tls", number)
            child = UnwoundThread(number, name(identity), handle(identity), world.objects.thread_locals(key), event)
            world.threads[number] = child
            self._identities[number] = identity
            state = PathState(extended(terms, step.state.guard, when), {}, dict(step.state.clock), frozenset())
            state.clock[step.thread.number] = len(step.thread.events)
            child.begin, child.begin_clock = state.guard, dict(state.clock)
            learn(world, step.thread)
            if dormant:
                world.leave_out(step, when, Limit(Why.THREADS, (routine_name, "")))
                continue
            self._start(child, function, [argument] if function.params else [], state)
        return terms.bv(0, WORD)

    def _is_dormant(self, step: UnwoundStep, routine: str) -> bool:
        """Whether the thread exists, but never does anything, since there are too many: a few of each creation run."""
        world, place = self._world, (step.function, id(step.instr), routine)
        if len(world.threads) > world.bounds.threads and self._awake[place] >= AWAKE:
            return True
        self._awake[place] += 1
        return False

    def _next_identity(self, parent: int) -> ThreadId:
        index = self._created.get(parent, 0)
        self._created[parent] = index + 1
        return (*self._identities[parent], index)

    def join(self, step: UnwoundStep, args: Sequence[Term], bits: int) -> Term:
        world, terms = self._world, self._terms
        who, where = _on_this_path(terms, step.state.guard, args[0]), args[1]
        numbers = world.values.of(who)
        own = step.thread
        threads = [t for t in world.threads.values() if t is not own and (numbers is None or t.handle in numbers)]
        if numbers is None:
            world.end(step, terms.true, NotEncoded("joining a thread that could be any"))
            return terms.bv(0, WORD)
        if not numbers.isdisjoint(world.facts.handles - {t.handle for t in world.threads.values()}):
            world.end(step, terms.true, NotEncoded("joining a thread that another one creates"))
            return terms.bv(0, WORD)
        if not numbers.isdisjoint(world.facts.detached):
            world.end(step, terms.true, NotEncoded("joining a detached thread"))
            return terms.bv(0, WORD)
        nobody = [n for n in sorted(numbers) if all(t.handle != n for t in world.threads.values())]
        ended: list[Term] = []
        result = terms.bv(0, bits)
        for thread in threads:
            is_it = terms.eq(who, terms.bv(thread.handle, who.width))
            over = terms.false if thread.end is None else terms.all(thread.end)
            ended.append(terms.and_(is_it, over))
            if thread.result is not None:
                result = terms.ite(is_it, _fitted(terms, thread.result, bits), result)
        itself = terms.eq(who, terms.bv(own.handle, who.width)) if own.handle in numbers else terms.false
        none = terms.or_(itself, *(terms.eq(who, terms.bv(n, who.width)) for n in nobody))
        self._memory.flush_locks(step)
        world.may_wait = world.may_wait or bool(step.state.held)
        event = world.event(step, EventRole.JOIN)
        self._wait_for(step, threads, ended, none, event)
        event.clock = dict(step.state.clock)
        self._world.completed(step, event)
        if step.alive:
            self._deliver(step, where, bits, result, none)
        wrong = terms.ite(itself, terms.bv(EDEADLK, WORD), terms.bv(ESRCH, WORD))
        return terms.ite(none, wrong, terms.bv(0, WORD))

    def _wait_for(
        self, step: UnwoundStep, threads: list[UnwoundThread], ended: list[Term], none: Term, event: UnwoundEvent
    ) -> None:
        """Only a thread that is certainly the one joined is certainly over."""
        world, terms = self._world, self._terms
        acquired = world.fresh(step, "joined", 0)
        condition = terms.or_(none, *ended)
        if len(threads) == 1:
            world.waits.append(
                BlockedWait(event, terms.all(step.state.guard), terms.and_(acquired, condition), threads[0])
            )
        elif world.bounds.ends is Ends.WAITS:
            world.end(step, terms.true, NotEncoded("who waits for one of several threads"))
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

    def detach(self, step: UnwoundStep, who: Term) -> Term:
        """Nothing changes, but nobody may join the thread."""
        terms, world = self._terms, self._world
        numbers = world.values.of(who)
        world.event(step, EventRole.FENCE)
        known = {thread.handle for thread in world.threads.values()}
        if numbers is None or not numbers <= known:
            world.end(step, terms.true, NotEncoded("detaching a thread that could be any"))
        if not world.detached.isdisjoint(numbers or ()):
            world.end(step, terms.true, NotEncoded("detaching a thread that may be detached already"))
        world.detached.update(numbers or ())
        return terms.bv(0, WORD)

    def _deliver(self, step: UnwoundStep, where: Term, bits: int, result: Term, none: Term) -> None:
        terms, world = self._terms, self._world
        null = terms.eq(where, terms.bv(0, where.width))
        wanted = world.values.decided(null)
        if wanted is True:
            return
        if wanted is None or none is not terms.false:
            world.end(step, terms.true, NotEncoded("a result that may or may not be stored"))
            return
        targets = self._memory.targets(step, where, bits // 8)
        self._memory.write(PendingAccess(step, Atomic.PLAIN, drains=True), targets, bits // 8, result)


def _on_this_path(terms: Terms, guard: Guard, value: Term) -> Term:
    """Without the cases that the path excludes: the handle of a thread that was created on some paths only."""
    while value.op is Op.ITE:
        condition, then, otherwise = value.args
        if condition in guard:
            value = then
        elif terms.not_(condition) in guard:
            value = otherwise
        else:
            break
    return value


def _fitted(terms: Terms, result: Term, bits: int) -> Term:
    if result.width == bits:
        return result
    return terms.extract(result, bits - 1, 0) if result.width > bits else terms.zext(result, bits)
