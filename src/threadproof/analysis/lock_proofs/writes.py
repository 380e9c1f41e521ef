"""Every write of a program, with the value where it is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.analysis.abstract_threads.flow import Flow, Point
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.lock_proofs.lock_discipline import LockDiscipline
from threadproof.analysis.points_to import ObjectKind, Place, may_meet
from threadproof.ir.expr import Expr
from threadproof.ir.instr import CompareExchange, Rmw, RmwOp, Store, Sync
from threadproof.sync.facts import LockMode


@dataclass(frozen=True, slots=True)
class Write:
    flow: Flow
    point: Point
    places: frozenset[Place]
    size: int
    value: Expr | None  # None: not told


class Writes:
    def __init__(self, facts: ThreadFacts) -> None:
        self.facts = facts
        self._all = [w for name, points in facts.points.items() for p in points for w in _of_point(facts, name, p)]
        self._discipline = LockDiscipline(facts)

    def cells(self) -> Iterator[tuple[Place, int, list[Write]]]:
        """Parts of global variables that are only ever written as a whole, with all writes to them."""
        exact = {(next(iter(w.places)), w.size) for w in self._all if len(w.places) == 1}
        for place, size in sorted(exact, key=repr):
            if place.root.kind is ObjectKind.GLOBAL and not place.offsets.stride:
                writes = [w for w in self._all if may_meet(w.places, w.size, (place,), size)]
                if all(w.size == size and w.places == frozenset({place}) for w in writes):
                    yield place, size, writes

    def first_value(self, place: Place, size: int) -> int | None:
        variable = self.facts.tree.program.globals.get(place.root.name)
        start = place.offsets.start
        if variable is None or any(r.offset < start + size and start < r.offset + 8 for r in variable.relocations):
            return None
        return int.from_bytes(variable.image[start : start + size].ljust(size, b"\0"), "little")

    def guards(self, writes: list[Write]) -> frozenset[Place]:
        """Locks under which all of them are made."""
        found = self._held(writes[0])
        for write in writes[1:]:
            found &= self._held(write)
        return found

    def _held(self, write: Write) -> frozenset[Place]:
        return frozenset(
            lock.address
            for lock in write.point.before.locks
            if isinstance(lock.address, Place)
            and lock.mode is LockMode.EXCLUSIVE
            and self._discipline.excludes(write.flow.name, lock)
        )


def _of_point(facts: ThreadFacts, name: str, point: Point) -> Iterator[Write]:
    instr, flow = point.instr, facts.flows[name]
    match instr:
        case Store():
            value = flow.symbols.expand(instr.value)
            yield Write(flow, point, facts.memory.places(name, instr.address), instr.size, value)
        case CompareExchange():
            value = flow.symbols.expand(instr.desired)
            yield Write(flow, point, facts.memory.places(name, instr.address), instr.size, value)
        case Rmw():
            value = flow.symbols.expand(instr.value) if instr.op is RmwOp.XCHG else None
            yield Write(flow, point, facts.memory.places(name, instr.address), instr.size, value)
        case Sync():
            for address, size in facts.memory.results(instr):
                yield Write(flow, point, facts.memory.places(name, address), size, None)
        case _:
            pass
