"""The native stateful search over a machine: one call explores many states. The C is that of `_KERNEL`.

The search itself is compiled once and serves every program; it is given a machine's `tp_step` and may be given another
one with the same states later (the same machine compiled with more effort).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any

import numpy as np

from threadproof.analysis.footprints.futures import Futures
from threadproof.analysis.footprints.quiet import quiet_steps
from threadproof.codegen.kernel import search_kernel
from threadproof.codegen.machine.blocks import DetailBlock, i32, u32, u64
from threadproof.codegen.machine.capacity import ROOMS
from threadproof.codegen.machine.operations import ERROR_KINDS, UNDEFINED_KINDS
from threadproof.codegen.runs.batch import schedule_of
from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.crowd import CrowdBlock, describe_crowd
from threadproof.codegen.runs.leaks import Asks, Leaks
from threadproof.codegen.runs.native import NativeMachine, thread_type
from threadproof.codegen.runs.outcomes import NativeOutcome, OutcomeKind
from threadproof.codegen.runs.workers import Workers
from threadproof.core.schedule import Schedule
from threadproof.engines.explicit.fact_tables import FactTables, SymmetryTables
from threadproof.ir.instr import ErrorKind, Nondet, UndefinedKind
from threadproof.semantics.domains import program_constants

PIECE = 512
"""Of `table.h`."""
MOST_JOBS = 64
"""Of `search.h`."""
_KERNEL = (
    "table.h", "blocks.h", "hand.h", "persistent.h", "search.h", "waiting.h", "steps.h",
    "choose.h", "fold.h", "expand.h", "proviso.h", "workers.h",
)  # fmt: skip


class SearchEnd(IntEnum):
    """How a call ended: the order of the kernel's enumeration."""

    MORE = 0
    DONE = 1
    VIOLATED = 2
    NOT_NATIVE = 3
    SHORT = 4  # of room in the state block
    MEMORY = 5
    LOST = 6  # a state that waited was never expanded: a mistake of ours


_GRAVEST = (
    SearchEnd.VIOLATED,
    SearchEnd.LOST,
    SearchEnd.NOT_NATIVE,
    SearchEnd.MEMORY,
    SearchEnd.SHORT,
)
"""What a round comes to if workers ended differently: the first of these that one says."""


class Meaning(IntEnum):
    """What an outcome means for the property."""

    END = 0
    CUT = 1
    VIOLATION = 2


class WhenShort(IntEnum):
    """What happens when a state block has no room."""

    STOP = 0
    GO_ON = 1  # with all other states first


class SearchWatch(IntEnum):
    """What is looked for in states rather than in outcomes."""

    NOTHING = 0
    RACES = 1
    DEADLOCKS = 2
    LOST = 3  # memory: see `codegen.runs.leaks`
    KEPT = 4


_MEMORY = {SearchWatch.LOST: Asks.LOST, SearchWatch.KEPT: Asks.KEPT}


class SearchReduction(IntEnum):
    NONE = 0
    LOCAL = 1  # a thread whose next step is private moves alone (an ample set of one process)
    PERSISTENT = 2  # and otherwise only the threads of a persistent set


class Fold(IntEnum):
    """Which states are one: equal ones, or also those that differ by a permutation of threads."""

    EQUAL = 0
    SYMMETRIC = 1


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    failed: frozenset[ErrorKind]  # these are violations, others end the execution
    undefined: frozenset[UndefinedKind]  # these are violations, others keep `true` from being said
    watch: SearchWatch = SearchWatch.NOTHING
    reduction: SearchReduction = SearchReduction.PERSISTENT
    fold: Fold = Fold.SYMMETRIC


