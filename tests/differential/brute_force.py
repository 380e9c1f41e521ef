"""An explorer that does nothing clever: breadth first, every thread at every state, a plain dict of states.

It knows no property of the program but what `Machine.step` answers for single instructions. Races, deadlocks, lost
memory and the values left at the end are defined here a second time, on purpose: what the engines and
`semantics.violations` say is compared with this.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.ir.instr import ErrorKind, HaltKind, UndefinedKind
from threadproof.ir.program import Lifetime, Mutability, Program
from threadproof.semantics.machine import Machine
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NotSupported,
    Outcome,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.run import Granularity, Spurious
from threadproof.semantics.state import CHUNK, Life, Phase, State, Thread

Final = tuple[str, tuple[tuple[str, Any], ...]]
"""How the program ended, and what each global variable held."""

WIDE = tuple(range(-8, 9))
"""Values tried for a choice with many; generated programs mention no constant outside except type limits."""


@dataclass(slots=True)
class Explored:
    """Everything that can happen."""

    states: int = 0
    finals: set[Final] = field(default_factory=set)
    failed: set[tuple[ErrorKind, int]] = field(default_factory=set)  # with the line
    undefined: set[tuple[UndefinedKind, int]] = field(default_factory=set)
    unsupported: set[str] = field(default_factory=set)
    race: bool = False
    deadlock: bool = False
    lost: bool = False
    guessed: bool = False  # not every value of every choice was tried

    def verdict(self, prop: Property) -> Verdict:
        if self._violates(prop):
            return Verdict.FALSE
        return Verdict.UNKNOWN if self.undefined or self.unsupported or self.guessed else Verdict.TRUE

    def _violates(self, prop: Property) -> bool:
        kinds = {kind for kind, _ in self.failed}
        match prop:
            case Property.UNREACH_CALL:
                return bool(kinds - {ErrorKind.OVERFLOW})
            case Property.NO_OVERFLOW:
                return ErrorKind.OVERFLOW in kinds
            case Property.NO_DATA_RACE:
                return self.race
            case Property.NO_DEADLOCK:
                return self.deadlock
            case Property.VALID_MEMSAFETY:
                return self.lost or any(kind in MEMORY_ERRORS for kind, _ in self.undefined)


MEMORY_ERRORS = {
    UndefinedKind.NULL_DEREFERENCE,
    UndefinedKind.WILD_DEREFERENCE,
    UndefinedKind.OUT_OF_BOUNDS,
    UndefinedKind.USE_AFTER_FREE,
    UndefinedKind.DEAD_LOCAL,
    UndefinedKind.WRITE_TO_CONSTANT,
    UndefinedKind.DOUBLE_FREE,
    UndefinedKind.INVALID_FREE,
}


class TooManyStates(Exception):
    """The program is too large for this explorer."""


def explore(
    program: Program,
    *,
    granularity: Granularity = Granularity.INSTRUCTION,
    spurious: Spurious = Spurious.ON,
    limit: int = 20_000,
) -> Explored:
    """All states of the program. What the program says about sharing is not believed."""
    machine = Machine(everything_shared(program), granularity, spurious)
    start = machine.initial()
    seen: dict[Any, None] = {start.key(): None}
    todo = deque([start])
    found = Explored()
    while todo:
        state = todo.popleft()
        for successor in _expand(machine, state, found):
            key = successor.key()
            if key not in seen:
                seen[key] = None
                todo.append(successor)
        if len(seen) > limit:
            raise TooManyStates(f"more than {limit} states")
    found.states = len(seen)
    return found


def everything_shared(program: Program) -> Program:
    functions = {name: replace(function, unshared=frozenset()) for name, function in program.functions.items()}
    return replace(program, functions=functions, unshared=frozenset())


def _expand(machine: Machine, state: State, found: Explored) -> list[State]:
    successors: list[State] = []
    footprints: list[list[Access]] = []
    waiting = 0
    alive = [number for number, thread in state.threads.items() if thread.phase is not Phase.FINISHED]
    for number in alive:
        outcomes = list(_outcomes(machine, state, number, found))
        waiting += all(isinstance(outcome, Blocked) for outcome in outcomes)
        for outcome in outcomes:
            _enter(machine, outcome, found)
            if isinstance(outcome, Moved):
                successors.append(outcome.state)
        footprints.append(list(_next_accesses(machine, state, number, outcomes, found)))
    found.deadlock |= bool(alive) and waiting == len(alive)
    found.race |= _some_race(footprints)
    found.lost |= _loses_memory(machine, state, main_is_gone=False)
    return successors


def _outcomes(machine: Machine, state: State, number: int, found: Explored) -> Iterator[Outcome]:
    todo: list[tuple[int, ...]] = [()]
    while todo:
        choices = todo.pop()
        outcome = machine.step(state, number, choices)
        if not isinstance(outcome, Choose):
            yield outcome
            continue
        values: tuple[int, ...] = tuple(range(outcome.low, outcome.high + 1)[:256])
        if outcome.high - outcome.low >= 256:
            found.guessed = True
            values = tuple(v for v in {*WIDE, outcome.low, outcome.high} if outcome.low <= v <= outcome.high)
        todo.extend((*choices, value) for value in values)


def _enter(machine: Machine, outcome: Outcome, found: Explored) -> None:
    match outcome:
        case Finished():
            found.finals.add((outcome.kind.value, global_values(machine, outcome.state)))
            found.lost |= _loses_memory(machine, outcome.state, main_is_gone=outcome.kind is HaltKind.RETURN)
        case Failed():
            found.failed.add((outcome.kind, outcome.loc.line))
        case UndefinedBehaviour():
            found.undefined.add((outcome.kind, outcome.loc.line))
        case NotSupported():
            found.unsupported.add(outcome.construct)
        case Moved() | Blocked() | Stuck() | AssumptionFailed() | Choose():
            pass


# --- races ---------------------------------------------------------------------------------------------------------


def _next_accesses(
    machine: Machine, state: State, number: int, outcomes: list[Outcome], found: Explored
) -> Iterator[Access]:
    """What the thread's next instruction touches. A thread that only waits for another's atomic block to end counts
    as well: the block is one step, so its accesses meet whatever the others are about to do."""
    if state.atomic is not None and state.atomic != number:
        outcomes = list(_outcomes(machine, state._replace(atomic=None), number, found))
    for outcome in outcomes:
        if not isinstance(outcome, Blocked | Choose):
            yield from (effect for effect in outcome.effects if isinstance(effect, Access))


def _some_race(footprints: list[list[Access]]) -> bool:
    """Two threads, a common byte, a write, and not both atomic."""
    for index, mine in enumerate(footprints):
        for theirs in footprints[index + 1 :]:
            for a in mine:
                for b in theirs:
                    common = range(max(a.address, b.address), min(a.address + a.size, b.address + b.size))
                    writes = a.kind is not AccessKind.READ or b.kind is not AccessKind.READ
                    if len(common) and writes and not (a.atomic and b.atomic):
                        return True
    return False


# --- what is left at the end ---------------------------------------------------------------------------------------


def global_values(machine: Machine, state: State) -> tuple[tuple[str, Any], ...]:
    """Every global variable's bytes, with addresses of locals and heap blocks replaced by what lies there: where
    locals lie depends on which of them a pass has turned into registers."""
    found: list[tuple[str, Any]] = []
    for variable in machine.program.globals.values():
        if variable.lifetime is Lifetime.PROGRAM and variable.mutability is Mutability.VARIABLE:
            start = machine.layout.globals[variable.name]
            found.append((variable.name, _content(machine, state, start, variable.size)))
    return tuple(sorted(found, key=lambda pair: pair[0]))


def object_bytes(machine: Machine, state: State, start: int, size: int) -> tuple[bytes, bytes]:
    """Content and mask (nonzero: arbitrary) of a whole object."""
    data, mask = b"", b""
    for key in range(start, start + size, CHUNK):
        length = min(CHUNK, start + size - key)
        chunk = state.memory.get(key, machine.static.image.initial.get(key, bytes(length)))
        plain = isinstance(chunk, bytes)
        data += chunk if plain else chunk[0]
        mask += bytes(length) if plain else chunk[1]
    return data, mask


def _content(machine: Machine, state: State, start: int, size: int) -> Any:
    data, mask = object_bytes(machine, state, start, size)
    if any(mask):
        return "arbitrary", data.hex(), mask.hex()
    width = machine.program.data_model.pointer_bytes
    words = [data[offset : offset + width] for offset in range(0, size, width)]
    return tuple(_named(machine, state, int.from_bytes(word, "little")) for word in words)


def _named(machine: Machine, state: State, word: int) -> Any:
    if word < machine.layout.plan.main_arena:
        return word
    for thread in state.threads.values():
        for obj in (*thread.stack, *thread.heap):
            if obj.start <= word <= obj.start + obj.size:
                return thread.id, obj.name, word - obj.start
        if machine.layout.arena(thread.id) <= word < machine.layout.heap_start(thread.id):
            return thread.id, "a local that is gone"
    return word


# --- lost memory ---------------------------------------------------------------------------------------------------


def _loses_memory(machine: Machine, state: State, *, main_is_gone: bool) -> bool:
    """Whether some live heap block can no longer be reached from any word of memory or any register."""
    blocks = [obj for thread in state.threads.values() for obj in thread.heap if obj.life is Life.ALIVE]
    if not blocks:
        return False
    reached: set[int] = set()
    words = set(_roots(machine, state, main_is_gone))
    while words:
        word = words.pop()
        for block in blocks:
            if block.start <= word <= block.start + block.size and block.start not in reached:
                reached.add(block.start)
                words |= set(_words(machine, state, block.start, block.size))
    return len(reached) < len(blocks)


def _roots(machine: Machine, state: State, main_is_gone: bool) -> Iterator[int]:
    for variable in machine.program.globals.values():
        if variable.lifetime is Lifetime.PROGRAM:
            start = machine.layout.globals[variable.name]
            yield from _words(machine, state, start, variable.size)
    for number, thread in state.threads.items():
        yield from _thread_words(machine, state, thread, gone=main_is_gone and number == 0)


def _thread_words(machine: Machine, state: State, thread: Thread, *, gone: bool) -> Iterator[int]:
    values = [thread.result, *(value for _, value in thread.specifics)]
    if not gone:
        values += [value for frame in thread.frames for value in frame.regs[1:]]
        for obj in thread.stack:
            yield from _words(machine, state, obj.start, obj.size)
    for value in values:
        if isinstance(value, tuple):
            yield value[0] if isinstance(value[0], int) else 0
        elif value is not None:
            yield int(value)
    if thread.phase is not Phase.FINISHED:
        arena = machine.layout.arena(thread.id)
        for name, offset in machine.layout.tls.items():
            yield from _words(machine, state, arena + offset, machine.program.globals[name].size)


def _words(machine: Machine, state: State, start: int, size: int) -> Iterator[int]:
    data, width = object_bytes(machine, state, start, size)[0], machine.program.data_model.pointer_bytes
    for offset in range(0, len(data) - width + 1, 4):
        yield int.from_bytes(data[offset : offset + width], "little")
