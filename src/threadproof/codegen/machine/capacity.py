"""How much room a state block has. Running out is an outcome of its own; a larger machine then starts again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from threadproof.analysis.control.call_graph import address_taken, callees
from threadproof.codegen.machine.numbering import Body, Numbering, padded
from threadproof.ir import instr as ir
from threadproof.ir.expr import Const
from threadproof.sync.facts import Act, does

ROOMS = ("threads", "frames", "registers", "stack_objects", "stack_bytes", "heap_objects", "heap_bytes", "keys")
DEPTH = ("frames", "registers", "stack_objects", "stack_bytes")
"""What recursion needs more and more of."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """0: as the program suggests."""

    threads: int = 0
    frames: int = 0
    registers: int = 0
    stack_objects: int = 0
    stack_bytes: int = 0
    heap_objects: int = 0
    heap_bytes: int = 0
    keys: int = 0

    def grown(self, room: str) -> Capacity:
        """Much more of it, up to the limit; every growth costs a compiler run, so calls get room for all they need."""
        rooms = DEPTH if room in ("frames", "registers") else (room,)
        return replace(self, **{each: self._more(each) for each in rooms})

    def _more(self, room: str) -> int:
        """What was given may be beyond the limit."""
        now = getattr(self, room)
        return max(now, min(4 * now, getattr(LIMIT, room)))


LIMIT = Capacity(1024, 1 << 17, 1 << 20, 1 << 17, 1 << 24, 1 << 14, 1 << 24, 256)
"""A program that needs more is answered with `unknown`."""

MOST_AWAKE = 24
"""Threads that run where others are dormant."""


@dataclass(frozen=True, slots=True)
class _Need:
    frames: int = 0
    registers: int = 0
    objects: int = 0
    bytes: int = 0


def suggested(numbering: Numbering, given: Capacity, dormant: int = 0) -> Capacity:
    """What was given, and for the rest what calls, allocations and creations in the program suggest."""
    needs = _Needs(numbering)
    instrs = [instr for body in numbering.bodies.values() for instr in body.instrs]
    heap = any(isinstance(i, ir.Alloc) and i.storage is ir.Storage.HEAP for i in instrs)
    keys = sum(does(i, Act.KEY_CREATE) for i in instrs)
    creates = sum(does(i, Act.CREATE) for i in instrs)
    whole = needs.of_program()
    guess = Capacity(
        threads=_threads(creates, needs.nested, dormant),
        frames=max(1, whole.frames),
        registers=max(8, whole.registers),
        stack_objects=max(1, whole.objects),
        stack_bytes=padded(max(8, whole.bytes)),
        heap_objects=8 if heap else 1,
        heap_bytes=256 if heap else 8,
        keys=keys * 2,
    )
    return replace(guess, **{room: getattr(given, room) for room in ROOMS if getattr(given, room)})


def _threads(creates: int, nested: bool, dormant: int) -> int:
    if dormant:
        return min(1 + dormant * creates, MOST_AWAKE)
    return (max(4, creates + 1) if creates else 1) * (2 if nested else 1)


class _Needs:
    """The longest way down the call graph; recursion counts a few times."""

    def __init__(self, numbering: Numbering) -> None:
        self._bodies = numbering.bodies
        self._taken = address_taken(numbering.program)
        self._found: dict[str, _Need] = {}
        self.nested = slot_is_number(numbering)

    def of_program(self) -> _Need:
        parts = [self._of(name, frozenset()) for name in self._bodies]
        return _Need(
            *(max(getattr(part, what) for part in parts) for what in ("frames", "registers", "objects", "bytes"))
        )

    def _of(self, name: str, above: frozenset[str]) -> _Need:
        if name in above:
            return _Need(4, 0, 0, 0)
        found = self._found.get(name)
        if found is None:
            body = self._bodies[name]
            called = callees(body.function, self._taken) & self._bodies.keys()
            below = [self._of(callee, above | {name}) for callee in sorted(called)]
            recursive = name in called
            own = _own(body)
            times = 4 if recursive else 1
            found = self._found[name] = _Need(
                max((part.frames + 1 for part in below), default=0),
                times * own.registers + max((part.registers for part in below), default=0),
                times * own.objects + max((part.objects for part in below), default=0),
                times * own.bytes + max((part.bytes for part in below), default=0),
            )
        return found


def _own(body: Body) -> _Need:
    stack = [i for i in body.instrs if isinstance(i, ir.Alloc) and i.storage is ir.Storage.STACK]
    sizes = [padded(i.size.value) if isinstance(i.size, Const) else 64 for i in stack]
    return _Need(0, body.slot_count, len(stack), sum(sizes))


def slot_is_number(numbering: Numbering) -> bool:
    """Whether threads other than main may create threads: their numbers then are not dense."""
    from threadproof.analysis.control.call_graph import reachable

    program = numbering.program
    started = address_taken(program) - {program.entry}
    for name in sorted(reachable(program, started)):
        instrs = numbering.bodies[name].instrs
        if any(does(i, Act.CREATE) for i in instrs):
            return True
    return False
