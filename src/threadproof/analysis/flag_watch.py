"""What a thread learns about flags on its way: by loading, testing and writing them."""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.analysis.memory_map import MemoryMap
from threadproof.analysis.points_to import Place, may_overlap
from threadproof.analysis.symbolic import Symbols
from threadproof.analysis.thread_state import Current, Flag, FlagValue, Known, Mode, ThreadState
from threadproof.ir.constant import constant
from threadproof.ir.expr import Const, Expr, registers
from threadproof.ir.instr import CompareExchange, Load, Rmw, Store
from threadproof.ir.program import Function
from threadproof.ir.simplify import substitute


class FlagWatch:
    def __init__(self, symbols: Symbols, memory: MemoryMap, function: Function, flags: Mapping[Place, Flag]) -> None:
        self._symbols = symbols
        self._memory = memory
        self._thread = function.name
        self._flags = flags
        self._loads: dict[str, tuple[Flag, int]] = {}  # registers loaded from flags, with their width
        for block in function.blocks if flags else ():
            for instr in block.instrs:
                if isinstance(instr, Load) and (flag := self._flag(instr.address, instr.size)) is not None:
                    self._loads[instr.dst.name] = (flag, instr.dst.width)

    def _flag(self, address: Expr, size: int) -> Flag | None:
        place = self._memory.only_place(self._thread, address)
        flag = None if place is None else self._flags.get(place)
        return flag if flag is not None and flag.size == size else None

    def at_start(self, alone: bool) -> frozenset[Known]:
        """A thread that is the only one to write a flag knows its value before it does."""
        return frozenset(
            Known(flag.place, FlagValue.FIRST) for flag in self._flags.values() if alone and flag.only == self._thread
        )

    def loaded(self, state: ThreadState, instr: Load) -> ThreadState:
        found = self._loads.get(instr.dst.name)
        if found is None:
            return state
        flag = found[0]
        held = {lock.address for lock in state.locks if lock.mode is Mode.EXCLUSIVE}
        under = [Current(instr.dst.name, flag.place, lock) for lock in flag.guards if lock in held]
        if state.atomic:
            under.append(Current(instr.dst.name, flag.place, "atomic"))
        return state._replace(current=state.current | set(under))

    def stored(self, state: ThreadState, instr: Store | Rmw | CompareExchange, places: frozenset[Place]) -> ThreadState:
        """The thread's own writes: what it knew is no longer so."""
        if not self._flags:
            return state
        touched = {
            flag.place
            for flag in self._flags.values()
            for place in places
            if place.root == flag.place.root and may_overlap(place.offsets, instr.size, flag.place.offsets, flag.size)
        }
        if not touched:
            return state
        state = state._replace(
            known=frozenset(k for k in state.known if k.flag not in touched or k.value is FlagValue.CHANGED),
            current=frozenset(one for one in state.current if one.flag not in touched),
        )
        flag = self._flag(instr.address, instr.size)
        return self._changed(state, flag.place) if flag is not None and isinstance(instr, Store) else state

    def _changed(self, state: ThreadState, place: Place) -> ThreadState:
        """Known from now on; from the end of the atomic block, if there may be one: its accesses count as made where
        it begins."""
        now = frozenset({Known(place, FlagValue.CHANGED)})
        if state.maybe_atomic:
            return state._replace(later=state.later | now)
        return state._replace(known=state.known | now)

    def knowing(self, state: ThreadState, condition: Expr, holds: bool) -> ThreadState:
        """A condition on a loaded flag was tested."""
        for name in dict.fromkeys(registers(condition)):
            found = self._loads.get(name)
            if found is None:
                continue
            flag, width = found
            if contradicts(condition, holds, name, Const(flag.first % (1 << width), width)):
                state = self._changed(state, flag.place)
            elif all(contradicts(condition, holds, name, Const(v % (1 << width), width)) for v in flag.later):
                learnt = {
                    Known(flag.place, FlagValue.FIRST, one.under)
                    for one in state.current
                    if one.register == name and one.flag == flag.place
                }
                state = state._replace(known=state.known | learnt)
        return state

    def left(self, state: ThreadState) -> ThreadState:
        """A lock was released or an atomic block ended: what was only known inside is forgotten."""
        if not state.known and not state.current:
            return state
        held: set[object] = {lock.address for lock in state.locks if lock.mode is Mode.EXCLUSIVE}
        if state.atomic:
            held.add("atomic")
        return state._replace(
            known=frozenset(k for k in state.known if k.under is None or k.under in held),
            current=frozenset(one for one in state.current if one.under in held),
        )


def contradicts(condition: Expr, holds: bool, register: str, value: Const) -> bool:
    """Whether the condition cannot come out like this if the register has that value."""
    known = constant(substitute(condition, {register: value}))
    return known is not None and bool(known.value) is not holds
