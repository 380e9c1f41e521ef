"""Forward analysis of one thread's code: what surely holds before every instruction.

Locks, atomic blocks, which of the thread's descendants may be running, whose handle lies where, which objects nobody
else can know yet. A lock taken by an operation that may fail is held where its result says that it did not.

Invariants: `locks`, `atomic`, `handles` and `fresh` are under-approximations, `running` is an over-approximation; the
state at a block is the meet over all edges into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from threadproof.analysis.abstract_threads.contents import ContentWatch
from threadproof.analysis.abstract_threads.flag_watch import FlagWatch, contradicts
from threadproof.analysis.abstract_threads.join_loops import joined_by_loops
from threadproof.analysis.abstract_threads.memory_map import MemoryMap
from threadproof.analysis.abstract_threads.thread_state import (
    START,
    Alive,
    HeldLock,
    Holder,
    Knowledge,
    KnownFlag,
    PendingLock,
    Running,
    ThreadState,
    Together,
    meet,
    merge_running,
    without_register,
)
from threadproof.analysis.abstract_threads.threads import Repetition, ThreadTree
from threadproof.analysis.points_to import Place, Site, may_meet
from threadproof.analysis.values.counted_loops import counted_loops
from threadproof.analysis.values.symbolic import Sum, Symbols
from threadproof.ir.expr import Compare, CompareOp, Const, Expr, GlobalRef
from threadproof.ir.instr import (
    Alloc,
    Assume,
    Branch,
    CompareExchange,
    Edge,
    Instr,
    Load,
    Return,
    Rmw,
    Store,
    Switch,
    Sync,
    defs,
    edges,
)
from threadproof.sync.facts import Act, LockMode, Locks, does, sync_facts


def released(instr: Instr) -> Expr | None:
    """The lock that may be free after the operation: it is given back, or set up anew."""
    if not isinstance(instr, Sync):
        return None
    facts = sync_facts(instr)
    if facts.act is Act.INIT:
        return instr.args[0]
    return None if facts.releases is None else instr.args[facts.releases]


@dataclass(frozen=True, slots=True)
class Point:
    """An instruction with what holds before it."""

    site: Site
    instr: Instr
    before: ThreadState
    after: ThreadState


class Flow:
    """The analysis of one abstract thread. Its descendants were analysed before (`ends`: what runs when they end)."""

    def __init__(
        self,
        tree: ThreadTree,
        name: str,
        memory: MemoryMap,
        ends: dict[str, Running],
        knowledge: Knowledge,
    ) -> None:
        self.tree = tree
        self.name = name
        self.function = tree.program.functions[name]
        self.symbols = Symbols(self.function, knowledge.stable.get(name))
        self.memory = memory
        self._ends = ends
        self._contents = ContentWatch(name, self.symbols, memory, knowledge.invariants)
        self._flags = FlagWatch(self.symbols, memory, self.function, knowledge)
        self.loops = counted_loops(self.function, self.symbols)
        self._loop_joins = joined_by_loops(tree, name, memory, self.symbols, self.loops)
        start = START._replace(known=self._flags.at_start(tree.runs_once(name)))
        self._entry: dict[str, ThreadState] = {self.function.blocks[0].label: start}
        self._solve()

    def points(self) -> Iterator[Point]:
        """Every reachable instruction."""
        for block in self.function.blocks:
            state = self._entry.get(block.label)
            if state is None:
                continue
            for index, instr in enumerate(block.instrs):
                after = self._step(state, instr)
                yield Point(Site(self.name, block.label, index), instr, state, after)
                state = after

    def running_at_end(self) -> Running:
        """Descendants that may outlive the thread."""
        if self.memory.cancels:  # then it may end at any wait
            return tuple((name, Alive.MANY) for name in self.tree.subtree(self.name) if name != self.name)
        found: Running = ()
        for point in self.points():
            if isinstance(point.instr, Return) or does(point.instr, Act.EXIT):
                found = merge_running(found, point.before.running)
        return found

    # --- the fixed point ---------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        order = {block.label: number for number, block in enumerate(self.function.blocks)}
        by_label = {block.label: block for block in self.function.blocks}
        todo = {self.function.blocks[0].label}
        while todo:
            label = min(todo, key=lambda one: order[one])
            todo.discard(label)
            state = self._entry[label]
            for instr in by_label[label].instrs:
                state = self._step(state, instr)
            for edge, taken in self._ways(by_label[label].instrs[-1]):
                if any(self._contents.is_impossible(state, condition, holds) for condition, holds in taken):
                    continue
                arriving = self._across(self._after_joins(state, label, edge.target), edge, taken)
                known = self._entry.get(edge.target)
                joined = arriving if known is None else meet(known, arriving)
                if joined != known:
                    self._entry[edge.target] = joined
                    todo.add(edge.target)

    def _ways(self, last: Instr) -> Iterator[tuple[Edge, list[tuple[Expr, bool]]]]:
        """The edges of a block's last instruction, with the conditions that hold, or do not, on them."""
        match last:
            case Branch():
                yield last.then, [(last.condition, True)]
                yield last.otherwise, [(last.condition, False)]
            case Switch():
                same = [Compare(CompareOp.EQ, last.value, Const(v, last.value.width)) for v, _ in last.cases]
                for (_, edge), case in zip(last.cases, same, strict=True):
                    yield edge, [(case, True)]
                yield last.default, [(case, False) for case in same]
            case _:
                for edge in edges(last):
                    yield edge, []

    def _after_joins(self, state: ThreadState, label: str, target: str) -> ThreadState:
        thread = self._loop_joins.get((label, target))
        return state if thread is None else self._ended(state, thread)

    def _across(self, state: ThreadState, edge: Edge, taken: list[tuple[Expr, bool]]) -> ThreadState:
        for condition, holds in taken:
            state = self._knowing(state, condition, holds)
        for _, value in edge.moves:
            state = self._published(state, value)
        if edge.moves:
            state = without_register(state, frozenset(dst.name for dst, _ in edge.moves))
        return state

    # --- one instruction ---------------------------------------------------------------------------------------------

    def _step(self, state: ThreadState, instr: Instr) -> ThreadState:
        for value in _given_away(instr):
            state = self._published(state, value)
        defined = defs(instr)
        match instr:
            case Alloc():
                state = without_register(state, frozenset({instr.dst.name}))
                return state._replace(fresh=state.fresh | {instr.dst.name})
            case Load():
                holder = Holder("memory", self.symbols.sum(instr.address))
                thread = dict(state.handles).get(holder)
                state = without_register(state, frozenset({instr.dst.name}))
                if thread is not None:
                    value = Holder("value", self.symbols.sum(instr.dst))
                    state = state._replace(handles=(*state.handles, (value, thread)))
                return self._flags.loaded(self._contents.loaded(state, instr), instr)
            case Store() | Rmw() | CompareExchange():
                places = self.memory.places(self.name, instr.address)
                state = self._contents.stored(state, instr, places)
                state = without_register(state, frozenset(reg.name for reg in defined))
                return self._flags.stored(self._overwritten(state, places, instr.size), instr, places)
            case Assume():
                state = self._knowing(state, instr.condition, True)
            case Sync():
                return self._sync(without_register(state, frozenset(reg.name for reg in defined)), instr)
            case _:
                pass
        return without_register(state, frozenset(reg.name for reg in defined)) if defined else state

    def _published(self, state: ThreadState, value: Expr) -> ThreadState:
        if not state.fresh:
            return state
        return state._replace(fresh=state.fresh - self.symbols.sources(value))

    def _overwritten(self, state: ThreadState, places: frozenset[Place], size: int) -> ThreadState:
        """Memory changes: handles that may lie there are forgotten, and locks are no longer surely held."""
        state = self._given_up(state, lambda lock: self.memory.may_free(self.name, lock.address, places, size))
        if not state.handles:
            return state
        kept = tuple(
            (holder, thread)
            for holder, thread in state.handles
            if holder.what == "value" or not self._may_touch(holder.sum, places, size)
        )
        return state._replace(handles=kept)

    def _may_touch(self, address: Sum, places: frozenset[Place], size: int) -> bool:
        word = self.tree.program.data_model.pointer_bytes
        return may_meet(self.memory.places_of_sum(self.name, address), word, places, size)

    # --- synchronisation ---------------------------------------------------------------------------------------------

    def _sync(self, state: ThreadState, instr: Sync) -> ThreadState:
        locks, freed = sync_facts(instr).locks, released(instr)
        match sync_facts(instr).act:
            case Act.BEGIN:
                return state._replace(atomic=True, maybe_atomic=True)
            case Act.END:
                known = state.known | state.later
                left = state._replace(atomic=False, maybe_atomic=False, known=known, later=frozenset[KnownFlag]())
                return self._flags.left(left)
            case Act.CREATE:
                return self._created(state, instr)
            case Act.JOIN:
                return self._joined(state, instr)
            case _ if locks is not None:
                return self._taken(state, instr, locks)
            case _ if freed is not None:
                return self._released(state, freed)
            case _:
                return self._stored(state, instr)

    def _stored(self, state: ThreadState, instr: Sync) -> ThreadState:
        for argument, size in self.memory.results(instr):
            state = self._overwritten(state, self.memory.places(self.name, argument), size)
        return state

    def _taken(self, state: ThreadState, instr: Sync, locks: Locks) -> ThreadState:
        """The lock is held now, or from where the result is known not to say that the operation failed."""
        expr = instr.args[locks.arg]
        address = self.lock_address(expr)
        if address is None:
            return state
        lock = HeldLock(
            address,
            locks.sharing,
            self.symbols.sum(expr),
        )
        if not locks.failures:
            return self._with_lock(state, lock)
        if instr.dst is None:
            return state
        return state._replace(pending=state.pending | {PendingLock(instr.dst.name, locks.failures, lock)})

    def lock_address(self, expr: Expr) -> Place | Sum | None:
        """The identity of a lock: a concrete place, or a sum of the thread's registers."""
        place = self.memory.only_place(self.name, expr)
        if place is not None:
            return place
        found = self.symbols.sum(expr)
        return found if found.terms else None

    def _with_lock(self, state: ThreadState, lock: HeldLock) -> ThreadState:
        known = {held.address: held for held in state.locks}
        if lock.address in known and known[lock.address].mode is LockMode.EXCLUSIVE:
            return state
        together = state.together | _with_each(lock, state.locks)
        known[lock.address] = lock
        return self._contents.taken(state._replace(locks=frozenset(known.values()), together=together), lock)

    def _released(self, state: ThreadState, lock: Expr) -> ThreadState:
        """What may be the released lock is no longer surely held."""
        places = self.memory.places(self.name, lock)
        address = self.lock_address(lock)
        return self._given_up(
            state, lambda lock: lock.address == address or self.memory.may_be(self.name, lock.address, places)
        )

    def _given_up(self, state: ThreadState, may_be: Callable[[HeldLock], bool]) -> ThreadState:
        """Without the locks that may be free now."""
        locks = frozenset(lock for lock in state.locks if not may_be(lock))
        pending = frozenset(one for one in state.pending if not may_be(one.lock))
        if locks == state.locks and pending == state.pending:
            return state
        kept = {lock.address for lock in locks}
        together = frozenset(one for one in state.together if one.held in kept)
        left = state._replace(locks=locks, pending=pending, together=together)
        return self._contents.left(self._flags.left(left))

    def _knowing(self, state: ThreadState, condition: Expr, holds: bool) -> ThreadState:
        """An attempt whose failure would contradict the condition has succeeded."""
        for pending in sorted(state.pending, key=repr):
            if all(self._contradicts(condition, holds, pending, code) for code in pending.failures):
                state = self._with_lock(state, pending.lock)
                state = state._replace(pending=state.pending - {pending})
        return self._flags.knowing(state, self.symbols.expand(condition), holds)

    def _contradicts(self, condition: Expr, holds: bool, pending: PendingLock, value: int) -> bool:
        full = self.symbols.expand(condition)
        return contradicts(full, holds, pending.result, Const(value % (1 << pending.bits), pending.bits))

    # --- threads -----------------------------------------------------------------------------------------------------

    def _created(self, state: ThreadState, instr: Sync) -> ThreadState:
        where, start, _ = instr.args
        assert isinstance(start, GlobalRef)
        running = dict(state.running)
        again = start.name in running
        for name in self.tree.subtree(start.name):
            alone = name == start.name or self.tree.threads[name].repetition is Repetition.ONCE
            alone = alone and not self.tree.is_recursive(name) and not again and name not in running
            running[name] = Alive.ONE if alone else Alive.MANY
        places = self.memory.places(self.name, where)
        state = self._overwritten(state, places, self.tree.program.data_model.pointer_bytes)
        handles = tuple(item for item in state.handles if item[1] != start.name)
        if self.memory.only_written_by(self.name, places):
            handles = (*handles, (Holder("memory", self.symbols.sum(where)), start.name))
        return state._replace(running=tuple(sorted(running.items(), key=_by_name)), handles=handles)

    def _ended(self, state: ThreadState, thread: str) -> ThreadState:
        """All threads of a kind have ended; their children may not have."""
        if self.tree.is_recursive(thread):
            return state
        left = {name for name, _ in self._ends.get(thread, ())}
        gone = {name for name in self.tree.subtree(thread) if name not in left}
        return state._replace(running=tuple(item for item in state.running if item[0] not in gone))

    def _joined(self, state: ThreadState, instr: Sync) -> ThreadState:
        thread = dict(state.handles).get(Holder("value", self.symbols.sum(instr.args[0])))
        if thread is not None and dict(state.running).get(thread) is Alive.ONE:
            state = self._ended(state, thread)
        return self._stored(state, instr)


def _with_each(taken: HeldLock, held: frozenset[HeldLock]) -> frozenset[Together]:
    mine = taken.address
    if not isinstance(mine, Place) or taken.mode is not LockMode.EXCLUSIVE:
        return frozenset()
    others = [one.address for one in held if one.mode is LockMode.EXCLUSIVE]
    places = [other for other in others if isinstance(other, Place) and other != mine]
    return frozenset(Together(*pair) for other in places for pair in ((mine, other), (other, mine)))


def _by_name(item: tuple[str, Alive]) -> str:
    return item[0]


def _given_away(instr: Instr) -> tuple[Expr, ...]:
    """Values that become known to memory, another thread or a later round of a loop."""
    match instr:
        case Store():
            return (instr.value,)
        case Rmw():
            return (instr.value,)
        case CompareExchange():
            return (instr.expected, instr.desired)
        case Sync():
            return tuple(instr.args[kept] for kept in sync_facts(instr).keeps)
        case Return() if instr.value is not None:
            return (instr.value,)
        case _:
            return ()