class _SearchBlock(ctypes.Structure):
    _fields_ = (
        ("step", ctypes.c_void_p),
        ("initial", ctypes.c_void_p),
        *((name, u32) for name in ("state_size", "threads", "threads_at", "thread_size", "pc_at", "area_count")),
        ("areas", ctypes.c_void_p),
        ("of_failed", ctypes.c_void_p),
        ("of_undefined", ctypes.c_void_p),
        ("watch", i32),
        ("reduction", i32),
        ("goes_on", i32),
        ("telling_count", u32),
        ("telling", ctypes.c_void_p),
        ("quiet_at", ctypes.c_void_p),
        ("facts", ctypes.c_void_p),
        ("symmetry", ctypes.c_void_p),
        ("values_at", ctypes.c_void_p),
        ("values", ctypes.c_void_p),
        ("crowd", CrowdBlock),
        ("ended", ctypes.c_void_p),
        ("loses", ctypes.c_void_p),
        ("leaks", ctypes.c_void_p),
        *((name, u64) for name in ("states", "steps", "ends", "waiting", "contents")),
        ("cut", i32),
        ("cut_outcome", i32),
        ("short_of", i32),
        ("detail", DetailBlock),
        *((name, u64) for name in ("last_state", "last_slot", "last_choices")),
        *((name, u64) for name in ("met_state", "met_slot", "met_choices", "met")),
        ("inside", ctypes.c_void_p),
    )


Ended = Callable[[int, OutcomeKind, Any], None]
"""Told of every execution that ends: where its last state lies (until the call returns), how, and the details."""
_ENDED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(DetailBlock))


