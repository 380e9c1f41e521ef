"""Batches of runs on a GPU, with the results that `tp_batch` has here: see `kernel/lanes.h`.

A launch is a tenth of a second, so that limits and interrupts are seen between two of them. Runs that need what a GPU
does not do in the same way (functions of math.h, bits of what is no number) are made here.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from threadproof.codegen.device.cuda import Gpu, GpuCode, NoGpu
from threadproof.codegen.device.ptx import compiled
from threadproof.codegen.machine.blocks import u32, u64
from threadproof.codegen.machine.machine_text import machine_text
from threadproof.codegen.machine.variant import Processor
from threadproof.codegen.runs.batch import Batch, BatchBlock, BatchCall, BatchOptions, BatchResults, WideValues
from threadproof.codegen.runs.schedulers import Scheduler, Uniform
from threadproof.semantics.run import Granularity

if TYPE_CHECKING:
    from threadproof.codegen.runs.native import NativeMachine

LAUNCH_S = 0.1
FIRST_TURNS = 512
MOST_TURNS = 1 << 22
MOST_INSTRUCTIONS = 4000
"""The driver's compiler takes longer than the runs would, beyond that."""
MOST_LOCAL_BYTES = 1 << 18
THREADS = 128  # of a block
WARP = 32
REGISTERS = 128
GATHER = 32
"""Of the 32 lanes that walk together, all begin their runs together: then they do the same for longest."""
COMPANIES = (32, 20, 6, 1)
"""Of the 32, so many do what is rare and long together, or all that are left. Which is best depends on the program."""
OUTCOMES, ELSEWHERE_ROOM = 32, 4096
_NOT_MADE, _ELSEWHERE = 254, 255  # outcomes of runs that are not (yet) made there


class _SumsBlock(ctypes.Structure):
    _fields_ = (
        ("open", u64),
        ("steps", u64),
        ("count", u64 * (2 * OUTCOMES)),
        ("turns", u64),
        ("elsewhere", u64),
        ("numbers", u64 * ELSEWHERE_ROOM),
    )


class _LaunchBlock(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("batch", "saved", "watched", "sums", "made")),
        *((name, u32) for name in ("lanes", "turns", "first", "gather", "company")),
    )


@dataclass(frozen=True, slots=True)
class BatchSums:
    """What a batch comes to: steps of all runs, and their number by verdict and outcome."""

    steps: int
    counts: NDArray[np.int64]


def sums_of(made: Batch) -> BatchSums:
    counts = np.zeros((2, OUTCOMES), np.int64)
    np.add.at(counts, (made.verdicts, made.kinds), 1)
    return BatchSums(int(made.steps.sum()), counts)


