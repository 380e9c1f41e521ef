"""Every access to memory that a program can make, with what is known when it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from threadproof.analysis.abstract_threads.flow import Flow, Point
from threadproof.analysis.abstract_threads.memory_map import RegionAccess
from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.thread_state import HeldLock, KnownFlag, ThreadState, Ticket, Together
from threadproof.analysis.points_to import ObjectKind, Place
from threadproof.analysis.points_to.objects import ZERO
from threadproof.analysis.values.ranges import Span, span
from threadproof.analysis.values.symbolic import Sum
from threadproof.core.source import SourceLoc
from threadproof.ir.expr import Expr, PtrAdd
from threadproof.ir.instr import CompareExchange, Free, Load, Order, Rmw, Store, Sync, Unsupported
from threadproof.sync.facts import Act, does

WHOLE = 1 << 40  # bytes: more than any block has


class AccessAction(Enum):
    READ = "reads"
    WRITE = "writes"
    FREE = "frees"  # which is a write to the whole block


class AccessAtomicity(Enum):
    PLAIN = "plain"
    ATOMIC = "atomic"


@dataclass(frozen=True, slots=True)
class ThreadAccess:
    """One access of one abstract thread."""

    thread: str
    loc: SourceLoc
    places: frozenset[Place]
    size: int
    action: AccessAction
    atomicity: AccessAtomicity
    locks: frozenset[HeldLock]
    running: frozenset[str]
    address: Sum
    known: frozenset[KnownFlag]  # about flags
    base: Expr  # the pointer the address was made from
    tickets: frozenset[Ticket]  # numbers the thread drew
    together: frozenset[Together]
    span: Span | None  # of a loop that runs through an array
    region: RegionAccess | None  # the list it belongs to


class Unresolved(Exception):
    """Something whose accesses are not known; the text says what and where."""


def records(facts: ThreadFacts) -> list[ThreadAccess]:
    """The accesses to objects that more than one thread can know."""
    if facts.memory.points_to.wild:
        raise Unresolved("a store through a pointer that may point anywhere")
    found: dict[ThreadAccess, None] = {}
    for name, points in facts.points.items():
        for point in points:
            for record in _of_point(facts, facts.flows[name], point):
                found[record] = None
    return list(found)


def _of_point(facts: ThreadFacts, flow: Flow, point: Point) -> Iterator[ThreadAccess]:
    instr = point.instr
    match instr:
        case Load():
            yield from _access(facts, flow, point, instr.address, instr.size, AccessAction.READ, _kind(instr.order))
        case Store():
            yield from _access(facts, flow, point, instr.address, instr.size, AccessAction.WRITE, _kind(instr.order))
        case Rmw() | CompareExchange():
            yield from _access(
                facts, flow, point, instr.address, instr.size, AccessAction.WRITE, AccessAtomicity.ATOMIC
            )
        case Free():
            yield from _access(facts, flow, point, instr.address, WHOLE, AccessAction.FREE, AccessAtomicity.PLAIN)
        case Sync():
            for address, size in facts.memory.results(instr):
                yield from _access(facts, flow, point, address, size, AccessAction.WRITE, AccessAtomicity.PLAIN)
            if does(instr, Act.KEY_CREATE) and facts.memory.places(flow.name, instr.args[1]):
                raise Unresolved(f"a destructor of thread-specific data at {instr.loc}")
        case Unsupported():
            raise Unresolved(f"unsupported: {instr.construct} at {instr.loc}")
        case _:
            pass


def _kind(order: Order) -> AccessAtomicity:
    return AccessAtomicity.PLAIN if order is Order.PLAIN else AccessAtomicity.ATOMIC


def _access(
    facts: ThreadFacts, flow: Flow, point: Point, address: Expr, size: int, action: AccessAction, kind: AccessAtomicity
) -> Iterator[ThreadAccess]:
    places = facts.memory.places(flow.name, address)
    if any(place.root.kind is ObjectKind.ANYTHING for place in places):
        raise Unresolved(f"an access through a pointer that may point anywhere at {point.instr.loc}")
    shared = frozenset(place for place in facts.memory.memory(flow.name, address) if place.root in facts.memory.shared)
    if action is AccessAction.FREE:  # of a block, at its start: all else is no race but undefined
        shared = frozenset(Place(place.root, ZERO) for place in shared if place.root.kind is ObjectKind.HEAP)
    total = flow.symbols.sum(address)
    if not shared or (len({place.root for place in places}) == 1 and _is_fresh(total, point.before)):
        return
    state = point.after if isinstance(point.instr, Sync) and not does(point.instr, Act.CREATE) else point.before
    if state.atomic:
        kind = AccessAtomicity.ATOMIC
    running = frozenset(name for name, _ in state.running)
    yield ThreadAccess(
        flow.name,
        point.instr.loc,
        shared,
        size,
        action,
        kind,
        state.locks,
        running,
        total,
        state.known,
        _base(flow, address),
        state.tickets,
        state.together,
        span(flow.loops, point.site.block, total),
        facts.memory.regions.get(point.site),
    )


def _base(flow: Flow, address: Expr) -> Expr:
    base = flow.symbols.expand(address)
    while isinstance(base, PtrAdd):
        base = base.base
    return base


def _is_fresh(address: Sum, state: ThreadState) -> bool:
    """Whether the access is to an object that nobody else can know yet."""
    bases = [symbol for symbol, factor in address.terms if factor == 1]
    return any(getattr(symbol, "name", None) in state.fresh for symbol in bases)
