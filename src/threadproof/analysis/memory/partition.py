"""Memory in parts: which bytes are a scalar, an array of equal elements, a table that is only read, or a summary.

Every access of the program, by points-to, touches places of memory objects. Accesses of one object that may have a
byte in common belong to one part; a part is a scalar or an array if all its accesses agree on where elements begin and
how large they are. `may_alias` and `must_alias` compare two accesses. Points-to sets hold everywhere in a function, so
an answer is as good for one program point as for another; on a program with one copy of every function per thread
(`passes.expand`) it is an answer about these threads.

Paper: L. O. Andersen, Program analysis and specialization for the C programming language, 1994 (the sets); B. Hackett,
A. Aiken, How is aliasing used in systems software?, FSE 2006 (what to ask of them).
Differs: offsets have a stride, so that elements of arrays of records are told apart.
Invariants: accesses stay inside the object their pointer was made from (what does not is undefined, and no access).
Two accesses that touch a common byte of one object in some execution may alias. Two that must alias touch the same
bytes whenever both are possible in one state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from threadproof.analysis.control.call_graph import address_taken, callees
from threadproof.analysis.control.loops import cycles
from threadproof.analysis.points_to import ObjectKind, Offsets, Place, PointsTo, Root, may_meet, may_overlap
from threadproof.analysis.points_to.objects import ANY_OFFSET
from threadproof.ir import instr as ir
from threadproof.ir.control_flow import Site, sites
from threadproof.ir.expr import Expr
from threadproof.ir.program import Program
from threadproof.sync.facts import operands

MEMORY = (ObjectKind.GLOBAL, ObjectKind.THREAD_LOCAL, ObjectKind.STACK, ObjectKind.HEAP)
_MANY = 200
"""An object accessed in so many ways is one part: to compare all of them would take too long."""


class Shape(Enum):
    SCALAR = "scalar"
    ARRAY = "array"
    BYTES = "bytes"  # accessed in ways that overlap
    SYNC = "synchronisation object"  # of which only its operations know more


class Instances(Enum):
    """How many objects a root stands for at a time."""

    ONE = "one object"
    PER_THREAD = "one per thread"
    MANY = "any number"  # a summary: of a loop, a function that may run again, a thread that may be created again


class Through(Enum):
    """Who makes the access."""

    PROGRAM = "the program"
    SYNC = "a synchronisation operation, of its object"
    FREE = "the end of a block: all of it, and no part of its own"


class Between(Enum):
    """Whose accesses are compared."""

    THREADS = "any two threads"
    ONE_THREAD = "two of one thread"


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    site: Site
    places: frozenset[Place]  # the memory among them; empty: none that is known of
    size: int
    writes: bool
    through: Through
    anywhere: bool = False  # whether nothing is known


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of an object (or of every object of a summary)."""

    root: Root
    shape: Shape
    at: Offsets  # where elements begin
    size: int  # of an element
    instances: Instances
    written: bool  # else it keeps its first value: a table

    def __str__(self) -> str:
        where = f"+{self.at.start}" if self.at.start else ""
        count = f", every {self.at.stride}" if self.at.stride else ""
        first = "" if self.written else "read-only "
        return f"{self.root}{where}: {first}{self.shape.value} of {self.size} bytes{count} ({self.instances.value})"


class Objects:
    """How many objects roots stand for."""

    def __init__(self, program: Program, runs_once: Callable[[str], bool] | None = None) -> None:
        """`runs_once`: functions that are entered at most once in an execution; if not told, main alone may be one."""
        self._runs_once = runs_once or _only_main(program)
        self._looping = {name: cycles(function) for name, function in program.functions.items()}

    def instances(self, root: Root) -> Instances:
        match root.kind:
            case ObjectKind.GLOBAL:
                return Instances.ONE
            case ObjectKind.THREAD_LOCAL:
                return Instances.PER_THREAD
            case _ if root.site is not None:
                again = root.site.block in self._looping[root.site.function]
                return Instances.MANY if again or not self._runs_once(root.site.function) else Instances.ONE
            case _:
                return Instances.MANY


