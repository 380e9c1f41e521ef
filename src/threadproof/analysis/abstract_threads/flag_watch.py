"""What a thread learns about watched variables on its way: by loading, testing and writing them."""

from __future__ import annotations

from collections.abc import Mapping

from threadproof.analysis.abstract_threads.memory_map import MemoryMap
from threadproof.analysis.abstract_threads.thread_state import (
    Bound,
    Current,
    FlagValue,
    HeldLock,
    Knowledge,
    KnownFlag,
    PendingLock,
    Role,
    ThreadState,
    Ticket,
    Watched,
)
from threadproof.analysis.points_to import Place, may_overlap
from threadproof.analysis.values.symbolic import Symbols
from threadproof.ir.constant import constant
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, Reg, registers
from threadproof.ir.instr import CompareExchange, Load, Rmw, Store
from threadproof.ir.program import Function
from threadproof.ir.simplify import substitute
from threadproof.sync.facts import LockMode


class FlagWatch:
    def __init__(self, symbols: Symbols, memory: MemoryMap, function: Function, knowledge: Knowledge) -> None:
        flags = knowledge.watched
        self._symbols = symbols
        self._limits = knowledge.limits
        self._memory = memory
        self._thread = function.name
        self._flags = flags
        self._loads: dict[str, tuple[Watched, int]] = {}  # registers loaded from flags, with their width
        for block in function.blocks if flags else ():
            for instr in block.instrs:
                if isinstance(instr, Load) and (flag := self._flag(instr.address, instr.size)) is not None:
                    self._loads[instr.dst.name] = (flag, instr.dst.width)

    def _flag(self, address: Expr, size: int) -> Watched | None:
        place = self._memory.only_place(self._thread, address)
        flag = None if place is None else self._flags.get(place)
        return flag if flag is not None and flag.size == size else None

    def at_start(self, alone: bool) -> frozenset[KnownFlag]:
        """A thread that is the only one to write a flag knows its value before it does."""
        return frozenset(
            KnownFlag(flag.place, FlagValue.FIRST)
            for flag in self._flags.values()
            if alone and flag.only == self._thread
        )

    def loaded(self, state: ThreadState, instr: Load) -> ThreadState:
        found = self._loads.get(instr.dst.name)
        if found is None:
            return state
        flag = found[0]
        held = {lock.address for lock in state.locks if lock.mode is LockMode.EXCLUSIVE}
        under = [Current(instr.dst.name, flag.place, lock) for lock in flag.guards if lock in held]
        if state.atomic:
            under.append(Current(instr.dst.name, flag.place, "atomic"))
        if flag.role is Role.LIMITED and flag.only == self._thread:  # nobody else changes it
            under.append(Current(instr.dst.name, flag.place, None))
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
        cell = self._flag(instr.address, instr.size)
        after = state._replace(
            known=frozenset(k for k in state.known if k.flag not in touched or k.value is FlagValue.CHANGED),
            current=frozenset(one for one in state.current if one.flag not in touched),
        )
        if cell is None:
            return after
        match cell.role:
            case Role.FLAG:
                return self._changed(after, cell.place) if isinstance(instr, Store) else after
            case Role.WORD:
                return self._word(state, after, instr, cell)
            case Role.COUNTER:
                return self._drawn(state, after, instr, cell)
            case Role.LIMITED:
                return after

    def _word(
        self, before: ThreadState, after: ThreadState, instr: Store | Rmw | CompareExchange, cell: Watched
    ) -> ThreadState:
        """A lock made by hand is taken or freed."""
        lock = HeldLock(cell.place, LockMode.EXCLUSIVE, None)
        match instr:
            case Store(value=Const(value=0)):
                locks = frozenset(one for one in after.locks if one.address != cell.place)
                together = frozenset(one for one in after.together if one.held != cell.place)
                return self.left(after._replace(locks=locks, together=together))
            case Store():
                free = KnownFlag(cell.place, FlagValue.FIRST, "atomic") in before.known
                return after._replace(locks=after.locks | {lock}) if free else after
            case Rmw():
                taken = PendingLock(instr.dst.name, tuple(sorted(cell.later)), lock, instr.dst.width)
                return after._replace(pending=after.pending | {taken})
            case CompareExchange():
                taken = PendingLock(instr.success.name, (0,), lock, 1)
                return after._replace(pending=after.pending | {taken})

    def _drawn(
        self, before: ThreadState, after: ThreadState, instr: Store | Rmw | CompareExchange, cell: Watched
    ) -> ThreadState:
        """The counter is increased: what it was is the thread's own."""
        value = self._symbols.expand(instr.value) if isinstance(instr, Store) else None
        now = {one.register for one in before.current if one.flag == cell.place}
        match value:
            case Binary(op=BinaryOp.ADD, left=Reg(name=name), right=Const(value=step)) if name in now:
                others = frozenset(one for one in after.tickets if one.draw != name)
                return after._replace(tickets=others | {Ticket(own, cell.place, step, name) for own in now})
            case _:
                return after

    def _changed(self, state: ThreadState, place: Place) -> ThreadState:
        """Known from now on; from the end of the atomic block, if there may be one: its accesses count as made where
        it begins."""
        now = frozenset({KnownFlag(place, FlagValue.CHANGED)})
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
            if flag.role in (Role.COUNTER, Role.LIMITED):
                limit = upper_bound(condition, holds, name, self._limits if flag.role is Role.COUNTER else None)
                state = state if limit is None else state._replace(bounds=state.bounds | {Bound(name, limit)})
                continue
            first, later = Const(flag.first % (1 << width), width), [Const(v % (1 << width), width) for v in flag.later]
            if flag.role is Role.FLAG and contradicts(condition, holds, name, first):
                state = self._changed(state, flag.place)
            elif all(contradicts(condition, holds, name, value) for value in later):
                learnt = {
                    KnownFlag(flag.place, FlagValue.FIRST, one.under)
                    for one in state.current
                    if one.register == name and one.flag == flag.place
                }
                state = state._replace(known=state.known | learnt)
        return state

    def left(self, state: ThreadState) -> ThreadState:
        """A lock was released or an atomic block ended: what was only known inside is forgotten."""
        if not state.known and not state.current:
            return state
        held: set[object] = {lock.address for lock in state.locks if lock.mode is LockMode.EXCLUSIVE}
        if state.atomic:
            held.add("atomic")
        return state._replace(
            known=frozenset(k for k in state.known if k.under is None or k.under in held),
            current=frozenset(one for one in state.current if one.under is None or one.under in held),
        )


