"""Batches of whole runs: the results as arrays, states and schedules where asked for."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from threadproof.codegen.machine.blocks import i32, u64
from threadproof.codegen.machine.capacity import ROOMS
from threadproof.codegen.runs.decode import thread_of
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.codegen.runs.schedulers import Pct, RandomWalk, ReplayScheduler, RoundRobin, Scheduler, Uniform
from threadproof.core.errors import InputError
from threadproof.core.schedule import Move, Schedule

if TYPE_CHECKING:
    from threadproof.codegen.runs.leaks import Leaks
    from threadproof.codegen.runs.native import NativeMachine

_MAX_DEPTH = 65
_RECORDED_CHOICES = 1 << 16


class WideValues(Enum):
    """How values of wide choices are drawn."""

    UNIFORM = 0  # for statistics
    TELLING = 1  # for testing: three times in four near a number the program mentions, at a bound, or small


class ThreadLimit(Enum):
    """What a run does when there is no room for one more thread."""

    ALL = 0  # it ends: the machine is too small for it
    CAPPED = 1  # the creator waits and the others go on: one of the program's schedules as well


class Finals(Enum):
    """Whether the states that runs end in are returned."""

    DROP = "drop"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The rarer wishes."""

    finals: Finals = Finals.DROP
    level: float | None = None  # end a run when the monitor's score reaches this
    starts: NDArray[np.uint8] | None = None  # states to begin from, one per row
    start_of: NDArray[np.uint32] | None = None  # which of them, by run
    stages: NDArray[np.uint32] | None = None  # of the monitor's observer at the beginning, by run
    interrupt: ctypes.c_int32 | None = None  # polled: not zero ends the batch
    threads: ThreadLimit = ThreadLimit.ALL
    leaks: Leaks | None = None  # who says whether memory is lost where a run ends


@dataclass(frozen=True, slots=True)
class Batch:
    """By run, in the order of run numbers. After an interrupt there are fewer than asked for."""

    kinds: NDArray[np.uint8]  # outcomes.Kind
    steps: NDArray[np.uint64]
    verdicts: NDArray[np.uint8]  # of the monitor's formula
    values: NDArray[np.float64]  # of the monitor's aggregate
    scores: NDArray[np.float64]  # the largest of the run
    pcs: NDArray[np.uint32]  # where the thread that ended the run stood
    details: NDArray[np.int32]  # index of the error, halt or undefined kind; of CAPACITY the room
    finals: NDArray[np.uint8] | None = None  # one state per row
    lost: NDArray[np.uint8] | None = None  # whether memory is lost at the end, if that was asked
    stages: NDArray[np.uint32] | None = None  # of the observer before it looked at the last state, with `finals`
    made: NDArray[np.uint64] | None = None  # of a random walk: the steps of each slot, over all runs
    prints: NDArray[np.uint64] | None = None  # of all states of all runs, sorted, each once; if the monitor makes them

    def count(self, kind: OutcomeKind) -> int:
        return int(np.count_nonzero(self.kinds == kind))

    def rooms(self) -> frozenset[str]:
        """What runs ran out of."""
        short: Any = self.details[self.kinds == OutcomeKind.CAPACITY]
        found: set[int] = set(short.tolist())
        return frozenset(ROOMS[room] for room in found if room < len(ROOMS))


class BatchResults(Enum):
    """What a batch tells."""

    EACH = "of every run"
    NONE = "nothing: somebody else adds up"


class _SchedulerBlock(ctypes.Structure):
    _fields_ = (
        ("kind", i32),
        ("depth", i32),
        ("length", u64),
        ("moves", ctypes.c_void_p),
        ("choices", ctypes.c_void_p),
        ("move_count", u64),
        ("lengths", ctypes.c_void_p),
        ("length_count", u64),
        ("made", ctypes.c_void_p),
    )


