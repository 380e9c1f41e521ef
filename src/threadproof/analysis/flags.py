"""Flags: variables that begin with one value and, once changed, never have it again.

Two accesses cannot be next at the same time if one is only made while a flag still has its first value and the other
only after it was changed. That it was changed is known for good once it was seen; that it was not is known to the only
thread that writes it, to a thread that holds a lock under which all writes are made, and inside an atomic block.
"""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.analysis.flow import Flow, Point
from threadproof.analysis.lock_discipline import LockDiscipline
from threadproof.analysis.points_to import Kind, Place, may_overlap
from threadproof.analysis.thread_facts import ThreadFacts
from threadproof.analysis.thread_state import Flag, Mode
from threadproof.ir.expr import Const
from threadproof.ir.instr import CompareExchange, Rmw, Store, Sync


@dataclass(frozen=True, slots=True)
class _Write:
    flow: Flow
    point: Point
    places: frozenset[Place]
    size: int
    value: Const | None


def find_flags(facts: ThreadFacts) -> dict[Place, Flag]:
    writes = [write for name, points in facts.points.items() for p in points for write in _writes(facts, name, p)]
    exact = {(next(iter(w.places)), w.size) for w in writes if w.value is not None and _is_exact(facts, w)}
    discipline = LockDiscipline(facts)
    found: dict[Place, Flag] = {}
    for place, size in sorted(exact, key=repr):
        touching = [write for write in writes if _touches(write, place, size)]
        flag = _flag(facts, discipline, place, size, touching)
        if flag is not None:
            found[place] = flag
    return found


def _flag(facts: ThreadFacts, discipline: LockDiscipline, place: Place, size: int, writes: list[_Write]) -> Flag | None:
    if any(w.value is None or w.size != size or w.places != frozenset({place}) for w in writes):
        return None
    first = _initial(facts, place, size)
    values = frozenset(w.value.value for w in writes if w.value is not None)
    if first is None or first in values:
        return None
    guards = _guards(discipline, writes[0])
    for write in writes[1:]:
        guards &= _guards(discipline, write)
    writers = {w.flow.name for w in writes}
    only = next(iter(writers)) if len(writers) == 1 and facts.tree.runs_once(next(iter(writers))) else None
    return Flag(place, size, first, values, guards, only)


def _guards(discipline: LockDiscipline, write: _Write) -> frozenset[Place]:
    return frozenset(
        lock.address
        for lock in write.point.before.locks
        if isinstance(lock.address, Place)
        and lock.mode is Mode.EXCLUSIVE
        and discipline.excludes(write.flow.name, lock)
    )


def _initial(facts: ThreadFacts, place: Place, size: int) -> int | None:
    variable = facts.tree.program.globals.get(place.root.name)
    start = place.offsets.start
    if variable is None or any(r.offset < start + size and start < r.offset + 8 for r in variable.relocations):
        return None
    return int.from_bytes(variable.image[start : start + size].ljust(size, b"\0"), "little")


def _is_exact(facts: ThreadFacts, write: _Write) -> bool:
    place = next(iter(write.places))
    return len(write.places) == 1 and place.root.kind is Kind.GLOBAL and not place.offsets.stride


def _touches(write: _Write, place: Place, size: int) -> bool:
    return any(
        one.root == place.root and may_overlap(one.offsets, write.size, place.offsets, size) for one in write.places
    )


def _writes(facts: ThreadFacts, name: str, point: Point) -> list[_Write]:
    instr, flow = point.instr, facts.flows[name]
    match instr:
        case Store():
            value = flow.symbols.expand(instr.value)
            return [_Write(flow, point, facts.memory.places(name, instr.address), instr.size, _constant(value))]
        case CompareExchange():
            value = flow.symbols.expand(instr.desired)
            return [_Write(flow, point, facts.memory.places(name, instr.address), instr.size, _constant(value))]
        case Rmw():
            return [_Write(flow, point, facts.memory.places(name, instr.address), instr.size, None)]
        case Sync():
            return [
                _Write(flow, point, facts.memory.places(name, address), size, None)
                for address, size in facts.memory.results(instr)
            ]
        case _:
            return []


def _constant(value: object) -> Const | None:
    return value if isinstance(value, Const) else None
