"""What a thread that stands before an instruction touches next, and may touch from there on, as bits.

`ahead` is what the running call may still touch, with all it calls and all threads it creates; the future of a thread
is that of its frames, from the running one downwards. For each lock that is followed there is a second answer: what may
be touched before the lock is taken. It holds as long as another thread keeps the lock.

Paper: P. Godefroid, LNCS 1032, 1996, section 4.4 (what other processes may do in the future, statically); the futures
cut at locks are in the spirit of A. Valmari's necessary enabling sets, Stubborn sets for reduced state space
generation, LNCS 483, 1991.
Differs: bits instead of operations; flow-sensitive within functions, one summary per function.
Invariants: every touch of a later step of the thread, or of a thread it creates, is in `ahead` of one of its frames, up
to the first that cannot be left. `next` covers the whole step: the instruction, or the atomic block it begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from threadproof.analysis.control.callees import Callees
from threadproof.analysis.footprints.symmetry import threads_are_symmetric
from threadproof.analysis.footprints.touch_bits import BITS, ENDS, Bits, LockWord, TouchBits, touch_bits
from threadproof.analysis.points_to import Method, PointsTo, analyse
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import ControlFlow, Site, control_flow, sites
from threadproof.ir.expr import Reg
from threadproof.ir.program import Function, Program
from threadproof.sync.facts import Act, does

ALL = Bits((1 << BITS) - 1, (1 << BITS) - 1)
_LEAVES = 1 << 3 * BITS


@dataclass(frozen=True, slots=True)
class Standing:
    """Of a thread that stands before an instruction."""

    next: Bits
    waits_for: int | None  # the number of the lock that the instruction takes
    joins: Reg | None  # the register with the handle of the thread it waits for
    ahead: tuple[Bits, ...]  # first without conditions, then before each lock is taken
    leaves: int  # bit by bit the same: whether the function may be left


@dataclass(frozen=True, slots=True)
class Futures:
    locks: tuple[LockWord, ...]
    standing: dict[str, tuple[Standing, ...]]  # by function, one for each instruction
    symmetric: bool = False  # whether it cannot be observed which thread (main apart) is which


def futures(program: Program, method: Method = Method.ANDERSEN) -> Futures | None:
    """None if too little is known about the program."""
    points_to = analyse(program, method)
    bits = touch_bits(program, points_to)
    if bits is None:
        return None
    try:
        found = _Flow(program, points_to, bits).solved()
    except _Unknown:
        return None
    return replace(found, symmetric=threads_are_symmetric(program, points_to, bits))


class _Unknown(Exception):
    """Who is called is not known."""


def _packed(bits: Bits) -> int:
    return bits.reads | bits.writes << BITS | bits.releases << 2 * BITS


def _unpacked(value: int) -> Bits:
    mask = (1 << BITS) - 1
    return Bits(value & mask, value >> BITS & mask, value >> 2 * BITS & mask)


@dataclass(frozen=True, slots=True)
class _Code:
    """A function's control flow, with facts about each instruction."""

    name: str
    flow: ControlFlow
    touched: tuple[int, ...]
    taken: tuple[int | None, ...]
    called: tuple[tuple[str, ...], ...]  # functions that run in the instruction: of a call, or in a new thread