class BatchBlock(ctypes.Structure):
    _fields_ = (
        ("starts", ctypes.c_void_p),
        ("start_of", ctypes.c_void_p),
        ("stages", ctypes.c_void_p),
        ("seed", u64),
        ("first_run", u64),
        ("runs", u64),
        ("max_steps", u64),
        ("scheduler", _SchedulerBlock),
        ("telling", i32),
        ("has_level", i32),
        ("capped", i32),
        ("level", ctypes.c_double),
        ("interrupt", ctypes.c_void_p),
        *(
            (name, ctypes.c_void_p)
            for name in ("outcome", "verdict", "steps", "value", "score", "pc", "detail", "stage")
        ),
        ("print", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("final", "lost", "loses", "leaks")),
        ("moves", ctypes.c_void_p),
        ("choices", ctypes.c_void_p),
        ("move_room", u64),
        ("choice_room", u64),
        ("move_count", u64),
        ("work", ctypes.c_void_p),
    )


def run(
    machine: NativeMachine,
    seed: int,
    first_run: int,
    runs: int,
    max_steps: int,
    scheduler: Scheduler,
    from_state: bytes | None,
    values: WideValues,
    options: BatchOptions | None,
) -> Batch:
    call = BatchCall(machine, seed, first_run, runs, max_steps, scheduler, from_state, values, options)
    return call.make()


def record(
    machine: NativeMachine,
    seed: int,
    run_number: int,
    max_steps: int,
    scheduler: Scheduler,
    from_state: bytes | None,
    values: WideValues,
    threads: ThreadLimit,
    leaks: Leaks | None = None,
    stage: int | None = None,
) -> tuple[Batch, Schedule]:
    stages = None if stage is None else np.array([stage], np.uint32)
    options = BatchOptions(Finals.KEEP, stages=stages, threads=threads, leaks=leaks)
    call = BatchCall(machine, seed, run_number, 1, max_steps, scheduler, from_state, values, options)
    moves = np.zeros((max_steps + 1, 2), np.int32)
    choices = np.zeros((_RECORDED_CHOICES + max_steps, 2), np.int64)
    block = call.block
    block.moves, block.choices = moves.ctypes.data, choices.ctypes.data
    block.move_room, block.choice_room = len(moves), len(choices)
    made = call.make()
    assert made.finals is not None
    numbers = machine.decoder.numbers(made.finals[0].tobytes())
    return made, schedule_of(numbers, moves[: block.move_count], choices)


def schedule_of(numbers: list[int], moves: NDArray[np.int32], choices: NDArray[np.int64]) -> Schedule:
    """From the threads' numbers by slot, slots and numbers of choices, and the choices one after the other."""
    threads = [thread_of(number) for number in numbers]
    found: list[Move] = []
    at = 0
    state_slots: list[tuple[int, int]] = [(int(slot), int(count)) for slot, count in moves]
    for slot, count in state_slots:
        taken: list[tuple[int, int]] = choices[at : at + count].tolist()
        found.append(Move(threads[slot], tuple(c if is_signed else c % (1 << 64) for c, is_signed in taken)))
        at += count
    return tuple(found)