def contradicts(condition: Expr, holds: bool, register: str, value: Const) -> bool:
    """Whether the condition cannot come out like this if the register has that value."""
    known = constant(substitute(condition, {register: value}))
    return known is not None and bool(known.value) is not holds


def upper_bound(condition: Expr, holds: bool, register: str, limits: Mapping[str, int] | None) -> int | None:
    """The largest value the register has if the condition comes out like this; none if it is not a plain comparison
    with a number, or with what is known to be at most one.

    With `limits`, sums are read without wrapping: for registers that are known to be far from where they would. Else
    they are not read at all.
    """
    if not isinstance(condition, Compare) or condition.op not in (CompareOp.SLT, CompareOp.SLE):
        return None
    left, right = condition.left, condition.right
    strict = condition.op is CompareOp.SLT
    side, other = (left, right) if holds else (right, left)
    limit = _at_most(other, limits or {})
    moved = _distance(side, register)
    if limit is None or moved is None or (limits is None and isinstance(side, Binary)):
        return None
    return limit - int(strict is holds) - moved


def _at_most(expr: Expr, limits: Mapping[str, int]) -> int | None:
    match expr:
        case Const():
            return _signed(expr)
        case Reg():
            return limits.get(expr.name)
        case _:
            return None


def _distance(expr: Expr, register: str) -> int | None:
    """How far `register + constants` is from the register."""
    match expr:
        case Reg():
            return 0 if expr.name == register else None
        case Convert(op=ConvertOp.SEXT, operand=Reg(name=name)):
            return 0 if name == register else None
        case Binary(op=BinaryOp.ADD | BinaryOp.SUB, right=Const() as by) if abs(_signed(by)) < 1 << 16:
            inner = _distance(expr.left, register)
            sign = 1 if expr.op is BinaryOp.ADD else -1
            return None if inner is None else inner + sign * _signed(by)
        case _:
            return None


def _signed(value: Const) -> int:
    return value.value - (1 << value.width) if value.value >> (value.width - 1) else value.value