class _Flow:
    def __init__(self, program: Program, points_to: PointsTo, bits: TouchBits) -> None:
        self._callees = Callees(program, points_to)
        self._bits = bits
        self._codes = [self._code(function) for function in program.functions.values()]
        self._with_blocks = self._reaching({c.name for c in self._codes if any(map(_is_atomic, c.flow.instrs))})

    def solved(self) -> Futures:
        locks = tuple(self._bits.locks)
        ahead = [self._ahead(lock) for lock in (None, *range(len(locks)))]
        unnoticed = self._unnoticed()
        standing = {
            code.name: tuple(
                Standing(
                    self._next(code, at, ahead[0], unnoticed),
                    code.taken[at],
                    _handle(code.flow.instrs[at]),
                    tuple(_unpacked(found[code.name][at]) for found in ahead),
                    sum(1 << n for n, found in enumerate(ahead) if found[code.name][at] & _LEAVES),
                )
                for at in range(len(code.flow.instrs))
            )
            for code in self._codes
        }
        return Futures(locks, standing)

    # --- the program as a graph --------------------------------------------------------------------------------------

    def _code(self, function: Function) -> _Code:
        flow = control_flow(function)
        return _Code(
            function.name,
            flow,
            tuple(_packed(self._bits.of(function.name, instr)) for instr in flow.instrs),
            tuple(self._bits.taken(function.name, instr) for instr in flow.instrs),
            tuple(self._called(site, instr) for site, instr in sites(function)),
        )

    def _called(self, site: Site, instr: ir.Instr) -> tuple[str, ...]:
        if not isinstance(instr, ir.Call | ir.Sync) or (isinstance(instr, ir.Sync) and not does(instr, Act.CREATE)):
            return ()
        if not self._callees.certain(site, instr):
            raise _Unknown
        return self._callees.of(site, instr)

    def _reaching(self, found: set[str]) -> set[str]:
        """The functions in whose calls one of these runs."""
        size = -1
        while size != len(found):
            size = len(found)
            found |= {
                code.name for code in self._codes if any(name in found for names in code.called for name in names)
            }
        return found

    # --- from here on ------------------------------------------------------------------------------------------------

    def _ahead(self, lock: int | None) -> dict[str, list[int]]:
        """By function and instruction: what may be touched before the lock is taken, and whether the call may end."""
        found = {code.name: [0] * len(code.flow.instrs) for code in self._codes}
        changed = True
        while changed:
            changed = False
            for code in self._codes:
                mine = found[code.name]
                for at in reversed(range(len(code.flow.instrs))):
                    value = self._one(code, at, lock, found)
                    changed |= value != mine[at]
                    mine[at] = value
        return found

    def _one(self, code: _Code, at: int, lock: int | None, found: dict[str, list[int]]) -> int:
        if lock is not None and code.taken[at] == lock:
            return 0
        instr, value, goes_on = code.flow.instrs[at], code.touched[at], True
        whole = [found[name][0] for name in code.called[at]]
        for one in whole:
            value |= one & ~_LEAVES
        if isinstance(instr, ir.Call):
            goes_on = any(one & _LEAVES for one in whole)
        if isinstance(instr, ir.Return):
            value |= _LEAVES
        if does(instr, Act.EXIT):
            goes_on = False
        for following in code.flow.after[at] if goes_on else ():
            value |= found[code.name][following]
        return value

    # --- the next step -----------------------------------------------------------------------------------------------

    def _unnoticed(self) -> int:
        """What instructions touch that may follow in anybody's step though others can notice."""
        return _united(
            touched
            for code in self._codes
            for instr, touched in zip(code.flow.instrs, code.touched, strict=True)
            if isinstance(instr, ir.ObjectSize)
        )

    def _next(self, code: _Code, at: int, ahead: dict[str, list[int]], unnoticed: int) -> Bits:
        """Without its being a thread's end: nobody who could notice moves before."""
        value = code.touched[at]
        if _is_atomic(code.flow.instrs[at]):
            block = self._block(code, at, ahead)
            if block is None:
                return ALL
            value |= block
        bits = _unpacked(value | unnoticed)
        return Bits(bits.reads, bits.writes & ~ENDS)

    def _block(self, code: _Code, begin: int, ahead: dict[str, list[int]]) -> int | None:
        """What the atomic block that begins here touches; None if it does not end in this function."""
        value, seen, todo = 0, {begin}, list(code.flow.after[begin])
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            instr = code.flow.instrs[at]
            if does(instr, Act.END):
                continue
            nested = isinstance(instr, ir.Call) and any(name in self._with_blocks for name in code.called[at])
            if nested or _is_atomic(instr) or isinstance(instr, ir.Return):
                return None
            value |= code.touched[at] | _united(ahead[name][0] & ~_LEAVES for name in code.called[at])
            todo += code.flow.after[at]
        return value


def _is_atomic(instr: ir.Instr) -> bool:
    return does(instr, Act.BEGIN)


def _handle(instr: ir.Instr) -> Reg | None:
    if isinstance(instr, ir.Sync) and does(instr, Act.JOIN) and isinstance(instr.args[0], Reg):
        return instr.args[0]
    return None


def _united(values: Iterable[int]) -> int:
    value = 0
    for one in values:
        value |= one
    return value