class Partition:
    def __init__(self, program: Program, points_to: PointsTo, runs_once: Callable[[str], bool] | None = None) -> None:
        self._points_to = points_to
        self._pointer = program.data_model.pointer_bytes
        self.instances = Objects(program, runs_once).instances
        self.accesses: dict[Site, tuple[MemoryAccess, ...]] = {
            site: found
            for function in program.functions.values()
            for site, instr in sites(function)
            if (found := tuple(self._of(site, instr)))
        }
        self.parts = tuple(self._parts())

    # --- questions ---------------------------------------------------------------------------------------------------

    def may_alias(self, one: MemoryAccess, other: MemoryAccess) -> bool:
        """Whether the two may have a byte in common."""
        return one.anywhere or other.anywhere or may_meet(one.places, one.size, other.places, other.size)

    def must_alias(self, one: MemoryAccess, other: MemoryAccess, between: Between = Between.THREADS) -> bool:
        """Whether the two are the same bytes in every state in which both are possible."""
        if one.anywhere or other.anywhere or one.places != other.places or len(one.places) != 1:
            return False
        [place] = one.places
        instances = self.instances(place.root)
        alone = instances is Instances.ONE or (instances, between) == (Instances.PER_THREAD, Between.ONE_THREAD)
        return alone and not place.offsets.stride and one.size == other.size

    def parts_of(self, access: MemoryAccess) -> tuple[Part, ...]:
        """Those that the access may touch; all of them if nothing is known."""
        return tuple(
            part
            for part in self.parts
            if access.anywhere or may_meet(access.places, access.size, (Place(part.root, part.at),), part.size)
        )

    # --- accesses ----------------------------------------------------------------------------------------------------

    def _of(self, site: Site, instr: ir.Instr) -> Iterator[MemoryAccess]:
        match instr:
            case ir.Load():
                yield self._access(site, instr.address, instr.size, writes=False)
            case ir.Store() | ir.Rmw() | ir.CompareExchange():
                yield self._access(site, instr.address, instr.size, writes=True)
            case ir.Free():
                access = self._access(site, instr.address, 1, writes=True)
                whole = frozenset(Place(place.root, ANY_OFFSET) for place in access.places)
                yield MemoryAccess(site, whole, 1, True, Through.FREE, access.anywhere)
            case ir.Sync():
                for one in operands(instr, self._pointer):
                    through = Through.PROGRAM if one.of_program else Through.SYNC
                    yield self._access(site, one.address, one.size, one.writes, through)
            case _:
                pass

    def _access(
        self, site: Site, address: Expr, size: int, writes: bool, through: Through = Through.PROGRAM
    ) -> MemoryAccess:
        places = self._points_to.expression(site.function, address)
        anywhere = any(place.root.kind is ObjectKind.ANYTHING for place in places)
        memory = frozenset(place for place in places if place.root.kind in MEMORY)
        return MemoryAccess(site, memory, size, writes, through, anywhere)

    # --- parts -------------------------------------------------------------------------------------------------------

    def _parts(self) -> Iterator[Part]:
        everything = [access for found in self.accesses.values() for access in found]
        spans: dict[Root, dict[tuple[Offsets, int], list[MemoryAccess]]] = {}
        for access in everything:
            for root, at in access.places:
                if access.through is not Through.FREE:
                    spans.setdefault(root, {}).setdefault((at, access.size), []).append(access)
        blind = any(access.anywhere and access.writes for access in everything)
        for root, found in spans.items():
            for group in overlapping(list(found)):
                touching = [access for span in group for access in found[span]]
                shape, at, size = _shape(group)
                if all(access.through is Through.SYNC for access in touching):
                    shape = Shape.SYNC
                changed = any(access.writes or access.through is Through.SYNC for access in touching)
                written = blind or root.kind is not ObjectKind.GLOBAL or changed
                yield Part(root, shape, at, size, self.instances(root), written)


def overlapping(spans: list[tuple[Offsets, int]]) -> list[list[tuple[Offsets, int]]]:
    """Offsets of an object and sizes there, in groups: two that may have a byte in common are in one group."""
    if len(spans) > _MANY:
        return [spans]
    groups: list[list[tuple[Offsets, int]]] = []
    for at, size in spans:
        meet = [group for group in groups if any(may_overlap(at, size, *other) for other in group)]
        groups = [group for group in groups if group not in meet]
        groups.append([(at, size), *(span for group in meet for span in group)])
    return groups


def _shape(group: list[tuple[Offsets, int]]) -> tuple[Shape, Offsets, int]:
    at, size = group[0]
    for other, _ in group[1:]:
        at = at.joined(other)
    if any(other != size for _, other in group):
        return Shape.BYTES, at, max(other for _, other in group)
    if not at.stride:
        return Shape.SCALAR, at, size
    return (Shape.ARRAY if at.stride >= size else Shape.BYTES), at, size


def _only_main(program: Program) -> Callable[[str], bool]:
    taken = address_taken(program)
    called = taken.union(*(callees(function, taken) for function in program.functions.values()))
    return lambda name: name == program.entry and name not in called