class BatchCall:
    """One call of `tp_batch` with everything it points to: `inputs` and `outputs` by their names in the block."""

    def __init__(
        self,
        machine: NativeMachine,
        seed: int,
        first_run: int,
        runs: int,
        max_steps: int,
        scheduler: Scheduler,
        from_state: bytes | None,
        values: WideValues,
        options: BatchOptions | None = None,
        results: BatchResults = BatchResults.EACH,
    ) -> None:
        options = options or BatchOptions()
        self._machine = machine
        self._runs = runs
        self._kept: list[Any] = []
        self.inputs: dict[str, NDArray[Any]] = {}
        self.outputs: dict[str, NDArray[Any]] = {}
        self.block: Any = BatchBlock()
        block = self.block
        block.seed, block.first_run, block.runs, block.max_steps = seed % (1 << 64), first_run, runs, max_steps
        block.telling, block.capped = values.value, options.threads.value
        starts = options.starts
        if starts is None:
            start = machine.initial() if from_state is None else from_state
            starts = np.frombuffer(start, np.uint8).reshape(1, -1).copy()
        if starts.shape[1] != machine.state_size:
            raise InputError("these states belong to another machine")
        self._give("starts", np.ascontiguousarray(starts))
        if options.start_of is not None:
            self._give("start_of", np.ascontiguousarray(options.start_of, np.uint32))
        if options.stages is not None:
            self._give("stages", np.ascontiguousarray(options.stages, np.uint32))
        if options.level is not None:
            block.has_level, block.level = 1, options.level
        if options.interrupt is not None:
            self._kept.append(options.interrupt)
            block.interrupt = ctypes.addressof(options.interrupt)
        self._prints = np.zeros(runs * (max_steps + 1) if machine.monitor.prints else 0, np.uint64)
        block.print = self._prints.ctypes.data
        if results is BatchResults.EACH:
            self._results(options)
        self._scheduler(scheduler)
        block.work = self._keep(np.zeros(2 * machine.state_size + 64, np.uint8))

    def _keep(self, array: NDArray[Any]) -> int:
        self._kept.append(array)
        return array.ctypes.data

    def _give(self, name: str, array: NDArray[Any]) -> None:
        self.inputs[name] = array
        setattr(self.block, name, array.ctypes.data)

    def _take(self, name: str, array: NDArray[Any]) -> None:
        self.outputs[name] = array
        setattr(self.block, name, array.ctypes.data)

    def _results(self, options: BatchOptions) -> None:
        kinds: dict[str, Any] = {
            "outcome": np.uint8,
            "steps": np.uint64,
            "verdict": np.uint8,
            "value": np.float64,
            "score": np.float64,
            "pc": np.uint32,
            "detail": np.int32,
        }
        for name, kind in kinds.items():
            self._take(name, np.zeros(self._runs, kind))
        if options.leaks is not None:
            self._take("lost", np.zeros(self._runs, np.uint8))
            self._kept.append(options.leaks)
            self.block.loses, self.block.leaks = options.leaks.function, options.leaks.address
        if options.finals is Finals.KEEP:
            self._take("final", np.zeros((self._runs, self._machine.state_size), np.uint8))
            self._take("stage", np.zeros(self._runs, np.uint32))

    def _scheduler(self, scheduler: Scheduler) -> None:
        block = self.block.scheduler
        self.lengths: NDArray[np.uint64] | None = None
        self.made: NDArray[np.uint64] | None = None
        match scheduler:
            case Uniform():
                block.kind = 0
            case Pct():
                if not 1 <= scheduler.depth <= _MAX_DEPTH:
                    raise InputError(f"PCT's depth is a number from 1 to {_MAX_DEPTH}")
                block.kind, block.depth, block.length = 1, scheduler.depth, scheduler.length
            case RandomWalk():
                block.kind, block.length_count = 2, len(scheduler.lengths)
                if scheduler.lengths:
                    self.lengths = np.array(scheduler.lengths, np.uint64)
                    block.lengths = self.lengths.ctypes.data
                self.made = np.zeros(self._machine.capacity.threads, np.uint64)
                block.made = self.made.ctypes.data
            case RoundRobin():
                block.kind, block.depth = 3, scheduler.quantum
            case ReplayScheduler():
                self._replay(scheduler.schedule)

    def _replay(self, schedule: Schedule) -> None:
        block = self.block.scheduler
        slots = [self._machine.slot(move.thread) for move in schedule]
        absent = self._machine.capacity.threads
        moves = [(absent if slot is None else slot, len(m.choices)) for slot, m in zip(slots, schedule, strict=True)]
        choices = [(c + (1 << 63)) % (1 << 64) - (1 << 63) for move in schedule for c in move.choices]
        block.kind, block.move_count = 4, len(schedule)
        block.moves = self._keep(np.array(moves or [(0, 0)], np.int32))
        block.choices = self._keep(np.array(choices or [0], np.int64))

    def make(self) -> Batch:
        return self.result(self._machine.library.tp_batch(ctypes.byref(self.block)))

    def result(self, made: int) -> Batch:
        """The batch, of which so many runs were made."""
        a: dict[str, Any] = {name: array[:made] for name, array in self.outputs.items()}
        names = ("outcome", "steps", "verdict", "value", "score", "pc", "detail", "final", "lost", "stage")
        prints = None
        if self._machine.monitor.prints:
            prints = np.unique(self._prints[: (self.block.print - self._prints.ctypes.data) // 8])
        return Batch(*(a.get(name) for name in names), made=self.made, prints=prints)  # pyright: ignore[reportArgumentType]