class Lanes:
    """A machine on a GPU. Raises NoGpu if the program is too large for it."""

    def __init__(self, machine: NativeMachine, gpu: Gpu) -> None:
        self._machine = machine
        self._gpu = gpu
        self._codes: dict[bool, _Code] = {}
        self._rooms: dict[str, tuple[int, int]] = {}
        self._turns = FIRST_TURNS
        size = machine.numbering.pc_count
        if size > MOST_INSTRUCTIONS:
            raise NoGpu(f"the program is too large for a GPU: {size:,} instructions, at most {MOST_INSTRUCTIONS:,}")
        if machine.state_size > MOST_LOCAL_BYTES:
            raise NoGpu(f"the program is too large for a GPU: a state has {machine.state_size:,} bytes")

    def run(
        self,
        seed: int,
        first_run: int,
        runs: int,
        max_steps: int,
        scheduler: Scheduler,
        from_state: bytes | None,
        values: WideValues,
        options: BatchOptions | None,
    ) -> Batch:
        def call(first: int, count: int, wishes: BatchOptions | None) -> BatchCall:
            return BatchCall(self._machine, seed, first, count, max_steps, scheduler, from_state, values, wishes)

        batch = call(first_run, runs, options)
        self._launch(batch, runs, scheduler, None if options is None else options.interrupt)
        outcomes = batch.outputs["outcome"]
        waiting = np.flatnonzero(outcomes == _NOT_MADE)
        made = int(waiting[0]) if len(waiting) else runs
        for low, high in _stretches(np.flatnonzero(outcomes[:made] == _ELSEWHERE).tolist()):
            here = call(first_run + low, high - low, _part(options, low, high))
            here.make()
            for name, array in batch.outputs.items():
                array[low:high] = here.outputs[name]
            if batch.made is not None and here.made is not None:
                batch.made += here.made
        return batch.result(made)

    def sums(self, seed: int, first_run: int, runs: int, max_steps: int) -> BatchSums | None:
        """Of uniform runs from the beginning; None if too many of them have to be made here."""
        values, nothing = WideValues.UNIFORM, BatchResults.NONE
        batch = BatchCall(self._machine, seed, first_run, runs, max_steps, Uniform(), None, values, None, nothing)
        found = self._launch(batch, runs, Uniform(), None)
        if found.elsewhere > ELSEWHERE_ROOM:
            return None
        steps, counts = int(found.steps), np.array(found.count, np.int64).reshape(2, OUTCOMES)
        for low, high in _stretches(sorted(found.numbers[: found.elsewhere])):
            call = BatchCall(self._machine, seed, first_run + low, high - low, max_steps, Uniform(), None, values)
            here = sums_of(call.make())
            steps += here.steps
            counts += here.counts
        return BatchSums(steps, counts)

    def close(self) -> None:
        """Give the GPU's memory back."""
        for at, _ in self._rooms.values():
            self._gpu.release(at)
        for code in self._codes.values():
            self._gpu.unload(code.code)
        self._rooms.clear()
        self._codes.clear()

    # --- launches ------------------------------------------------------------------------------------------------

    def _launch(self, call: BatchCall, runs: int, scheduler: Scheduler, interrupt: ctypes.c_int32 | None) -> Any:
        """All runs of the call, or those that were made before an interrupt."""
        code = self._code(isinstance(scheduler, Uniform))
        threads = THREADS if runs >= THREADS * self._gpu.multiprocessors else WARP
        blocks = min(code.lanes // threads, -(-runs // threads))
        argument, sums = _LaunchBlock(), _SumsBlock()
        argument.lanes, argument.gather, argument.company, argument.first = blocks * threads, GATHER, COMPANIES[0], 1
        argument.saved = self._room("saved", argument.lanes * code.lane_bytes)
        if self._machine.granularity is not Granularity.INSTRUCTION:
            argument.watched = self._room("watched", argument.lanes * self._machine.state_size)
        argument.batch = self._batch(call, runs)
        if call.made is not None:
            argument.made = self._given("made", call.made)
        argument.sums = self._given("sums", _bytes(sums))
        while True:
            before, argument.company = sums.turns, code.pace.company()
            spent = self._timed_launch(code.code, blocks, threads, argument)
            self._gpu.get(_bytes(sums), argument.sums)
            if spent > LAUNCH_S / 2 and sums.open == argument.lanes:
                code.pace.note((sums.turns - before) / spent)
            if not sums.open or (interrupt is not None and interrupt.value):
                break
            argument.first = 0
            sums.open = 0
            self._gpu.put(argument.sums, _bytes(sums))
        for name, array in call.outputs.items():
            self._gpu.get(array, self._rooms[name][0])
        if call.made is not None:
            self._gpu.get(call.made, argument.made)
        return sums

    def _timed_launch(self, code: GpuCode, blocks: int, threads: int, argument: Any) -> float:
        argument.turns = self._turns
        started = time.monotonic()
        self._gpu.launch(code, blocks, threads, argument)
        spent = max(time.monotonic() - started, 1e-6)
        if spent > LAUNCH_S or spent < LAUNCH_S / 2:
            self._turns = round(min(MOST_TURNS, max(FIRST_TURNS, self._turns * min(4.0, LAUNCH_S / spent))))
        return spent

    def _batch(self, call: BatchCall, runs: int) -> int:
        """The call's block with addresses of the GPU."""
        block: Any = BatchBlock.from_buffer_copy(call.block)
        block.interrupt = block.work = block.loses = block.leaks = None
        for name, array in call.inputs.items():
            setattr(block, name, self._given(name, array))
        for name, array in call.outputs.items():
            setattr(block, name, self._room(name, array.nbytes))
        if call.outputs:
            self._gpu.fill(self._rooms["outcome"][0], _NOT_MADE, runs)
        if call.lengths is not None:
            block.scheduler.lengths = self._given("lengths", call.lengths)
        return self._given("batch", _bytes(block))

    # --- memory and code -----------------------------------------------------------------------------------------

    def _given(self, name: str, values: NDArray[Any]) -> int:
        at = self._room(name, values.nbytes)
        self._gpu.put(at, values)
        return at

    def _room(self, name: str, size: int) -> int:
        """Memory of the GPU by its name, kept for the next batch."""
        at, now = self._rooms.get(name, (0, 0))
        if now < size:
            if now:
                del self._rooms[name]
                self._gpu.release(at)
            at = self._gpu.allocate(size)
            self._rooms[name] = (at, size)
        return at

    def _code(self, uniform: bool) -> _Code:
        found = self._codes.get(uniform)
        if found is None:
            found = self._codes[uniform] = self._loaded(uniform)
        return found

    def _loaded(self, uniform: bool) -> _Code:
        machine, gpu = self._machine, self._gpu
        code = gpu.load(compiled(gpu_text(machine, uniform)), "tp_lanes", REGISTERS)
        lane_bytes, sums_bytes = gpu.constants(code, "tp_sizes", 2)
        assert sums_bytes == ctypes.sizeof(_SumsBlock), "the two descriptions of sums differ"
        # The driver keeps this much for the threads' own memory; beside it there must be room for what lanes save.
        own, free = code.local_bytes * gpu.multiprocessors * gpu.resident_threads, gpu.free_bytes()
        lanes = gpu.multiprocessors * gpu.blocks(code, THREADS) * THREADS
        room = (free - own) // 2 // (lane_bytes + machine.state_size)
        if room < THREADS:
            raise NoGpu(f"the program is too large for this GPU: {free / 2**20:,.0f} MiB are free")
        return _Code(code, lane_bytes, min(lanes, room // THREADS * THREADS))


def gpu_text(machine: NativeMachine, uniform: bool) -> str:
    """The kernel in C; for the uniform scheduler alone it is faster."""
    text = machine_text(machine.numbering, machine.variant, machine.capacity, machine.monitor, Processor.GPU)
    return f"#define UNIFORM_ONLY {int(uniform)}\n{text}"


class _Pace:
    """Tries each number of lanes that wait for each other in long launches, and stays with the quickest. No result
    depends on it."""

    def __init__(self) -> None:
        self._rates: dict[int, float] = {}

    def company(self) -> int:
        untried = [one for one in COMPANIES if one not in self._rates]
        return untried[0] if untried else max(COMPANIES, key=lambda one: self._rates[one])

    def note(self, turns_a_second: float) -> None:
        self._rates.setdefault(self.company(), turns_a_second)


@dataclass(frozen=True, slots=True)
class _Code:
    code: GpuCode
    lane_bytes: int
    lanes: int  # most of them
    pace: _Pace = field(default_factory=_Pace)


def _bytes(block: ctypes.Structure) -> NDArray[np.uint8]:
    whole: Any = block
    return np.frombuffer(whole, np.uint8)


def _part(options: BatchOptions | None, low: int, high: int) -> BatchOptions | None:
    """The wishes for some of the runs."""
    if options is None:
        return None
    start_of, stages = options.start_of, options.stages
    return replace(
        options,
        start_of=None if start_of is None else start_of[low:high],
        stages=None if stages is None else stages[low:high],
    )


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs that follow each other, as (first, behind the last)."""
    low = 0
    for index in range(1, len(numbers) + 1):
        if index == len(numbers) or numbers[index] != numbers[index - 1] + 1:
            yield numbers[low], numbers[index - 1] + 1
            low = index