class NativeSearch:
    """States are kept between calls; `close` gives their memory back."""

    def __init__(
        self,
        machine: NativeMachine,
        question: SearchQuestion,
        when_short: WhenShort = WhenShort.STOP,
        known: Futures | None = None,
        ended: Ended | None = None,
        jobs: int = 1,
    ) -> None:
        """`known` is what `footprints.futures` says about it, without which persistent sets are all threads. `jobs` are
        the workers, at most MOST_JOBS; they change no count and no answer, but which violation is found first."""
        self._machine = machine
        self._library = _search_library()
        self._kept: list[Any] = []
        self._block: Any = _SearchBlock()
        self._blocks: list[Any] = [self._block]  # of every worker
        self._ended_with: Any = self._block  # the worker that found what ended the search
        self._set_machine(machine)
        self._set_question(question)
        if known is not None:
            self._facts = FactTables(machine, known)
            self._block.facts = self._facts.address
            if known.symmetric and question.fold is Fold.SYMMETRIC and not machine.variant.dormant:
                self._symmetry = SymmetryTables(machine)
                self._block.symmetry = self._symmetry.address
        if ended is not None:
            assert jobs == 1, "Python is called by one worker at a time"
            self._kept.append(_told_to(ended))
            self._block.ended = ctypes.cast(self._kept[-1], ctypes.c_void_p)
        self._block.goes_on, self._block.short_of = when_short, -1
        self._opened = SearchEnd(self._library.ts_open(ctypes.byref(self._block)))
        for _ in range(1, min(jobs, MOST_JOBS)):
            self._join()
        self._workers = Workers[SearchEnd](len(self._blocks))

    def _join(self) -> None:
        """One more worker, if the first could be opened."""
        if self._opened is not SearchEnd.MORE:
            return
        block = _SearchBlock.from_buffer_copy(self._block)
        self._opened = SearchEnd(self._library.ts_join(ctypes.byref(block), ctypes.byref(self._block)))
        self._blocks.append(block)

    def _set_machine(self, machine: NativeMachine) -> None:
        block, layout = self._block, machine.decoder.block
        block.initial = self._keep(np.frombuffer(machine.initial(), np.uint8).copy())
        machine.describe(block)
        areas = _areas(layout)
        assert all(at % 8 == 0 and size % 8 == 0 for at, size, _, _ in areas), "parts of states are not whole words"
        block.areas, block.area_count = self._keep(np.array(areas, np.uint32)), len(areas)
        self.use(machine)
        quiet = quiet_steps(machine.program)
        bodies = machine.numbering.bodies.values()
        self._kept.append(describe_crowd(machine, block.crowd))
        marks = [(body.name, index) in quiet for body in bodies for index in range(len(body.instrs))]
        block.quiet_at = self._keep(np.array(marks or [False], np.uint8))
        lists: list[int] = [0]
        starts = np.zeros(machine.numbering.pc_count, np.uint32)
        for body in bodies:
            for pc, instr in enumerate(body.instrs, body.start):
                if isinstance(instr, Nondet) and instr.values:
                    starts[pc] = len(lists)
                    lists.extend((len(instr.values), *instr.values))
        block.values_at, block.values = self._keep(starts), self._keep(_wrapped(lists))

    def _set_question(self, question: SearchQuestion) -> None:
        block = self._block
        failed = [Meaning.VIOLATION if kind in question.failed else Meaning.END for kind in ERROR_KINDS]
        undefined = [Meaning.VIOLATION if kind in question.undefined else Meaning.CUT for kind in UNDEFINED_KINDS]
        block.of_failed = self._keep(np.array(failed, np.uint8))
        block.of_undefined = self._keep(np.array(undefined, np.uint8))
        block.watch, block.reduction = question.watch, question.reduction
        if question.watch in _MEMORY:
            self._leaks = Leaks(self._machine, _MEMORY[question.watch])
            block.loses, block.leaks = self._leaks.function, self._leaks.address
        near = (c + d for c in program_constants(self._machine.program) for d in (0, -1, 1))
        telling = [value for value in dict.fromkeys(near) if value not in (0, 1, -1)]
        block.telling, block.telling_count = self._keep(_wrapped(telling or [0])), len(telling)

    def _keep(self, array: Any) -> int:
        self._kept.append(array)
        return array.ctypes.data

    def use(self, machine: NativeMachine) -> None:
        """Go on with this machine, which has the same states."""
        assert machine.state_size == self._machine.state_size
        self._kept.append(machine.library)
        for block in self._blocks:
            block.step = ctypes.cast(machine.library.tp_step, ctypes.c_void_p)

    def run(self, states: int) -> SearchEnd:
        """Expand up to so many states. After anything but MORE the search is over."""
        if self._opened is not SearchEnd.MORE:
            return self._opened
        if len(self._blocks) == 1:
            return SearchEnd(self._library.ts_run(ctypes.byref(self._block), states))
        return self._round(-(-states // len(self._blocks)))

    def _round(self, states: int) -> SearchEnd:
        """Every worker expands up to so many."""
        ends = self._workers.round([partial(self._work, block, states) for block in self._blocks])
        over = [end for end in _GRAVEST if end in ends]
        if not over:
            return SearchEnd(self._library.ts_between(ctypes.byref(self._block)))
        self._ended_with = self._blocks[ends.index(over[0])]
        return over[0]

    def _work(self, block: Any, states: int) -> SearchEnd:
        return SearchEnd(self._library.ts_work(ctypes.byref(block), states))

    def close(self) -> None:
        self._workers.close()
        self._library.ts_close(ctypes.byref(self._block))

    # --- what was found --------------------------------------------------------------------------------------------

    def _sum(self, name: str) -> int:
        return sum(int(getattr(block, name)) for block in self._blocks)

    @property
    def states(self) -> int:
        return self._sum("states")

    @property
    def shares(self) -> tuple[int, ...]:
        """How many states each worker found."""
        return tuple(int(block.states) for block in self._blocks)

    @property
    def steps(self) -> int:
        return self._sum("steps")

    @property
    def ends(self) -> int:
        return self._sum("ends")

    @property
    def waiting(self) -> int:
        return self._sum("waiting")

    @property
    def contents(self) -> int:
        return int(self._block.contents)

    @property
    def cut(self) -> NativeOutcome | None:
        """An outcome because of which `true` cannot be said."""
        for block in self._blocks:
            if block.cut:
                return self._machine.told(OutcomeKind(block.cut_outcome), block.detail)
        return None

    @property
    def short_of(self) -> str:
        """Of SHORT: the room that was too small."""
        return ROOMS[next(int(block.short_of) for block in self._blocks if block.short_of >= 0)]

    def schedule(self) -> Schedule:
        """Of VIOLATED: the way there."""
        return self._path(self._ended_with)

    def met(self) -> Schedule | None:
        """The way to undefined behaviour that was met, if there was any. To be asked at the end of the search."""
        for block in self._blocks:
            if block.met:
                block.last_state, block.last_slot = block.met_state, block.met_slot
                block.last_choices = block.met_choices
                return self._path(block)
        return None

    def _path(self, of: Any) -> Schedule:
        count = u64()
        path, block = self._library.ts_path, ctypes.byref(of)
        length = path(block, None, None, ctypes.byref(count))
        moves, choices = np.zeros((length, 2), np.int32), np.zeros((count.value + 1, 2), np.int64)
        if length:
            path(block, moves.ctypes.data, choices.ctypes.data, ctypes.byref(count))
        state = ctypes.create_string_buffer(self._machine.state_size)
        self._library.ts_block(block, of.last_state, state)
        return schedule_of(self._machine.decoder.numbers(state.raw), moves, choices)[::-1]


_COUNTED = {
    "sdata": "sbytes",
    "smask": "sbytes",
    "hdata": "hbytes",
    "hmask": "hbytes",
    "frames": "nframes",
    "stack": "nstack",
    "heap": "nheap",
}
"""Fields of a thread of which only a beginning is in use, and the field that says how much."""


def _areas(layout: Any) -> list[tuple[int, int, int, int]]:
    """The stretches of a thread's block: where, how long, where the number in use stands, and the size of each."""
    thread = thread_type(layout)
    if ctypes.sizeof(thread) <= PIECE:
        return [(0, ctypes.sizeof(thread), 0, 0)]
    areas: list[tuple[int, int, int, int]] = []
    for name, kind in thread._fields_:
        at, size = getattr(thread, name).offset, getattr(thread, name).size
        if name in _COUNTED:
            areas.append((at, size, getattr(thread, _COUNTED[name]).offset, ctypes.sizeof(kind._type_)))
        elif areas and not areas[-1][3]:
            areas[-1] = (areas[-1][0], at + size - areas[-1][0], 0, 0)
        else:
            areas.append((at, size, 0, 0))
    return _whole_words(areas, ctypes.sizeof(thread))


def _whole_words(areas: list[tuple[int, int, int, int]], end: int) -> list[tuple[int, int, int, int]]:
    """Areas reach to where the next one begins: what lies between belongs to no field and is zero."""
    starts = [area[0] for area in areas[1:]] + [end]
    return [(at, until - at, count, unit) for (at, _, count, unit), until in zip(areas, starts, strict=True)]


def _told_to(ended: Ended) -> Any:
    def call(state: int, kind: int, detail: Any) -> None:
        ended(state, OutcomeKind(kind), detail.contents)

    return _ENDED(call)


def _wrapped(values: Sequence[int]) -> Any:
    return np.array([(value + (1 << 63)) % (1 << 64) - (1 << 63) for value in values], np.int64)


@lru_cache(maxsize=1)
def _search_library() -> ctypes.CDLL:
    found = library(search_kernel("threadproof.engines.explicit", *_KERNEL), CompilerEffort.FULL)
    pointer = ctypes.c_void_p
    found.ts_open.argtypes = found.ts_close.argtypes = (pointer,)
    found.ts_close.restype = None
    found.ts_run.argtypes = found.ts_work.argtypes = (pointer, u64)
    found.ts_join.argtypes = (pointer, pointer)
    found.ts_between.argtypes = (pointer,)
    found.ts_block.argtypes = (pointer, u64, pointer)
    found.ts_block.restype = None
    found.ts_path.argtypes = (pointer, pointer, pointer, pointer)
    found.ts_path.restype = u64
    return found
