"""When instructions of two threads may not commute, without running the program.

Each instruction has the regions it may touch: memory objects (by points-to) with a range of offsets, and places beyond
memory (threads, the free blocks of the heap, keys), in the modes of `sync.footprint`. Two instructions are independent
if no two of their regions conflict. Where only the place inside an object is in doubt, the answer is a condition that
can be asked in a state: `independent if i != j`.

Paper: P. Godefroid, LNCS 1032, 1996, section 3.4 (conditional independence); B. Wachter, D. Kroening, J. Ouaknine,
FMCAD 2013, section IV.D (alias expressions); B. Sisák, Native pointer support in abstraction-based
model checking of concurrent systems, BME 2023, section 4.1 (points-to sets for independence, in Theta).
Differs: conditions compare addresses, and indices where both are elements of one array.
Invariants: whatever a step of the reference semantics touches lies in the regions of the instructions it executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from threadproof.analysis.points_to import ObjectKind, Offsets, PointsTo, Root, may_overlap
from threadproof.analysis.points_to.objects import ANY_OFFSET
from threadproof.ir import instr as ir
from threadproof.ir.expr import Binary, BinaryOp, Compare, CompareOp, Const, Convert, ConvertOp, Expr, GlobalRef, PtrAdd
from threadproof.ir.program import Function, Lifetime, Program
from threadproof.ir.show import show_expr
from threadproof.sync.facts import Act, Family, Seen, operands, sync_facts
from threadproof.sync.footprint import Mode, Touch, ordered
from threadproof.sync.operations import OPERATIONS, Cancellation, Guarded

RUNTIME = "<runtime>"  # where functions of our C library stand


class Beyond(Enum):
    """Places that are not memory."""

    THREADS = "threads"
    OWN_END = "the end of the running thread"
    HEAP = "free blocks"
    KEYS = "keys"


@dataclass(frozen=True, slots=True)
class Region:
    root: Root | Beyond
    at: Offsets
    size: int
    mode: Mode
    address: Expr | None = None  # what it is a region around, if one expression tells


@dataclass(frozen=True, slots=True)
class Apart:
    """Independent if these ranges of addresses do not overlap: `left` as the one thread sees it, `right` the other."""

    left: Expr
    left_size: int
    right: Expr
    right_size: int

    def __str__(self) -> str:
        indices = _indices(self)
        if indices is not None:
            return f"independent if {show_expr(indices[0])} != {show_expr(indices[1])}"
        left, right = f"{show_expr(self.left)} (+{self.left_size})", f"{show_expr(self.right)} (+{self.right_size})"
        return f"independent if {left} and {right} are apart"

    def holds(self, left: int, right: int) -> bool:
        """For the two addresses."""
        return left + self.left_size <= right or right + self.right_size <= left

    @property
    def indices(self) -> Compare | None:
        """The same as a comparison of two indices, if both are elements of one array."""
        pair = _indices(self)
        return None if pair is None else Compare(CompareOp.NE, *pair)


@dataclass(frozen=True, slots=True)
class Dependence:
    """`ALWAYS`, `NEVER`, or independent if all of `unless` hold."""

    always: bool = False
    unless: tuple[Apart, ...] = ()

    @property
    def never(self) -> bool:
        return not self.always and not self.unless

    def __str__(self) -> str:
        if self.always:
            return "dependent"
        return " and ".join(map(str, self.unless)) if self.unless else "independent"


ALWAYS, NEVER = Dependence(always=True), Dependence()


class StaticDependence:
    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._program = program
        self._points_to = points_to
        self._pointer = program.data_model.pointer_bytes
        self._copies = any(_copies_arbitrary_bytes(function) for function in program.functions.values())

    def between(self, f: str, first: ir.Instr, g: str, second: ir.Instr) -> Dependence:
        """Of an instruction in function `f` and one of another thread in `g`."""
        unless: dict[Apart, None] = {}
        for a in self.regions(f, first):
            for b in self.regions(g, second):
                if not conflict(a, b):
                    continue
                if a.address is None or b.address is None or _both_certain(a, b):
                    return ALWAYS
                unless[Apart(a.address, a.size, b.address, b.size)] = None
        return Dependence(unless=tuple(unless))

    def regions(self, function: str, instr: ir.Instr) -> tuple[Region, ...]:
        return tuple(dict.fromkeys(self._regions(function, instr)))

    def _regions(self, function: str, instr: ir.Instr) -> Iterator[Region]:
        match instr:
            case ir.Load():
                for region in self.memory(function, instr.address, instr.size, Mode.READ):
                    settles = self._copies or _may_be_arbitrary(region)
                    yield _with_mode(region, Mode.WRITE) if settles else region
            case ir.Store() | ir.Rmw() | ir.CompareExchange():
                yield from self.memory(function, instr.address, instr.size, Mode.WRITE)
            case ir.Alloc(storage=ir.Storage.HEAP):
                yield _beyond(Beyond.HEAP)
            case ir.Free() | ir.ObjectSize():
                yield _beyond(Beyond.HEAP)
                yield from self._whole(function, instr.address, Mode.WRITE)
            case ir.Return() | ir.StackRestore():
                yield from self._locals(function)
                yield from self._end()
                if isinstance(instr, ir.Return):
                    yield from self.thread_locals()
            case ir.Sync():
                yield from self._sync(function, instr)
            case _:
                return

    def _sync(self, function: str, instr: ir.Sync) -> Iterator[Region]:
        operation, facts = OPERATIONS[instr.op], sync_facts(instr)
        if facts.act is Act.KEY_SET:  # it fails for a key that is not there
            yield _beyond(Beyond.KEYS, Mode.READ)
        if facts.seen is Seen.BY_NOBODY or facts.family is Family.BLOCK:
            return
        for one in operands(instr, self._pointer):
            modes: Iterable[Mode] = (Mode.WRITE if one.writes else Mode.READ,)
            if isinstance(operation, Guarded) and not one.arg and not one.of_program:
                modes = dict.fromkeys(case.mode for case in operation.cases)
            for mode in modes:
                yield from self.memory(function, one.address, one.size, mode)
        if facts.act is Act.ARRIVE:  # its result may be looked at
            yield from self.memory(function, instr.args[0], 1, Mode.WRITE)
        of_threads = facts.family is Family.THREAD and facts.act is not Act.CANCEL_STATE
        if of_threads or operation.cancellation is Cancellation.POINT:
            yield _beyond(Beyond.THREADS)
            yield from self._locals(function)
            yield from self._end()
        if facts.act is Act.EXIT or operation.cancellation is Cancellation.POINT:
            yield from self.all_locals()
            yield from self.thread_locals()
        if facts.family is Family.KEY:
            yield _beyond(Beyond.KEYS)

    def _end(self) -> Iterator[Region]:
        yield _beyond(Beyond.OWN_END)
        yield _beyond(Beyond.KEYS, Mode.READ)

    def memory(self, function: str, address: Expr, size: int, mode: Mode) -> Iterator[Region]:
        """What an access may touch."""
        for root, at in self._points_to.expression(function, address):
            if root.kind not in (ObjectKind.FUNCTION, ObjectKind.THREAD):
                yield Region(root, at, size, mode, address)

    def _whole(self, function: str, address: Expr, mode: Mode) -> Iterator[Region]:
        for root, _ in self._points_to.expression(function, address):
            if root.kind not in (ObjectKind.FUNCTION, ObjectKind.THREAD):
                yield Region(root, ANY_OFFSET, 1, mode)

    def _locals(self, function: str) -> Iterator[Region]:
        """Leaving a function ends the life of its locals."""
        for instr in self._program.functions[function].instrs():
            if isinstance(instr, ir.Alloc) and instr.storage is ir.Storage.STACK:
                for root, _ in self._points_to.expression(function, instr.dst):
                    yield Region(root, ANY_OFFSET, 1, Mode.WRITE)

    def all_locals(self) -> Iterator[Region]:
        """Ending the thread somewhere inside ends the locals of every call it is in."""
        for function in self._program.functions:
            yield from self._locals(function)

    def thread_locals(self) -> Iterator[Region]:
        """They end with their thread."""
        for name, variable in self._program.globals.items():
            if variable.lifetime is Lifetime.THREAD:
                yield Region(Root(ObjectKind.THREAD_LOCAL, name), ANY_OFFSET, 1, Mode.WRITE)


def conflict(a: Region, b: Region) -> bool:
    """Whether two regions may have a place in common that the modes do not allow to share. The end of a thread is its
    own; who names threads may wait for it."""
    if not _modes_conflict(a.mode, b.mode):
        return False
    if isinstance(a.root, Beyond) or isinstance(b.root, Beyond):
        awaited = {a.root, b.root} == {Beyond.OWN_END, Beyond.THREADS}
        return awaited or (a.root == b.root and a.root is not Beyond.OWN_END)
    if ObjectKind.ANYTHING in (a.root.kind, b.root.kind):
        return True
    return a.root == b.root and may_overlap(a.at, a.size, b.at, b.size)


def _both_certain(a: Region, b: Region) -> bool:
    """Whether each is one place of one object, so that conflicting ones meet for certain."""
    certain = a.root == b.root and isinstance(a.root, Root) and a.root.kind is ObjectKind.GLOBAL
    return certain and not a.at.stride and not b.at.stride


def _modes_conflict(a: Mode, b: Mode) -> bool:
    return ordered(Touch(0, 1, a), Touch(0, 1, b)) or ordered(Touch(0, 1, b), Touch(0, 1, a))


def _beyond(place: Beyond, mode: Mode = Mode.WRITE) -> Region:
    return Region(place, ANY_OFFSET, 1, mode)


def _with_mode(region: Region, mode: Mode) -> Region:
    return Region(region.root, region.at, region.size, mode, region.address)


def _copies_arbitrary_bytes(function: Function) -> bool:
    """Whether bytes nobody has written may come into other objects through it."""
    loads = (instr for instr in function.instrs() if isinstance(instr, ir.Load))
    return any(load.purpose is not ir.Purpose.VALUE or function.loc.file == RUNTIME for load in loads)


def _may_be_arbitrary(region: Region) -> bool:
    """Reading bytes nobody has written yet settles what they are, which others notice."""
    return isinstance(region.root, Root) and region.root.kind not in (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL)


def _indices(apart: Apart) -> tuple[Expr, Expr] | None:
    """The indices of two elements of one array of elements of that size."""
    left, right = apart.left, apart.right
    if not isinstance(left, PtrAdd) or not isinstance(right, PtrAdd) or left.base != right.base:
        return None
    if not isinstance(left.base, GlobalRef) or apart.left_size != apart.right_size:
        return None
    i, j = (_unscaled(side.offset, apart.left_size) for side in (left, right))
    if i is None or j is None or i.width != j.width:
        return None
    match i, j:
        case Convert(), Convert() if i.op is j.op and i.op in _WIDENS and i.operand.width == j.operand.width:
            return i.operand, j.operand
        case _:
            return i, j


_WIDENS = (ConvertOp.SEXT, ConvertOp.ZEXT)


def _unscaled(offset: Expr, size: int) -> Expr | None:
    """The index i of an offset i * size."""
    if size == 1:
        return offset
    match offset:
        case Binary(op=BinaryOp.MUL, right=Const(value=factor)) if factor == size:
            return offset.left
        case Binary(op=BinaryOp.SHL, right=Const(value=bits)) if 1 << bits == size:
            return offset.left
        case _:
            return None
