"""A program as a native machine: single steps with the reference's outcomes, and whole batches of runs."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from threadproof.codegen.device.cuda import NoGpu
from threadproof.codegen.machine.blocks import DetailBlock, TouchBlock, i32, i64, state_block, u32, u64
from threadproof.codegen.machine.capacity import ROOMS, Capacity, slot_is_number, suggested
from threadproof.codegen.machine.machine_text import machine_text
from threadproof.codegen.machine.monitor import NO_MONITOR, Monitor
from threadproof.codegen.machine.numbering import Numbering
from threadproof.codegen.machine.operations import ERROR_KINDS, HALT_KINDS, UNDEFINED_KINDS
from threadproof.codegen.machine.variant import Footprints, Variant
from threadproof.codegen.runs import batch
from threadproof.codegen.runs.batch import Batch, ThreadLimit, WideValues
from threadproof.codegen.runs.build import CompilerEffort, library
from threadproof.codegen.runs.decode import Decoder
from threadproof.codegen.runs.outcomes import (
    NativeFinished,
    NativeMoved,
    NativeOutcome,
    NotNative,
    OutcomeKind,
    OutOfCapacity,
)
from threadproof.codegen.runs.schedulers import ReplayScheduler, Scheduler
from threadproof.core.schedule import Schedule
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import ThreadId
from threadproof.core.thread_id import number as number_of
from threadproof.ir import maths
from threadproof.ir.instr import Instr, Nondet
from threadproof.ir.program import Program
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    NotSupported,
    Stuck,
    UndefinedBehaviour,
)
from threadproof.semantics.run import Granularity, Solo, Spurious
from threadproof.semantics.state import State
from threadproof.sync.footprint import Mode, Touch

if TYPE_CHECKING:
    from threadproof.codegen.device.choice import Device
    from threadproof.codegen.device.lanes import BatchSums, Lanes
    from threadproof.codegen.machine.environment_text import NativeEnvironment
    from threadproof.codegen.runs.leaks import Leaks

_NO_NAME, _IS_NUMBER = -1, -2
TOUCHES = 4096
MODES = 15  # the bits of a touch's mode; the others say whether it is data, and atomic


def thread_type(layout: Any) -> Any:
    return dict(layout._fields_)["t"]._type_


class NativeMachine:
    """Results are those of `semantics.machine.Machine` for the same program and parameters."""

    def __init__(
        self,
        program: Program,
        granularity: Granularity = Granularity.VISIBLE,
        spurious: Spurious = Spurious.ON,
        monitor: Monitor | None = None,
        capacity: Capacity = Capacity(),  # noqa: B008 - a frozen value
        effort: CompilerEffort | None = None,
        solo: Solo = Solo.LIVE,
        footprints: Footprints = Footprints.OFF,
        dormant: int = 0,
        device: Device | None = None,
        environment: NativeEnvironment | None = None,
    ) -> None:
        self.program = program
        self.granularity = granularity
        self.spurious = spurious
        self.variant = Variant(granularity, spurious, solo, footprints, dormant)
        self.monitor = monitor or NO_MONITOR
        self.numbering = Numbering(program, environment)
        self.capacity = suggested(self.numbering, capacity, dormant)
        self.effort = effort or CompilerEffort.for_size(self.numbering.pc_count)
        self.text = machine_text(self.numbering, self.variant, self.capacity, self.monitor)
        self.device = device
        self._lanes: Lanes | None = None
        self.library = _typed(library(self.text, self.effort))
        block = state_block(self.numbering, self.capacity, dormant)
        self.state_size = ctypes.sizeof(block)
        assert self.state_size == self.library.tp_state_size(), "the two descriptions of a state differ"
        self.decoder = Decoder(self.numbering, block, slot_is_number(self.numbering), dormant)

    # --- single steps --------------------------------------------------------------------------------------------

    def initial(self) -> bytes:
        buffer = ctypes.create_string_buffer(self.state_size)
        self.library.tp_initial(buffer)
        return buffer.raw

    def step(self, state: bytes, thread: ThreadId, choices: tuple[int, ...] = ()) -> NativeOutcome:
        """One step of a thread. The state given is not changed."""
        return self._step(state, thread, choices, DetailBlock())

    def footprint(self, state: bytes, thread: ThreadId, choices: tuple[int, ...] = ()) -> tuple[Touch, ...] | None:
        """What the step touches, in the order of `semantics.outcome.footprint`; None if that is very much."""
        assert self.variant.footprints is Footprints.ON
        detail = DetailBlock()
        touches = (TouchBlock * TOUCHES)()
        detail.touches, detail.touch_room = ctypes.addressof(touches), TOUCHES
        self._step(state, thread, choices, detail)
        if detail.touched > TOUCHES:
            return None
        found = [Touch(t.address, t.size, Mode(t.mode & MODES)) for t in touches[: detail.touched]]
        return tuple(dict.fromkeys(found))

    def _step(self, state: bytes, thread: ThreadId, choices: tuple[int, ...], detail: DetailBlock) -> NativeOutcome:
        made = self.made(state, thread, choices, detail)
        if made is None:
            return Blocked("finished thread", 0, NOWHERE)
        match made:
            case OutcomeKind.MOVED, after:
                return NativeMoved(after)
            case OutcomeKind.FINISHED, after:
                return NativeFinished(HALT_KINDS[int(detail.kind)], after, self.loc(detail.pc))
            case other, _:
                return self.told(other, detail)

    def made(
        self, state: bytes, thread: ThreadId, choices: tuple[int, ...], detail: DetailBlock
    ) -> tuple[OutcomeKind, bytes] | None:
        """How the step ends and the block it leaves; None if there is no such thread."""
        slot = self.slot(thread)
        if slot is None:
            return None
        room = ctypes.create_string_buffer(2 * self.state_size)
        ctypes.memmove(room, state, self.state_size)
        wrapped = [(c + (1 << 63)) % (1 << 64) - (1 << 63) for c in choices]
        given = (ctypes.c_int64 * max(1, len(choices)))(*wrapped)
        watched = ctypes.byref(room, self.state_size)
        kind = self.library.tp_step(room, watched, slot, given, len(choices), ctypes.byref(detail))
        return OutcomeKind(kind), room.raw[: self.state_size]

    def told(self, kind: OutcomeKind, d: Any) -> NativeOutcome:
        """The outcome of a step that leads to no state, from the block that says why."""
        match kind:
            case OutcomeKind.FAILED:
                return Failed(ERROR_KINDS[int(d.kind)], self._text(d.text), self.loc(d.pc))
            case OutcomeKind.UNDEFINED:
                return UndefinedBehaviour(UNDEFINED_KINDS[int(d.kind)], self._detail(d), self.loc(d.pc))
            case OutcomeKind.ASSUMPTION:
                return AssumptionFailed(self.loc(d.pc))
            case OutcomeKind.BLOCKED:
                waits = self._text(d.kind)
                return Blocked(waits, d.number, NOWHERE if waits in _NOT_AT_AN_OPERATION else self.loc(d.pc))
            case OutcomeKind.STUCK:
                return Stuck(self.loc(d.pc))
            case OutcomeKind.UNSUPPORTED:
                return NotSupported(self._text(d.text, d.name), self.loc(d.pc))
            case OutcomeKind.CHOOSE:
                low, high = (_signed(d.low), _signed(d.high)) if d.is_signed else (d.low, d.high)
                _, instr = self.instr(d.pc)
                values = instr.values if isinstance(instr, Nondet) else ()
                return Choose(self._text(d.source, d.source_name), low, high, d.bits, instr.loc, values)
            case OutcomeKind.NOT_NATIVE:
                return NotNative(self._text(d.text), self.loc(d.pc))
            case _:
                return OutOfCapacity(ROOMS[int(d.resource)])

    def _text(self, text: int, name: int = _NO_NAME) -> str:
        found = self.numbering.texts.texts[text]
        return found.replace("{name}", self.numbering.names.texts[name]) if name >= 0 else found

    def _detail(self, d: Any) -> str:
        if d.name == _IS_NUMBER:
            return hex(d.number)
        return self.numbering.names.texts[int(d.name)] if d.name >= 0 else ""

    def instr(self, pc: int) -> tuple[str, Instr]:
        """Function and instruction at a program counter."""
        bodies = list(self.numbering.bodies.values())
        body = next(body for body in reversed(bodies) if body.start <= pc and body.instrs)
        return body.name, body.instrs[pc - body.start]

    def loc(self, pc: int) -> SourceLoc:
        return self.instr(pc)[1].loc

    def describe(self, block: Any) -> None:
        """Tell a kernel that drives the machine from outside where things lie in a state."""
        layout = self.decoder.block
        block.state_size, block.threads = self.state_size, self.capacity.threads
        block.threads_at, block.thread_size = layout.t.offset, layout.t.size // self.capacity.threads
        block.pc_at = thread_type(layout).pc.offset

    # --- states --------------------------------------------------------------------------------------------------

    def decode(self, state: bytes) -> State:
        return self.decoder.state(state)

    def slot(self, thread: ThreadId) -> int | None:
        slot = self.decoder.slot(number_of(thread))
        return slot if slot is not None and slot < self.capacity.threads else None

    def enabled(self, state: bytes) -> list[ThreadId]:
        """The threads that can move, a missing choice included."""
        threads = [thread.id for _, thread in sorted(self.decode(state).threads.items()) if thread.frames]
        return [thread for thread in threads if not isinstance(self.step(state, thread), Blocked)]

    # --- runs ----------------------------------------------------------------------------------------------------

    def run_batch(
        self,
        seed: int,
        first_run: int,
        runs: int,
        max_steps: int,
        scheduler: Scheduler,
        from_state: bytes | None = None,
        values: WideValues = WideValues.UNIFORM,
        options: batch.BatchOptions | None = None,
    ) -> Batch:
        """`runs` whole runs, each a function of seed and run number; see `codegen.runs.batch`. On the GPU, if there is
        one and it can do that: the results are the same."""
        here = isinstance(scheduler, ReplayScheduler) or (options is not None and options.leaks is not None)
        if not here and (lanes := self._on_gpu()) is not None:
            try:
                return lanes.run(seed, first_run, runs, max_steps, scheduler, from_state, values, options)
            except NoGpu as problem:
                self._leave_gpu(problem)
        return batch.run(self, seed, first_run, runs, max_steps, scheduler, from_state, values, options)

    def record(
        self,
        seed: int,
        run: int,
        max_steps: int,
        scheduler: Scheduler,
        from_state: bytes | None = None,
        values: WideValues = WideValues.UNIFORM,
        threads: ThreadLimit = ThreadLimit.ALL,
        leaks: Leaks | None = None,
        stage: int | None = None,
    ) -> tuple[Batch, Schedule]:
        """One run again, with the schedule it took; `stage` is the observer's at its beginning."""
        return batch.record(self, seed, run, max_steps, scheduler, from_state, values, threads, leaks, stage)

    def sum_batch(self, seed: int, first_run: int, runs: int, max_steps: int) -> BatchSums | None:
        """What uniform runs from the beginning come to; None if only a batch of all of them can tell."""
        lanes = self._on_gpu()
        if lanes is None:
            return None
        try:
            return lanes.sums(seed, first_run, runs, max_steps)
        except NoGpu as problem:
            self._leave_gpu(problem)
            return None

    def _on_gpu(self) -> Lanes | None:
        """The machine on its GPU, if it has one that takes it."""
        if self.device is None or self.device.gpu is None:
            return None
        if self._lanes is None:
            from threadproof.codegen.device.lanes import Lanes

            try:
                self._lanes = Lanes(self, self.device.gpu)
            except NoGpu as problem:
                self._leave_gpu(problem)
        return self._lanes

    def _leave_gpu(self, problem: NoGpu) -> None:
        assert self.device is not None
        self._lanes = None
        self.device.give_up(problem)

    def grown(self, room: str) -> NativeMachine | None:
        """The same machine with more room, None beyond the limit."""
        capacity = self.capacity.grown(room)
        return None if capacity == self.capacity else self.rebuilt(capacity, self.effort)

    def rebuilt(self, capacity: Capacity, effort: CompilerEffort, dormant: int | None = None) -> NativeMachine:
        v = self.variant if dormant is None else replace(self.variant, dormant=dormant)
        parameters = (v.granularity, v.spurious, self.monitor, capacity, effort, v.solo, v.footprints, v.dormant)
        self.close()
        return NativeMachine(self.program, *parameters, device=self.device, environment=self.numbering.environment)

    def close(self) -> None:
        """Give back what it has of the GPU."""
        if self._lanes is not None:
            self._lanes.close()
            self._lanes = None


_NOT_AT_AN_OPERATION = ("atomic block", "finished thread")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _typed(found: ctypes.CDLL) -> ctypes.CDLL:
    found.tp_state_size.restype = u64
    found.tp_initial.restype = None
    found.tp_initial.argtypes = (ctypes.c_void_p,)
    found.tp_step.restype = ctypes.c_int
    found.tp_step.argtypes = (ctypes.c_void_p, ctypes.c_void_p, u32, ctypes.POINTER(i64), i32, ctypes.c_void_p)
    found.tp_batch.restype = u64
    found.tp_batch.argtypes = (ctypes.c_void_p,)
    functions = maths.addresses()
    (ctypes.c_void_p * len(functions)).in_dll(found, "math_functions")[:] = functions
    return found
