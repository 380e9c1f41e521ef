"""What an instruction may touch, as bits: one bit for each group of places that some instruction may touch together.

Two instructions whose bits do not meet with a write among them touch nothing in common, so their steps commute. There
are 64 bits; programs with more groups share them. Places that concern one thread alone (`unshared`) have no bit.

Paper: P. Godefroid, LNCS 1032, 1996, section 3.4 (dependence from the operations on shared objects); points-to sets
as in `analysis.footprints.dependence`.
Differs: counters do not commute with their like. A creation touches the memory of the handle only: nobody else can know
the new thread before. The end of a thread touches its locals only: whoever joins it cannot move before. Operations that
name a thread by its handle touch one place, `NAMES`.
Invariants: whatever a step touches that another thread could notice has its bit in the instructions the step executed,
save its being the end of the execution. Programs for which that cannot be said have no bits (`touch_bits` is None).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from threadproof.analysis.footprints.dependence import Beyond, Region, StaticDependence
from threadproof.analysis.memory.partition import overlapping
from threadproof.analysis.points_to import ObjectKind, PointsTo, Root, may_overlap
from threadproof.analysis.points_to.objects import ANY_OFFSET, ZERO
from threadproof.ir import instr as ir
from threadproof.ir.expr import Const, Expr
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, Family, LockMode, Locks, Seen, does, operands, sync_facts
from threadproof.sync.footprint import Mode
from threadproof.sync.operations import Field

BITS = 64
ENDS, NAMES, HEAP, KEYS = 1, 2, 4, 8
_FIRST = 4  # bits of memory begin here
_EVERYTHING = (1 << BITS) - 1
LOCKS = 8
"""How many locks are followed."""


class Bits(NamedTuple):
    reads: int = 0
    writes: int = 0
    releases: int = 0  # locks (by number) that may be free afterwards


@dataclass(frozen=True, slots=True)
class LockWord:
    """The word of a global that says who holds a lock."""

    name: str
    offset: int


class TouchBits:
    """Ask for the bits of an instruction of a function."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._static = StaticDependence(program, points_to)
        self._frees = any(isinstance(i, ir.Free) for i in program.instrs())
        self.locks = self._find_locks()
        self._regions: dict[tuple[str, int], tuple[Region, ...]] = {}
        for function, instr in _by_function(program):
            self._regions[function, id(instr)] = tuple(dict.fromkeys(self._touched(function, instr)))
        self._group: dict[Region, int] = _groups(r for regions in self._regions.values() for r in regions)

    def of(self, function: str, instr: ir.Instr) -> Bits:
        reads = writes = releases = 0
        keeps = isinstance(instr, ir.Sync) and _only_takes(sync_facts(instr).locks)
        for region in self._regions[function, id(instr)]:
            bit = self._bit(region)
            if region.mode is Mode.READ:
                reads |= bit
                continue
            writes |= bit
            if not keeps:
                releases |= sum(1 << n for n, lock in enumerate(self.locks) if _may_be(region, lock))
        return Bits(reads, writes, releases)

    def taken(self, function: str, instr: ir.Instr) -> int | None:
        """The number of the lock that the instruction waits for, if that is followed."""
        lock = self._lock(function, instr)
        return self.locks.index(lock) if lock in self.locks else None

    def touches_lock(self, function: str, instr: ir.Instr) -> bool:
        """Whether it may read or write who holds a lock that is followed."""
        regions = self._regions[function, id(instr)]
        return any(_may_be(region, lock) for region in regions for lock in self.locks)

    def knows_holder(self, function: str, instr: ir.Sync) -> bool:
        """Whether, if the operation makes its thread the holder of a lock, that lock is followed."""
        locks = sync_facts(instr).locks
        if locks is None or locks.holder is None or locks.sharing is LockMode.SHARED:
            return True
        lock = self._place(function, instr.args[locks.arg], locks.holder)
        return lock is not None and lock in self.locks

    def locks_keep_their_kind(self) -> bool:
        """Whether no operation on another kind of object may touch a lock that is followed."""
        kinds: list[set[Family]] = [set() for _ in self.locks]
        for function, instr in _by_function(self._program):
            if isinstance(instr, ir.Sync):
                family = sync_facts(instr).family
                kind = Family.MUTEX if family is Family.CONDITION else family
                for number, lock in enumerate(self.locks):
                    if any(_may_be(region, lock) for region in self._regions[function, id(instr)]):
                        kinds[number].add(kind)
        return all(len(kind) == 1 for kind in kinds)

    def _bit(self, region: Region) -> int:
        match region.root:
            case Beyond.OWN_END:
                return ENDS
            case Beyond.THREADS:
                return NAMES
            case Beyond.HEAP:
                return HEAP
            case Beyond.KEYS:
                return KEYS
            case Root(kind=ObjectKind.ANYTHING):
                return _EVERYTHING
            case Root():
                return 1 << (_FIRST + self._group[region] % (BITS - _FIRST))

    # --- regions -----------------------------------------------------------------------------------------------------

    def _touched(self, function: str, instr: ir.Instr) -> Iterator[Region]:
        found = self._operands(function, instr) if isinstance(instr, ir.Sync) else self._plain(function, instr)
        return (region for region in found if not self._is_unshared(region.root))

    def _plain(self, function: str, instr: ir.Instr) -> Iterator[Region]:
        for region in self._static.regions(function, instr):
            if region.root is Beyond.HEAP and not self._frees:
                continue  # without freed blocks every thread allocates where nobody else does
            if region.root is not Beyond.KEYS:
                yield region

    def _operands(self, function: str, instr: ir.Sync) -> Iterator[Region]:
        facts = sync_facts(instr)
        for one in operands(instr, self._program.data_model.pointer_bytes):
            mode = Mode.WRITE if one.writes else Mode.READ
            yield from self._static.memory(function, one.address, one.size, mode)
        if facts.seen is Seen.BY_NOBODY:
            return
        if facts.names:
            yield Region(Beyond.THREADS, ANY_OFFSET, 1, Mode.WRITE)
        if facts.act is Act.JOIN:
            yield Region(Beyond.OWN_END, ANY_OFFSET, 1, Mode.READ)
        if facts.act in (Act.CREATE, Act.EXIT):
            yield Region(Beyond.OWN_END, ANY_OFFSET, 1, Mode.WRITE)
        if facts.act is Act.EXIT:
            yield from self._static.thread_locals()
            yield from self._static.all_locals()
        if facts.family is Family.KEY:
            yield Region(Beyond.KEYS, ANY_OFFSET, 1, Mode.WRITE)

    def _is_unshared(self, root: Root | Beyond) -> bool:
        if isinstance(root, Beyond):
            return False
        if root.kind is ObjectKind.STACK:
            assert root.site is not None
            return root.name in self._program.functions[root.site.function].unshared
        return root.kind in (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL) and root.name in self._program.unshared

    # --- locks -------------------------------------------------------------------------------------------------------

    def _find_locks(self) -> list[LockWord]:
        """Those taken in most places."""
        count: dict[LockWord, int] = {}
        for function, instr in _by_function(self._program):
            lock = self._lock(function, instr)
            if lock is not None:
                count[lock] = count.get(lock, 0) + 1
        return sorted(count, key=lambda lock: (-count[lock], lock.name, lock.offset))[:LOCKS]

    def _lock(self, function: str, instr: ir.Instr) -> LockWord | None:
        """The lock that the instruction waits for, if it can be one global place only."""
        locks = sync_facts(instr).waits_for_lock if isinstance(instr, ir.Sync) else None
        if not isinstance(instr, ir.Sync) or locks is None or locks.holder is None:
            return None
        return self._place(function, instr.args[locks.arg], locks.holder)

    def _place(self, function: str, address: Expr, holder: Field) -> LockWord | None:
        places = self._points_to.expression(function, address)
        if len(places) != 1:
            return None
        root, at = next(iter(places))
        if (
            root.kind is not ObjectKind.GLOBAL
            or at.stride
            or not 0 <= at.start <= self._program.globals[root.name].size - 8
        ):
            return None
        offset = holder.offset64 if self._program.data_model.pointer_bits == 64 else holder.offset32
        return LockWord(root.name, at.start + offset)


