"""What a thread that holds a lock knows about the variables that are only written under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from threadproof.analysis.abstract_threads.memory_map import MemoryMap
from threadproof.analysis.abstract_threads.thread_state import (
    Content,
    GuardedCell,
    HeldLock,
    Invariant,
    Number,
    ThreadState,
)
from threadproof.analysis.points_to import Place, may_meet
from threadproof.analysis.values.symbolic import Symbols
from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr, registers
from threadproof.ir.instr import CompareExchange, Load, Rmw, Store
from threadproof.ir.simplify import substitute
from threadproof.sync.facts import LockMode


class ContentWatch:
    """`free`: the values of each variable whenever nobody holds its lock."""

    def __init__(self, thread: str, symbols: Symbols, memory: MemoryMap, free: Mapping[GuardedCell, Invariant]) -> None:
        self._thread = thread
        self._symbols = symbols
        self._memory = memory
        self._free = free

    def taken(self, state: ThreadState, lock: HeldLock) -> ThreadState:
        if not self._free or lock.mode is not LockMode.EXCLUSIVE:
            return state
        found = {Content(guarded, one.values) for guarded, one in self._free.items() if guarded.lock == lock.address}
        return state._replace(contents=state.contents | found) if found else state

    def left(self, state: ThreadState) -> ThreadState:
        """A lock was given back: what others may write is no longer known."""
        if not state.contents:
            return state
        held = {lock.address for lock in state.locks if lock.mode is LockMode.EXCLUSIVE}
        return state._replace(contents=frozenset(c for c in state.contents if c.guarded.lock in held))

    def loaded(self, state: ThreadState, instr: Load) -> ThreadState:
        if not state.contents or instr.dst.width != 8 * instr.size:
            return state
        place = self._memory.only_place(self._thread, instr.address)
        found = {
            Number(instr.dst.name, content.guarded, content.values)
            for content in state.contents
            if content.guarded.cell == place and self._free[content.guarded].size == instr.size
        }
        return state._replace(numbers=state.numbers | found)

    def stored(self, state: ThreadState, instr: Store | Rmw | CompareExchange, places: frozenset[Place]) -> ThreadState:
        if not state.contents:
            return state
        touched = {c for c in state.contents if self._touches(c.guarded, instr.size, places)}
        if not touched:
            return state
        value = self._symbols.expand(instr.value) if isinstance(instr, Store) else None
        after = {c.guarded: self._values(state, value, c.guarded) for c in touched if value is not None}
        known = frozenset(Content(guarded, values) for guarded, values in after.items() if values is not None)
        return state._replace(contents=(state.contents - touched) | known)

    def _touches(self, guarded: GuardedCell, size: int, places: frozenset[Place]) -> bool:
        mine = self._free[guarded].size
        return may_meet(places, size, (guarded.cell,), mine)

    def _values(self, state: ThreadState, full: Expr, guarded: GuardedCell) -> frozenset[int] | None:
        """The values an expression may have, by what is known of the same variable under the same lock if possible."""
        possible = sorted(self._possible(state, full), key=lambda one: one[0] != guarded)
        return possible[0][1] if possible else None

    def _possible(self, state: ThreadState, full: Expr) -> Iterator[tuple[GuardedCell | None, frozenset[int]]]:
        """Sets that each contain all values of an expression, with the variable from which that is known."""
        known = constant(full)
        if known is not None:
            yield None, frozenset({known.value})
            return
        names = dict.fromkeys(registers(full))
        for number in sorted(state.numbers, key=repr):
            if list(names) == [number.register]:
                width = 8 * self._free[number.guarded].size
                found = [constant(substitute(full, {number.register: Const(v, width)})) for v in number.values]
                if None not in found:
                    yield number.guarded, frozenset(one.value for one in found if one is not None)

    def is_impossible(self, state: ThreadState, condition: Expr, holds: bool) -> bool:
        """Whether the condition cannot come out like this."""
        return bool(state.numbers) and any(
            found == frozenset({int(not holds)}) for _, found in self._possible(state, self._symbols.expand(condition))
        )
