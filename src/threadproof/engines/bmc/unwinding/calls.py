"""A function being unwound, and whether its loops go round once more."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from threadproof.engines.bmc.unwinding.events import Limit, UnwoundThread, Why
from threadproof.engines.bmc.unwinding.idling import Idling, idles
from threadproof.engines.bmc.unwinding.objects import UnwoundObject
from threadproof.engines.bmc.unwinding.shape import Key, Position, UnwindingShape
from threadproof.engines.bmc.unwinding.state import Arrival
from threadproof.engines.bmc.unwinding.world import Unwound, UnwoundStep

WORKED = -1  # a round of a loop did, on some path, more than to wait for a mutex


@dataclass(slots=True)
class UnwoundCall:
    """A function being unwound in one context."""

    shape: UnwindingShape
    thread: UnwoundThread
    site: Hashable
    depth: int
    queue: list[Key] = field(default_factory=list[Key])
    waiting: dict[Key, tuple[Position, list[Arrival]]] = field(
        default_factory=dict[Key, "tuple[Position, list[Arrival]]"]
    )
    headers: dict[Key, Arrival] = field(default_factory=dict[Key, Arrival])
    parts: dict[Key, int] = field(default_factory=dict[Key, int])
    left: set[Key] = field(default_factory=set[Key])  # rounds of loops that may have been the last
    stayed: set[Key] = field(default_factory=set[Key])  # rounds that certainly were not, by an exit not taken
    waited: dict[Key, int] = field(default_factory=dict[Key, int])  # begun after a round that waited, with this mutex
    counted: dict[Key, int] = field(default_factory=dict[Key, int])
    locals: list[UnwoundObject] = field(default_factory=list[UnwoundObject])
    returns: list[Arrival] = field(default_factory=list[Arrival])

    def note_exit(self, position: Position, target: str | None, taken: bool) -> None:
        """An edge out of loops, or a return: whether it may be taken. One that only leads to an end of the program does
        not make it open how often a loop goes round."""
        if taken and target is not None and self.shape.ends(target):
            return
        for header in self.shape.left(position, target):
            (self.left if taken else self.stayed).add(self.shape.key(header))


def again(
    world: Unwound, call: UnwoundCall, target: Position, header: str, step: UnwoundStep, arrival: Arrival
) -> bool:
    """Whether the loop goes round once more."""
    before = Position(header, (*target.iterations[:-1], target.iterations[-1] - 1))
    began_key, key = call.shape.key(before), call.shape.key(target)
    began = call.headers[began_key]
    passed = call.thread.entries[call.parts[began_key] :]
    idling = idles(world, began, arrival, passed, call.shape.live[header])
    if idling is Idling.NOTHING or idling == call.waited.get(began_key):
        world.may_wait = True
        world.halts.append(world.terms.all(step.state.guard))
        return False
    waited = idling if isinstance(idling, int) else WORKED
    call.waited[key] = waited if call.waited.get(key, waited) == waited else WORKED
    open_ended = began_key in call.left or began_key not in call.stayed
    counted = call.counted.get(began_key, 0) + (open_ended and not isinstance(idling, int))
    call.counted[key] = max(counted, call.counted.get(key, 0))
    loop = (call.shape.function.name, header)
    if counted >= world.bounds.of(loop) or target.iterations[-1] - counted > world.bounds.known:
        world.end(step, world.terms.true, Limit(Why.LOOP, loop))
        return False
    return True


def by_block(arrivals: list[Arrival]) -> list[list[Arrival]]:
    """Paths that come from different atomic blocks (to a place where all of them fail, say) do not meet."""
    found: dict[tuple[int, int], list[Arrival]] = {}
    for arrival in arrivals:
        found.setdefault((arrival.state.depth, arrival.state.block), []).append(arrival)
    return list(found.values())
