"""The native search as Python sees it: parameters, figures, and the schedule it stands at."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

from threadproof.codegen.kernel import search_kernel
from threadproof.codegen.machine.blocks import DetailBlock, i32, i64, u32, u64
from threadproof.codegen.machine.operations import ERROR_KINDS, UNDEFINED_KINDS
from threadproof.codegen.machine.variant import Footprints
from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.leaks import Leaks
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.property import Property
from threadproof.core.schedule import Move, Schedule
from threadproof.core.thread_id import identity
from threadproof.engines.dpor.op_kinds import is_wait, op_kind
from threadproof.ir.program import Program
from threadproof.semantics.leaks import allocates
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.violations import failures, forbidden
from threadproof.sync.facts import WAITS_FOR_THREAD

_KERNEL = ("events.h", "races.h", "bound.h", "run.h")


WAITS = 16  # beside the kind of an operation: KIND_WAITS of the kernel


class DporReduction(IntEnum):
    NONE = 0
    SLEEP = 1
    SOURCE = 2
    OPTIMAL = 3


class Answered(IntEnum):
    """The order of the kernel's `D_...`."""

    DONE = 0
    TICK = 1
    FOUND = 2
    RACE = 3
    DEADLOCK = 4
    CHOICE = 5
    STOPPED = 6
    THREADS = 7


class CutBlock(ctypes.Structure):
    _fields_ = (("outcome", i32), ("kind", i32), ("text", i32), ("name", i32), ("pc", u32))


class DporBlock(ctypes.Structure):
    """The fields of the kernel's `Dpor` up to its stacks, in the same order."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("step", "word", "initial", "op_kind", "loses", "leaks")),
        *((name, u32) for name in ("state_size", "threads", "threads_at", "thread_size", "pc_at")),
        ("join", i32),
        *((name, u32) for name in ("reduction", "max_depth", "watch_races", "watch_deadlocks")),
        *((name, u32) for name in ("error_kinds", "undefined_kinds", "bounded", "preemptions")),
        ("slice", u64),
        *(
            (name, u64)
            for name in ("executions", "blocked", "redundant", "cut_runs", "diverged", "rogues", "events_made")
        ),
        ("open_ends", u64),
        ("explored", ctypes.c_double),
        *((name, u32) for name in ("depth", "answer", "found_race_with")),
        ("detail", DetailBlock),
        ("detail_outcome", i32),
        ("cuts", u32),
        ("cut", CutBlock * 8),
        ("moves", ctypes.POINTER(i32)),
        ("choices", ctypes.POINTER(i64)),
        ("move_top", u32),
        ("choice_top", u32),
        ("ends", ctypes.POINTER(u64)),
        ("end_count", u64),
        ("end_room", u64),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    reduction: DporReduction = DporReduction.OPTIMAL
    max_depth: int = 5_000
    slice: int = 20_000
    ends: int = 0  # room for digests of end states
    preemptions: int | None = None  # a bound; then there is no reduction, and states are not entered twice


class Kernel:
    """One search over one machine; a larger machine needs a new one."""

    def __init__(self, machine: NativeMachine, prop: Property, settings: Settings) -> None:
        self.machine = machine
        self.library = _library()
        self._memory = ctypes.create_string_buffer(int(self.library.td_size()))
        self.block = DporBlock.from_buffer(self._memory)
        block: Any = self.block
        self._kept = _describe(machine, block)
        block.reduction = settings.reduction
        block.max_depth = _depth(settings.max_depth, machine.state_size)
        block.slice = settings.slice
        if settings.preemptions is not None:
            assert settings.reduction is DporReduction.NONE, "the bound may forbid what others are left out for"
            block.bounded, block.preemptions = 1, settings.preemptions
        self._ends = (u64 * max(1, settings.ends))()
        if settings.ends:
            block.ends, block.end_room = self._ends, settings.ends
        block.watch_races = prop is Property.NO_DATA_RACE
        block.watch_deadlocks = prop is Property.NO_DEADLOCK
        if prop is Property.VALID_MEMSAFETY and allocates(machine.program):
            self._leaks = Leaks(machine)
            block.loses, block.leaks = self._leaks.function, self._leaks.address
        block.error_kinds, block.undefined_kinds = _watched(prop)
        self._open = bool(self.library.td_begin(self._memory))

    def use(self, machine: NativeMachine) -> None:
        """Go on with this machine, which has the same states."""
        assert machine.state_size == self.machine.state_size
        self.machine = machine
        self._kept.append(machine.library)
        _call(machine, self.block)

    def search(self) -> Answered:
        """On with the search, to the next answer."""
        if not self._open:
            raise MemoryError
        return Answered(self.library.td_search(self._memory))

    def offer(self, values: list[int]) -> None:
        """What to try where `CHOICE` was answered."""
        wrapped = [(v + (1 << 63)) % (1 << 64) - (1 << 63) for v in values]
        self.library.td_values(self._memory, (i64 * len(values))(*wrapped), len(values))

    @property
    def ends(self) -> set[int]:
        """Digests of the states in which executions ended."""
        count = int(self.block.end_count)
        assert count <= len(self._ends), "more ends than there was room for"
        return set(self._ends[:count])

    def schedule(self) -> Schedule:
        """The moves of the execution the search stands in."""
        return self._told(self.library.td_moves)

    def race_schedule(self) -> Schedule:
        """Moves that lead to where both accesses of the race found are next."""
        return self._told(self.library.td_race_moves)

    def _told(self, tell: Any) -> Schedule:
        block: Any = self.block
        moves, choices = (i32 * (2 * block.move_top + 2))(), (i64 * (block.choice_top + 1))()
        return self._moves(moves, choices, tell(self._memory, moves, choices))

    def _moves(self, moves: Any, choices: Any, count: int) -> Schedule:
        found: list[Move] = []
        used = 0
        for i in range(count):
            slot, chosen = moves[2 * i], moves[2 * i + 1]
            thread = identity(self.machine.decoder.number(slot))
            found.append(Move(thread, tuple(choices[used : used + chosen])))
            used += chosen
        return tuple(found)

    def close(self) -> None:
        if self._open:
            self.library.td_end(self._memory)
            self._open = False


def machine_for(program: Program, spurious: Spurious, effort: CompilerEffort = CompilerEffort.NONE) -> NativeMachine:
    return NativeMachine(
        program,
        Granularity.VISIBLE,
        spurious,
        effort=effort,
        solo=Solo.EVER,
        footprints=Footprints.ON,
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
    return [machine.library, initial, op_kinds]


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


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    found = library(search_kernel("threadproof.engines.dpor", *_KERNEL), CompilerEffort.FULL)
    found.td_size.restype = u64
    found.td_begin.argtypes = (ctypes.c_void_p,)
    found.td_end.argtypes = (ctypes.c_void_p,)
    found.td_end.restype = None
    found.td_values.argtypes = (ctypes.c_void_p, ctypes.POINTER(i64), u32)
    found.td_values.restype = None
    found.td_search.argtypes = (ctypes.c_void_p,)
    for tell in (found.td_moves, found.td_race_moves):
        tell.argtypes = (ctypes.c_void_p, ctypes.POINTER(i32), ctypes.POINTER(i64))
        tell.restype = u32
    return found
