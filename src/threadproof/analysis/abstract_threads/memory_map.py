"""Points-to sets of a written-out program, asked the way analyses of threads need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from typing import NamedTuple

from threadproof.analysis.abstract_threads.shared_objects import shared_objects
from threadproof.analysis.abstract_threads.threads import ThreadTree
from threadproof.analysis.memory.partition import MEMORY, Instances, Objects
from threadproof.analysis.points_to import Place, PointsTo, Root, Site, analyse, may_meet
from threadproof.analysis.points_to.analyse import Method
from threadproof.analysis.points_to.andersen import Andersen, Apart
from threadproof.analysis.points_to.constraints import KeyScope, collect, distance
from threadproof.analysis.points_to.objects import Offsets
from threadproof.analysis.values.symbolic import Sum
from threadproof.ir.expr import Const, Expr
from threadproof.ir.instr import CompareExchange, Rmw, Store, Sync
from threadproof.sync.facts import Act, does, sync_facts

LOCK_BYTES = 4  # the first word of a lock is its state: two locks are the same object if these overlap
HELD_BYTES = 8  # who stores here may free the lock: of a read-write lock the second word says who writes


class RegionAccess(NamedTuple):
    """An access to what hangs on an element of an array, or to the element (`analysis.lock_proofs.regions`)."""

    element: Sum  # its address
    roots: frozenset[Root]  # what hangs on elements of the array, and the array


class MemoryMap:
    def __init__(self, tree: ThreadTree, apart: Apart | None = None) -> None:
        """`apart`: accesses through these addresses are known not to be to that object."""
        self.tree = tree
        self.points_to: PointsTo = (
            Andersen(collect(tree.program, KeyScope.FUNCTION), apart)
            if apart
            else analyse(tree.program, Method.ANDERSEN, KeyScope.FUNCTION)
        )
        self._apart = apart or {}
        self.regions: Mapping[Site, RegionAccess] = {}
        self.shared = shared_objects(tree, self.points_to)
        self._known: dict[tuple[str, Expr], frozenset[Place]] = {}
        self._instances = Objects(tree.program, tree.runs_once).instances
        self._sites: Counter[Root] = Counter()
        self._writers = self._who_writes()
        self.cancels = any(
            does(instr, Act.CANCEL) for name in tree.threads for instr in tree.program.functions[name].instrs()
        )

    def with_regions(self, regions: Mapping[Site, RegionAccess]) -> MemoryMap:
        found = copy(self)
        found.regions = regions
        return found

    def places(self, thread: str, expr: Expr) -> frozenset[Place]:
        """What an address, computed in a thread, may be."""
        known = self._known.get((thread, expr))
        if known is None:
            known = self.points_to.expression(thread, expr)
            apart = self._apart.get((thread, expr))
            if apart is not None:
                known = frozenset(place for place in known if place.root != apart)
            self._known[(thread, expr)] = known
        return known

    def memory(self, thread: str, expr: Expr) -> frozenset[Place]:
        """The memory among it."""
        return frozenset(place for place in self.places(thread, expr) if place.root.kind in MEMORY)

    def places_of_sum(self, thread: str, address: Sum) -> frozenset[Place]:
        """What a sum may be as an address: one of its symbols is the base, the rest moves it."""
        found: set[Place] = set()
        for symbol, factor in address.terms:
            bases = self.memory(thread, symbol) if factor == 1 else frozenset[Place]()
            moved = Offsets(address.constant, 0)
            for other, times in address.terms:
                if other is not symbol:
                    by = distance(other)
                    moved = moved.shifted(Offsets(by.start * times, abs(by.stride * times)))
            found |= {Place(root, at.shifted(moved)) for root, at in bases}
        return frozenset(found)

    def only_place(self, thread: str, expr: Expr) -> Place | None:
        """The one concrete place an address can be, if it is known."""
        places = self.places(thread, expr)
        if len(places) != 1:
            return None
        place = next(iter(places))
        return place if not place.offsets.stride and self.is_one_object(place.root) else None

    def is_one_object(self, root: Root) -> bool:
        """Whether the root is a single object in every execution."""
        return self._instances(root) is Instances.ONE

    def address_places(self, thread: str, address: Place | Sum) -> frozenset[Place]:
        return self.places_of_sum(thread, address) if isinstance(address, Sum) else frozenset({address})

    def may_be(self, thread: str, address: Place | Sum, places: frozenset[Place]) -> bool:
        mine = self.address_places(thread, address)
        return not mine or may_meet(mine, LOCK_BYTES, places, LOCK_BYTES)

    def may_free(self, thread: str, address: Place | Sum, places: frozenset[Place], size: int) -> bool:
        """Whether a store of so many bytes may change whether a lock is held."""
        mine = self.address_places(thread, address)
        return not mine or may_meet(mine, HELD_BYTES, places, size)

    # --- who writes what ---------------------------------------------------------------------------------------------

    def results(self, instr: Sync) -> Iterator[tuple[Expr, int]]:
        """Where an operation stores a result of its own, and how many bytes: an access like any other."""
        for store in sync_facts(instr).stores:
            address = instr.args[store.arg]
            if address != Const(0, address.width):
                yield address, store.bytes(self.tree.program.data_model.pointer_bytes)

    def only_written_by(self, thread: str, places: frozenset[Place]) -> bool:
        """Whether only this one thread ever writes to the objects."""
        alone = self.tree.runs_once(thread)
        return all(
            self._writers.get(place.root, set()) <= {thread} and (alone or place.root not in self.shared)
            for place in places
            if place.root.kind in MEMORY
        )

    def written_once(self, places: frozenset[Place]) -> bool:
        """Whether only one instruction writes to the objects."""
        return bool(places) and all(self._sites[place.root] == 1 for place in places)

    def _who_writes(self) -> dict[Root, set[str]]:
        found: dict[Root, set[str]] = {}
        for name in self.tree.threads:
            for instr in self.tree.program.functions[name].instrs():
                match instr:
                    case Store() | Rmw() | CompareExchange():
                        targets = [instr.address]
                    case Sync():
                        targets = [address for address, _ in self.results(instr)]
                    case _:
                        targets = []
                for address in targets:
                    for place in self.places(name, address):
                        self._sites[place.root] += 1
                        found.setdefault(place.root, set()).add(name)
        return found
