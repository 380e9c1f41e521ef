"""The native search as Python sees it: parameters, figures, and the schedule it stands at."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from threadproof.codegen.machine.blocks import i32, i64, u64
from threadproof.codegen.machine.operations import ERROR_KINDS, UNDEFINED_KINDS
from threadproof.codegen.machine.variant import Footprints
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.crowd import describe_crowd
from threadproof.codegen.runs.leaks import Leaks
from threadproof.codegen.runs.native import NativeMachine, thread_type
from threadproof.codegen.runs.workers import Workers
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import identity
from threadproof.engines.dpor.native import MAX_JOBS, WAITS, Answered, DporBlock, DporReduction, search_library
from threadproof.engines.dpor.op_kinds import is_wait, op_kind
from threadproof.ir.program import Program
from threadproof.semantics.leaks import allocates
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.violations import failures, forbidden
from threadproof.sync.facts import WAITS_FOR_THREAD


@dataclass(frozen=True, slots=True)
class Settings:
    reduction: DporReduction = DporReduction.OPTIMAL
    max_depth: int = 5_000
    slice: int = 20_000
    ends: int = 0  # room for digests of end states
    jobs: int = 1  # workers; they change no verdict and no count of executions
    gives_after: int = 64  # events a worker makes at least before it parts with work again
    preemptions: int | None = None  # a bound; then there is no reduction, and states are not entered twice


class Worker:
    """One worker of the kernel, and what it knows: it is its own, or `like` what the first one was told."""

    def __init__(self, state_size: int, ends: int, like: Worker | None = None) -> None:
        self._library = search_library()
        self.memory = ctypes.create_string_buffer(int(self._library.td_size()))
        self.block: Any = DporBlock.from_buffer(self.memory)
        if like is not None:
            ctypes.memmove(self.memory, like.memory, ctypes.sizeof(DporBlock))
        self._ends = (u64 * max(1, ends))()
        if ends:
            self.block.ends, self.block.end_room = self._ends, ends
        self._is_open = False

    def open(self, first: Worker) -> bool:
        beside = None if first is self else first.memory
        self._is_open = bool(self._library.td_begin(self.memory, beside))
        return self._is_open

    def search(self) -> Answered:
        return Answered(self._library.td_search(self.memory))

    @property
    def ends(self) -> set[int]:
        count = int(self.block.end_count)
        assert count <= len(self._ends), "more ends than there was room for"
        return set(self._ends[:count])

    def told(self, tell: Any) -> tuple[Any, Any, int]:
        """Moves, choices, and how many moves."""
        moves, choices = (i32 * (2 * self.block.move_top + 2))(), (i64 * (self.block.choice_top + 1))()
        return moves, choices, tell(self.memory, moves, choices)

    def close(self) -> None:
        if self._is_open:
            self._library.td_end(self.memory)
            self._is_open = False


_GRAVEST = (
    *(Answered.FOUND, Answered.RACE, Answered.DEADLOCK, Answered.STOPPED, Answered.THREADS, Answered.MEMORY),
    *(Answered.CHOICE, Answered.TICK, Answered.DONE),
)
"""What a round comes to if workers answered differently: the first of these that one says."""


class Kernel:
    """One search over one machine, by one worker or several; a larger machine needs a new one."""

    def __init__(self, machine: NativeMachine, prop: Property, settings: Settings) -> None:
        self.machine = machine
        self._library = search_library()
        first = Worker(machine.state_size, settings.ends)
        self._kept = _describe(machine, first.block)
        if prop is Property.VALID_MEMSAFETY and allocates(machine.program):
            self._leaks = Leaks(machine)
            first.block.loses, first.block.leaks = self._leaks.function, self._leaks.address
        _ask(first.block, machine, prop, settings)
        count = min(settings.jobs, MAX_JOBS)
        self._all = [first, *(Worker(machine.state_size, settings.ends, first) for _ in range(1, count))]
        self._answered = first
        """The worker whose answer the last one was."""
        self._are_open = all(worker.open(first) for worker in self._all)
        self._workers = Workers[Answered](count)

    def use(self, machine: NativeMachine) -> None:
        """Go on with this machine, which has the same states."""
        assert machine.state_size == self.machine.state_size
        self.machine = machine
        self._kept.append(machine.library)
        for worker in self._all:
            _call(machine, worker.block)

    def search(self) -> Answered:
        """On with the search, to the next answer."""
        if not self._are_open:
            raise MemoryError
        answers = self._workers.round([worker.search for worker in self._all])
        self._library.td_between(self._all[0].memory)
        answer = next(one for one in _GRAVEST if one in answers)
        self._answered = self._all[answers.index(answer)]
        return answer

    def offer(self, values: list[int]) -> None:
        """What to try where `CHOICE` was answered."""
        wrapped = [(v + (1 << 63)) % (1 << 64) - (1 << 63) for v in values]
        self._library.td_values(self._answered.memory, (i64 * len(values))(*wrapped), len(values))

    def count(self, name: str) -> int:
        """A figure of all workers together."""
        return sum(int(getattr(block, name)) for block in self.blocks)

    @property
    def blocks(self) -> list[Any]:
        return [worker.block for worker in self._all]

    @property
    def block(self) -> Any:
        """What the worker says that answered."""
        return self._answered.block

    @property
    def explored(self) -> float:
        """The share of the search that is done, estimated: nobody knows what others have before them."""
        return min(float(block.explored) for block in self.blocks)

    @property
    def ends(self) -> set[int]:
        """Digests of the states in which executions ended."""
        return set[int]().union(*(worker.ends for worker in self._all))

    def schedule(self) -> Schedule:
        """The moves of the execution the search stands in."""
        return self._moves(*self._answered.told(self._library.td_moves))

    def race_schedule(self) -> Schedule:
        """Moves that lead to where both accesses of the race found are next."""
        return self._moves(*self._answered.told(self._library.td_race_moves))

    def _moves(self, moves: Any, choices: Any, count: int) -> Schedule:
        found: list[Move] = []
        used = 0
        for i in range(count):
            name, chosen = moves[2 * i], moves[2 * i + 1]
            number = name if self.machine.variant.dormant else self.machine.decoder.number(name)
            found.append(Move(identity(number), tuple(choices[used : used + chosen])))
            used += chosen
        return tuple(found)

    def close(self) -> None:
        self._workers.close()
        for worker in self._all:
            worker.close()


def machine_for(
    program: Program, spurious: Spurious, effort: CompilerEffort = CompilerEffort.NONE, dormant: int = 0
) -> NativeMachine:
    return NativeMachine(
        program,
        Granularity.VISIBLE,
        spurious,
        effort=effort,
        solo=Solo.EVER,
        footprints=Footprints.ON,
        dormant=dormant,
    )


def _describe(machine: NativeMachine, block: Any) -> list[Any]:
    """Tell the kernel about the machine; what it points to must be kept."""
    waits = WAITS if machine.spurious is Spurious.ON else 0
    instrs = [instr for body in machine.numbering.bodies.values() for instr in body.instrs]
    kinds = bytes(op_kind(instr) | (waits if is_wait(instr) else 0) for instr in instrs)
    initial = ctypes.create_string_buffer(machine.initial(), machine.state_size)
    op_kinds = ctypes.create_string_buffer(kinds, len(kinds) + 1)
    _call(machine, block)
    block.initial, block.op_kind = ctypes.addressof(initial), ctypes.addressof(op_kinds)
    machine.describe(block)
    block.join = machine.numbering.texts.number(WAITS_FOR_THREAD)
    if machine.variant.dormant:
        block.number_at = thread_type(machine.decoder.block).number.offset
    return [machine.library, initial, op_kinds, describe_crowd(machine, block.crowd)]


def _ask(block: Any, machine: NativeMachine, prop: Property, settings: Settings) -> None:
    block.reduction = settings.reduction
    block.max_depth = _depth(settings.max_depth, machine.state_size)
    block.slice, block.gives_after = settings.slice, settings.gives_after
    if settings.preemptions is not None:
        assert settings.reduction is DporReduction.NONE, "the bound may forbid what others are left out for"
        assert settings.jobs == 1, "each worker would have states of its own"
        block.bounded, block.preemptions = 1, settings.preemptions
    block.watch_races = prop is Property.NO_DATA_RACE
    block.watch_deadlocks = prop is Property.NO_DEADLOCK
    block.error_kinds, block.undefined_kinds = _watched(prop)


def _call(machine: NativeMachine, block: Any) -> None:
    block.step = ctypes.cast(machine.library.tp_step, ctypes.c_void_p)
    block.word = ctypes.cast(machine.library.tp_word, ctypes.c_void_p)


def _depth(wanted: int, state_size: int) -> int:
    """States of the whole stack are kept: no more than a gigabyte of them."""
    return max(64, min(wanted, (1 << 30) // state_size))


def _watched(prop: Property) -> tuple[int, int]:
    """Which errors and which kinds of undefined behaviour violate the property, as sets of bits."""
    return (
        sum(1 << ERROR_KINDS.index(kind) for kind in failures(prop)),
        sum(1 << UNDEFINED_KINDS.index(kind) for kind in forbidden(prop)),
    )