def _only_takes(locks: Locks | None) -> bool:
    """Whether the operation never ends another thread's holding a lock."""
    return locks is not None and locks.holder is not None


def _may_be(region: Region, lock: LockWord) -> bool:
    """Whether the word of a lock may lie in a region."""
    if not isinstance(region.root, Root):
        return False
    if region.root.kind is ObjectKind.ANYTHING:
        return True
    same = region.root.kind is ObjectKind.GLOBAL and region.root.name == lock.name
    return same and may_overlap(region.at, region.size, ZERO._replace(start=lock.offset), 4)


def _groups(regions: Iterator[Region]) -> dict[Region, int]:
    """Numbers of memory regions: regions that may have a byte in common have one number."""
    by_root: dict[Root, list[Region]] = {}
    for region in dict.fromkeys(regions):
        if isinstance(region.root, Root) and region.root.kind is not ObjectKind.ANYTHING:
            by_root.setdefault(region.root, []).append(region)
    numbers: dict[Region, int] = {}
    count = 0
    for found in by_root.values():
        for group in overlapping(list(dict.fromkeys((region.at, region.size) for region in found))):
            numbers.update((region, count) for region in found if (region.at, region.size) in group)
            count += 1
    return numbers


def _by_function(program: Program) -> Iterator[tuple[str, ir.Instr]]:
    for function in program.functions.values():
        for instr in function.instrs():
            yield function.name, instr


def touch_bits(program: Program, points_to: PointsTo) -> TouchBits | None:
    """None for programs that cancel threads, run destructors at their end, or point nobody knows where."""
    syncs = [instr for instr in program.instrs() if isinstance(instr, ir.Sync)]
    destroys = any(does(i, Act.KEY_CREATE) and not _is_null(i.args[1]) for i in syncs)
    if points_to.wild or destroys or any(does(i, Act.CANCEL) for i in syncs):
        return None
    return TouchBits(program, points_to)


def _is_null(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 0
